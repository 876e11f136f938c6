import TrackingJSON
import TrackingModel
import TrackingPlan

/// Decides whether every value that is valid against one schema is valid against another one.
///
/// It compares the keywords that plans commonly use. If two schemas differ in another one, the result is uncertain and never positive.
struct SchemaContainment {
  /// The reason why a value of the inner schema may be invalid against the outer one.
  struct Obstacle: Equatable {
    let path: String
    let reason: String
    /// `false` if the schemas can't be compared in this respect.
    let isCertain: Bool
  }

  /// The plans and events of the two schemas, to resolve their references.
  let inner: SchemaSide
  let outer: SchemaSide
  /// Whether members that the outer schema doesn't list are ignored, as reports do.
  let ignoresAdded: Bool

  struct SchemaSide {
    let plan: TrackingPlan
    let entry: PlanEntry

    func resolved(_ node: JSONTree) -> JSONTree {
      var node = node
      for _ in 0..<20 {
        guard let reference = node["$ref"]?.string, let target = plan.target(of: reference, in: entry) else {
          return node
        }
        node = target
      }
      return node
    }

    /// Whether a schema allows members that it doesn't list.
    func isOpen(_ node: JSONTree) -> Bool {
      if let additional = node["additionalProperties"] { return additional.bool != false }
      return node["properties"] == nil
    }

    func required(_ node: JSONTree) -> Set<String> {
      if let required = node["required"]?.elements { return Set(required.compactMap(\.string)) }
      guard plan.format == .trackingPlan else { return [] }
      return Set((node["properties"]?.members ?? []).filter { $0.value["optional"]?.bool != true }.map(\.key))
    }
  }

  /// Returns the reasons why the inner schema is not contained in the outer one.
  func obstacles(_ innerNode: JSONTree, within outerNode: JSONTree, path: String = "", depth: Int = 0) -> [Obstacle] {
    let (a, b) = (inner.resolved(innerNode), outer.resolved(outerNode))
    guard depth < 20 else { return [Obstacle(path: path, reason: "is nested too deeply to compare", isCertain: false)] }
    if b.bool == true || b.members?.isEmpty == true || a.bool == false { return [] }
    guard a.members != nil, b.members != nil else {
      return [Obstacle(path: path, reason: "allows fewer values", isCertain: true)]
    }
    var found = types(a, b, path) + values(a, b, path)
    guard !found.contains(where: \.isCertain) else { return found }
    found += bounds(a, b, path) + others(a, b, path)
    if a["properties"] != nil || b["properties"] != nil || b["required"] != nil { found += members(a, b, path, depth) }
    if let items = b["items"], items.elements == nil {
      found +=
        a["items"].map { obstacles($0, within: items, path: path + "[]", depth: depth + 1) }
        ?? [
          Obstacle(path: path + "[]", reason: "elements are constrained in only one of the schemas", isCertain: true)
        ]
    }
    return found
  }

  // MARK: Keywords

  private func types(_ a: JSONTree, _ b: JSONTree, _ path: String) -> [Obstacle] {
    guard let wanted = Self.types(of: b) else { return [] }
    guard let given = Self.types(of: a) ?? Self.typesOfValues(a) else {
      return [
        Obstacle(
          path: path, reason: "may be of any type, not only \(wanted.sorted().joined(separator: " or "))",
          isCertain: true)
      ]
    }
    let left = given.filter { !wanted.contains($0) && !($0 == "integer" && wanted.contains("number")) }
    guard !left.isEmpty else { return [] }
    return [
      Obstacle(
        path: path,
        reason:
          "may be \(left.sorted().joined(separator: " or ")), not only \(wanted.sorted().joined(separator: " or "))",
        isCertain: true)
    ]
  }

  private static func types(of node: JSONTree) -> Set<String>? {
    node["type"].map { Set($0.elements?.compactMap(\.string) ?? [$0.string ?? ""]) }
  }

  private static func typesOfValues(_ node: JSONTree) -> Set<String>? {
    listed(node).map { values in
      Set(
        values.map { value in
          switch value {
          case .null: "null"
          case .bool: "boolean"
          case .int, .unsigned: "integer"
          case .double: "number"
          case .string: "string"
          case .array: "array"
          case .object: "object"
          }
        })
    }
  }

  private static func listed(_ node: JSONTree) -> [TrackingValue]? {
    node["enum"]?.elements?.map(\.value) ?? node["const"].map { [$0.value] }
  }

  private func values(_ a: JSONTree, _ b: JSONTree, _ path: String) -> [Obstacle] {
    guard let wanted = Self.listed(b) else { return [] }
    guard let given = Self.listed(a) else {
      return [
        Obstacle(path: path, reason: "may be any value, not only the \(wanted.count) in the list", isCertain: true)
      ]
    }
    let left = given.filter { !wanted.contains($0) }
    guard !left.isEmpty else { return [] }
    let names = left.prefix(5).map(\.description).joined(separator: ", ")
    return [
      Obstacle(
        path: path,
        reason:
          "the value\(left.count == 1 ? "" : "s") \(names)\(left.count > 5 ? " and \(left.count - 5) more" : "") \(left.count == 1 ? "is" : "are") not in the list",
        isCertain: true)
    ]
  }

  private func bounds(_ a: JSONTree, _ b: JSONTree, _ path: String) -> [Obstacle] {
    func value(_ word: String, _ node: JSONTree) -> Double? {
      switch node[word]?.value {
      case .int(let value): Double(value)
      case .double(let value): value
      case .unsigned(let value): Double(value)
      default: nil
      }
    }
    var found: [Obstacle] = []
    // Listed values were compared one by one.
    if Self.listed(a) != nil { return [] }
    for word in ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] {
      guard let wanted = value(word, b),
        wanted > 0 || !word.hasSuffix("Length") && !word.hasSuffix("Items") && !word.hasSuffix("Properties")
      else { continue }
      if value(word, a).map({ $0 < wanted }) ?? true {
        found.append(
          Obstacle(
            path: path,
            reason:
              "\(word) \(b[word]?.value.description ?? "") is stricter than \(a[word]?.value.description ?? "none")",
            isCertain: a["exclusiveMinimum"] == nil || word != "minimum"))
      }
    }
    for word in ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] {
      guard let wanted = value(word, b) else { continue }
      if value(word, a).map({ $0 > wanted }) ?? true {
        found.append(
          Obstacle(
            path: path,
            reason:
              "\(word) \(b[word]?.value.description ?? "") is stricter than \(a[word]?.value.description ?? "none")",
            isCertain: a["exclusiveMaximum"] == nil || word != "maximum"))
      }
    }
    return found
  }

  /// The keywords that aren't interpreted: equal, absent in the outer schema, or uncertain.
  private func others(_ a: JSONTree, _ b: JSONTree, _ path: String) -> [Obstacle] {
    let compared: Set<String> = [
      "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
      "minItems", "maxItems", "minProperties", "maxProperties", "properties", "required", "additionalProperties",
      "items", "$ref",
    ]
    return (b.members ?? []).filter { SchemaWords.asserts($0.key) && !compared.contains($0.key) }.compactMap { member in
      guard let other = a[member.key] else {
        if ["pattern", "format", "multipleOf"].contains(member.key) || member.key == "uniqueItems" {
          return Obstacle(
            path: path, reason: "must satisfy \(member.key) \(member.value.value)", isCertain: member.key != "format")
        }
        return Obstacle(path: path, reason: "\(member.key) is present in only one of the schemas", isCertain: false)
      }
      return other.value == member.value.value
        ? nil : Obstacle(path: path, reason: "\(member.key) differs", isCertain: false)
    }
  }

  private func members(_ a: JSONTree, _ b: JSONTree, _ path: String, _ depth: Int) -> [Obstacle] {
    var found: [Obstacle] = []
    let given = a["properties"]?.members ?? []
    let wanted = b["properties"]?.members ?? []
    let (sure, required) = (inner.required(a), outer.required(b))
    func join(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    for member in wanted {
      guard let other = given.first(where: { $0.key == member.key }) else {
        if ignoresAdded {
          found.append(Obstacle(path: join(member.key), reason: "was removed", isCertain: true))
        } else if required.contains(member.key) {
          found.append(Obstacle(path: join(member.key), reason: "is required and absent", isCertain: true))
        }
        continue
      }
      if required.contains(member.key), !sure.contains(member.key) {
        found.append(Obstacle(path: join(member.key), reason: "is required and may be absent", isCertain: true))
      }
      found += obstacles(other.value, within: member.value, path: join(member.key), depth: depth + 1)
    }
    guard !ignoresAdded else { return found }
    for member in given where !wanted.contains(where: { $0.key == member.key }) && !outer.isOpen(b) {
      found.append(Obstacle(path: join(member.key), reason: "is not in the plan", isCertain: true))
    }
    if inner.isOpen(a), !outer.isOpen(b) {
      found.append(Obstacle(path: path, reason: "further params are not allowed", isCertain: true))
    }
    return found
  }
}
