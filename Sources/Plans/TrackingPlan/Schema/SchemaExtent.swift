import TrackingJSON

/// The extent to which a schema describes a value, by its position in the plan.
///
/// In a plan, an object's unlisted members are unplanned and, in our format, its listed ones required. That applies only to the schema of a
/// whole value: a subschema of `not`, `if` or `allOf` describes a part of it (JSON Schema Core 2020-12, 10.2).
package enum SchemaExtent: Hashable, Sendable {
  /// A whole value.
  case whole
  /// The target of a `$ref` next to keywords that name further members. Its listed members are required, but others are planned, too.
  case extended
  /// A part of a value, or a condition.
  case part
}

/// The extents of a schema's subschemas.
package struct SubschemaExtents {
  /// The extent of the schema itself.
  package let own: SchemaExtent
  private let references: SchemaExtent
  private let alternatives: SchemaExtent

  package init(of node: JSONTree, _ own: SchemaExtent, _ draft: JSONSchemaDraft) {
    self.own = own
    let isDelegating = own != .part && node.isDelegating(draft)
    references = isDelegating ? own : own == .part ? .part : .extended
    alternatives = isDelegating ? own : .part
  }

  /// The extent of the subschemas in a keyword's value.
  package subscript(keyword: String) -> SchemaExtent {
    switch keyword {
    case "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "items", "prefixItems",
      "additionalItems", "unevaluatedItems":
      own == .part ? .part : .whole
    case "$ref", "$dynamicRef", "$recursiveRef": references
    case "allOf", "anyOf", "oneOf": alternatives
    default: .part
    }
  }
}

/// The way in which a plan refuses unplanned members of an object whose schema doesn't say whether there are others.
package enum ObjectClosing {
  /// Others are allowed, or a subschema refuses them.
  case none
  /// Only `properties` names the members.
  case listed
  /// Subschemas name members, too, so those that none has evaluated are unplanned, as by `unevaluatedProperties`.
  case evaluated
}

extension JSONTree {
  private static let references = ["$ref", "$dynamicRef", "$recursiveRef"]

  /// Returns how a plan refuses the object's unplanned members.
  package func closing(_ extent: SchemaExtent, _ draft: JSONSchemaDraft) -> ObjectClosing {
    let decides = ["additionalProperties", "patternProperties", "unevaluatedProperties"].contains { self[$0] != nil }
    guard extent == .whole, allowsObjects, namesMembers, !decides, !isDelegating(draft) else { return .none }
    let isPlain = Self.references.allSatisfy { self[$0] == nil } && subschemasForItself.isEmpty
    return isPlain ? .listed : .evaluated
  }

  /// Returns the members that our format requires of an object without `required`.
  package func impliedRequired(_ extent: SchemaExtent) -> [String]? {
    guard extent != .part, self["required"] == nil, let properties = self["properties"]?.members else { return nil }
    return properties.filter { $0.value["optional"]?.bool != true }.map(\.key)
  }

  /// Whether a single subschema describes the object's members: the target of a `$ref`, or the only alternative that allows objects.
  package func isDelegating(_ draft: JSONSchemaDraft) -> Bool {
    if draft.refStandsAlone, self["$ref"] != nil { return true }
    let others = [
      "properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "required", "if",
      "dependentSchemas", "dependencies",
    ]
    guard others.allSatisfy({ self[$0] == nil }) else { return false }
    let alternatives = ["anyOf", "oneOf"].flatMap { (self[$0]?.elements ?? []).filter(\.allowsObjects) }
    let references = Self.references.count { self[$0] != nil }
    return references + (self["allOf"]?.elements?.count ?? 0) + alternatives.count == 1
  }

  /// The subschemas that apply to the object itself rather than to its members, without those behind references.
  private var subschemasForItself: [JSONTree] {
    ["allOf", "anyOf", "oneOf"].flatMap { self[$0]?.elements ?? [] } + ["if", "then", "else"].compactMap { self[$0] }
      + ["dependentSchemas", "dependencies"].flatMap { word in
        (self[word]?.members ?? []).map(\.value).filter { $0.elements == nil }
      }
  }

  /// Whether the schema or a subschema for the same value lists members, or may do so behind a reference.
  private var namesMembers: Bool {
    (["properties", "patternProperties"] + Self.references).contains { self[$0] != nil }
      || subschemasForItself.contains(where: \.namesMembers)
  }

  private var allowsObjects: Bool {
    guard let type = self["type"] else { return bool != false }
    return (type.elements ?? [type]).contains { $0.string == "object" }
  }
}
