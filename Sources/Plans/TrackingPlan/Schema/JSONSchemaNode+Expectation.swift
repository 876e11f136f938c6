import TrackingModel

extension JSONSchemaNode {
  /// A description of the valid values for messages: `an integer of at least 1`, `one of "EUR", "USD"`.
  var expectation: String {
    if let verdict { return verdict ? "any value" : "nothing" }
    if let values = constants.first?.values { return Self.list(values) }
    if let target = onlyTarget { return target.expectation }
    let details = rules
    let kind = types == .all ? Self.kind(impliedBy: self) : types.phrase
    return details.isEmpty ? kind : "\(kind) \(details.joined(separator: " and "))"
  }

  /// The target of a `$ref` that is the schema's only keyword.
  private var onlyTarget: JSONSchemaNode? {
    guard types == .all, rules.isEmpty, applicators.count == 1, case .ref(let target) = applicators[0] else {
      return nil
    }
    return target.schema
  }

  static func list(_ values: [TrackingValue]) -> String {
    guard values.count > 1 else {
      return values.first.map { "\($0)".shortenedForMessage } ?? "no value, because its enum is empty"
    }
    return "one of \(values.map { "\($0)".shortenedForMessage }.listed(most: 8))"
  }

  private static func kind(impliedBy schema: JSONSchemaNode) -> String {
    if schema.number != nil { return "a number" }
    if schema.string != nil { return "a string" }
    if schema.array != nil { return "an array" }
    if schema.object != nil { return "an object" }
    return schema.applicators.isEmpty ? "any value" : "a value that the schema allows"
  }

  private var rules: [String] {
    (number?.phrases ?? []) + (string?.phrases ?? []) + (array?.phrases ?? []) + (object?.phrases ?? [])
  }
}

extension JSONSchemaTypes {
  /// The types for messages: `a string or null`.
  var phrase: String {
    var words: [String] = []
    if contains(.string) { words.append("a string") }
    if contains(.number) { words.append("a number") } else if contains(.integer) { words.append("an integer") }
    if contains(.boolean) { words.append("a boolean") }
    if contains(.array) { words.append("an array") }
    if contains(.object) { words.append("an object") }
    if contains(.null) { words.append("null") }
    guard let last = words.popLast() else { return "nothing" }
    return words.isEmpty ? last : "\(words.joined(separator: ", ")) or \(last)"
  }
}

extension JSONSchemaNumber: CustomStringConvertible {
  package var description: String {
    switch self {
    case .int(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .double(let value): "\(value)"
    }
  }
}

extension JSONSchemaNode.NumberRules {
  fileprivate var phrases: [String] {
    var phrases: [String] = []
    if let minimum, let maximum {
      phrases.append("from \(minimum) to \(maximum)")
    } else if let minimum {
      phrases.append("of at least \(minimum)")
    } else if let maximum {
      phrases.append("of at most \(maximum)")
    }
    if let exclusiveMinimum { phrases.append("above \(exclusiveMinimum)") }
    if let exclusiveMaximum { phrases.append("below \(exclusiveMaximum)") }
    if let multipleOf { phrases.append("that is a multiple of \(multipleOf)") }
    return phrases
  }
}

extension JSONSchemaNode.StringRules {
  fileprivate var phrases: [String] {
    var phrases = counted("character", from: minLength, to: maxLength).map { [$0] } ?? []
    if let format { phrases.append("that is \(format.name)") }
    if let pattern { phrases.append("that matches \(pattern.source.shortenedForMessage)") }
    return phrases
  }
}

extension JSONSchemaNode.ArrayRules {
  fileprivate var phrases: [String] {
    var phrases = counted("item", from: minItems, to: maxItems).map { [$0] } ?? []
    if uniqueItems { phrases.append("without duplicates") }
    if let contains {
      let number = counted("item", from: minContains, to: maxContains) ?? "with any number of items"
      phrases.append("\(number) each being \(contains.expectation)")
    }
    return phrases
  }
}

extension JSONSchemaNode.ObjectRules {
  fileprivate var phrases: [String] {
    counted("member", from: minProperties, to: maxProperties).map { [$0] } ?? []
  }
}

/// A range of counts for messages: `of at least 1 character`.
private func counted(_ noun: String, from least: Int, to most: Int) -> String? {
  func number(_ count: Int) -> String { count.counted(noun) }
  return switch (least, most) {
  case (0, .max): nil
  case (_, .max): "of at least \(number(least))"
  case (0, _): "of at most \(number(most))"
  case _ where least == most: "of exactly \(number(least))"
  default: "of \(least) to \(number(most))"
  }
}
