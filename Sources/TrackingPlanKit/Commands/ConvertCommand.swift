import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan

enum ConvertCommand: PlanCommand {
  static let name = "convert"
  static let abstract = "Converts a vendor's plan to our own format."
  static let usage = "PLAN [--output FILE] [options]"
  static let details = """
    Reads a plan in any format and writes one file with the same events.

      --output FILE      the file to write; standard output by default
      --json             writes JSON about the file that was written: {"file": F, "events": N}
    \(planHelp)
    """
  static let syntax = Arguments.Syntax(operands: ["PLAN"], options: planOptions + ["--output"], flags: ["--json"])

  static func run(_ arguments: Arguments, output: CommandLineTool.Output) throws -> [String] {
    let (file, isJSON) = (arguments["--output"], arguments.has("--json"))
    guard file != nil || !isJSON else {
      throw UsageError("--json and the plan can't both go to standard output; name the plan's file with --output")
    }
    let plan = try plan(at: arguments.operands[0], arguments)
    let text = PlanConverter(plan: plan).text
    if let file { try write(text, to: file) } else { try output.standard(text) }
    if let file, isJSON {
      try output.standard(JSONTree(of: ["file": .string(file), "events": .int(plan.events.count)]).text(.lines) + "\n")
    }
    return []
  }
}

/// Writes the events of a plan in our own format.
public struct PlanConverter {
  private let plan: TrackingPlan

  /// Creates a converter for a plan.
  public init(plan: TrackingPlan) {
    self.plan = plan
  }

  /// The plan as JSON, with one line per param.
  public var text: String {
    let entries = plan.content.entries.sorted { $0.name < $1.name }
    let types = types(of: entries)
    let value: JSONTree = [
      "plan": JSONTree(plan.name),
      "types": types.isEmpty ? nil : JSONTree(.object(types)),
      "events": JSONTree(.object(entries.map { .init($0.name, event($0)) })),
    ]
    return value.text(.plan) + "\n"
  }

  private func event(_ entry: PlanEntry) -> JSONTree {
    let required = entry.params["required"]?.elements?.compactMap(\.string) ?? []
    let params = (entry.params["properties"]?.members ?? []).map { member -> JSONTree.Member in
      let schema = schema(member.value, entry.draft)
      guard !required.contains(member.key), schema.members != nil, schema["optional"] == nil else {
        return .init(member.key, schema)
      }
      return .init(member.key, schema.adding([.init("optional", true)]))
    }
    let isOpen = entry.params["additionalProperties"].map { $0.bool != false } ?? false
    func list(_ nodes: [JSONTree]) -> JSONTree? { nodes.isEmpty ? nil : JSONTree(.array(nodes)) }
    func text(_ text: String?) -> JSONTree? { text.map { JSONTree($0) } }
    return [
      "description": text(entry.description), "owner": text(entry.owner),
      "sources": list(entry.sources.map { JSONTree($0) }),
      "deprecated": entry.deprecated.map { $0.isEmpty ? true : JSONTree($0) },
      "expires": text(entry.expires), "swiftName": text(entry.swiftName),
      "draft": entry.isDraft ? true : nil, "coverage": entry.countsInCoverage ? nil : false,
      "open": isOpen ? true : nil, "params": JSONTree(.object(params)), "examples": list(entry.examples),
      "counterexamples": list(entry.counterexamples),
    ]
  }

  /// The definitions of all events by name.
  ///
  /// If a name has several definitions, the first one is kept.
  private func types(of entries: [PlanEntry]) -> [JSONTree.Member] {
    var known: Set<String> = []
    var types: [JSONTree.Member] = []
    func add(_ members: [JSONTree.Member], _ draft: SchemaDraft) {
      for member in members where known.insert(member.key).inserted {
        types.append(.init(member.key, schema(member.value, draft)))
      }
    }
    add(plan.content.types, .draft2020)
    for entry in entries {
      add((entry.root["definitions"]?.members ?? []) + (entry.root["$defs"]?.members ?? []), entry.draft)
    }
    return types
  }

  /// A schema, converted to draft 2020-12.
  private func schema(_ node: JSONTree, _ draft: SchemaDraft) -> JSONTree {
    guard let members = node.members else { return node }
    var result: [JSONTree.Member] = []
    for member in members {
      let value = member.value
      switch member.key {
      case "$schema", "$id", "id", "definitions", "$defs": continue
      case "$ref":
        let text = value.string ?? ""
        result.append(
          .init(
            "$ref",
            JSONTree(text.replacing("#/definitions/", with: "#/types/").replacing("#/$defs/", with: "#/types/"))))
      case "exclusiveMinimum" where value.bool != nil, "exclusiveMaximum" where value.bool != nil: continue
      case "minimum" where node["exclusiveMinimum"]?.bool == true:
        result.append(.init("exclusiveMinimum", value))
      case "maximum" where node["exclusiveMaximum"]?.bool == true:
        result.append(.init("exclusiveMaximum", value))
      case "type":
        if let only = value.elements, only.count == 1 {
          result.append(.init("type", only[0]))
        } else {
          result.append(.init("type", value))
        }
      case "items" where value.elements != nil && draft < .draft2020:
        result.append(.init("prefixItems", JSONTree(.array((value.elements ?? []).map { schema($0, draft) }))))
        if let rest = node["additionalItems"] { result.append(.init("items", schema(rest, draft))) }
      case "additionalItems" where draft < .draft2020: continue
      default: result.append(.init(member.key, converted(value, of: member.key, draft)))
      }
    }
    // Without `required`, members are required in our own format and optional in the others.
    if plan.format != .trackingPlan, node["properties"] != nil, node["required"] == nil {
      result.append(.init("required", []))
    }
    return JSONTree(.object(result), at: node.place)
  }

  private func converted(_ value: JSONTree, of word: String, _ draft: SchemaDraft) -> JSONTree {
    func schemas(_ nodes: [JSONTree]) -> JSONTree { JSONTree(.array(nodes.map { schema($0, draft) }), at: value.place) }
    switch SchemaWords.holding(word) {
    case .schema: return schema(value, draft)
    case .schemaOrSchemas: return value.elements.map(schemas) ?? schema(value, draft)
    case .schemas: return schemas(value.elements ?? [])
    case .schemasByName:
      guard let members = value.members else { return value }
      return JSONTree(
        .object(
          members.map { member in
            .init(member.key, member.value.elements == nil ? schema(member.value, draft) : member.value)
          }), at: value.place)
    case nil: return value
    }
  }
}
