import Foundation
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
    if let file { try write(text, to: file) } else { output.standard(text) }
    if let file, isJSON {
      output.standard(JSONText.indented(["file": .string(file), "events": .int(plan.events.count)]) + "\n")
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
    let value = PlanText.Value.members([
      ("plan", .text(plan.name)),
      ("types", types.isEmpty ? nil : .object(types)),
      ("events", .object(entries.map { ($0.name, event($0)) })),
    ])
    return PlanText.text(of: value, indentation: 0, column: 0) + "\n"
  }

  private func event(_ entry: PlanEntry) -> PlanText.Value {
    let required = entry.params["required"]?.elements?.compactMap(\.string) ?? []
    let params = (entry.params["properties"]?.members ?? []).map { member -> (String, PlanText.Value) in
      let schema = schema(member.value, entry.draft)
      guard !required.contains(member.key), case .object(let members) = schema,
        !members.contains(where: { $0.0 == "optional" })
      else {
        return (member.key, schema)
      }
      return (member.key, .object(members + [("optional", .yes)]))
    }
    let isOpen = entry.params["additionalProperties"].map { $0.bool != false } ?? false
    func list(_ texts: [String]) -> PlanText.Value? { texts.isEmpty ? nil : .array(texts.map { .text($0) }) }
    func examples(_ nodes: [PlanNode]) -> PlanText.Value? {
      nodes.isEmpty ? nil : .array(nodes.map(PlanText.Value.init))
    }
    return .members([
      ("description", entry.description.map { .text($0) }), ("owner", entry.owner.map { .text($0) }),
      ("sources", list(entry.sources)),
      ("deprecated", entry.deprecated.map { $0.isEmpty ? .yes : .text($0) }),
      ("expires", entry.expires.map { .text($0) }), ("swiftName", entry.swiftName.map { .text($0) }),
      ("draft", entry.isDraft ? .yes : nil), ("coverage", entry.countsInCoverage ? nil : .scalar(false)),
      ("open", isOpen ? .yes : nil), ("params", .object(params)), ("examples", examples(entry.examples)),
      ("counterexamples", examples(entry.counterexamples)),
    ])
  }

  /// The definitions of all events by name.
  ///
  /// If a name has several definitions, the first one is kept.
  private func types(of entries: [PlanEntry]) -> [(String, PlanText.Value)] {
    var known: Set<String> = []
    var types: [(String, PlanText.Value)] = []
    func add(_ members: [PlanNode.Member], _ draft: SchemaDraft) {
      for member in members where known.insert(member.key).inserted {
        types.append((member.key, schema(member.value, draft)))
      }
    }
    add(plan.content.types, .draft2020)
    for entry in entries {
      add((entry.root["definitions"]?.members ?? []) + (entry.root["$defs"]?.members ?? []), entry.draft)
    }
    return types
  }

  /// A schema, converted to draft 2020-12.
  private func schema(_ node: PlanNode, _ draft: SchemaDraft) -> PlanText.Value {
    guard let members = node.members else { return PlanText.Value(node) }
    var result: [(String, PlanText.Value)] = []
    for member in members {
      let value = member.value
      switch member.key {
      case "$schema", "$id", "id", "definitions", "$defs": continue
      case "$ref":
        let text = value.string ?? ""
        result.append(
          ("$ref", .text(text.replacing("#/definitions/", with: "#/types/").replacing("#/$defs/", with: "#/types/"))))
      case "exclusiveMinimum" where value.bool != nil, "exclusiveMaximum" where value.bool != nil: continue
      case "minimum" where node["exclusiveMinimum"]?.bool == true:
        result.append(("exclusiveMinimum", PlanText.Value(value)))
      case "maximum" where node["exclusiveMaximum"]?.bool == true:
        result.append(("exclusiveMaximum", PlanText.Value(value)))
      case "type":
        if let only = value.elements, only.count == 1 {
          result.append(("type", PlanText.Value(only[0])))
        } else {
          result.append(("type", PlanText.Value(value)))
        }
      case "items" where value.elements != nil && draft < .draft2020:
        result.append(("prefixItems", .array((value.elements ?? []).map { schema($0, draft) })))
        if let rest = node["additionalItems"] { result.append(("items", schema(rest, draft))) }
      case "additionalItems" where draft < .draft2020: continue
      default: result.append((member.key, converted(value, of: member.key, draft)))
      }
    }
    // Without `required`, members are required in our own format and optional in the others.
    if plan.format != .trackingPlan, node["properties"] != nil, node["required"] == nil {
      result.append(("required", .array([])))
    }
    return .object(result)
  }

  private func converted(_ value: PlanNode, of word: String, _ draft: SchemaDraft) -> PlanText.Value {
    switch SchemaWords.holding(word) {
    case .schema: schema(value, draft)
    case .schemaOrSchemas: value.elements.map { .array($0.map { schema($0, draft) }) } ?? schema(value, draft)
    case .schemas: .array((value.elements ?? []).map { schema($0, draft) })
    case .schemasByName:
      value.members.map {
        .object(
          $0.map { member in
            (member.key, member.value.elements == nil ? schema(member.value, draft) : PlanText.Value(member.value))
          })
      } ?? PlanText.Value(value)
    case nil: PlanText.Value(value)
    }
  }
}
