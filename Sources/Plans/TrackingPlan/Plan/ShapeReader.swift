import TrackingJSON
import TrackingModel
import TrackingRules

/// Derives shapes from schemas, by `type`, `enum`, `const`, `properties`, `items` and references to shared types.
struct ShapeReader {
  let files: PlanFiles
  let format: PlanFormat
  let references: PlanReferences
  let event: PlannedEvent

  /// The maximum nesting, since a type can be recursive; deeper shapes are `any`.
  private static let deepest = 12

  /// The event's params, in the order of the plan.
  var params: [PlannedParam] { params(of: event.schema, path: JSONPath(), depth: 0) }

  private func params(of node: JSONTree, path: JSONPath, depth: Int) -> [PlannedParam] {
    let schema = target(of: node)?.node ?? node
    let required = schema["required"]?.elements?.compactMap(\.string)
    return (schema["properties"]?.members ?? []).map { member in
      let isOptional =
        required.map { !$0.contains { $0.isSameText(as: member.key) } }
        ?? (format != .trackingPlan || member.value["optional"]?.bool == true)
      return param(member, path: path.appending(.member(member.key)), isOptional: isOptional, depth: depth)
    }
  }

  private func param(_ member: JSONTree.Member, path: JSONPath, isOptional: Bool, depth: Int) -> PlannedParam {
    let node = member.value
    let shape = shape(of: node, path: path, depth: depth)
    let listed = listedValues(of: node)
    return PlannedParam(
      name: member.key,
      description: node["description"]?.string ?? target(of: node)?.node["description"]?.string, isOptional: isOptional,
      deprecated: node["deprecated"].flatMap { $0.string ?? ($0.bool == true ? "" : nil) }, values: listed.map(\.value),
      place: files.place(of: node), location: path, shape: shape, node: node, swiftName: node["swiftName"]?.string,
      valuePlaces: listed.map { files.place(of: $0) })
  }

  /// The values of an enumeration, including those behind a reference or of an array's elements.
  private func listedValues(of node: JSONTree) -> [JSONTree] {
    let schema = target(of: node)?.node ?? node
    if let values = schema["enum"]?.elements { return values }
    if let value = schema["const"] { return [value] }
    if let items = schema["items"], items.members != nil {
      return (target(of: items)?.node ?? items)["enum"]?.elements ?? []
    }
    return []
  }

  private func shape(of node: JSONTree, path: JSONPath, depth: Int) -> PlanShape {
    guard depth < Self.deepest else { return .any }
    if node.isDelegating(event.draft), let (name, node) = target(of: node) {
      let shape = shape(of: node, path: path, depth: depth + 1)
      return name.isEmpty ? shape : .shared(name: name, shape)
    }
    if ["anyOf", "oneOf", "allOf", "if", "not", "$ref"].contains(where: { node[$0] != nil }) {
      return any(of: node, path, depth)
    }
    var types = node["type"].map { $0.elements?.compactMap(\.string) ?? [$0.string ?? ""] } ?? []
    let isNullable = types.contains("null") && types.count > 1
    types.removeAll { $0 == "null" }
    let shape = shape(of: node, types: types, path: path, depth: depth)
    guard isNullable || listedValues(of: node).contains(where: { $0.value == .null }) else { return shape }
    return .nullable(shape)
  }

  private func shape(of node: JSONTree, types: [String], path: JSONPath, depth: Int) -> PlanShape {
    let values = listedValues(of: node).map(\.value).filter { $0 != .null }
    if node["enum"] != nil || node["const"] != nil, !values.isEmpty {
      let texts = values.compactMap(\.stringValue)
      if texts.count == values.count { return .choice(texts) }
      if types.isEmpty { return .any }
    }
    guard types.count == 1 else { return types.isEmpty && node["properties"] != nil ? object(node, path, depth) : .any }
    switch types[0] {
    case "string": return .string(format: node["format"]?.string)
    case "integer": return .integer
    case "number": return .number
    case "boolean": return .boolean
    case "object": return node["properties"] == nil ? .any : object(node, path, depth)
    case "array":
      guard let items = node["items"], items.members != nil, node["prefixItems"] == nil else { return .array(.any) }
      return .array(shape(of: items, path: path.appending(.each), depth: depth + 1))
    default: return .any
    }
  }

  private func object(_ node: JSONTree, _ path: JSONPath, _ depth: Int) -> PlanShape {
    let params = params(of: node, path: path, depth: depth + 1)
    let isOpen = node["additionalProperties"].map { $0.bool != false } ?? (node["patternProperties"] != nil)
    return params.isEmpty ? .any : .object(params, isOpen: isOpen)
  }

  /// Two alternatives of which one is `null` make the other one nullable; all others are `any`.
  private func any(of node: JSONTree, _ path: JSONPath, _ depth: Int) -> PlanShape {
    guard let alternatives = node["anyOf"]?.elements ?? node["oneOf"]?.elements, alternatives.count == 2,
      let other = alternatives.first(where: { $0["type"]?.string != "null" }),
      alternatives.contains(where: { $0["type"]?.string == "null" })
    else { return .any }
    return .nullable(shape(of: other, path: path, depth: depth + 1))
  }

  /// The target of a schema's `$ref`, with its name if it is a shared type.
  private func target(of node: JSONTree) -> (name: String, node: JSONTree)? {
    guard let reference = node["$ref"], let target = references.target(of: reference, in: event) else { return nil }
    let steps = (reference.string ?? "").split(separator: "/").map(String.init)
    guard steps.count == 3, ["types", "definitions", "$defs"].contains(steps[1]) else { return ("", target) }
    return (references.types?.name(steps[2], of: target) ?? steps[2], target)
  }
}
