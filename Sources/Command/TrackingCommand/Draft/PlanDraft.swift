import TrackingJSON
import TrackingModel
import TrackingPlan

/// A plan, or the missing parts of one, inferred from the tests' observations.
///
/// Everything inferred is marked `"draft": true`, which `check` reports until the mark is removed.
struct PlanDraft {
  private let observed: ObservedEvents
  /// The observed events that the plan lacks, ordered by name.
  let events: [String]
  /// The paths of the observed params that events of the plan lack.
  let params: [(event: String, param: String)]
  /// The params that events of the plan lack, within the objects and arrays that have them.
  private let lacking: [JSONTree.Member]

  /// - Parameter plan: A plan whose events and params are left out.
  init(of observed: ObservedEvents, lackedBy plan: TrackingPlan? = nil) {
    self.observed = observed
    let names = observed.events.keys.sorted().map(\.text)
    events = names.filter { plan?.event(named: $0) == nil }
    var (params, lacking): ([(event: String, param: String)], [JSONTree.Member]) = ([], [])
    for name in names {
      guard let plan, let known = plan.event(named: name), let event = observed.events[name] else { continue }
      var members = MissingMembers(of: event)
      // An event that lists no params and is open describes none.
      let isOpen =
        known.schema["additionalProperties"].map { $0.bool != false }
        ?? !(plan.closesObjects && known.schema.closing(.whole, known.draft) == .listed)
      guard !(known.params.isEmpty && isOpen) else { continue }
      let found = members.missing(in: known.params, at: nil)
      guard !found.isEmpty else { continue }
      params += members.paths.map { (name, $0.general) }
      lacking.append(JSONTree.Member(name, ["params": JSONTree(.object(found))]))
    }
    (self.params, self.lacking) = (params, lacking)
  }

  /// Notes on unknown facts.
  var notes: [String] { observed.caveats }

  func text(named name: String) -> String {
    let events = (events.map { JSONTree.Member($0, event($0)) } + lacking).sorted { $0.key.precedes($1.key) }
    let plan: JSONTree = ["plan": JSONTree(name), "events": JSONTree(.object(events))]
    return plan.text(.plan) + "\n"
  }

  private func event(_ name: String) -> JSONTree {
    guard let event = observed.events[name] else { return ["draft": true] }
    // An event whose params were dropped may have others.
    return [
      "draft": true, "open": event.lacksParams ? true : nil,
      "params": JSONTree(
        .object(event.members(of: nil).map { .init($0.name, event.schema(of: $0.path, isMarked: false)) })),
    ]
  }
}

/// The observed params of an event that a plan lacks, also within objects and arrays.
private struct MissingMembers {
  private let event: ObservedEvents.Event
  private(set) var paths: [JSONPath] = []

  init(of event: ObservedEvents.Event) {
    self.event = event
  }

  /// - Parameter path: The path of an object; `nil` for the event.
  mutating func missing(in planned: [PlannedParam], at path: JSONPath?) -> [JSONTree.Member] {
    var members: [JSONTree.Member] = []
    for member in event.members(of: path) {
      if let known = planned.first(where: { $0.name.isSameText(as: member.name) }) {
        if let part = part(of: known.shape, at: member.path) { members.append(.init(member.name, part)) }
      } else {
        paths.append(member.path)
        members.append(.init(member.name, event.schema(of: member.path, isMarked: true)))
      }
    }
    return members
  }

  private mutating func part(of shape: PlanShape, at path: JSONPath) -> JSONTree? {
    switch shape.plain {
    case .object(let planned, _):
      let members = missing(in: planned, at: path)
      return members.isEmpty ? nil : ["properties": JSONTree(.object(members))]
    case .array(let element):
      return part(of: element, at: path.appending(.each)).map { ["items": $0] }
    default: return nil
    }
  }
}

extension ObservedEvents.Event {
  /// A string param becomes an enum if it had at most `mostChoices` values in at least `leastEvents` events.
  private static let mostChoices = 12
  private static let leastEvents = 30

  /// The schema of a path, with a mark as a draft if the event has none.
  fileprivate func schema(of path: JSONPath, isMarked: Bool) -> JSONTree {
    guard let param = params[path] else { return [:] }
    let types = Self.types(of: param)
    let isNullable = param.kinds["null"] ?? 0 > 0
    let names = types + (isNullable ? ["null"] : [])
    let choices = Self.choices(of: param, types: types)
    let isUnsigned = types == ["integer"] && Self.isUnsigned(param)
    let element = path.appending(.each)
    let properties =
      types != ["object"]
      ? [] : members(of: path).map { JSONTree.Member($0.name, schema(of: $0.path, isMarked: false)) }
    return [
      "enum": choices.map {
        JSONTree(.array($0.map { JSONTree($0) } + (isNullable ? [JSONTree(.scalar(.null))] : [])))
      },
      "type": choices != nil || names.isEmpty ? nil : names.count == 1 ? JSONTree(names[0]) : JSONTree(of: names),
      "minimum": isUnsigned ? 0 : nil, "maximum": isUnsigned ? JSONTree(of: UInt64.max) : nil,
      "format": types == ["string"] && choices == nil ? Self.format(of: param).map { JSONTree($0) } : nil,
      "items": types != ["array"] ? nil : params[element] == nil ? [:] : schema(of: element, isMarked: false),
      "properties": properties.isEmpty ? nil : JSONTree(.object(properties)),
      "additionalProperties": lacksParams && !properties.isEmpty ? true : nil,
      "optional": param.seen < parents(of: path) && !path.isElement ? true : nil, "draft": isMarked ? true : nil,
    ]
  }

  private static func types(of param: ObservedEvents.Param) -> [String] {
    var kinds = Set(param.kinds.filter { $0.value > 0 }.keys).subtracting(["null"])
    if kinds.contains("number") { kinds.remove("integer") }
    return kinds.sorted()
  }

  /// Whether a value is above 63 bits and none is negative, so that the generated type is `UInt64`.
  private static func isUnsigned(_ param: ObservedEvents.Param) -> Bool {
    param.values.contains { if case .unsigned = $0 { true } else { false } }
      && !param.values.contains { if case .int(let number) = $0 { number < 0 } else { false } }
  }

  private static func choices(of param: ObservedEvents.Param, types: [String]) -> [String]? {
    guard types == ["string"], !param.hasMore, param.seen >= leastEvents, param.values.count <= mostChoices
    else { return nil }
    let texts = param.values.compactMap(\.stringValue)
    return texts.isEmpty || format(of: param) != nil ? nil : texts.sorted { $0.precedes($1) }
  }

  /// A format for which all observed values are valid; `nil` if longer ones weren't kept.
  private static func format(of param: ObservedEvents.Param) -> String? {
    let texts = param.values.compactMap(\.stringValue)
    guard !texts.isEmpty, !param.hasLonger else { return nil }
    return [StringFormat.dateTime, .date, .uuid, .email].first { texts.allSatisfy($0.accepts) }?.rawValue
  }
}
