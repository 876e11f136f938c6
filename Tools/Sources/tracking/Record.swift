import ArgumentParser
import Foundation
import StubRecording
import TrackingServer

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Records a backend while an app uses it.",
    usage: "tracking record <url> <folder> [<options>]",
    discussion: """
      Point the app at this server, which sends its requests on to the backend. Ctrl-C ends it and writes the folder, \
      without passwords, tokens and cookies, in place of an earlier recording; a second Ctrl-C ends it without writing. \
      Exit status 1: the recording can't be written.

      Example: tracking record https://staging.example Tests/Recordings/checkout
      """)

  @Argument(help: "The backend: scheme, host and port.")
  var url: String

  @Argument(help: "The folder of the recording; its name is the recording's.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "Another backend for some paths or a host: \"/images/*=https://cdn.example\".", valueName: "key=url"))
  var upstream: [String] = []

  @Option(help: ArgumentHelp("A template of paths that are answered alike: /books/:id.", valueName: "template"))
  var path: [String] = []

  @Option(help: ArgumentHelp("A header field that replay compares.", valueName: "name"))
  var header: [String] = []

  @Option(
    help: ArgumentHelp(
      "A query item, form field or JSON member of requests that differs each time.", valueName: "name"))
  var ignore: [String] = []

  @OptionGroup var redaction: RedactionOptions

  @OptionGroup var listening: PortOption

  @Flag(help: "Writes JSON: a line for the start, each request and the end.")
  var json = false

  func run() throws {
    Interruption.begin()
    try Self.checkFolder(folder, verb: "record")
    var upstreams = ["/*": try Self.backend(url, verb: "record")]
    for pair in upstream {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw refusal("tracking record: --upstream \(pair) isn't KEY=URL") }
      upstreams[String(parts[0])] = try Self.backend(String(parts[1]), verb: "record")
    }
    let source = RecordingSource.folder(
      at: URL(fileURLWithPath: folder, isDirectory: true), upstreams: upstreams, redaction: redaction.redaction,
      paths: path, headers: header, ignoring: ignore)
    let server = RecordingServer(verb: "record", folder: folder, listening, json: json)
    let recording = try server.run(source, Self.environment)
    do {
      try Self.finish(recording, folder)
    } catch {
      say("tracking record: \(error)")
      server.end(isWritten: false)
      throw Status.findings
    }
    server.end(isWritten: server.requests.count > 0)
  }

  /// Writes a recording; a large one takes a while, because all of it is searched for each secret.
  static func finish(_ recording: RunningRecording, _ folder: String) throws {
    let progress = ProgressLine()
    defer { progress.end() }
    try progress.show("Removing secrets and writing \(folder)") { try recording.finish() }
  }

  /// Refuses a folder that can't be written, before anything is recorded.
  static func checkFolder(_ path: String, verb: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard exists else { return }
    guard isFolder.boolValue else { throw refusal("tracking \(verb): \(path) is a file; name a folder") }
    guard FileManager.default.isWritableFile(atPath: path) else {
      throw refusal("tracking \(verb): the folder \(path) can't be written")
    }
  }

  static func backend(_ text: String, verb: String) throws -> URL {
    // A script whose variable for the port isn't set writes `http://localhost:`.
    guard let url = URL(string: text), url.host?.isEmpty == false, !text.hasSuffix(":"),
      ["http", "https"].contains(url.scheme?.lowercased())
    else {
      throw refusal(
        "tracking \(verb): \(text) isn't the URL of a backend: write scheme, host and port, as http://localhost:8080")
    }
    return url
  }

  /// The environment of a recorder, which is refused on CI, where no person reviews what is recorded.
  static var environment: [String: String] {
    ["TRACKING_RECORD": "rewrite", "CI": ProcessInfo.processInfo.environment["CI"] ?? ""]
  }
}

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Answers an app's requests from a recording, without the backend.",
    usage: "tracking replay <folder> [<options>]",
    discussion: """
      A request that isn't recorded is answered with 404, and the nearest recorded one is printed. Ctrl-C ends it. Exit \
      status 1: a request was not recorded.

      Example: tracking replay Tests/Recordings/checkout --port 8080
      """)

  @Argument(help: "The folder of the recording.", completion: .directory)
  var folder: String

  @OptionGroup var listening: PortOption

  @Flag(help: "Writes JSON: a line for the start, each request and the end.")
  var json = false

  func run() throws {
    Interruption.begin()
    _ = try refusing("replay") { try BackendRecording.existing(at: folder) }
    let server = RecordingServer(verb: "replay", folder: folder, listening, json: json)
    _ = try server.run(.folder(at: URL(fileURLWithPath: folder, isDirectory: true)), [:])
    server.end()
    if server.requests.unmatched > 0 { throw Status.findings }
  }
}

extension BackendRecording {
  /// - Throws: `RecordingError` if there is none, or it can't be read.
  static func existing(at path: String) throws -> BackendRecording {
    let folder = URL(fileURLWithPath: path, isDirectory: true)
    guard FileManager.default.fileExists(atPath: folder.appendingPathComponent("recording.json").path) else {
      throw RecordingError(
        "\(path) isn't a recording: it has no recording.json; `tracking record URL \(path)` makes one")
    }
    return try BackendRecording(contentsOf: folder)
  }
}

/// Names to redact in addition to the usual ones, and names to keep.
struct RedactionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Another name whose values are secret, in any part of requests and answers.", valueName: "name"))
  var redact: [String] = []

  @Option(help: ArgumentHelp("A name whose values aren't secret.", valueName: "name"))
  var keep: [String] = []

  var redaction: SecretRedaction {
    var redaction = SecretRedaction()
    for name in redact { redaction = redaction.redacting(name) }
    for name in keep { redaction = redaction.keeping(name) }
    return redaction
  }
}

/// A server with a recorded backend, which prints the requests until the command is told to end.
private final class RecordingServer {
  private let verb: String
  private let folder: String
  private let json: Bool
  private let server: TrackingServer
  private(set) var requests: RequestLog

  init(verb: String, folder: String, _ listening: PortOption, json: Bool) {
    self.verb = verb
    self.folder = folder
    self.json = json
    requests = RequestLog(json: json, unmatchedText: "not recorded")
    // `POST /` belongs to the backend: JSON-RPC and SOAP have no other path.
    server = TrackingServer(
      configuration: .init(port: listening.port, eventPath: nil, allowedOrigins: listening.allowedOrigins))
  }

  func run(_ source: RecordingSource, _ environment: [String: String]) throws -> RunningRecording {
    let recording = try refusing(verb) {
      let recording = try server.use(source, environment: environment)
      try server.start()
      return recording
    }
    guard let endpoint = server.endpoint else { throw refusal("tracking \(verb): the server has stopped") }
    // By name, because some clients don't support IPv6 addresses in URLs.
    let url = "http://localhost:\(endpoint.url.port ?? 80)"
    if json {
      showJSON(["kind": "started", "url": url, "folder": folder])
    } else {
      say("The app's backend is now \(url)")
      say("Ctrl-C ends it.")
    }
    requests.redacted = recording.redacted
    while !Interruption.comes(within: .milliseconds(50)) { requests.showNews(of: server) }
    server.stop()
    requests.showNews(of: server, toTheEnd: true)
    return recording
  }

  /// - Parameter isWritten: Whether the folder was written; `nil` in a replay.
  func end(isWritten: Bool? = nil) {
    guard !json else {
      return showJSON([
        "kind": "ended", "requests": requests.count, "unmatched": isWritten == nil ? requests.unmatched : nil,
        "isWritten": isWritten,
      ])
    }
    switch isWritten {
    // The recorder has said where they are recorded.
    case true?: say(requests.summary)
    case false?: say("\(requests.summary); nothing was written")
    case nil: say("\(requests.summary), \(requests.unmatched) not recorded")
    }
  }
}
