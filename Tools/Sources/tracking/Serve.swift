import ArgumentParser
import Foundation
import StubRecording
import TrackingInspector
import TrackingModel
import TrackingPlan
@_spi(TrackingCommand) import TrackingServer
import TrackingVendors

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Receives an app's events, prints them as they arrive, and shows them on a live page.",
    discussion: """
      Listens on this machine's loopback addresses. Ctrl-C ends it, and once more ends it at once. With --save, what has arrived is then written \
      as session.json. The exit status is 1 when an event was not as planned, or a submission could not be read.

      With --device, an app on a phone or tablet of the same network can send its events too, by one interface of this machine and a URL with a \
      pairing token. That is plain http: anyone on that network can read the events, so use test accounts, or a cable. The live page stays on \
      this machine, and the server ends after 8 hours.

      Examples:
        tracking serve --accept all --plan tracking-plan.json
        tracking serve --scenario checkout.json --save session.json
        tracking serve --plan tracking-plan.json --record https://staging.example
        tracking serve --device --interface en0 --accept segment
      """)

  @Option(
    help:
      "SDKs whose events are understood beside the double's: names of `tracking vendors` with commas between, or all.")
  var accept: Accepted = .init(formats: [])

  @Option(help: "A tracking plan that each event is held against: a file or a folder.", completion: .file())
  var plan: String?

  @Option(help: "Only events that are planned for this source, such as iOS.")
  var source: String?

  @Option(
    help: "Answers to the app's own requests: a JSON array of objects with method, path, status, json, text or file.",
    completion: .file(extensions: ["json"]))
  var scenario: String?

  @Option(
    help: ArgumentHelp(
      "A backend, for the app's requests that --scenario doesn't answer; what it answers is recorded, as by `tracking record`.",
      valueName: "url"))
  var record: String?

  @Option(
    help: "The folder that --record writes at the end; Recordings/ and the backend's host by default.",
    completion: .directory)
  var recording: String?

  @OptionGroup var redaction: RedactionOptions

  @Option(help: "The port; the system chooses one by default.")
  var port: UInt16 = 0

  @Option(help: "Where the session is written to at the end.", completion: .file(extensions: ["json"]))
  var save: String?

  @Flag(help: "Lets devices on one network use the server as well.")
  var device = false

  @Option(help: "The interface for devices, by its name or IPv4 address; needed where there are several.")
  var interface: String?

  @Option(help: "Hours after which the server ends; with --device 8 by default, and at most.")
  var hours: Double?

  @Flag(help: "Writes lines of JSON to standard output: the addresses, each event and rejection, and a summary.")
  var json = false

  private static let mostHoursForDevices = 8.0

  func validate() throws {
    if interface != nil, !device { throw ValidationError("--interface is for --device") }
    if recording != nil, record == nil { throw ValidationError("--recording is for --record") }
    if let hours, !(hours > 0 && hours <= (device ? Self.mostHoursForDevices : 8_760)) {
      throw ValidationError(device ? "--hours is above 0 and at most 8 with --device" : "--hours is above 0")
    }
  }

  func run() throws {
    let plan = try self.plan.map(read)
    let (server, recording) = try startedServer()
    guard let endpoint = server.endpoint else { throw refusal("tracking serve: the server has stopped") }
    let interruption = Interruption()
    let end = (hours ?? (device ? Self.mostHoursForDevices : nil)).map { Date(timeIntervalSinceNow: $0 * 3_600) }
    let console = Console(json: json)
    console.begin(
      .init(
        endpoint: endpoint, device: server.deviceEndpoint, formats: accept.formats,
        inspector: server.openInspector(plan: plan), end: end))

    var (events, rejections, findings) = (0, 0, 0)
    func showNews() {
      for event in server.journal.events.dropFirst(events) {
        events += 1
        let reasons = plan?.findings(in: event.event).map(\.description) ?? []
        findings += reasons.isEmpty ? 0 : 1
        console.show(event, reasons)
      }
      for rejection in server.journal.rejections.dropFirst(rejections) {
        rejections += 1
        console.show(rejection)
      }
    }
    while !interruption.comes(within: .milliseconds(50)), end.map({ $0 > .now }) ?? true { showNews() }
    server.stop()
    showNews()
    if let save { try write(server.sessionJSON, to: save) }
    let isRecorded = finish(recording)
    console.end(events: events, rejections: rejections, findings: plan == nil ? nil : findings)
    if findings > 0 || rejections > 0 || !isRecorded { throw Status.findings }
  }

  /// Writes what was recorded; `false` if that failed.
  private func finish(_ recording: RunningRecording?) -> Bool {
    do {
      try recording?.finish()
      return true
    } catch {
      say("tracking serve: \(error)")
      return false
    }
  }

  private func startedServer() throws -> (TrackingServer, RunningRecording?) {
    do {
      var configuration = TrackingServer.Configuration(port: port)
      if device {
        configuration.device = try DeviceAccess(interface: interface)
        configuration.limits = .forDevices
      }
      let server = TrackingServer(configuration: configuration)
      for format in accept.formats { try server.accept(format) }
      if let scenario {
        let file = try ScenarioFile(scenario)
        do {
          try server.install(file.stubs, files: file.folder)
        } catch {
          throw ScenarioFile.Problem(description: "\(scenario): \(error)")
        }
      }
      let recording = try startRecording(on: server)
      try server.start()
      return (server, recording)
    } catch {
      throw refusal("tracking serve: \(error)")
    }
  }

  private func startRecording(on server: TrackingServer) throws -> RunningRecording? {
    guard let record else { return nil }
    let backend = try Record.backend(record, verb: "serve")
    let folder = recording ?? "Recordings/\(backend.host ?? "backend")"
    let source = RecordingSource.folder(
      at: URL(fileURLWithPath: folder, isDirectory: true), upstreams: ["/*": backend], redaction: redaction.redaction)
    return try server.use(source, environment: Record.environment(mode: "rewrite"))
  }

  private func read(_ path: String) throws -> TrackingPlan {
    do {
      return try TrackingPlan(contentsOf: URL(fileURLWithPath: path), source: source)
    } catch {
      throw refusal("tracking serve: \(error)")
    }
  }

  private func write(_ data: Data, to path: String) throws {
    do {
      try data.write(to: URL(fileURLWithPath: path))
    } catch {
      throw refusal("tracking serve: \(path) can't be written: \(error.localizedDescription)")
    }
  }
}

extension TrackingServer.Limits {
  /// Lower than a test's limits, because other machines on the network could try to exhaust memory.
  fileprivate static let forDevices = TrackingServer.Limits(
    body: 4 * 1_024 * 1_024, decodedBody: 8 * 1_024 * 1_024, connections: 256, workers: 32, journalEvents: 100_000,
    journalBodyBytes: 64 * 1_024 * 1_024, recordedBodyBytes: 1_024 * 1_024)
}

/// The value of `--accept`.
struct Accepted: ExpressibleByArgument {
  var formats: [AcceptedFormat]

  init(formats: [AcceptedFormat]) { self.formats = formats }

  init?(argument: String) {
    guard argument != "all" else {
      formats = AcceptedFormat.allVendors
      return
    }
    formats = []
    for word in argument.split(separator: ",") {
      guard let vendor = VendorName(argument: String(word)) else { return nil }
      formats.append(vendor.format)
    }
  }

  var defaultValueDescription: String { "none" }
}

/// Waits for Ctrl-C or a request to end; a second one ends the process at once.
final class Interruption {
  // A signal handler may do little more than write to a pipe. A dispatch source would miss a signal that arrives before it is
  // registered, which happens later and on another thread.
  nonisolated(unsafe) private static var pipe: (read: Int32, write: Int32) = (-1, -1)

  init() {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else { return }
    Self.pipe = (ends[0], ends[1])
    // A parent may have started this process from a thread that takes no signals, which a child inherits.
    var ours = sigset_t()
    sigemptyset(&ours)
    sigaddset(&ours, SIGINT)
    sigaddset(&ours, SIGTERM)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        signal(number, SIG_DFL)
        var byte: UInt8 = 1
        _ = Foundation.write(Interruption.pipe.write, &byte, 1)
      }
    }
    pthread_sigmask(SIG_UNBLOCK, &ours, nil)
  }

  func comes(within time: Duration) -> Bool {
    var entry = pollfd(fd: Self.pipe.read, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, Int32(time / .milliseconds(1))) > 0
  }
}
