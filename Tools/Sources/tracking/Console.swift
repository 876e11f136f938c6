import Foundation
import TrackingModel
import TrackingServer

/// The output of `tracking serve`: lines for people on standard error, events on standard output.
///
/// With `--json`, everything is a line of JSON on standard output.
struct Console {
  let json: Bool
  /// Whether standard output is a terminal.
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  init(json: Bool) {
    self.json = json
  }

  /// What an app and its tester need to know.
  struct Addresses {
    let endpoint: TrackingEndpoint
    let device: TrackingEndpoint?
    let formats: [AcceptedFormat]
    let inspector: URL?
    /// When the server ends by itself.
    let end: Date?

    func urls(at endpoint: TrackingEndpoint) -> [String: String] {
      Dictionary(
        formats.map { (VendorName($0).word, $0.address(at: endpoint.url).absoluteString) }, uniquingKeysWith: { $1 })
    }
  }

  func begin(_ addresses: Addresses) {
    guard !json else {
      return showJSON(
        Started(
          environment: addresses.endpoint.environment, urls: addresses.urls(at: addresses.endpoint),
          device: addresses.device.map { .init(environment: $0.environment, urls: addresses.urls(at: $0)) },
          inspector: addresses.inspector?.absoluteString, ends: addresses.end?.formatted(.iso8601)))
    }
    show(addresses, at: addresses.endpoint, where: "")
    if let device = addresses.device {
      show(addresses, at: device, where: " on a device of the same network")
      say(
        """
        This is plain http: anyone on that network can read the events. Use test accounts, or a cable.
        An iOS app also needs NSLocalNetworkUsageDescription in its Info.plist, and its user's consent.
        """)
    }
    if let end = addresses.end { say("Ends at \(end.formatted(date: .omitted, time: .standard)).") }
    say("Ctrl-C ends it.")
  }

  private struct Started: Encodable {
    struct Device: Encodable {
      let environment: [String: String]
      let urls: [String: String]
    }

    let environment: [String: String]
    let urls: [String: String]
    let device: Device?
    let inspector: String?
    let ends: String?
  }

  private func show(_ addresses: Addresses, at endpoint: TrackingEndpoint, where place: String) {
    say("The environment or launch arguments of an app\(place):")
    for (name, value) in endpoint.environment.sorted(by: { $0.key < $1.key }) { say("  \(name)=\(value)") }
    guard !addresses.formats.isEmpty else { return }
    say("The URL for an SDK\(place), in place of its own:")
    for format in addresses.formats {
      let word = VendorName(format).word.padding(toLength: 16, withPad: " ", startingAt: 0)
      say("  \(word) \(format.address(at: endpoint.url).absoluteString)")
    }
  }

  func show(_ event: RecordedEvent, _ findings: [String]) {
    guard !json else {
      return showJSON(
        Line(
          number: event.number, name: event.event.name, params: event.event.params, launch: event.launch,
          findings: findings))
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
    guard !json else {
      return showJSON(Rejected(number: rejection.number, status: rejection.status, reason: rejection.reason))
    }
    say("rejected (\(rejection.status)): \(rejection.reason)")
  }

  private struct Rejected: Encodable {
    let number: Int
    let status: Int
    let reason: String
  }

  func end(events: Int, rejections: Int, findings: Int?) {
    guard !json else { return showJSON(Summary(events: events, rejections: rejections, unplanned: findings)) }
    let planned = findings.map { ", \($0) of them not as planned" } ?? ""
    say("\(events) \(events == 1 ? "event" : "events")\(planned); \(rejections) rejected")
  }

  private struct Summary: Encodable {
    let events: Int
    let rejections: Int
    let unplanned: Int?
  }

  /// Red on a terminal, unless `NO_COLOR` is set (https://no-color.org).
  private func colored(_ text: String) -> String {
    let isPlain = !isTerminal || ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
    return isPlain ? text : "\u{1B}[31m\(text)\u{1B}[0m"
  }

  /// At once: a script may wait for the line.
  private func write(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
