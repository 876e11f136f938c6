import TrackingJSON
import TrackingModel
import TrackingPlan

/// Schemas that apply together, and the types that are left to compare.
struct InnerSchema {
  var parts: [JSONTree]
  var types: JSONSchemaTypes
  /// Whether the parts describe the values exactly.
  var isExact: Bool

  private static let understood: Set = [
    "type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "items", "properties", "required", "minProperties",
    "maxProperties", "additionalProperties", "anyOf", "oneOf",
  ]

  init(_ parts: [JSONTree], types: JSONSchemaTypes = .all, isExact: Bool = true) {
    self.parts = parts
    self.types = parts.reduce(types) { $0.intersection($1.types) }
    self.isExact =
      isExact
      && parts.allSatisfy { part in
        part.members?.allSatisfy { !JSONSchemaKeywords.asserts($0.key) || Self.understood.contains($0.key) } ?? true
      }
  }

  func adding(_ others: [JSONTree], isExact other: Bool = true) -> InnerSchema {
    InnerSchema(parts + others, types: types, isExact: isExact && other)
  }

  func removing(_ word: String) -> InnerSchema {
    InnerSchema(parts.map { $0.removing([word]) }, types: types, isExact: isExact)
  }

  func having(_ word: String) -> [JSONTree] { parts.compactMap { $0[word] } }
  func most(_ word: String) -> Int? { parts.compactMap { $0.count(word) }.min() }
  func least(_ word: String) -> Int { parts.compactMap { $0.count(word) }.max() ?? 0 }

  func range(_ draft: JSONSchemaDraft) -> NumberRange {
    parts.map { NumberRange($0, draft) }.reduce(into: NumberRange([:], draft)) { $0.narrow(by: $1) }
  }
}
