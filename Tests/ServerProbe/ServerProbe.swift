import Foundation
import StubModel
import TrackingInspector
import TrackingModel
import TrackingServer

/// A server as a separate process, for scripts that measure its use of the system's resources: it executes the lines of its standard input,
/// and responds to each with one line of JSON.
///
/// At the end of its input it stops the server and exits.
@main
enum ServerProbe {
  fileprivate struct Account: Encodable {
    var endpoint: String?
    var session: String?
    var error: String?
    var events: Int?
    var rejections: Int?
    /// For each launch what its events' param `number` was, in the order of arrival, as first and last of each run without a gap.
    var numbers: [String: [[Int]]]?
    /// The number of responses that a gate holds back.
    var waiting: Int?
    /// The number of clients that listen to the stream.
    var listeners: Int?
    /// The file with the address of the page of a run of tests.
    var file: String?
  }

  static func main() {
    var configuration = TrackingServer.Configuration()
    // Nothing that is sent on purpose is to be refused for its amount.
    configuration.limits.journalEvents = .max
    configuration.limits.journalBodyBytes = .max
    if let count = ProcessInfo.processInfo.environment["PROBE_CONNECTIONS"].flatMap(Int.init) {
      configuration.limits.connections = count
    }
    let server = TrackingServer(configuration: configuration)
    let backend = Backend()
    let run = Run()
    while let line = readLine() {
      say(run.response(to: line) ?? response(to: line, server, backend))
    }
    _ = run.response(to: "end")
    server.stop()
  }

  private static func response(to command: String, _ server: TrackingServer, _ backend: Backend) -> Account {
    switch command {
    case "start": return start(server)
    case "stop": server.stop()
    case "forget": _ = server.journal.removeAll()
    case "trim": trim()
    case "count": return Account(events: server.journal.events.count, rejections: server.journal.rejections.count)
    case "inspect": return Account(endpoint: server.openInspector()?.absoluteString)
    case let command where command.hasPrefix("report "): return report(server, to: String(command.dropFirst(7)))
    case "numbers": return Account(numbers: numbers(in: server.journal))
    case "backend": return Account(waiting: backend.gate.waiting, listeners: backend.stream.listeners)
    case let command where command.hasPrefix("stub "):
      return Account(error: backend.install(on: server, file: String(command.dropFirst(5))))
    case "unstub": backend.remove(from: server)
    case "open": backend.gate.open()
    case "close": backend.gate.close()
    case let command where command.hasPrefix("send "):
      for _ in 0..<(Int(command.dropFirst(5)) ?? 0) { backend.stream.send(String(repeating: "x", count: 1_024)) }
    case "finish": backend.stream.finish()
    default: return Account(error: "no such command: \(command)")
    }
    return Account()
  }

  /// Returns to the system what the allocator keeps for later: glibc keeps nearly all of it, so that what is resident says nothing about what is
  /// in use.
  private static func trim() {
    guard let function = dlsym(nil, "malloc_trim") else { return }
    _ = unsafeBitCast(function, to: (@convention(c) (Int) -> CInt).self)(0)
  }

  private static func start(_ server: TrackingServer) -> Account {
    do throws(TrackingServerError) {
      try server.start()
      return Account(endpoint: server.endpoint?.url.absoluteString, session: server.endpoint?.session)
    } catch {
      return Account(error: "\(error)")
    }
  }

  /// Writes the report of everything that was received.
  private static func report(_ server: TrackingServer, to path: String) -> Account {
    do {
      try InspectorReport.html(session: server.sessionJSON).write(toFile: path, atomically: true, encoding: .utf8)
      return Account()
    } catch {
      return Account(error: "\(error)")
    }
  }

  private static func numbers(in journal: TrackingJournal) -> [String: [[Int]]] {
    var runs: [String: [[Int]]] = [:]
    for recorded in journal.events {
      guard let launch = recorded.launch, case .int(let number) = recorded.event.params["number"] else { continue }
      var ofLaunch = runs.removeValue(forKey: launch) ?? []
      if let last = ofLaunch.last, last[1] + 1 == number {
        ofLaunch[ofLaunch.count - 1][1] = number
      } else {
        ofLaunch.append([number, number])
      }
      runs[launch] = ofLaunch
    }
    return runs
  }

  private static func say(_ account: Account) {
    guard let json = try? JSONEncoder().encode(account) else { return }
    print(String(decoding: json, as: UTF8.self))
    fflush(nil)
  }
}

/// A run of tests that have a server each, as verifiers have.
private final class Run {
  private var server: TrackingServer?

  func response(to command: String) -> ServerProbe.Account? {
    if command.hasPrefix("test ") { return begin(String(command.dropFirst(5))) }
    if command.hasPrefix("fail ") {
      server?.notes?.add(failure: String(command.dropFirst(5)), at: "CartTests.swift:1")
      return .init()
    }
    guard command == "end" else { return nil }
    if let server {
      LinkedInspector.link.type?.finish(server)
      server.stop()
    }
    server = nil
    return .init()
  }

  private func begin(_ title: String) -> ServerProbe.Account {
    let server = TrackingServer()
    self.server = server
    server.notes?.observe(title: title)
    do throws(TrackingServerError) {
      try server.start()
    } catch {
      return .init(error: "\(error)")
    }
    LinkedInspector.link.type?.follow(server, title: title)
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tracking-inspector-\(getuid())/\(ProcessInfo.processInfo.processIdentifier).url")
    return .init(endpoint: server.endpoint?.url.absoluteString, file: file.path)
  }
}

/// Stubs that hold responses back, stream, block, and send much.
private final class Backend {
  let gate = StubGate()
  private(set) var stream = StubStream()
  private var owner: StubStore.Owner?

  /// - Parameter file: A large file.
  /// - Returns: The error if a stub can't be installed; otherwise `nil`.
  func install(on server: TrackingServer, file: String) -> String? {
    remove(from: server)
    let owner = server.stubs.makeOwner()
    self.owner = owner
    let url = URL(filePath: file)
    let streaming = StubResponse(headers: ["Content-Type": "text/plain"], content: .stream(ByIdentity(stream)))
    let stubs = [
      StubEndpoint(.get, "/held", .text("held").held(by: gate)),
      StubEndpoint(.get, "/late", .text("late").delayed(by: 3_600)),
      StubEndpoint(.get, "/stream", streaming),
      StubEndpoint(.get, "/file", .file(url.lastPathComponent, in: .url(url.deletingLastPathComponent()))),
      StubEndpoint(.get, "/closure") { _ in
        // Blocks its thread, as a closure that calls something else does.
        usleep(20_000)
        return .text("closure")
      },
    ]
    do throws(StubError) {
      for stub in stubs { server.stubs.install(try PreparedStub(stub, folder: nil), of: owner) }
      return nil
    } catch {
      return "\(error)"
    }
  }

  func remove(from server: TrackingServer) {
    if let owner { server.stubs.removeAll(of: owner) }
    owner = nil
    stream = StubStream()
  }
}
