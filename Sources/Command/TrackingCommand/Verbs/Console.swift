import Foundation
import TrackingModel
import TrackingServer

/// The output of `tracking serve`: lines for people on standard error, events on standard output.
///
/// With `--json`, everything is a line of JSON on standard output.
struct Console {
  let isJSON: Bool
  let output: Output

  /// The addresses that an app and its tester need.
  struct Addresses {
    let endpoint: TrackingEndpoint
    let device: TrackingEndpoint?
    let formats: [AcceptedFormat]
    let inspector: URL?
    /// The URL of questions, with its token.
    let questions: String
    /// The time at which the server ends without a signal.
    let end: Date?

    func urls(at endpoint: TrackingEndpoint) -> [String: String] {
      Dictionary(
        formats.map { (SDKName($0).word, $0.address(at: endpoint.url).absoluteString) }, uniquingKeysWith: { $1 })
    }
  }

  func begin(_ addresses: Addresses) throws {
    guard !isJSON else {
      let device = addresses.device.map { device -> TrackingValue in
        ["environment": device.launchEnvironment.trackingValue, "urls": addresses.urls(at: device).trackingValue]
      }
      return try output.jsonLine([
        "kind": "started", "environment": addresses.endpoint.launchEnvironment,
        "urls": addresses.urls(at: addresses.endpoint), "device": device, "inspector": addresses.inspector,
        "questions": addresses.questions,
        "ends": addresses.end?.formatted(.iso8601),
      ])
    }
    show(addresses, at: addresses.endpoint, where: "")
    if let device = addresses.device {
      show(addresses, at: device, where: " on a device of the same network")
      output.say(
        """
        This is plain http: anyone on that network can read the events. Use test accounts, or a cable.
        An iOS app also needs NSLocalNetworkUsageDescription in its Info.plist, and its user's consent.
        """)
    }
    output.say("For `tracking wait` and other runners:")
    output.say("  TRACKING_SERVE=\(addresses.questions)")
    if let end = addresses.end {
      let time = Calendar.current.dateComponents([.hour, .minute, .second], from: end)
      let parts = [time.hour, time.minute, time.second].map { "\(100 + ($0 ?? 0))".suffix(2) }
      output.say("Ends at \(parts.joined(separator: ":")).")
    }
    output.say("Ctrl-C ends it.")
  }

  private func show(_ addresses: Addresses, at endpoint: TrackingEndpoint, where place: String) {
    output.say("The environment or launch arguments of an app\(place):")
    for (name, value) in endpoint.launchEnvironment.sorted(by: { $0.key < $1.key }) { output.say("  \(name)=\(value)") }
    guard !addresses.formats.isEmpty else { return }
    output.say("The URL for an SDK\(place), instead of its default:")
    for format in addresses.formats {
      let word = SDKName(format).word.padded(to: 16)
      output.say("  \(word) \(format.address(at: endpoint.url).absoluteString)")
    }
  }

  func show(_ event: RecordedEvent, _ findings: [EventFinding]) throws {
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "event", "number": event.number, "name": event.event.name,
        "params": Dictionary(event.event.params.map { ($0.key.key, $0.value) }) { first, _ in first },
        "launch": event.launch, "process": event.process, "findings": findings.map(\.value),
      ])
    }
    try output.line("#\(event.number)  \(event.event)")
    for finding in findings {
      try output.line("    \(finding)", in: finding.finding.isFailure ? .red : .yellow)
    }
  }

  func show(_ rejection: RejectedSubmission) throws {
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "rejection", "number": rejection.number, "status": rejection.status, "path": rejection.path,
        "reason": rejection.reason,
      ])
    }
    output.say("rejected (\(rejection.status)): \(rejection.path.map { "\($0): " } ?? "")\(rejection.reason)")
  }

  /// - Parameters:
  ///   - unplanned: The number of events that break the plan; `nil` without one.
  func end(events: Int, rejections: Int, unplanned: Int?, _ requests: RequestLog, saved: String?) throws {
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "ended", "events": events, "rejections": rejections, "unplanned": unplanned,
        "requests": requests.count, "unmatched": requests.unmatched, "session": saved,
      ])
    }
    let planned = unplanned.map { ", \($0) of them not as planned" } ?? ""
    output.say("\(events.counted("event"))\(planned); \(rejections) rejected")
    if requests.count > 0 { output.say("\(requests.summary), \(requests.unmatched) that nothing answers") }
    if let saved { output.say("The session is in \(saved).") }
  }
}
