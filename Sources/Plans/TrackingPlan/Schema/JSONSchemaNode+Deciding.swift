import TrackingModel

struct JSONSchemaContext {
  /// Whether the validation records `scope`, which only dynamic references need.
  let keepsScope: Bool
  /// The dynamic scope: the entered resources, outermost first.
  var scope: [Int] = []
  /// The current nesting of schemas, limited because values created in this process can be nested more deeply than parsed ones.
  var depth = 0

  static let deepest = 600
}

extension JSONSchemaNode {
  /// Whether a value is valid, without findings, since nearly all values are valid.
  func isValid(_ value: TrackingValue, _ context: inout JSONSchemaContext) -> Bool {
    if let verdict { return verdict }
    guard context.depth < JSONSchemaContext.deepest else { return false }
    context.depth += 1
    defer { context.depth -= 1 }
    let isEntering = context.keepsScope && context.scope.last != resource
    if isEntering { context.scope.append(resource) }
    defer { if isEntering { context.scope.removeLast() } }

    if types.rawValue != JSONSchemaTypes.all.rawValue, types.rawValue & JSONSchemaTypes(of: value).rawValue == 0 {
      return false
    }
    if !constants.isEmpty {
      for list in constants where !list.contains(value) { return false }
    }
    switch value {
    case .string(let text):
      if let string, !string.isValid(text) { return false }
    case .int, .unsigned, .double:
      if let number, let value = JSONSchemaNumber(value), !number.isValid(value) { return false }
    case .array(let values):
      if let array, !array.isValid(values, &context) { return false }
    case .object(let members):
      if let object, !object.isValid(members, value, &context) { return false }
    case .null, .bool: break
    }
    if !applicators.isEmpty {
      for applicator in applicators where !applicator.isValid(value, &context) { return false }
    }
    if unevaluatedItems != nil || unevaluatedProperties != nil || closesUnevaluated {
      return unevaluated(in: value, at: "", &context).isEmpty
    }
    return true
  }
}

extension JSONSchemaNode.Constants {
  func contains(_ value: TrackingValue) -> Bool {
    for constant in values where constant.isIdentical(to: value) { return true }
    return false
  }
}

extension JSONSchemaNode.NumberRules {
  func isValid(_ value: JSONSchemaNumber) -> Bool { broken(by: value) == nil }

  /// The keyword that a number violates; `nil` if it is valid.
  func broken(by value: JSONSchemaNumber) -> String? {
    if let minimum, value < minimum { return "minimum" }
    if let maximum, maximum < value { return "maximum" }
    if let exclusiveMinimum, value <= exclusiveMinimum { return "exclusiveMinimum" }
    if let exclusiveMaximum, exclusiveMaximum <= value { return "exclusiveMaximum" }
    if let multipleOf, !value.isMultiple(of: multipleOf) { return "multipleOf" }
    return nil
  }
}

extension JSONSchemaNode.StringRules {
  func isValid(_ text: String) -> Bool {
    hasLength(text) && (pattern == nil || !isTooLong(text) && pattern!.matches(text)) && format?.accepts(text) ?? true
  }

  /// Whether the length in code points is within the limits, which the number of bytes nearly always decides.
  func hasLength(_ text: String) -> Bool {
    let bytes = text.utf8.count
    if bytes < minLength { return false }
    if bytes <= maxLength, minLength <= 1 || bytes / 4 >= minLength { return bytes > 0 || minLength == 0 }
    let count = text.unicodeScalars.count
    return minLength <= count && count <= maxLength
  }

  func isTooLong(_ text: String) -> Bool {
    text.utf8.count > JSONSchemaPattern.longestText && text.unicodeScalars.count > JSONSchemaPattern.longestText
  }
}

extension JSONSchemaNode.ArrayRules {
  func isValid(_ values: [TrackingValue], _ context: inout JSONSchemaContext) -> Bool {
    guard minItems <= values.count, values.count <= maxItems else { return false }
    for (schema, value) in zip(prefix, values) where !schema.isValid(value, &context) { return false }
    if let items {
      for value in values.dropFirst(prefix.count) where !items.isValid(value, &context) { return false }
    }
    if let contains {
      var count = 0
      for value in values where contains.isValid(value, &context) { count += 1 }
      guard minContains <= count, count <= maxContains else { return false }
    }
    return !uniqueItems || duplicate(in: values) == nil
  }

  /// The position of the first element that equals an earlier one.
  func duplicate(in values: [TrackingValue]) -> Int? {
    // Strings with equal code points are also equal by `==`, so the dictionary finds all candidates.
    var positions: [TrackingValue: [Int]] = [:]
    for (position, value) in values.enumerated() {
      if positions[value]?.contains(where: { values[$0].isIdentical(to: value) }) == true { return position }
      positions[value, default: []].append(position)
    }
    return nil
  }
}

extension JSONSchemaNode.ObjectRules {
  func isValid(_ members: [String: TrackingValue], _ whole: TrackingValue, _ context: inout JSONSchemaContext) -> Bool {
    guard minProperties <= members.count, members.count <= maxProperties else { return false }
    var required = 0
    for (key, value) in members where !isValid(key, value, &context, &required) { return false }
    guard required == requiredCount else { return false }
    guard !dependentRequired.isEmpty || !dependentSchemas.isEmpty else { return true }
    for (name, others) in dependentRequired where members.has(name) && !others.allSatisfy(members.has) { return false }
    for (name, schema) in dependentSchemas where members.has(name) && !schema.isValid(whole, &context) { return false }
    return true
  }

  /// Whether an event's params are valid, without converting them to an object.
  func isValid(_ params: [TrackingParam: TrackingValue], _ context: inout JSONSchemaContext) -> Bool {
    guard minProperties <= params.count, params.count <= maxProperties else { return false }
    var required = 0
    for (param, value) in params where !isValid(param.key, value, &context, &required) { return false }
    return required == requiredCount
  }

  private func isValid(
    _ key: String, _ value: TrackingValue, _ context: inout JSONSchemaContext, _ required: inout Int
  ) -> Bool {
    var isKnown = false
    if let property = table[key] {
      if property.isRequired { required += 1 }
      if let schema = property.schema {
        isKnown = true
        let isValid =
          property.settled.contains(JSONSchemaTypes(of: value))
          || schema._withUnsafeGuaranteedRef { $0.isValid(value, &context) }
        if !isValid { return false }
      }
    }
    if !patterns.isEmpty {
      for (pattern, schema) in patterns where pattern.matches(key) {
        isKnown = true
        if !schema.isValid(value, &context) { return false }
      }
    }
    if !isKnown {
      if isClosed { return false }
      if let additional, !additional.isValid(value, &context) { return false }
    }
    if let names, !names.isValid(.string(key), &context) { return false }
    return true
  }
}

extension JSONSchemaNode.Applicator {
  func isValid(_ value: TrackingValue, _ context: inout JSONSchemaContext) -> Bool {
    switch self {
    case .ref(let target): return target.schema.isValid(value, &context)
    case .dynamicRef(let reference): return reference.target(in: context).isValid(value, &context)
    case .allOf(let schemas):
      for schema in schemas where !schema.isValid(value, &context) { return false }
      return true
    case .anyOf(let schemas):
      for schema in schemas where schema.isValid(value, &context) { return true }
      return false
    case .oneOf(let schemas):
      var count = 0
      for schema in schemas where schema.isValid(value, &context) { count += 1 }
      return count == 1
    case .not(let schema): return !schema.isValid(value, &context)
    case .conditional(let condition, let then, let otherwise):
      return (condition.isValid(value, &context) ? then : otherwise)?.isValid(value, &context) ?? true
    }
  }
}

extension JSONSchemaNode.DynamicReference {
  /// The schema with the anchor in the outermost resource of the dynamic scope that has it.
  func target(in context: JSONSchemaContext) -> JSONSchemaNode {
    for resource in context.scope {
      if let target = targets[resource] { return target.schema }
    }
    return fallback
  }
}

extension [String: TrackingValue] {
  func has(_ name: String) -> Bool { value(of: name) != nil }

  func value(of name: String) -> TrackingValue? {
    guard let index = index(forKey: name), self[index].key.isSameText(as: name) else { return nil }
    return self[index].value
  }
}
