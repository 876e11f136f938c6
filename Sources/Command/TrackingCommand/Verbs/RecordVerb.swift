import Foundation
import StubRecording
import StubReplay
import TrackingModel
import TrackingServer

extension Verb {
  static let record = Verb(
    name: "record",
    abstract: "Records a backend while an app uses it.",
    usage: ["<url> <folder> [<options>]"],
    discussion: """
      Point the app at this server, which sends its requests on to the backend. Ctrl-C ends it and writes the folder, \
      without passwords, tokens and cookies, in place of an earlier recording; a second Ctrl-C ends it without writing.
      """,
    findings: "the recording can't be written",
    examples: ["tracking record https://staging.example Tests/Recordings/checkout"],
    operands: .init(
      names: ["url", "folder"], help: "The backend (scheme, host and port), and the folder of the recording."),
    options: [upstream, path, matching, ignore] + Redaction.options + Listening.options + [events]
  ) { arguments, output in
    Interruption.begin()
    let folder = arguments.operands[1]
    try Recorded.check(folder)
    var upstreams = ["/*": try Recorded.backend(arguments.operands[0])]
    for pair in arguments.all(upstream) {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw CommandError("--upstream \(pair) isn't KEY=URL") }
      upstreams[String(parts[0])] = try Recorded.backend(String(parts[1]))
    }
    let source = RecordingSource.folder(
      at: URL(fileURLWithPath: folder, isDirectory: true), upstreams: upstreams, redaction: Redaction.of(arguments),
      paths: arguments.all(path), matching: arguments.all(matching), ignoring: arguments.all(ignore))
    let server = try RecordingServer(folder, "not recorded", arguments, output)
    let recording = try server.run(source, Recorded.environment)
    do {
      try Recorded.finish(recording, folder)
    } catch {
      output.say("tracking record: \(error)")
      try server.end(.notWritten)
      return .findings
    }
    try server.end(server.requests.count > 0 ? .written : .notWritten)
    return .success
  }

  private static let upstream = VerbOption.values(
    "--upstream", "key=url", "Another backend for some paths or a host: \"/images/*=https://cdn.example\".")
  private static let path = VerbOption.values(
    "--path", "template", "A template of paths that have the same responses: /books/:id.")
  private static let matching = VerbOption.values(
    "--matching", "name", "A header field that a replay compares: Authorization distinguishes users.")
  private static let ignore = VerbOption.values(
    "--ignore", "name", "A query item, form field or JSON member of requests that differs each time.")
  fileprivate static let events = VerbOption.flag(
    "--json", "Writes JSON: a line for the start, each request and the end.")

  static let replay = Verb(
    name: "replay",
    abstract: "Responds to an app's requests from a recording, without the backend.",
    usage: ["<folder> [<options>]"],
    discussion: """
      A request that isn't recorded gets a 404, and the nearest recorded one is printed. Ctrl-C ends it.
      """,
    findings: "a request was not recorded",
    examples: ["tracking replay Tests/Recordings/checkout --port 8080"],
    operands: .init(names: ["folder"], help: "The folder of the recording."), options: Listening.options + [events]
  ) { arguments, output in
    Interruption.begin()
    let folder = URL(fileURLWithPath: arguments.operands[0], isDirectory: true)
    guard FileManager.default.fileExists(atPath: folder.appendingPathComponent("recording.json").path) else {
      let path = arguments.operands[0]
      throw CommandError("\(path) isn't a recording: it has no recording.json; `tracking record URL \(path)` makes one")
    }
    _ = try BackendRecording(contentsOf: folder)
    let server = try RecordingServer(arguments.operands[0], "not recorded", arguments, output)
    _ = try server.run(.folder(at: folder), [:])
    try server.end(.replayed)
    return server.requests.unmatched > 0 ? .findings : .success
  }
}

/// Recording, for `record` and `serve --record`.
enum Recorded {
  /// Writes a recording; a large one takes a while, because each secret is searched for in all of it.
  static func finish(_ recording: RunningRecording, _ folder: String) throws {
    let progress = ProgressLine()
    defer { progress.end() }
    try progress.show("Removing secrets and writing \(folder)") { try recording.finish() }
  }

  /// Refuses a folder that can't be written, before recording anything.
  static func check(_ path: String) throws(CommandError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    guard isFolder.boolValue else { throw CommandError("\(path) is a file; name a folder") }
    guard FileManager.default.isWritableFile(atPath: path) else {
      throw CommandError("the folder \(path) can't be written")
    }
  }

  static func backend(_ text: String) throws(CommandError) -> URL {
    // A script whose port variable isn't set writes `http://localhost:`.
    guard let url = URL(string: text), url.host?.isEmpty == false, !text.hasSuffix(":"),
      ["http", "https"].contains(url.scheme?.lowercased())
    else {
      throw CommandError("\(text) isn't the URL of a backend: write scheme, host and port, as http://localhost:8080")
    }
    return url
  }

  /// The environment of a recorder, which refuses to run on CI, where no one would review the recording.
  static var environment: [String: String] {
    [TestVariable.record.name: "rewrite", "CI": ProcessInfo.processInfo.environment["CI"] ?? ""]
  }
}

/// Additional names to redact, and names to keep.
enum Redaction {
  static let redact = VerbOption.values(
    "--redact", "name",
    "Another name whose values are secret: in any part of a recording, and of a session's header fields.")
  static let notSecret = VerbOption.values(
    "--not-secret", "name", "A name whose values aren't secret, in a recording and a session's header fields.")
  static let options = [redact, notSecret]

  static func of(_ arguments: Arguments) -> SecretRedaction {
    var redaction = SecretRedaction()
    for name in arguments.all(redact) { redaction = redaction.redacting(name) }
    for name in arguments.all(notSecret) { redaction = redaction.keeping(name) }
    return redaction
  }
}

/// The port of verbs that serve, the names under which they are reached, and the pages that may use them.
enum Listening {
  static let port = VerbOption.value("--port", "port", "The port; by default, the system chooses one.")
  static let origin = VerbOption.values(
    "--allow-origin", "origin",
    "An origin whose pages may send requests, besides the server's own: http://localhost:3000, or http://localhost:* for each port."
  )
  static let host = VerbOption.values(
    "--allow-host", "name",
    "A name under which an app reaches this machine's loopback, besides localhost: 10.0.2.2 in an Android emulator.")
  static let options = [port, host, origin]

  static func configuration(
    _ arguments: Arguments, eventPath: String? = "/"
  ) throws(UsageError) -> TrackingServer.Configuration {
    for name in arguments.all(host) where name.wholeMatch(of: /[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]/) == nil {
      throw UsageError("\(host.name): \"\(name)\" isn't a host name; write it without scheme and port, as 10.0.2.2")
    }
    for name in arguments.all(origin) where AllowedOrigins.normalized(name) == nil {
      throw UsageError(
        "\(origin.name): \"\(name)\" isn't an origin; write scheme, host and port, as http://localhost:3000")
    }
    var configuration = TrackingServer.Configuration(
      port: UInt16(try arguments.integer(port, in: 0...65_535) ?? 0), eventPath: eventPath,
      allowedHosts: arguments.all(host), allowedOrigins: arguments.all(origin))
    configuration.vocabulary = .options
    return configuration
  }
}

/// A server with a recorded backend, which prints requests until the command is stopped.
private final class RecordingServer {
  private let folder: String
  private let isJSON: Bool
  private let output: Output
  private let server: TrackingServer
  private(set) var requests: RequestLog

  init(_ folder: String, _ unmatched: String, _ arguments: Arguments, _ output: Output) throws {
    self.folder = folder
    self.output = output
    isJSON = arguments.has(Verb.events)
    requests = RequestLog(isJSON: isJSON, output: output, unmatchedText: unmatched)
    // `POST /` belongs to the backend: JSON-RPC and SOAP have no other path.
    server = TrackingServer(configuration: try Listening.configuration(arguments, eventPath: nil))
  }

  func run(_ source: RecordingSource, _ environment: [String: String]) throws -> RunningRecording {
    let recording = try server.use(source, environment: environment)
    try server.start()
    guard let endpoint = server.endpoint else { throw CommandError("the server has stopped") }
    // By name, because some clients don't support IPv6 addresses in URLs.
    let url = "http://localhost:\(endpoint.url.port ?? 80)"
    if isJSON {
      try output.jsonLine(["kind": "started", "url": url, "folder": folder])
    } else {
      output.say("The app's backend is now \(url)")
      output.say("Ctrl-C ends it.")
    }
    requests.redacted = recording.redacted
    while !Interruption.comes(within: .milliseconds(20)) { try requests.showNews(of: server) }
    server.stop()
    try requests.showNews(of: server, toTheEnd: true)
    return recording
  }

  enum Ending {
    case written, notWritten, replayed
  }

  func end(_ ending: Ending) throws {
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "ended", "requests": requests.count, "unmatched": ending == .replayed ? requests.unmatched : nil,
        "isWritten": ending == .replayed ? nil : ending == .written,
      ])
    }
    switch ending {
    // The recorder has said where.
    case .written: output.say(requests.summary)
    case .notWritten: output.say("\(requests.summary); nothing was written")
    case .replayed: output.say("\(requests.summary), \(requests.unmatched) not recorded")
    }
  }
}
