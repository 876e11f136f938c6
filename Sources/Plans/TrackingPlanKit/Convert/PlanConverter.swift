import TrackingJSON
import TrackingModel
import TrackingPlan

/// Writes the events of a plan in our own format, and notes what our format has no place for.
struct PlanConverter {
  private let plan: TrackingPlan
  /// The parts that were left out, with their places in the plan.
  private(set) var losses: [String] = []
  /// The shared types, by the names that they have in the converted plan.
  private var types: [JSONTree.Member] = []

  init(plan: TrackingPlan) {
    self.plan = plan
  }

  /// The plan as JSON, with one line per param.
  mutating func text() -> String {
    types = plan.content.types.map { type in
      var converter = SchemaConverter(plan: plan, draft: .draft2020, path: "types.\(type.key)", typeNames: [:])
      defer { losses += converter.losses }
      return .init(type.key, converter.converted(type.value))
    }
    let events = plan.content.entries.sorted { $0.name < $1.name }.map { JSONTree.Member($0.name, event($0)) }
    let converted: JSONTree = [
      "plan": JSONTree(plan.name),
      "types": types.isEmpty ? nil : JSONTree(.object(types)),
      "events": JSONTree(.object(events)),
    ]
    return converted.text(.plan) + "\n"
  }

  private mutating func event(_ entry: PlanEntry) -> JSONTree {
    let names = enter(typesOf: entry)
    let schema = resolved(entry)
    let properties = schema["properties"]?.members ?? []
    let required = schema["required"]?.elements?.compactMap(\.string) ?? []
    var params = properties.map { member in
      var converter = SchemaConverter(
        plan: plan, draft: entry.draft, path: "\(entry.name).\(member.key)", typeNames: names)
      defer { losses += converter.losses }
      let schema = converter.converted(member.value)
      let isRequired = required.contains { $0.isSameText(as: member.key) }
      return JSONTree.Member(member.key, isRequired ? schema : schema.markedOptional)
    }
    // A required param without a schema may have any value.
    for name in required where !properties.contains(where: { $0.key.isSameText(as: name) }) {
      params.append(.init(name, [:]))
    }
    noteRules(on: schema, of: entry)
    func list(_ nodes: [JSONTree]) -> JSONTree? { nodes.isEmpty ? nil : JSONTree(.array(nodes)) }
    func text(_ text: String?) -> JSONTree? { text.map { JSONTree($0) } }
    return [
      "description": text(entry.description), "owner": text(entry.owner),
      "sources": list(entry.sources.map { JSONTree($0) }),
      "tags": plan.format == .trackingPlan ? entry.node["tags"] : nil,
      "deprecated": entry.deprecated.map { $0.isEmpty ? true : JSONTree($0) },
      "expires": text(entry.expires), "swiftName": text(entry.swiftName),
      "draft": entry.isDraft ? true : nil, "coverage": entry.countsInCoverage ? nil : false,
      "open": isOpen(schema) ? true : nil, "params": JSONTree(.object(params)), "examples": list(entry.examples),
      "counterexamples": list(entry.counterexamples),
    ]
  }

  private func isOpen(_ schema: JSONTree) -> Bool {
    // A schema that lists no properties allows any.
    schema["additionalProperties"].map { $0.bool != false }
      ?? (schema["patternProperties"] != nil || schema["properties"] == nil)
  }

  /// The schema of an event's params, behind references that have no other keyword.
  private func resolved(_ entry: PlanEntry) -> JSONTree {
    var schema = entry.params
    for _ in 0..<16 {
      guard let reference = schema["$ref"]?.string, let target = plan.target(of: reference, in: entry),
        entry.draft.refStandsAlone || schema.members?.count == 1
      else { break }
      schema = target
    }
    return schema
  }

  /// The keywords of an event's params that our format expresses, or that constrain nothing.
  private static let kept: Set = ["properties", "required", "additionalProperties"]

  private mutating func noteRules(on schema: JSONTree, of entry: PlanEntry) {
    for member in schema.members ?? [] where JSONSchemaKeywords.asserts(member.key) && !Self.kept.contains(member.key) {
      if member.key == "type", (member.value.elements ?? [member.value]).contains(where: { $0.string == "object" }) {
        continue
      }
      lose("\(member.key) has no place in our format for an event as a whole", of: entry)
    }
    if let rest = schema["additionalProperties"], rest.bool == nil, rest.members?.isEmpty == false {
      lose("the schema in additionalProperties; the event is open instead", of: entry)
    }
  }

  private mutating func lose(_ what: String, of entry: PlanEntry) { losses.append("\(entry.name): \(what)") }

  /// Adds the definitions of an event's schema to the types, and returns their names there.
  ///
  /// A definition whose name another one has gets a number.
  private mutating func enter(typesOf entry: PlanEntry) -> [String: String] {
    let definitions = (entry.root["definitions"]?.members ?? []) + (entry.root["$defs"]?.members ?? [])
    guard plan.format != .trackingPlan, !definitions.isEmpty else { return [:] }
    for attempt in 1... {
      var names: [String: String] = [:]
      for definition in definitions {
        names[definition.key] = attempt == 1 ? definition.key : "\(definition.key)\(attempt)"
      }
      var losses: [String] = []
      let converted = definitions.map { definition in
        var converter = SchemaConverter(
          plan: plan, draft: entry.draft, path: "types.\(definition.key)", typeNames: names)
        defer { losses += converter.losses }
        return JSONTree.Member(names[definition.key] ?? definition.key, converter.converted(definition.value))
      }
      let isFree = converted.allSatisfy { member in
        types.first { $0.key.isSameText(as: member.key) }.map { $0.value.value == member.value.value } ?? true
      }
      guard isFree else { continue }
      for member in converted where !types.contains(where: { $0.key.isSameText(as: member.key) }) {
        types.append(member)
      }
      for loss in losses where !self.losses.contains(loss) { self.losses.append(loss) }
      return names
    }
    return [:]
  }
}
