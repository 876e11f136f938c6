import TrackingModel
import TrackingChecks
import TrackingRules
import TrackingPlan

/// A finding in a received event, which all tools write alike, as a line or as JSON.
struct EventFinding {
  let finding: PlanFinding
  let event: TrackingEvent
  let number: Int
  private let session: String?
  /// The line of the app that tracked the event, for people.
  private let callSite: String?

  /// Creates a finding of an event; `session` is the file that the event was read from, and `names` are those of its call sites.
  init(
    _ finding: PlanFinding, in event: TrackingEvent, number: Int, of session: String? = nil, _ names: CallSiteNames
  ) {
    self.finding = finding
    self.event = event
    self.number = number
    self.session = session
    callSite = event.callSite.map(names.name)
  }
}

extension EventFinding: CustomStringConvertible {
  /// The finding on one line: `quantity: "1" is a string, expected an integer (type; plan.json:14), tracked at CartModel.swift:41`.
  var description: String {
    let place = finding.place.map { "; \($0.file):\($0.line)" } ?? ""
    return "\(finding.isFailure ? "" : "warning: ")\(finding) (\(finding.kind)\(place))"
      + (callSite.map { ", tracked at \($0)" } ?? "")
  }
}

extension EventFinding {
  /// The finding as JSON, as `check --json` and `serve --json` write it.
  var value: TrackingValue {
    var members: [String: TrackingValue] = [
      "number": .int(number), "event": .string(event.name), "rule": .string(finding.kind.description),
      "reason": .string(finding.reason), "isFailure": .bool(finding.isFailure),
    ]
    members["at"] = event.callSite.map { .string("\($0)") }
    members["session"] = session.map(TrackingValue.string)
    if !finding.path.isEmpty {
      members["param"] = .string(finding.path)
      members["value"] = finding.value
    }
    members["file"] = (finding.place?.file).map(TrackingValue.string)
    members["line"] = (finding.place?.line).map { .int($0) }
    return .object(members)
  }
}
