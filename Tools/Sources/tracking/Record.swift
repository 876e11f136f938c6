import ArgumentParser
import Foundation
import StubRecording
import TrackingServer

struct Record: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Records a backend while an app uses it.",
    discussion: """
      The app is pointed at this server, which sends its requests on to the backend. Ctrl-C ends it and writes the folder, without passwords, \
      tokens and cookies. An earlier recording is replaced, unless --append is given; then what is recorded is answered from the folder. \
      The exit status is 1 when nothing was written, and 2 for bad input, or where CI is set.

      Example: tracking record https://staging.example Tests/Recordings/checkout
      """)

  @Argument(help: "The backend: scheme, host and port.")
  var url: String

  @Argument(help: "The folder of the recording; its name is the recording's.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "A further backend, for the paths or the host before the =, such as \"/images/*=https://cdn.example\".",
      valueName: "key=url"))
  var upstream: [String] = []

  @Flag(help: "Adds to the recording what it doesn't have.")
  var append = false

  @Option(help: "2 repeats a recording, and leaves open what differs from the first take.")
  var take = 1

  @Option(help: "A template of paths whose requests are answered alike, such as /books/:id.")
  var path: [String] = []

  @Option(help: "A header field that is compared when the recording is replayed.")
  var header: [String] = []

  @OptionGroup var redaction: RedactionOptions

  @Option(help: "The port; the system chooses one by default.")
  var port: UInt16 = 0

  @Flag(help: "Prints each request as one line of JSON.")
  var json = false

  func run() throws {
    var upstreams = ["/*": try Self.backend(url, verb: "record")]
    for pair in upstream {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw refusal("tracking record: --upstream \(pair) isn't KEY=URL") }
      upstreams[String(parts[0])] = try Self.backend(String(parts[1]), verb: "record")
    }
    let source = RecordingSource.folder(
      at: URL(fileURLWithPath: folder, isDirectory: true), upstreams: upstreams, redaction: redaction.redaction,
      paths: path, headers: header)
    var environment = Self.environment(mode: append ? "append" : "rewrite")
    environment["TRACKING_TAKE"] = "\(take)"
    let server = RecordingServer(verb: "record", port: port, json: json)
    let recording = try server.run(source, environment)
    do {
      try recording.finish()
    } catch {
      say("tracking record: \(error)")
      throw Status.findings
    }
  }

  static func backend(_ text: String, verb: String) throws -> URL {
    guard let url = URL(string: text), url.host != nil else {
      throw refusal("tracking \(verb): \(text) isn't the URL of a backend: write scheme, host and port")
    }
    return url
  }

  /// The environment of a recording in a mode.
  static func environment(mode: String) -> [String: String] {
    var environment = ["TRACKING_RECORD": mode]
    // Refused on CI, where no person reviews what is recorded.
    environment["CI"] = ProcessInfo.processInfo.environment["CI"]
    return environment
  }
}

struct Replay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answers an app's requests from a recording, without the backend.",
    discussion: """
      What isn't recorded is answered with 404, and its nearest recorded request is printed. Ctrl-C ends it. The exit status is 1 when a request \
      was not recorded.

      Example: tracking replay Tests/Recordings/checkout --port 8080
      """)

  @Argument(help: "The folder of the recording.", completion: .directory)
  var folder: String

  @Option(help: "The port; the system chooses one by default.")
  var port: UInt16 = 0

  @Flag(help: "Prints each request as one line of JSON.")
  var json = false

  func run() throws {
    let server = RecordingServer(verb: "replay", port: port, json: json)
    _ = try server.run(.folder(at: URL(fileURLWithPath: folder, isDirectory: true)), [:])
    if server.unanswered > 0 {
      say("\(server.unanswered) \(server.unanswered == 1 ? "request was" : "requests were") not recorded")
      throw Status.findings
    }
  }
}

/// Names to redact in addition to the usual ones, and names to keep.
struct RedactionOptions: ParsableArguments {
  @Option(help: "A further secret name of header fields, cookies, query items, form fields or JSON members.")
  var redact: [String] = []

  @Option(help: "A name whose values aren't secret.")
  var keep: [String] = []

  var redaction: Redaction {
    var redaction = Redaction()
    for name in redact { redaction = redaction.redacting(name) }
    for name in keep { redaction = redaction.keeping(name) }
    return redaction
  }
}

/// A server with a recorded backend, which prints the requests until Ctrl-C.
private final class RecordingServer {
  private let verb: String
  private let json: Bool
  private let server: TrackingServer
  private var shown = 0
  /// How many requests were not recorded.
  private(set) var unanswered = 0

  init(verb: String, port: UInt16, json: Bool) {
    self.verb = verb
    self.json = json
    server = TrackingServer(configuration: .init(port: port))
  }

  func run(_ source: RecordingSource, _ environment: [String: String]) throws -> RunningRecording {
    let recording: RunningRecording
    do {
      recording = try server.use(source, environment: environment)
      try server.start()
    } catch {
      throw refusal("tracking \(verb): \(error)")
    }
    let interruption = Interruption()
    guard let endpoint = server.endpoint else { throw refusal("tracking \(verb): the server has stopped") }
    // By name, because some clients don't support IPv6 addresses in URLs.
    say("The app's backend is now http://localhost:\(endpoint.url.port ?? 80)")
    say("Ctrl-C ends it.")
    while !interruption.comes(within: .milliseconds(50)) { showNews() }
    server.stop()
    showNews(toTheEnd: true)
    return recording
  }

  /// Prints the requests that were answered, in their order.
  private func showNews(toTheEnd: Bool = false) {
    for request in server.journal.requests.dropFirst(shown) {
      guard request.isAnswered || toTheEnd else { return }
      shown += 1
      if request.isUnmatched { unanswered += 1 }
      show(request)
    }
  }

  private struct Line: Encodable {
    let method: String
    let target: String
    let status: Int?
    let isRecorded: Bool?
    let nearest: String?
    let problem: String?
  }

  private func show(_ request: RecordedRequest) {
    if json {
      return showJSON(
        Line(
          method: request.method, target: request.target, status: request.status,
          isRecorded: verb == "replay" ? !request.isUnmatched : nil, nearest: request.nearestStub,
          problem: request.problem))
    }
    show("\(request.status.map(String.init) ?? "---") \(request.method) \(request.target)")
    if let problem = request.problem { show("    \(problem)") }
    if request.isUnmatched { show("    not recorded\(request.nearestStub.map { "; nearest is \($0)" } ?? "")") }
  }

  private func show(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
