import ArgumentParser
import DeviceRelay
import Foundation
import RunnerQuestions
import StubRecording
import TrackingInspector
import TrackingModel
import TrackingPlan
import TrackingPlanKit
@_spi(TrackingCommand) import TrackingServer
import VendorFormats

struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Receives an app's events, prints them and shows them on a live page.",
    usage: "tracking serve [<options>]",
    discussion: """
      Listens on this machine's loopback addresses until Ctrl-C; a second Ctrl-C ends it without saving. Exit status 1: \
      an event breaks the plan, a submission can't be read, or the recording can't be written.

      With --device, devices on the same network can send events too: to an IPv4 address of this machine, with a pairing \
      token in the URL. That is plain http: anyone on that network can read the events, so use test accounts, or a \
      cable. The live page stays on this machine.

      Examples:
        tracking serve --accept all --plan tracking-plan.json
        tracking serve --scenario checkout.json --save session.json
        tracking serve --device --interface en0 --accept segment
      """)

  @Option(
    help: ArgumentHelp("SDKs to understand: `all`, or names of `tracking vendors`, with commas.", valueName: "sdks"),
    completion: .list(["all"] + VendorName.all.map(\.word)), transform: Accepted.init(argument:))
  var accept = Accepted(formats: [])

  @Option(
    help: ArgumentHelp("The plan to check each event against: a file or a folder.", valueName: "plan"),
    completion: .file())
  var plan: String?

  @OptionGroup var planOptions: PlanOptions

  @Option(
    help: ArgumentHelp("A JSON file with answers to the app's own requests.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var scenario: String?

  @Option(
    help: ArgumentHelp("Sends the app's other requests to this backend, and records the answers.", valueName: "url"))
  var record: String?

  @Option(
    help: ArgumentHelp("The folder for --record; by default, Recordings/ and the host's name.", valueName: "folder"),
    completion: .directory)
  var recording: String?

  @OptionGroup var redaction: RedactionOptions

  @OptionGroup var listening: PortOption

  @Option(
    help: ArgumentHelp("Writes the session to this file at the end.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var save: String?

  @Option(
    name: .customLong("write-url"),
    help: ArgumentHelp("Writes the URL for `tracking wait` to this file.", valueName: "file"),
    completion: .file())
  var urlFile: String?

  @Flag(help: "Also serves devices on the same network.")
  var device = false

  @Option(help: ArgumentHelp("The interface for devices: its name or IPv4 address.", valueName: "interface"))
  var interface: String?

  @Option(
    help: ArgumentHelp("Ends after this many hours; with --device at most 8, which is the default.", valueName: "hours")
  )
  var hours: Double?

  @Flag(help: "Opens the live page in the browser.")
  var open = false

  @Flag(help: "Writes JSON: a line for the start, each arrival, and the end.")
  var json = false

  private static let mostHoursForDevices = 8.0
  /// A year.
  private static let mostHours = 8_760.0

  func validate() throws {
    if interface != nil, !device { throw ValidationError("--interface needs --device") }
    if plan == nil, planOptions.source != nil || planOptions.format != nil {
      throw ValidationError("--\(planOptions.source == nil ? "format" : "source") needs --plan")
    }
    if record == nil, !redaction.redact.isEmpty || !redaction.keep.isEmpty {
      throw ValidationError("--redact and --keep need --record")
    }
    if recording != nil, record == nil { throw ValidationError("--recording needs --record") }
    let most = device ? Self.mostHoursForDevices : Self.mostHours
    if let hours, !(hours > 0 && hours <= most) {
      throw ValidationError("--hours is above 0 and at most \(Int(most))\(device ? " with --device" : "")")
    }
  }

  func run() throws {
    Interruption.begin()
    let plan = try self.plan.map(read)
    try checkThatTheSessionCanBeSaved()
    let interface = try deviceInterface()
    let (server, recording) = try startedServer(for: interface)
    guard let endpoint = server.endpoint else { throw refusal("tracking serve: the server has stopped") }
    let relay = try interface.map { try Self.relay(on: $0, to: server, at: endpoint) }
    let end = (hours ?? (device ? Self.mostHoursForDevices : nil)).map { Date(timeIntervalSinceNow: $0 * 3_600) }
    let console = Console(json: json)
    let page = server.openInspector(plan: plan)
    let questions = AskService(about: server, plan: plan) { finishedFiles(of: server) }
    questions.start()
    let asked = "http://localhost:\(endpoint.url.port ?? 0)\(AskService.path)#token=\(questions.token)"
    try writeURL(asked)
    console.begin(
      .init(
        endpoint: endpoint, device: relay.map { TrackingEndpoint(url: $0.url, session: endpoint.session) },
        formats: accept.formats, inspector: page, questions: asked, end: end))
    if open, let page, !Browser.open(page) {
      say("tracking serve: no program opens a browser; set BROWSER to one, or open the printed address")
    }

    var (next, events, rejections, unplanned) = (1, 0, 0, 0)
    var requests = RequestLog(json: json, unmatchedText: "nothing answers it")
    if let recording { requests.redacted = recording.redacted }
    func showNews(toTheEnd: Bool = false) {
      let news = server.journal.received(from: next)
      next = news.next
      for event in news.events {
        let findings = (plan?.findings(in: event.event) ?? []).map {
          EventFinding($0, in: event.event, number: event.number)
        }
        unplanned += findings.contains(where: \.finding.isFailure) ? 1 : 0
        console.show(event, findings)
      }
      for rejection in news.rejections { console.show(rejection) }
      events += news.events.count
      rejections += news.rejections.count
      requests.showNews(of: server, toTheEnd: toTheEnd)
    }
    while !Interruption.comes(within: .milliseconds(50)), end.map({ $0 > .now }) ?? true { showNews() }
    relay?.stop()
    questions.end()
    server.stop()
    showNews(toTheEnd: true)
    let isSaved = saveSession(of: server)
    let isRecorded = finish(recording)
    console.end(
      events: events, rejections: rejections, unplanned: plan == nil ? nil : unplanned, requests,
      saved: isSaved ? save : nil)
    guard isSaved else { throw Status.badInput }
    if unplanned > 0 || rejections > 0 || !isRecorded { throw Status.findings }
  }

  /// Refuses a file that can't be written, before a day's events are received.
  private func checkThatTheSessionCanBeSaved() throws {
    guard let save else { return }
    let folder = URL(fileURLWithPath: save).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw refusal("tracking serve: --save \(save): there is no folder \(folder)")
    }
    let exists = FileManager.default.fileExists(atPath: save, isDirectory: &isFolder)
    guard !exists || !isFolder.boolValue else {
      throw refusal("tracking serve: --save \(save) is a folder; name a file in it")
    }
    guard FileManager.default.isWritableFile(atPath: exists ? save : folder) else {
      throw refusal("tracking serve: --save \(save) can't be written")
    }
  }

  /// Writes the URL of the questions if `--write-url` is given.
  private func writeURL(_ url: String) throws {
    guard let urlFile else { return }
    do {
      // In one step, since a script may wait for the file.
      try Data("\(url)\n".utf8).write(to: URL(fileURLWithPath: urlFile), options: .atomic)
    } catch {
      throw refusal("tracking serve: --write-url \(urlFile): \(CommandLineTool.fileReason(of: error))")
    }
  }

  /// Writes the files of a finish.
  private func finishedFiles(of server: TrackingServer) -> AskService.Files {
    guard let save else { return ([:], nil) }
    return saveSession(of: server)
      ? (["session": URL(fileURLWithPath: save).path], nil) : ([:], "The session can't be written to \(save).")
  }

  /// Writes the session if `--save` is given; `false` if that failed.
  private func saveSession(of server: TrackingServer) -> Bool {
    guard let save else { return true }
    do {
      try server.sessionJSON.write(to: URL(fileURLWithPath: save))
      return true
    } catch {
      say("tracking serve: \(save) can't be written: \(CommandLineTool.fileReason(of: error))")
      return false
    }
  }

  /// Writes what was recorded; `false` if that failed.
  private func finish(_ recording: RunningRecording?) -> Bool {
    do {
      if let recording { try Record.finish(recording, self.recording ?? "the recording") }
      return true
    } catch {
      say("tracking serve: \(error)")
      return false
    }
  }

  /// The interface for devices; `nil` without `--device`.
  private func deviceInterface() throws -> DeviceInterface? {
    guard device else { return nil }
    return try refusing("serve") { try DeviceInterface(interface) }
  }

  private static func relay(
    on interface: DeviceInterface, to server: TrackingServer, at endpoint: TrackingEndpoint
  ) throws -> DeviceRelay {
    try refusing("serve") {
      try DeviceRelay(
        on: interface, to: UInt16(endpoint.url.port ?? 0), mostHeadBytes: server.configuration.limits.requestHead)
    }
  }

  private func startedServer(for interface: DeviceInterface?) throws -> (TrackingServer, RunningRecording?) {
    try refusing("serve") {
      var configuration = TrackingServer.Configuration(port: listening.port, allowedOrigins: listening.allowedOrigins)
      if let interface {
        configuration.limits = .forDevices
        configuration.allowedHosts = [interface.host]
      }
      let server = TrackingServer(configuration: configuration)
      for format in accept.formats { try server.accept(format) }
      if let scenario {
        let url = URL(fileURLWithPath: scenario)
        let file = try ScenarioFile(try contents(of: url, named: scenario), named: scenario, hasFolder: true)
        do {
          try server.install(file.stubs, files: .url(url.deletingLastPathComponent()))
        } catch {
          throw ScenarioFile.Problem(description: "\(scenario): \(error)")
        }
      }
      let recording = try startRecording(on: server)
      if let interface, recording != nil { try server.install([Self.withheld(from: interface)], files: nil) }
      try server.start()
      return (server, recording)
    }
  }

  private func contents(of url: URL, named name: String) throws -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw ScenarioFile.Problem(description: "\(name) can't be read: \(CommandLineTool.fileReason(of: error))")
    }
  }

  /// The answer to a device's requests that would be forwarded: no other machine reaches a real backend through this one.
  private static func withheld(from interface: DeviceInterface) -> StubEndpoint {
    let reason: TrackingValue = "requests of devices aren't forwarded to the backend"
    return StubEndpoint(
      .request(.any, "/*", host: .equal(to: interface.host)), .json(.object(["error": reason]), status: 404))
  }

  private func startRecording(on server: TrackingServer) throws -> RunningRecording? {
    guard let record else { return nil }
    let backend = try Record.backend(record, verb: "serve")
    let folder = recording ?? "Recordings/\(backend.host ?? "backend")"
    try Record.checkFolder(folder, verb: "serve")
    let source = RecordingSource.folder(
      at: URL(fileURLWithPath: folder, isDirectory: true), upstreams: ["/*": backend], redaction: redaction.redaction)
    return try server.use(source, environment: Record.environment)
  }

  private func read(_ path: String) throws -> TrackingPlan {
    try refusing("serve") {
      try TrackingPlan(contentsOf: URL(fileURLWithPath: path), format: planOptions.format, source: planOptions.source)
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
struct Accepted {
  var formats: [AcceptedFormat]

  init(formats: [AcceptedFormat]) { self.formats = formats }

  init(argument: String) throws {
    formats = try argument.split(separator: ",").flatMap { word in
      word == "all" ? AcceptedFormat.allVendors : [try VendorName(word: String(word), others: ["all"]).format]
    }
    guard !formats.isEmpty else { throw ValidationError("it names no SDK") }
  }
}
