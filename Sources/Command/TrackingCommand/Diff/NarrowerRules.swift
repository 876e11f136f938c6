import TrackingModel

/// Whether a schema's rules may refuse a value that other rules allow.
///
/// Rules that can't be compared count as narrower, because an installed app doesn't change.
enum NarrowerRules {
  private static let least: Set = [
    "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains",
  ]
  private static let most: Set = [
    "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains",
  ]
  /// The bounds of schemas without these keywords; of others it is 0.
  private static let defaults = ["minimum": -Double.infinity, "exclusiveMinimum": -Double.infinity, "minContains": 1]
  /// The rules without which others apply to more values.
  private static let exempting: Set = ["patternProperties", "prefixItems", "minContains"]
  private static let anything: [TrackingValue] = [true, [:]]
  /// The keywords that have no effect with a schema of any value, or without members.
  private static let ofAnything: Set = [
    "items", "additionalItems", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "propertyNames",
    "patternProperties", "dependentSchemas", "dependentRequired", "dependencies", "then", "else",
  ]

  /// Whether an object's rules refuse members that aren't listed.
  static func close(_ rules: [String: TrackingValue]) -> Bool {
    ["additionalProperties", "unevaluatedProperties"].contains { word in
      rules[word].map { !anything.contains($0) } ?? false
    }
  }

  /// - Parameters:
  ///   - new: The rules that differ from the old ones, by keyword.
  ///   - old: The old rules that differ.
  static func areIn(_ new: [String: TrackingValue], comparedTo old: [String: TrackingValue]) -> Bool {
    new.contains { isNarrower($0.key, $0.value, than: old[$0.key]) }
      || old.keys.contains { new[$0] == nil && exempting.contains($0) }
  }

  private static func isNarrower(_ word: String, _ new: TrackingValue, than old: TrackingValue?) -> Bool {
    if anything.contains(new), ofAnything.contains(word) { return false }
    if let number = new.doubleValue {
      let before = old?.doubleValue
      if least.contains(word) { return number > before ?? defaults[word] ?? 0 }
      if most.contains(word) { return number < before ?? .infinity }
      // Each multiple of 6 is one of 3.
      if word == "multipleOf", let before { return before.remainder(dividingBy: number) != 0 }
    }
    switch (word, old, new) {
    case ("uniqueItems", _, false), ("exclusiveMinimum", _, false), ("exclusiveMaximum", _, false): return false
    case ("additionalProperties", false, _), ("additionalItems", false, _), ("unevaluatedProperties", false, _):
      return false
    case ("anyOf", .array(let old)?, .array(let new)): return !old.allSatisfy(new.contains)
    case ("allOf", .array(let old)?, .array(let new)): return !new.allSatisfy(old.contains)
    case ("dependentRequired", .object(let old)?, .object(let new)):
      return !new.allSatisfy { name, required in
        guard case .array(let names) = required, case .array(let known)? = old[name] else { return false }
        return names.allSatisfy(known.contains)
      }
    default: return true
    }
  }
}
