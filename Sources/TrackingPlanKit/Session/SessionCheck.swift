import Foundation
import TrackingModel
import TrackingPlan

/// Holds the events of a session against rules, as `tracking serve --plan` and a verifier's stop do.
struct SessionCheck {
  struct Finding {
    let session: String
    /// The event's number in the session.
    let number: Int
    let event: TrackingEvent
    let finding: PlanFinding
  }

  let session: SessionFile
  let findings: [Finding]

  init(of session: SessionFile, against rules: [any EventRule]) {
    self.session = session
    findings = session.events.flatMap { entry in
      rules.flatMap { $0.findings(in: entry.event) }.map {
        Finding(session: session.name, number: entry.number, event: entry.event, finding: $0)
      }
    }
  }

  /// The findings that fail the check; the others are remarks, such as a deprecated event.
  var failures: [Finding] { findings.filter(\.finding.isFailure) }

  /// One line for each finding, and one for a session without any.
  var text: String {
    let lines = findings.map { "\($0)\n" }
    guard failures.isEmpty, !session.events.isEmpty else { return lines.joined() }
    return lines.joined() + "\(session.name): \(Self.count(session.events.count, "event")), no findings\n"
  }

  /// What the session has beside the events that were checked.
  var notes: [String] {
    [
      session.omitted > 0
        ? "\(Self.count(session.omitted, "entry", "entries")) left out when it was written: not checked" : nil,
      session.rejections > 0
        ? "\(Self.count(session.rejections, "rejected submission")): not checked; `report` lists them" : nil,
      session.lost > 0 ? "\(Self.count(session.lost, "event")) tracked and never received: not checked" : nil,
    ].compactMap { $0.map { "\(session.name): \($0)" } }
  }

  /// Why the check fails; `nil` if it passes.
  var failure: String? {
    guard !session.events.isEmpty else { return "\(session.name): contains no events, so nothing was checked" }
    guard !failures.isEmpty else { return nil }
    let events = Set(failures.map(\.number)).count
    return "\(session.name): \(Self.count(failures.count, "finding")) in \(events) of "
      + Self.count(session.events.count, "event")
  }

  private static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
  }
}

extension SessionCheck.Finding: CustomStringConvertible {
  /// `session.json: #3 purchase: quantity: "1" is a string, expected an integer (type; plan.json:14)`.
  var description: String {
    let place = finding.place.map { "; \($0.file):\($0.line)" } ?? ""
    let remark = finding.isFailure ? "" : "remark: "
    return "\(session): #\(number) \(event.name): \(remark)\(finding) (\(finding.kind.rule)\(place))"
  }
}

extension SessionCheck.Finding: Encodable {
  private enum CodingKeys: CodingKey {
    case session, number, event, param, rule, value, reason, isFailure, file, line
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(session, forKey: .session)
    try container.encode(number, forKey: .number)
    try container.encode(event.name, forKey: .event)
    try container.encode(finding.kind.rule, forKey: .rule)
    try container.encode(finding.reason, forKey: .reason)
    try container.encode(finding.isFailure, forKey: .isFailure)
    if !finding.path.isEmpty {
      try container.encode(finding.path, forKey: .param)
      try container.encodeIfPresent(event.value(at: finding.path), forKey: .value)
    }
    try container.encodeIfPresent(finding.place?.file, forKey: .file)
    try container.encodeIfPresent(finding.place?.line, forKey: .line)
  }
}

extension PlanFinding.Kind {
  /// The broken rule in one word: the keyword of JSON Schema, or what the plan says.
  package var rule: String {
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
