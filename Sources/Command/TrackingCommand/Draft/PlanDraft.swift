import TrackingJSON
import TrackingModel
import TrackingPlan

/// A plan, or the missing parts of one, inferred from the tests' observations.
///
/// Everything inferred is marked `"draft": true`, which `check` reports until the mark is removed.
struct PlanDraft {
  /// A string param becomes an enum if it had at most `mostChoices` values in at least `leastEvents` events.
  private static let mostChoices = 12
  private static let leastEvents = 30

  private let observed: ObservedEvents
  /// The observed events that the plan lacks, ordered by name.
  let events: [String]
  /// The observed params that events of the plan lack.
  let params: [(event: String, param: String)]

  /// - Parameter plan: A plan whose events and params are left out.
  init(of observed: ObservedEvents, lackedBy plan: TrackingPlan? = nil) {
    self.observed = observed
    let names = observed.events.keys.sorted()
    events = names.filter { plan?.event(named: $0) == nil }
    params = names.flatMap { name -> [(event: String, param: String)] in
      guard let known = plan?.event(named: name), known.node["params"] != nil else { return [] }
      let planned = Set(known.params.map(\.name))
      return (observed.events[name]?.members(of: nil) ?? []).map(\.name).filter { !planned.contains($0) }
        .map { (name, $0) }
    }
  }

  func text(named name: String) -> String {
    let lacking = Dictionary(grouping: params, by: \.event).map { name, params in
      let names = Set(params.map(\.param))
      let members = self.params(of: name, isMarked: true).filter { names.contains($0.key) }
      return JSONTree.Member(name, ["params": JSONTree(.object(members))])
    }
    let events = (events.map { JSONTree.Member($0, event($0)) } + lacking).sorted { $0.key < $1.key }
    let plan: JSONTree = ["plan": JSONTree(name), "events": JSONTree(.object(events))]
    return plan.text(.plan) + "\n"
  }

  private func event(_ name: String) -> JSONTree {
    ["draft": true, "params": JSONTree(.object(params(of: name, isMarked: false)))]
  }

  /// The top-level params of an event; those of a new event need no mark, since the event has one.
  private func params(of name: String, isMarked: Bool) -> [JSONTree.Member] {
    guard let event = observed.events[name] else { return [] }
    return event.members(of: nil).map {
      .init($0.name, schema(of: $0.path, in: event, of: event.count, isMarked: isMarked))
    }
  }

  /// The schema of a path; `parents` is the number of occurrences of its parent.
  private func schema(of path: String, in event: ObservedEvents.Event, of parents: Int, isMarked: Bool)
    -> JSONTree
  {
    guard let param = event.params[path] else { return [:] }
    let types = types(of: param)
    let isNullable = param.kinds["null"] ?? 0 > 0
    let names = types + (isNullable ? ["null"] : [])
    let choices = choices(of: param, types: types)
    // Above 63 bits, so that the generated type is `UInt64`.
    let isUnsigned =
      types == ["integer"] && param.values.contains { if case .unsigned = $0 { true } else { false } }
    let element = path + "[]"
    let elements = event.params[element]?.seen ?? 0
    let properties =
      types != ["object"]
      ? []
      : event.members(of: path).map {
        JSONTree.Member($0.name, schema(of: $0.path, in: event, of: param.kinds["object"] ?? 0, isMarked: false))
      }
    return [
      "enum": choices.map {
        JSONTree(.array($0.map { JSONTree($0) } + (isNullable ? [JSONTree(.scalar(.null))] : [])))
      },
      "type": choices != nil || names.isEmpty ? nil : names.count == 1 ? JSONTree(names[0]) : JSONTree(of: names),
      "minimum": isUnsigned ? 0 : nil, "maximum": isUnsigned ? JSONTree(of: UInt64.max) : nil,
      "format": types == ["string"] && choices == nil ? format(of: param).map { JSONTree($0) } : nil,
      "items": types != ["array"]
        ? nil : elements == 0 ? [:] : schema(of: element, in: event, of: elements, isMarked: false),
      "properties": properties.isEmpty ? nil : JSONTree(.object(properties)),
      "optional": param.seen < parents && !event.isElement(path) ? true : nil, "draft": isMarked ? true : nil,
    ]
  }

  private func types(of param: ObservedEvents.Param) -> [String] {
    var kinds = Set(param.kinds.filter { $0.value > 0 }.keys).subtracting(["null"])
    if kinds.contains("number") { kinds.remove("integer") }
    return kinds.sorted()
  }

  private func choices(of param: ObservedEvents.Param, types: [String]) -> [String]? {
    guard types == ["string"], !param.hasMore, param.seen >= Self.leastEvents, param.values.count <= Self.mostChoices
    else { return nil }
    let texts = param.values.compactMap(\.stringValue)
    return texts.isEmpty || format(of: param) != nil ? nil : texts.sorted()
  }

  /// A format for which all observed values are valid.
  private func format(of param: ObservedEvents.Param) -> String? {
    let texts = param.values.compactMap(\.stringValue)
    guard !texts.isEmpty else { return nil }
    return [StringFormat.dateTime, .date, .uuid, .email].first { texts.allSatisfy($0.accepts) }?.rawValue
  }
}
