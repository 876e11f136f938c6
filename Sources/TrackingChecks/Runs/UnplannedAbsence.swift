import TrackingModel
import TrackingPatterns
import TrackingRules

/// Absences of events that a plan excludes anyway, by their name, a param or its value: a misspelt pattern would pass, too.
enum UnplannedAbsence {
  private typealias Param = (path: String, value: TrackingValue?)

  static func sentences(about pattern: EventPattern, by rule: any EventRule) -> [String] {
    let unplanned = Set(pattern.names.filter { finding(onName: $0, by: rule) != nil })
    let names = pattern.names.compactMap { name in finding(onName: name, by: rule).map { sentence(name, $0.reason) } }
    let params = pattern.requirements.filter { !unplanned.contains($0.name) }.flatMap { name, params in
      params.indices.compactMap { index in
        finding(on: params[index], of: name, among: params, by: rule).map { sentence(name, "\($0)") }
      }
    }
    return names + params
  }

  private static func sentence(_ name: String, _ reason: String) -> String {
    "The absence of \(TrackingValue.string(name)) proves nothing: \(reason)."
  }

  private static func finding(onName name: String, by rule: any EventRule) -> PlanFinding? {
    rule.findings(in: TrackingEvent(name: name)).first { $0.kind == .unplannedEvent }
  }

  /// Returns what the plan says against a param, or against its value if the pattern names only one.
  ///
  /// A key with dots is a name or a path, so it is excluded only if it is as both.
  private static func finding(
    on param: Param, of name: String, among params: [Param], by rule: any EventRule
  ) -> PlanFinding? {
    var event = TrackingEvent(name: name)
    for other in params where other.path != param.path && head(of: other.path) == other.path {
      event.params[.custom(key: other.path)] = other.value ?? .null
    }
    let others = Set(rule.findings(in: event))
    func finding(at head: String) -> PlanFinding? {
      var event = event
      event.params[.custom(key: head)] = nested(param.value ?? .null, at: param.path.dropFirst(head.count))
      return rule.findings(in: event).first { !others.contains($0) && excludes($0, param) }
    }
    guard let asName = finding(at: param.path), let asPath = finding(at: head(of: param.path)) else { return nil }
    // A name that the plan has tells more than a path that it doesn't have; a value that stands for any tells nothing.
    return asName.kind != .unplanned || asPath.kind != .unplanned && param.value == nil ? asName : asPath
  }

  private static func head(of path: String) -> String { String(path.prefix { $0 != "." && $0 != "[" }) }

  private static func excludes(_ finding: PlanFinding, _ param: Param) -> Bool {
    switch finding.kind.name {
    case .unplanned: true
    // The objects and arrays on the path have no other members and items.
    case .mismatch(let keyword) where finding.path.utf8.count < param.path.utf8.count:
      keyword == "type" && !finding.path.isEmpty
    case .mismatch: param.value != nil
    default: false
    }
  }

  /// Returns a value within the objects and arrays of a path such as `[0].price`.
  private static func nested(_ value: TrackingValue, at path: Substring) -> TrackingValue {
    let rest = path.dropFirst()
    if path.first == "." {
      let end = rest.firstIndex { $0 == "." || $0 == "[" } ?? path.endIndex
      return .object([String(rest[..<end]): nested(value, at: path[end...])])
    }
    guard path.first == "[", let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]), 0..<100 ~= index else {
      return value
    }
    return .array(Array(repeating: nested(value, at: path[path.index(after: end)...]), count: index + 1))
  }
}
