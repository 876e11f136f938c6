import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

/// The changes of a plan, by event and param.
struct PlanDiff: Sendable {
  struct Event: Sendable {
    enum Kind: String, Sendable {
      case added, removed, changed
    }

    let name: String
    let kind: Kind
    /// The changes of an event that is in both plans.
    let changes: [Change]

    /// Whether the event fails the check for apps.
    var breaksApps: Bool { kind == .removed || changes.contains(where: \.breaksApps) }
  }

  struct Change: Sendable {
    enum Kind: String, Sendable {
      case added, removed, required, optional, type, deprecated, expires, sources, coverage, draft, swiftName, rules
      case lostValues = "lost values"
      case newValues = "new values"
    }

    /// The param's path, such as `items[].price`; empty for the event.
    let param: String
    let kind: Kind
    let text: String
    /// Whether installed apps may send events that the new plan refuses for this reason: a new required param, a narrower type or rule, a lost
    /// value, a removed param of an event without others, or a source for which the event is no longer planned.
    var breaksApps = false
  }

  /// The events that differ, ordered by name.
  let events: [Event]

  /// - Parameter source: The source whose events both plans were restricted to; then the lists of sources aren't compared.
  init(from old: TrackingPlan, to new: TrackingPlan, source: String? = nil) {
    var events: [Event] = []
    for event in old.events {
      guard let other = new.event(named: event.name) else {
        events.append(Event(name: event.name, kind: .removed, changes: []))
        continue
      }
      var comparison = EventComparison(Side(plan: old, event: event), Side(plan: new, event: other))
      let changes = comparison.changes(comparesSources: source == nil)
      if !changes.isEmpty { events.append(Event(name: event.name, kind: .changed, changes: changes)) }
    }
    for event in new.events where old.event(named: event.name) == nil {
      events.append(Event(name: event.name, kind: .added, changes: []))
    }
    self.events = events.sorted { $0.name.precedes($1.name) }
  }
}

/// An event of one of the two plans.
private struct Side {
  let plan: TrackingPlan
  let event: PlannedEvent
  /// Whether a reference leads to another file, or depends on the way to it.
  private(set) var hasOpenReference = false

  init(plan: TrackingPlan, event: PlannedEvent) {
    (self.plan, self.event) = (plan, event)
  }

  /// The schemas of other files, and those outside the params.
  var otherSchemas: [TrackingValue] {
    let others = plan.files.files.enumerated().filter { $0.offset != Int(event.node.place.file) }
    return others.map(\.element.root.value) + [event.root.value]
  }

  /// The schema of the params, with references replaced by their targets and with the `required` that our format implies.
  mutating func schema() -> JSONTree { resolved(event.schema, .whole, within: []) }

  /// - Parameter outer: The targets of the references around the schema, at which a recursive one ends.
  private mutating func resolved(
    _ node: JSONTree, _ extent: SchemaExtent, within outer: Set<JSONTree.Place>
  ) -> JSONTree {
    guard node.members != nil else { return node }
    let extents = SubschemaExtents(of: node, extent, event.draft)
    if ["$dynamicRef", "$recursiveRef"].contains(where: { node[$0] != nil }) { hasOpenReference = true }
    if let reference = node["$ref"] {
      let target = reference.string == "#" ? event.root : plan.target(of: reference, in: event)
      if let target, !outer.contains(target.place) {
        let whole = resolved(target, extents["$ref"], within: outer.union([target.place]))
        let rest = resolvedMembers(of: node.removing(["$ref"]), extents, within: outer)
        let isAlone =
          event.draft.refStandsAlone || rest.members?.contains { JSONSchemaKeywords.asserts($0.key) } == false
        return isAlone
          ? whole.members == nil ? whole : whole.replacing(["deprecated", "draft", "swiftName"], from: rest)
          : rest.removing(["allOf"]).adding([
            .init("allOf", JSONTree(.array((rest["allOf"]?.elements ?? []) + [whole])))
          ])
      }
      if target == nil { hasOpenReference = true }
    }
    return resolvedMembers(of: node, extents, within: outer)
  }

  private mutating func resolvedMembers(
    of node: JSONTree, _ extents: SubschemaExtents, within outer: Set<JSONTree.Place>
  ) -> JSONTree {
    let members = (node.members ?? []).map { member in
      JSONTree.Member(
        member.key,
        member.value.mapSchemas(JSONSchemaKeywords.holding(member.key)) {
          resolved($0, extents[member.key], within: outer)
        })
    }
    let required = plan.format == .trackingPlan ? node.impliedRequired(extents.own) : nil
    return JSONTree(.object(members), at: node.place)
      .adding(required.map { [.init("required", JSONTree(.array($0.map { JSONTree($0) })))] } ?? [])
  }

  /// The types that a schema allows by `type`, or else by its values and alternatives.
  func types(of node: JSONTree) -> JSONSchemaTypes {
    guard node.members != nil else { return node.bool == false ? [] : .all }
    if let type = node["type"] {
      return (type.elements ?? [type]).reduce(into: []) {
        $0.formUnion($1.string.flatMap(JSONSchemaTypes.init) ?? .all)
      }
    }
    if let values = values(of: node) {
      let types = values.reduce(into: JSONSchemaTypes()) { $0.formUnion(JSONSchemaTypes(of: $1)) }
      return types.contains(.fraction) ? types.union(.number) : types
    }
    if let alternatives = node["anyOf"]?.elements ?? node["oneOf"]?.elements {
      return alternatives.reduce(into: []) { $0.formUnion(types(of: $1)) }
    }
    return (node["allOf"]?.elements ?? []).reduce(into: .all) { $0.formIntersection(types(of: $1)) }
  }

  /// The listed values; `nil` if the schema lists none.
  func values(of node: JSONTree) -> [TrackingValue]? {
    node["enum"]?.elements?.map(\.value) ?? (event.draft >= .draft06 ? node["const"].map { [$0.value] } : nil)
  }

  /// The members that an object has by `properties` or `required`.
  func members(of node: JSONTree) -> [(name: String, schema: JSONTree, isRequired: Bool)] {
    let listed = node["properties"]?.members ?? []
    let required = node["required"]?.elements?.compactMap(\.string) ?? []
    let others = required.filter { name in !listed.contains { $0.key.isSameText(as: name) } }
    return listed.map { member in (member.key, member.value, required.contains { $0.isSameText(as: member.key) }) }
      + others.map { ($0, [:], true) }
  }

  /// The keywords that aren't compared one by one.
  func rules(of node: JSONTree, without compared: Set<String>) -> [String: TrackingValue] {
    guard let members = node.members else { return node.bool == false ? ["not": [:]] : [:] }
    var rules = Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }.filter { word, _ in
      JSONSchemaKeywords.asserts(word) && !compared.contains(word)
    }
    switch plan.closesObjects ? node.closing(.whole, event.draft) : .none {
    case .listed: rules["additionalProperties"] = false
    case .evaluated: rules["unevaluatedProperties"] = false
    case .none: break
    }
    if [true, [:]].contains(rules["additionalProperties"]) { rules["additionalProperties"] = nil }
    return rules
  }
}

private struct EventComparison {
  private var old: Side
  private var new: Side
  private var found: [PlanDiff.Change] = []

  init(_ old: Side, _ new: Side) {
    (self.old, self.new) = (old, new)
  }

  mutating func changes(comparesSources: Bool) -> [PlanDiff.Change] {
    deprecation("", old.event.deprecated, new.event.deprecated)
    expiry()
    if comparesSources { sources() }
    if old.event.countsInCoverage != new.event.countsInCoverage {
      add("", .coverage, new.event.countsInCoverage ? "counts in coverage again" : "no longer counts in coverage")
    }
    draft("", old.event.isDraft, new.event.isDraft)
    swiftName("", old.event.swiftName, new.event.swiftName)
    compare(old.schema(), new.schema(), at: "")
    if old.event.draft != new.event.draft {
      add("", .rules, "rules changed from JSON Schema \(old.event.draft) to \(new.event.draft)")
    }
    if old.hasOpenReference || new.hasOpenReference, old.otherSchemas != new.otherSchemas {
      add("", .rules, "rules may have changed in schemas that the event refers to", breaksApps: true)
    }
    return found
  }

  private mutating func add(_ param: String, _ kind: PlanDiff.Change.Kind, _ text: String, breaksApps: Bool = false) {
    found.append(.init(param: param, kind: kind, text: text, breaksApps: breaksApps))
  }

  private mutating func compare(_ a: JSONTree, _ b: JSONTree, at path: String) {
    let (before, after) = (old.types(of: a), new.types(of: b))
    if before != after {
      add(
        path, .type, "type changed from \(before.words) to \(after.words)", breaksApps: !after.isSuperset(of: before))
    }
    values(old.values(of: a), new.values(of: b), at: path)
    if !path.isEmpty { marks(a, b, at: path) }
    members(
      old.members(of: a), new.members(of: b), at: path, isClosed: NarrowerRules.close(new.rules(of: b, without: [])))
    // If there are two lists, the first is compared here, as in `Side.values(of:)`.
    var compared: Set = ["type", "properties", "required"]
    compared.insert([a, b].contains { $0["enum"] != nil && $0["const"] != nil } ? "" : "enum")
    if min(old.event.draft, new.event.draft) >= .draft06, compared.contains("enum") { compared.insert("const") }
    if let items = a["items"], let others = b["items"], items.elements == nil, others.elements == nil {
      compared.insert("items")
      compare(items, others, at: path + "[]")
    }
    var (was, becomes) = (old.rules(of: a, without: compared), new.rules(of: b, without: compared))
    for (word, value) in was where becomes[word] == value { (was[word], becomes[word]) = (nil, nil) }
    guard was != becomes else { return }
    add(
      path, .rules, "rules changed from \(was.text) to \(becomes.text)",
      breaksApps: NarrowerRules.areIn(becomes, comparedTo: was))
  }

  private mutating func values(_ a: [TrackingValue]?, _ b: [TrackingValue]?, at path: String) {
    guard let b else {
      if a != nil { add(path, .newValues, "any value is allowed") }
      return
    }
    guard let a else {
      return add(path, .lostValues, "only these values are allowed: \(b.list)", breaksApps: true)
    }
    let (lost, gained) = (a.filter { !b.contains($0) }, b.filter { !a.contains($0) })
    if !lost.isEmpty { add(path, .lostValues, "lost values: \(lost.list)", breaksApps: true) }
    if !gained.isEmpty { add(path, .newValues, "new values: \(gained.list)") }
  }

  private mutating func deprecation(_ path: String, _ a: String?, _ b: String?) {
    guard a != b else { return }
    add(path, .deprecated, b.map { $0.isEmpty ? "deprecated" : "deprecated: \($0)" } ?? "no longer deprecated")
  }

  private mutating func expiry() {
    let (a, b) = (old.event.expires, new.event.expires)
    guard a != b else { return }
    add("", .expires, b.map { "expires on \($0)" + (a.map { ", before on \($0)" } ?? "") } ?? "no longer expires")
  }

  /// An event without sources is planned for all.
  private mutating func sources() {
    let (a, b) = (old.event.sources, new.event.sources)
    func names(_ sources: [String]) -> Set<String> { Set(sources.map { $0.lowercased() }) }
    guard names(a) != names(b) else { return }
    func text(_ sources: [String]) -> String { sources.isEmpty ? "all" : sources.joined(separator: ", ") }
    add(
      "", .sources, "sources changed from \(text(a)) to \(text(b))",
      breaksApps: !b.isEmpty && (a.isEmpty || !names(a).isSubset(of: names(b))))
  }

  /// Compares what a param's schema says besides its rules.
  private mutating func marks(_ a: JSONTree, _ b: JSONTree, at path: String) {
    deprecation(path, a.deprecation, b.deprecation)
    draft(path, a["draft"]?.bool == true, b["draft"]?.bool == true)
    swiftName(path, a["swiftName"]?.string, b["swiftName"]?.string)
  }

  private mutating func draft(_ path: String, _ a: Bool, _ b: Bool) {
    if a != b { add(path, .draft, b ? "now a draft" : "no longer a draft") }
  }

  private mutating func swiftName(_ path: String, _ a: String?, _ b: String?) {
    if a != b { add(path, .swiftName, "Swift name changed from \(a ?? "none") to \(b ?? "none")") }
  }

  private typealias Member = (name: String, schema: JSONTree, isRequired: Bool)

  /// - Parameter isClosed: Whether the new object refuses members that aren't listed.
  private mutating func members(_ a: [Member], _ b: [Member], at path: String, isClosed: Bool) {
    func inner(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    for member in a {
      let path = inner(member.name)
      guard let other = b.first(where: { $0.name.isSameText(as: member.name) }) else {
        add(path, .removed, "removed", breaksApps: isClosed)
        continue
      }
      if other.isRequired, !member.isRequired { add(path, .required, "now required", breaksApps: true) }
      if member.isRequired, !other.isRequired { add(path, .optional, "no longer required") }
      compare(member.schema, other.schema, at: path)
    }
    for member in b where !a.contains(where: { $0.name.isSameText(as: member.name) }) {
      add(
        inner(member.name), .added, member.isRequired ? "added, required" : "added, optional",
        breaksApps: member.isRequired)
    }
  }
}

extension JSONTree {
  /// Returns the object with another's members of these names, where it has them.
  fileprivate func replacing(_ keys: [String], from other: JSONTree) -> JSONTree {
    let members = keys.compactMap { key in other[key].map { Member(key, $0) } }
    return removing(Set(members.map(\.key))).adding(members)
  }

  /// The reason for a deprecation, empty if the schema gives none; `nil` if it isn't deprecated.
  fileprivate var deprecation: String? {
    self["deprecated"].flatMap { $0.string ?? ($0.bool == true ? "" : nil) }
  }
}

extension JSONSchemaTypes {
  /// The names of the types: `string or null`.
  fileprivate var words: String {
    if self == .all { return "any" }
    let names = Self.names.filter { name in
      switch name {
      case "integer": contains(.integer) && !contains(.fraction)
      case "number": contains(.fraction)
      default: JSONSchemaTypes(name: name).map(contains) == true
      }
    }
    return names.isEmpty ? "none" : names.sorted().joined(separator: " or ")
  }
}

extension [TrackingValue] {
  fileprivate var list: String { map(\.description).joined(separator: ", ") }
}

extension [String: TrackingValue] {
  fileprivate var text: String { isEmpty ? "none" : JSONTree(of: TrackingValue.object(self)).text(.compact) }
}
