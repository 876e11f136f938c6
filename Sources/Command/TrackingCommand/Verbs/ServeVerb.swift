import Foundation
import StubModel
import StubRecording
import StubReplay
import TrackingInspector
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingChecks
import TrackingServer
import VendorFormats

extension Verb {
  static let serve = Verb(
    name: "serve",
    abstract: "Receives an app's events, prints them and shows them on a live page.",
    usage: ["[<options>]", "[<options>] -- <command> ..."],
    discussion: """
      Listens on this machine's loopback addresses until Ctrl-C; a second Ctrl-C ends it without saving. With a command, \
      it runs that with the variables of --write-env, ends after it with its status, and does a `finish` unless the \
      command has done one; its own lines go to standard error.
      """,
    findings:
      "an event breaks the plan, a submission is refused, the recording can't be written, or the finish after a command fails",
    examples: [
      "tracking serve --accept all --plan tracking-plan.json",
      "tracking serve --scenario checkout.json --save session.json",
      "tracking serve --accept segment -- npm test",
    ],
    operands: .init(
      names: ["command"], isList: true, isOptional: true, commandOf: "serve",
      help: "A program with its arguments, such as a test runner."),
    options: [accept, keep, plan] + PlanOptions.all + [scenario, backend, recording] + Redaction.options
      + Listening.options + [save, writeEnv, arrivals]
  ) { arguments, output in
    try Serving(arguments, output).run()
  }

  fileprivate static let accept = VerbOption.value(
    "--accept", "sdks",
    "SDKs to understand, with commas: `all`, names of `tracking sdks`, files with a format of your own.",
    completion: .list(["all"] + SDKName.all.map(\.word)))
  fileprivate static let keep = VerbOption.value(
    "--keep", "kinds", "Items of SDKs that count as events, too: `all`, or kinds such as screen,identify.",
    completion: .list(["all"] + keptKinds))
  /// The kinds of items that are dropped unless they are kept as events.
  fileprivate static let keptKinds = DecodedSubmission.Kind.all.filter { $0 != .track }.map(\.description)
  fileprivate static let plan = VerbOption.value(
    "--plan", "plan", "The plan to check each event against: a file or a folder.")
  fileprivate static let scenario = VerbOption.value(
    "--scenario", "file", "A JSON file with stubs for the app's own requests.")
  fileprivate static let backend = VerbOption.value(
    "--record", "url", "Sends the app's other requests to this backend, and records the responses.")
  fileprivate static let recording = VerbOption.value(
    "--recording", "folder", "The folder for --record; by default, Recordings/ and the host's name.")
  fileprivate static let save = VerbOption.value("--save", "file", "Writes the session to this file at the end.")
  fileprivate static let writeEnv = VerbOption.value(
    "--write-env", "file",
    "Writes the addresses to this file, as variables for a shell; removed at the end. Fails if a running server has it."
  )
  fileprivate static let arrivals = VerbOption.flag(
    "--json", "Writes JSON: a line for the start, each arrival, and the end.")
}

private struct Serving {
  private let arguments: Arguments
  private let output: Output
  private let formats: [AcceptedFormat]
  private let configuration: TrackingServer.Configuration
  /// Held while the session is saved, so that the last of several finishes leaves the newest session.
  private let saving = NSLock()

  /// - Throws: ``UsageError`` for options that don't fit together, and mistakes in the file of a format.
  init(_ arguments: Arguments, _ output: Output) throws {
    (self.arguments, self.output) = (arguments, output)
    for (options, needed) in [
      (PlanOptions.all, Verb.plan), ([Verb.keep], Verb.accept),
      ([Verb.recording] + Redaction.options, Verb.backend),
    ] {
      if let option = options.first(where: { arguments.has($0) }), !arguments.has(needed) {
        throw UsageError("\(option.name) needs \(needed.name)")
      }
    }
    configuration = try Listening.configuration(arguments)
    var formats: [AcceptedFormat] = []
    for word in (arguments[Verb.accept] ?? "").split(separator: ",") {
      switch String(word) {
      case "all": formats += AcceptedFormat.allVendors
      case let file where file.hasSuffix(".json"): formats.append(try FormatFile(contentsOf: file).format)
      case let name: formats.append(try SDKName(word: name, others: ["all"]).format)
      }
    }
    if formats.isEmpty, arguments.has(Verb.accept) { throw UsageError("--accept names no SDK") }
    self.formats = try Self.keeping(arguments, formats)
  }

  /// Returns the formats with the kinds of items in `--keep`.
  private static func keeping(
    _ arguments: Arguments, _ formats: [AcceptedFormat]
  ) throws(UsageError) -> [AcceptedFormat] {
    var formats = formats
    for word in (arguments[Verb.keep] ?? "").split(separator: ",").map(String.init) {
      let kind = DecodedSubmission.Kind.all.first { $0.description == word }
      guard word == "all" || kind != nil else {
        throw UsageError("--keep: \(UsageError.unknown(word, among: ["all"] + Verb.keptKinds))")
      }
      formats = formats.map { format in kind.map { format.keeping($0) } ?? format.keepingEverything }
    }
    return formats
  }

  func run() throws -> Status {
    Interruption.begin()
    let environment = try arguments[Verb.writeEnv].map { file throws(CommandError) in try ServedEnvironment(file) }
    defer { environment?.remove() }
    let plan = try arguments[Verb.plan].map { path throws(PlanError) in try PlanOptions.plan(at: path, arguments) }
    try checkThatTheSessionCanBeSaved()
    let (server, recording) = try startedServer()
    guard let endpoint = server.endpoint else { throw CommandError("the server has stopped") }
    let console = Console(
      isJSON: arguments.has(Verb.arrivals), hasCommand: !arguments.operands.isEmpty,
      output: arguments.operands.isEmpty ? output : output.onStandardError)
    let checks = checkService(of: server, plan)
    checks.start()
    let checksURL = "http://localhost:\(endpoint.url.port ?? 0)\(CheckService.path)#token=\(checks.token)"
    let variables = ServedEnvironment.variables(endpoint, checks: checksURL)
    try environment?.write(variables)
    let page = server.openInspector(plan: plan)
    try console.begin(.init(endpoint: endpoint, formats: formats, inspector: page, checks: checksURL))

    var requests = RequestLog(isJSON: console.isJSON, output: console.output, unmatchedText: "no stub matches it")
    if let recording { requests.redacted = recording.redacted }
    var arrivals = Arrivals(plan: plan, console: console, requests: requests)
    let command = try arrivals.show(from: server, during: arguments.operands, variables)
    let finish = command == nil ? nil : checks.finishIfNeeded()
    checks.end()
    server.stop()
    try arrivals.show(from: server, toTheEnd: true)
    let status = try end(server, recording, arrivals)
    guard let command else { return status }
    for failure in finish?.failures ?? [] { output.say(lines: failure) }
    return ServedCommand.status(
      command, hasFindings: status == .findings || finish?.failures.isEmpty == false,
      isUnwritten: status == .badInput || finish?.isUnwritten == true)
  }

  private func checkService(of server: TrackingServer, _ plan: TrackingPlan?) -> CheckService {
    let save = arguments[Verb.save]
    return CheckService(about: server, plan: plan) { [saving] in
      guard let save else { return ([:], nil) }
      return saving.withLock({ Self.problem(ofSaving: server, to: save) }) == nil
        ? (["session": URL(fileURLWithPath: save).path], nil) : ([:], "The session can't be written to \(save).")
    }
  }

  /// Saves the session and the recording, and shows the sums.
  private func end(
    _ server: TrackingServer, _ recording: RunningRecording?, _ arrivals: Arrivals
  ) throws -> Status {
    let save = arguments[Verb.save]
    let unsaved = save.flatMap { path in saving.withLock { Self.problem(ofSaving: server, to: path) } }
    if let unsaved { say(unsaved) }
    let isRecorded = finish(recording)
    try arrivals.end(saved: unsaved == nil ? save : nil)
    guard unsaved == nil else { return .badInput }
    return arrivals.hasFindings || !isRecorded ? .findings : .success
  }

  private func say(_ text: String) { output.say("tracking serve: \(text)") }

  /// Refuses a file that can't be written, before a day's events are received.
  private func checkThatTheSessionCanBeSaved() throws(CommandError) {
    guard let save = arguments[Verb.save] else { return }
    let folder = URL(fileURLWithPath: save).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw CommandError("--save \(save): there is no folder \(folder)")
    }
    let exists = FileManager.default.fileExists(atPath: save, isDirectory: &isFolder)
    guard !exists || !isFolder.boolValue else { throw CommandError("--save \(save) is a folder; name a file in it") }
    guard WrittenFile(save).isWritable else {
      throw CommandError("--save \(save) can't be written")
    }
  }

  /// Writes the session, and returns why that failed.
  private static func problem(ofSaving server: TrackingServer, to path: String) -> String? {
    do throws(CommandError) {
      try WrittenFile(path).write(server.sessionJSON)
      return nil
    } catch {
      return error.description
    }
  }

  /// Writes the recording; `false` if that failed.
  private func finish(_ recording: RunningRecording?) -> Bool {
    do {
      if let recording { try Recorded.finish(recording, try recordingFolder()) }
      return true
    } catch {
      say("\(error)")
      return false
    }
  }

  private func startedServer() throws -> (TrackingServer, RunningRecording?) {
    let server = TrackingServer(configuration: configuration)
    for format in formats { try server.accept(format) }
    if let scenario = arguments[Verb.scenario] { try install(scenario, on: server) }
    let recording = try startRecording(on: server)
    try server.start()
    return (server, recording)
  }

  private func install(_ scenario: String, on server: TrackingServer) throws {
    let stubs = try JSONFile(at: scenario).read { (root) throws(JSONError) in
      try ScenarioFile(root, hasFolder: true).stubs
    }
    do {
      try server.install(stubs, files: .url(URL(fileURLWithPath: scenario).deletingLastPathComponent()))
    } catch {
      throw CommandError("\(scenario): \(error)")
    }
  }

  /// The recording's folder; by default, named after the backend.
  private func recordingFolder() throws -> String {
    try arguments[Verb.recording] ?? "Recordings/\(Recorded.backend(arguments[Verb.backend] ?? "").host ?? "backend")"
  }

  private func startRecording(on server: TrackingServer) throws -> RunningRecording? {
    guard let url = arguments[Verb.backend] else { return nil }
    let backend = try Recorded.backend(url)
    let folder = try recordingFolder()
    try Recorded.check(folder)
    let source = RecordingSource.folder(
      at: URL(fileURLWithPath: folder, isDirectory: true), upstreams: ["/*": backend],
      redaction: Redaction.of(arguments))
    return try server.use(source, environment: Recorded.environment)
  }
}

/// Shows what arrives, and counts it.
private struct Arrivals {
  let plan: TrackingPlan?
  let console: Console
  private var requests: RequestLog
  /// The number of the first entry that hasn't been shown.
  private var next = 1
  private var (events, rejections, unplanned) = (0, 0, 0)
  private var callSites = CallSiteNames()

  init(plan: TrackingPlan?, console: Console, requests: RequestLog) {
    (self.plan, self.console, self.requests) = (plan, console, requests)
  }

  var hasFindings: Bool { unplanned > 0 || rejections > 0 }

  /// - Parameter toTheEnd: Whether requests without a response are shown, too.
  mutating func show(from server: TrackingServer, toTheEnd: Bool = false) throws {
    let news = server.journal.received(from: next)
    next = news.next
    for event in news.events { try show(event) }
    for rejection in news.rejections { try console.show(rejection) }
    events += news.events.count
    rejections += news.rejections.count
    try requests.showNews(of: server, toTheEnd: toTheEnd)
  }

  /// Shows what arrives until the end of a command, and returns its status; without a command until the interruption, and returns `nil`.
  mutating func show(
    from server: TrackingServer, during command: [String], _ variables: [(String, String)]
  ) throws -> Int32? {
    guard !command.isEmpty else {
      while !Interruption.comes(within: .milliseconds(20)) { try show(from: server) }
      return nil
    }
    do {
      return try ServedCommand(command, variables: variables).wait { try show(from: server) }
    } catch let failure as RunningCommand.Failure {
      console.output.say("tracking serve: \(failure)")
      return failure.status
    }
  }

  private mutating func show(_ event: RecordedEvent) throws {
    if let site = event.event.callSite { callSites.add(site) }
    let findings = (plan?.findings(in: event.event) ?? []).map {
      EventFinding($0, in: event.event, number: event.number, callSites)
    }
    unplanned += findings.contains(where: \.finding.isFailure) ? 1 : 0
    try console.show(event, findings)
  }

  func end(saved: String?) throws {
    try console.end(
      events: events, rejections: rejections, unplanned: plan == nil ? nil : unplanned, requests, saved: saved)
  }
}
