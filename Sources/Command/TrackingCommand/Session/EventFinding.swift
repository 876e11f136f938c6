import TrackingModel
import TrackingRules
import TrackingPlan

/// A finding in a received event, which all tools write alike, as a line or as JSON.
struct EventFinding {
  /// The violated rule.
  let finding: PlanFinding
  /// The event that has the finding.
  let event: TrackingEvent
  /// The event's number in its session.
  let number: Int
  private let session: String?

  /// Creates a finding of an event; `session` is the file that the event was read from.
  init(_ finding: PlanFinding, in event: TrackingEvent, number: Int, of session: String? = nil) {
    self.finding = finding
    self.event = event
    self.number = number
    self.session = session
  }
}

extension EventFinding: CustomStringConvertible {
  /// `quantity: "1" is a string, expected an integer (type; plan.json:14)`.
  var description: String {
    let place = finding.place.map { "; \($0.file):\($0.line)" } ?? ""
    return "\(finding.isFailure ? "" : "remark: ")\(finding) (\(finding.kind.rule)\(place))"
  }
}

extension EventFinding {
  /// The finding as JSON, as `check --json` and `serve --json` write it.
  var value: TrackingValue {
    var members: [String: TrackingValue] = [
      "number": .int(number), "event": .string(event.name), "rule": .string(finding.kind.rule),
      "reason": .string(finding.reason), "isFailure": .bool(finding.isFailure),
    ]
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

extension PlanFinding.Kind {
  /// The broken rule in one word: the keyword of JSON Schema, or what the plan says.
  fileprivate var rule: String {
    switch self {
    case .unplannedEvent: "unplanned-event"
    case .missing: "required"
    case .unplanned: "unplanned-param"
    case .mismatch(let keyword): keyword
    case .deprecated: "deprecated"
    case .expired: "expired"
    case .unusable: "unusable-plan"
    case .personalData: "personal-data"
    case .limit: "limit"
    }
  }
}
