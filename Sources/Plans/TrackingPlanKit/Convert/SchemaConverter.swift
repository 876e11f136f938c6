import TrackingJSON
import TrackingModel
import TrackingPlan

/// Converts one JSON Schema of a plan to draft 2020-12, as our format reads it.
struct SchemaConverter {
  let plan: TrackingPlan
  let draft: JSONSchemaDraft
  /// The place in the plan, for losses.
  let path: String
  /// The names of the shared types in the converted plan.
  let typeNames: [String: String]
  private(set) var losses: [String] = []

  mutating func converted(_ node: JSONTree) -> JSONTree {
    guard let members = node.members else { return node }
    if draft.refStandsAlone, let reference = node["$ref"] {
      // Up to draft 07, keywords beside `$ref` have no effect.
      return ["$ref": target(of: reference)]
    }
    var result: [JSONTree.Member] = []
    for member in members {
      let value = member.value
      switch member.key {
      case "$schema", "$id", "id", "definitions", "$defs": continue
      case "$ref": result.append(.init("$ref", target(of: value)))
      case "$dynamicRef", "$recursiveRef", "$anchor", "$dynamicAnchor", "$recursiveAnchor":
        if JSONSchemaKeywords.asserts(member.key) { losses.append("\(path): \(member.key)") }
      case "exclusiveMinimum" where draft == .draft04, "exclusiveMaximum" where draft == .draft04: continue
      case "minimum" where draft == .draft04 && node["exclusiveMinimum"]?.bool == true:
        result.append(.init("exclusiveMinimum", value))
      case "maximum" where draft == .draft04 && node["exclusiveMaximum"]?.bool == true:
        result.append(.init("exclusiveMaximum", value))
      case "type" where value.elements?.count == 1: result.append(.init("type", value.elements?[0] ?? value))
      case "items" where value.elements != nil && draft < .draft2020:
        result.append(.init("prefixItems", JSONTree(.array((value.elements ?? []).map { converted($0) }))))
        if let rest = node["additionalItems"] { result.append(.init("items", converted(rest))) }
      case "additionalItems" where draft < .draft2020: continue
      case "dependencies": result += dependencies(value)
      case let word where !draft.knows(word): continue
      case let word where plan.format != .trackingPlan && Self.ownWords.contains(word): continue
      default:
        result.append(.init(member.key, value.mapSchemas(JSONSchemaKeywords.holding(member.key)) { converted($0) }))
      }
    }
    // Without `required`, members are required in our own format and optional in the others.
    if plan.format != .trackingPlan, node["properties"] != nil, node["required"]?.elements == nil {
      result.removeAll { $0.key == "required" }
      result.append(.init("required", []))
    }
    return JSONTree(.object(result), at: node.place)
  }

  /// Keywords that have a meaning in our format only.
  private static let ownWords: Set = ["optional", "draft", "personal", "swiftName"]

  private mutating func target(of reference: JSONTree) -> JSONTree {
    let text = reference.string ?? ""
    for prefix in ["#/definitions/", "#/$defs/"] where text.hasPrefix(prefix) {
      var steps = text.dropFirst(prefix.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      steps[0] = typeNames[steps[0]] ?? steps[0]
      return JSONTree("#/types/" + steps.joined(separator: "/"))
    }
    if !text.hasPrefix("#/types/") { losses.append("\(path): $ref \(JSONTree.quoted(text)) leads to no shared type") }
    return reference
  }

  /// `dependencies` as the two keywords that replace it from draft 2019-09 on.
  private mutating func dependencies(_ value: JSONTree) -> [JSONTree.Member] {
    let members = value.members ?? []
    let names = members.filter { $0.value.elements != nil }
    let schemas = members.filter { $0.value.elements == nil }.map {
      JSONTree.Member($0.key, converted($0.value))
    }
    return (names.isEmpty ? [] : [.init("dependentRequired", JSONTree(.object(names)))])
      + (schemas.isEmpty ? [] : [.init("dependentSchemas", JSONTree(.object(schemas)))])
  }

}

extension JSONTree {
  /// The schema of a param with `optional`, where our format would require the param.
  var markedOptional: JSONTree {
    guard self["optional"] == nil else { return self }
    switch bool {
    case nil: return adding([.init("optional", true)])
    case true?: return ["optional": true]
    case false?: return ["not": [:], "optional": true]
    }
  }

  /// The schema with an empty `required` in each object's schema without one, since our format would require all members.
  public func withOptionalMembers() -> JSONTree {
    guard let members else { return self }
    let inner = members.map {
      Member($0.key, $0.value.mapSchemas(JSONSchemaKeywords.holding($0.key)) { $0.withOptionalMembers() })
    }
    let isImplied = self["properties"] != nil && self["required"] == nil
    return JSONTree(.object(inner + (isImplied ? [Member("required", [])] : [])), at: place)
  }
}

extension JSONSchemaDraft {
  /// Whether a keyword that a later draft introduced has an effect in this one.
  func knows(_ word: String) -> Bool {
    switch word {
    case "const", "contains", "propertyNames": self >= .draft06
    case "if", "then", "else": self >= .draft07
    case "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties", "dependentRequired",
      "dependentSchemas":
      self >= .draft2019
    case "prefixItems": self >= .draft2020
    default: true
    }
  }
}
