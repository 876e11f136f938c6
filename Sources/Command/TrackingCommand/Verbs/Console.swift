import Foundation
import TrackingModel
import TrackingServer

/// The output of `tracking serve`: lines for people on standard error, events on standard output.
///
/// With `--json`, everything is a line of JSON on standard output. Beside a command, everything is on standard error.
struct Console {
  let isJSON: Bool
  /// Whether it runs a command, to which Ctrl-C belongs.
  var hasCommand = false
  let output: Output

  struct Addresses {
    let endpoint: TrackingEndpoint
    let formats: [AcceptedFormat]
    let inspector: URL?
    /// The URL of checks, with its token.
    let checks: String

    var urls: [String: String] {
      Dictionary(
        formats.map { (SDKName($0).word, $0.address(at: endpoint.url).absoluteString) }, uniquingKeysWith: { $1 })
    }
  }

  func begin(_ addresses: Addresses) throws {
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "started", "environment": addresses.endpoint.launchEnvironment,
        "urls": addresses.urls, "inspector": addresses.inspector, "checks": addresses.checks,
      ])
    }
    show(addresses)
    output.say("For `tracking wait` and other runners:")
    output.say("  \(TestVariable.serve.name)=\(addresses.checks)")
    if !hasCommand { output.say("Ctrl-C ends it.") }
  }

  private func show(_ addresses: Addresses) {
    let endpoint = addresses.endpoint
    output.say("The environment or launch arguments of an app:")
    for (name, value) in endpoint.launchEnvironment.sorted(by: { $0.key < $1.key }) { output.say("  \(name)=\(value)") }
    guard !addresses.formats.isEmpty else { return }
    output.say("The URL for an SDK, instead of its default:")
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
        "at": event.event.callSite.map { "\($0)" }, "launch": event.launch, "process": event.process,
        "findings": findings.map(\.value),
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

  /// - Parameter unplanned: The number of events that break the plan; `nil` without a plan.
  func end(events: Int, rejections: Int, unplanned: Int?, _ requests: RequestLog, saved: String?) throws {
    guard !isJSON else {
      return try output.jsonLine([
        "kind": "ended", "events": events, "rejections": rejections, "unplanned": unplanned,
        "requests": requests.count, "unmatched": requests.unmatched, "session": saved,
      ])
    }
    let planned = unplanned.map { ", \($0) of them not as planned" } ?? ""
    output.say("\(events.counted("event"))\(planned); \(rejections) rejected")
    if requests.count > 0 { output.say("\(requests.summary), \(requests.unmatched) unmatched") }
    if let saved { output.say("The session is in \(saved).") }
  }
}
