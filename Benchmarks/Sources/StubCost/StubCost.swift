import BlockingClient
import Dispatch
import Foundation
import Measuring
import TrackingVerifier
import UnrunTestCase

/// The cost of a request among many stubs to the server's thread, and the time of a closure while others block.
///
///     StubCost ROUNDS
@main
enum StubCost {
  private static let requests = 200

  static func main() {
    let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9
    var samples = Samples()
    for _ in 0..<rounds {
      for path in Path.allCases.shuffled() {
        for count in [1, 100, 1_000, 10_000].shuffled() { measure(path, count, &samples) }
      }
      for count in [1, 16, 256].shuffled() {
        measureClosures(beside: count, &samples)
        measureStop(withHeld: count, &samples)
      }
    }
    samples.write(inOrderOf: [])
  }

  // MARK: - Requests among stubs

  /// The paths of all stubs of a table.
  private enum Path: String, CaseIterable {
    case literal = "literal paths"
    case param = "paths with a param"
    case regex = "regular expressions"

    func stub(_ number: Int) -> StubEndpoint {
      switch self {
      case .literal: StubEndpoint(.get, "/1.0/shops/\(number)/books", .json(["id": .int(number)]))
      case .param: StubEndpoint(.get, "/1.0/shops\(number)/:id/books", .json(["id": .int(number)]))
      case .regex: StubEndpoint(.get, .regex("/1\\.0/shops/\(number)/[a-z]+"), .json(["id": .int(number)]))
      }
    }

    func target(_ number: Int) -> String {
      switch self {
      case .literal, .regex: "/1.0/shops/\(number)/books"
      case .param: "/1.0/shops\(number)/42/books"
      }
    }
  }

  private static func measure(_ path: Path, _ count: Int, _ samples: inout Samples) {
    let verifier = makeVerifier()
    defer { verifier.stop() }
    for number in 0..<count { verifier.stub(path.stub(number)) }
    let client = Client(verifier)
    for (name, targets) in [
      ("a hit", (0..<requests).map { path.target($0 * 7_919 % count) }),
      ("a miss", (0..<requests).map { "/1.0/shops/\($0)/orders" }),
    ] {
      // Not measured: the first request of a process costs more.
      client.get(targets[0])
      let before = ServerThread.time()
      // A miss among many compares the request with the stubs that are spelled most alike.
      for target in targets { client.get(target) }
      let time = (ServerThread.time() - before) / targets.count
      samples.add(
        time.microseconds, of: Subject("\(name) among \(count) stubs, \(path.rawValue)", "TrackingVerifier", .ours))
      verifier.reset()
    }
  }

  // MARK: - Closures beside closures that block

  private static func measureClosures(beside count: Int, _ samples: inout Samples) {
    let verifier = makeVerifier()
    let (started, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    verifier.stub(.get, "/blocked") { _ in
      started.signal()
      mayGo.wait()
      return .ok
    }
    verifier.stub(.get, "/quick") { _ in .ok }
    let blocked = (0..<count).map { _ in Client(verifier) }
    for client in blocked { client.send("/blocked") }
    for _ in blocked { started.wait() }
    let client = Client(verifier)
    client.get("/quick")
    for _ in 0..<50 {
      let began = moment()
      client.get("/quick")
      let name = "a closure beside \(count) that block"
      samples.add((moment() - began).microseconds, of: Subject(name, "TrackingVerifier", .ours))
    }
    for _ in blocked { mayGo.signal() }
    for client in blocked { client.receive() }
    verifier.stop()
    let ended = moment()
    while ServerThread.countOfAll() > 0, moment() - ended < .seconds(10) { usleep(100) }
    let threads = Double(ServerThread.countOfAll())
    let left = "threads left after \(count) closures that blocked"
    samples.add(threads, of: Subject(left, "TrackingVerifier", .ours, unit: "threads"))
  }

  private static func measureStop(withHeld count: Int, _ samples: inout Samples) {
    let verifier = makeVerifier()
    let gate = StubGate()
    verifier.stub(.get, "/held", .ok.held(by: gate))
    let held = (0..<count).map { _ in Client(verifier) }
    for client in held { client.send("/held") }
    // Clients that are let go close their connections, and then the server forgets them.
    withExtendedLifetime(held) { while gate.waiting < count { usleep(100) } }
    let began = moment()
    withExtendedLifetime(held) { verifier.stop() }
    let name = "stop() with \(count) held responses"
    samples.add((moment() - began) / .milliseconds(1), of: Subject(name, "TrackingVerifier", .ours, unit: "ms"))
  }

  private static func makeVerifier() -> TrackingVerifier {
    var configuration = TrackingVerifier.Configuration(keepsJournal: .never, reporter: FatalReporter())
    configuration.checksAtStop = []
    let verifier = TrackingVerifier(with: makeTestCase(), configuration: configuration)
    verifier.start()
    return verifier
  }
}

/// Ends the program where something was not set up, because then something else was measured.
private struct FatalReporter: FailureReporter {
  func report(_ failure: CheckFailure) { fatalError(failure.message) }
}

/// A blocking client with one connection; everything is measured with it.
private final class Client {
  private let descriptor: Int32

  init(_ verifier: TrackingVerifier) {
    descriptor = blockingClientConnect(Int32(verifier.baseURL.port ?? 0))
    precondition(descriptor >= 0, "no connection")
  }

  deinit {
    blockingClientClose(descriptor)
  }

  func get(_ target: String) {
    send(target)
    receive()
  }

  func send(_ target: String) {
    let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".utf8)
    precondition(write(descriptor, request, request.count) == request.count, "not sent")
  }

  /// Receives one response; each fits into one packet.
  func receive() {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    precondition(read(descriptor, &buffer, buffer.count) > 0, "no response")
  }
}

/// The server's thread, as Linux tells of it.
private enum ServerThread {
  /// The CPU time that it has taken.
  static func time() -> Duration {
    for task in tasks() {
      guard let name = try? String(contentsOfFile: "\(task)/comm", encoding: .utf8), name.hasPrefix("TrackingServer"),
        let text = try? String(contentsOfFile: "\(task)/schedstat", encoding: .utf8),
        let nanoseconds = text.split(separator: " ").first.flatMap({ Int($0) })
      else { continue }
      return .nanoseconds(nanoseconds)
    }
    return .zero
  }

  /// The number of the server's threads, including the threads of closures.
  static func countOfAll() -> Int {
    tasks().count { (try? String(contentsOfFile: "\($0)/comm", encoding: .utf8))?.hasPrefix("Tracking") ?? false }
  }

  private static func tasks() -> [String] {
    let folder = "/proc/self/task"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).map { "\(folder)/\($0)" }
  }
}
