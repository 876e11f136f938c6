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
  /// The finding as JSON; Tools/README.md describes its members.
  var value: TrackingValue {
    var members: [String: TrackingValue] = [
      "number": .int(number), "event": .string(event.name), "rule": .string(finding.kind.rule),
      "reason": .string(finding.reason), "isFailure": .bool(finding.isFailure),
    ]
    members["session"] = session.map(TrackingValue.string)
    if !finding.path.isEmpty {
      members["param"] = .string(finding.path)
      members["value"] = event.value(at: finding.path)
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

extension TrackingEvent {
  /// The value that a finding's path names, such as `items[0].price`; `nil` where there is none.
  fileprivate func value(at path: String) -> TrackingValue? {
    TrackingValue.object([String: TrackingValue](params.map { ($0.key, $1) }) { first, _ in first })
      .value(at: path[...])
  }
}

extension TrackingValue {
  fileprivate func value(at path: Substring) -> TrackingValue? {
    guard !path.isEmpty else { return self }
    switch self {
    case .object(let members):
      // A key may contain a dot itself, so any key that the path begins with may be meant.
      for (key, value) in members where path.hasPrefix(key) {
        let rest = path.dropFirst(key.count)
        guard rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[") else { continue }
        if let found = value.value(at: rest.hasPrefix(".") ? rest.dropFirst() : rest) { return found }
      }
      return nil
    case .array(let values):
      guard path.hasPrefix("["), let end = path.firstIndex(of: "]"),
        let index = Int(path[path.index(after: path.startIndex)..<end]), values.indices.contains(index)
      else { return nil }
      let rest = path[path.index(after: end)...]
      return values[index].value(at: rest.hasPrefix(".") ? rest.dropFirst() : rest)
    default: return nil
    }
  }
}
