import TrackingModel

// `unevaluatedItems` and `unevaluatedProperties` apply to what no other keyword of the schema has evaluated, including keywords behind
// references and in valid alternatives (JSON Schema Core 2020-12, 11). Few schemas use them, so a second pass finds what was evaluated.

/// The parts of a value that a schema's keywords have evaluated.
struct EvaluatedParts {
  var names: Set<String> = []
  var prefix = 0
  var positions: Set<Int> = []
  /// The names that conditions test, which a plan knows even if the condition isn't met.
  var testedNames: Set<String> = []
  /// Whether a schema names any members.
  var listsMembers = false

  mutating func formUnion(_ other: EvaluatedParts) {
    names.formUnion(other.names)
    positions.formUnion(other.positions)
    testedNames.formUnion(other.testedNames)
    listsMembers = listsMembers || other.listsMembers
    prefix = max(prefix, other.prefix)
  }
}

extension JSONSchemaNode {
  /// Returns the parts that violate `unevaluatedItems` or `unevaluatedProperties`, or are unplanned, with their paths.
  func unevaluated(
    in value: TrackingValue, at path: String, _ context: inout JSONSchemaContext
  ) -> [(path: String, value: TrackingValue)] {
    var parts: [(path: String, value: TrackingValue)] = []
    switch value {
    case .object(let members):
      guard unevaluatedProperties != nil || closesUnevaluated else { return [] }
      var evaluated = spokenOf(in: value, &context, isInner: true)
      if closesUnevaluated {
        guard evaluated.listsMembers else { return [] }
        evaluated.names.formUnion(evaluated.testedNames)
      }
      for (name, value) in members where !evaluated.names.contains(name) {
        if let schema = unevaluatedProperties, schema.isValid(value, &context) { continue }
        parts.append((Self.join(path, name), value))
      }
      parts.sort { $0.path < $1.path }
    case .array(let values):
      guard let schema = unevaluatedItems else { return [] }
      let evaluated = spokenOf(in: value, &context, isInner: true)
      for (position, value) in values.enumerated()
      where position >= evaluated.prefix && !evaluated.positions.contains(position) && !schema.isValid(value, &context)
      {
        parts.append(("\(path)[\(position)]", value))
      }
    case .null, .bool, .int, .unsigned, .double, .string: break
    }
    return parts
  }

  /// The parts of a valid value that this schema's keywords evaluate; `isInner` ignores its own `unevaluated` keywords.
  private func spokenOf(in value: TrackingValue, _ context: inout JSONSchemaContext, isInner: Bool) -> EvaluatedParts {
    guard verdict == nil, context.depth < JSONSchemaContext.deepest else { return EvaluatedParts() }
    context.depth += 1
    defer { context.depth -= 1 }
    let isEntering = context.keepsScope && context.scope.last != resource
    if isEntering { context.scope.append(resource) }
    defer { if isEntering { context.scope.removeLast() } }

    var parts = EvaluatedParts()
    switch value {
    case .object(let members):
      parts.names = names(in: members, value, isInner: isInner)
      parts.listsMembers = object?.listsMembers == true
      for case .conditional(let condition, _, _) in applicators {
        parts.testedNames.formUnion(condition.object?.properties.map(\.name) ?? [])
      }
    case .array(let values): parts = positions(in: values, &context, isInner: isInner)
    case .null, .bool, .int, .unsigned, .double, .string: return parts
    }
    for schema in holding(for: value, &context) {
      parts.formUnion(schema.spokenOf(in: value, &context, isInner: false))
    }
    return parts
  }

  private func names(in members: [String: TrackingValue], _ value: TrackingValue, isInner: Bool) -> Set<String> {
    if !isInner, unevaluatedProperties != nil { return Set(members.keys) }
    guard let object else { return [] }
    if object.additional != nil { return Set(members.keys) }
    return Set(
      members.keys.filter { key in
        object.property(key).map { object.properties[$0].schema != nil } ?? false
          || object.patterns.contains { $0.pattern.matches(key) }
      })
  }

  private func positions(
    in values: [TrackingValue], _ context: inout JSONSchemaContext, isInner: Bool
  ) -> EvaluatedParts {
    var parts = EvaluatedParts()
    if !isInner, unevaluatedItems != nil { parts.prefix = values.count }
    guard let array else { return parts }
    parts.prefix = array.items == nil ? max(parts.prefix, array.prefix.count) : values.count
    if let contains = array.contains, array.containsEvaluates {
      for (position, value) in values.enumerated() where contains.isValid(value, &context) {
        parts.positions.insert(position)
      }
    }
    return parts
  }

  /// The schemas behind references and in alternatives that apply to the same value and accept it.
  private func holding(for value: TrackingValue, _ context: inout JSONSchemaContext) -> [JSONSchemaNode] {
    var schemas: [JSONSchemaNode] = []
    for applicator in applicators {
      switch applicator {
      case .ref(let target): schemas.append(target.schema)
      case .dynamicRef(let reference): schemas.append(reference.target(in: context))
      case .allOf(let all): schemas += all
      case .anyOf(let all), .oneOf(let all):
        for schema in all where schema.isValid(value, &context) { schemas.append(schema) }
      case .not: break
      case .conditional(let condition, let then, let otherwise):
        let holds = condition.isValid(value, &context)
        schemas += [holds ? condition : nil, holds ? then : otherwise].compactMap { $0 }
      }
    }
    if case .object(let members) = value {
      for (name, schema) in object?.dependentSchemas ?? [] where members.has(name) { schemas.append(schema) }
    }
    // An invalid branch evaluates nothing.
    return schemas.filter { $0.isValid(value, &context) }
  }
}
