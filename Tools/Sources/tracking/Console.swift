import Foundation
import TrackingModel
import TrackingServer

/// What `tracking serve` prints: lines for people on standard error, events on standard output.
struct Console {
  let json: Bool
  /// Whether a person looks at standard output.
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  func begin(_ endpoint: TrackingEndpoint, _ formats: [AcceptedFormat]) {
    say("The app's environment or launch arguments:")
    for (name, value) in endpoint.environment.sorted(by: { $0.key < $1.key }) { say("  \(name)=\(value)") }
    if !formats.isEmpty { say("The URL that an SDK is given in place of its own:") }
    for format in formats {
      say(
        "  \(VendorName(format).word.padding(toLength: 16, withPad: " ", startingAt: 0)) \(format.address(at: endpoint.url).absoluteString)"
      )
    }
    say("Ctrl-C ends it.")
  }

  func show(_ event: RecordedEvent, _ findings: [String]) {
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let line = Line(
        number: event.number, name: event.event.name, params: event.event.params, launch: event.launch,
        findings: findings)
      if let data = try? encoder.encode(line) { write(String(decoding: data, as: UTF8.self)) }
      return
    }
    write("#\(event.number)  \(event.event)")
    for finding in findings { write("    \(colored(finding))") }
  }

  private struct Line: Encodable {
    let number: Int
    let name: String
    let params: [TrackingParam: TrackingValue]
    let launch: String?
    let findings: [String]

    enum CodingKeys: CodingKey { case number, name, params, launch, findings }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(number, forKey: .number)
      try container.encode(name, forKey: .name)
      try container.encode(Dictionary(uniqueKeysWithValues: params.map { ($0.key.key, $0.value) }), forKey: .params)
      try container.encodeIfPresent(launch, forKey: .launch)
      if !findings.isEmpty { try container.encode(findings, forKey: .findings) }
    }
  }

  func show(_ rejection: RejectedSubmission) {
    say("rejected (\(rejection.status)): \(rejection.reason)")
  }

  func end(events: Int, rejections: Int, findings: Int?) {
    let planned = findings.map { ", \($0) of them not as planned" } ?? ""
    say("\(events) \(events == 1 ? "event" : "events")\(planned); \(rejections) rejected")
  }

  /// Red where a person looks, unless the environment says otherwise (https://no-color.org).
  private func colored(_ text: String) -> String {
    let isPlain = !isTerminal || ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
    return isPlain ? text : "\u{1B}[31m\(text)\u{1B}[0m"
  }

  /// At once: a script may wait for the line.
  private func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  private func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
