import TrackingJSON
import TrackingModel

struct JSONSchemaFinding {
  enum Kind: Equatable {
    case missing, unplanned
    case mismatch(keyword: String)
  }

  let kind: Kind
  let path: String
  /// The value at the path; `nil` if it is missing.
  let value: TrackingValue?
  let reason: String
  let place: JSONTree.Place
}

// Findings are collected in a second pass, which runs only for invalid values and visits only their invalid parts.

extension JSONSchemaNode {
  /// The maximum number of findings for one event, which is enough for an array with thousands of invalid items.
  private static let most = 50

  /// Adds a value's violations; adds nothing if it is valid.
  func explain(
    _ value: TrackingValue, at path: String, _ context: inout JSONSchemaContext,
    into findings: inout [JSONSchemaFinding]
  ) {
    guard findings.count < Self.most, !isValid(value, &context) else { return }
    if let verdict {
      if !verdict { findings.append(finding("false", path, value, "\(Self.quoted(value)) is not allowed")) }
      return
    }
    guard context.depth < JSONSchemaContext.deepest else {
      findings.append(finding("depth", path, value, "is nested deeper than \(JSONSchemaContext.deepest)"))
      return
    }
    context.depth += 1
    defer { context.depth -= 1 }
    let isEntering = context.keepsScope && context.scope.last != resource
    if isEntering { context.scope.append(resource) }
    defer { if isEntering { context.scope.removeLast() } }

    let before = findings.count
    if types.isDisjoint(with: JSONSchemaTypes(of: value)) {
      let found = value == .null ? "is null" : "\(Self.quoted(value)) is \(kind(of: value))"
      findings.append(finding("type", path, value, "\(found), expected \(expectation)"))
      return
    }
    if let list = constants.first(where: { !$0.contains(value) }) {
      findings.append(finding(list.keyword, path, value, text(of: value, notIn: list)))
      return
    }
    switch value {
    case .string(let text): if let string { explain(text, by: string, at: path, into: &findings) }
    case .int, .unsigned, .double: if let number { explain(value, by: number, at: path, into: &findings) }
    case .array(let values): array?.explain(values, of: self, at: path, &context, into: &findings)
    case .object(let members): object?.explain(members, value, of: self, at: path, &context, into: &findings)
    case .null, .bool: break
    }
    for applicator in applicators where !applicator.isValid(value, &context) {
      applicator.explain(value, of: self, at: path, &context, into: &findings)
    }
    // A property that fails in an alternative is unevaluated as well, and one finding for it is enough.
    if findings.count == before {
      for part in unevaluated(in: value, at: path, &context) {
        findings.append(
          .init(kind: .unplanned, path: part.path, value: part.value, reason: "is not in the plan", place: place))
      }
    }
  }

  func finding(_ keyword: String, _ path: String, _ value: TrackingValue, _ reason: String) -> JSONSchemaFinding {
    JSONSchemaFinding(kind: .mismatch(keyword: keyword), path: path, value: value, reason: reason, place: place)
  }

  static func join(_ path: String, _ key: String) -> String {
    path.isEmpty ? key.shortenedForMessage : "\(path).\(key.shortenedForMessage)"
  }

  static func quoted(_ value: TrackingValue) -> String {
    switch value {
    case .string(let text): TrackingValue.string(text.shortenedForMessage).description
    default: value.description.shortenedForMessage
    }
  }

  /// A fraction where an integer is expected is "not an integer", which says more than "a number".
  private func kind(of value: TrackingValue) -> String {
    types.contains(.integer) && JSONSchemaTypes(of: value) == .fraction ? "not an integer" : value.kind
  }

  private func text(of value: TrackingValue, notIn list: Constants) -> String {
    let expected = "\(Self.quoted(value)), expected \(Self.list(list.values))"
    guard case .string(let text) = value else { return expected }
    let texts = list.values.compactMap(\.stringValue)
    if texts.contains(text) { return "\(expected); the expected one looks the same but has different code points" }
    guard texts.count > 1, let nearest = EditDistance.nearest(to: text, among: texts) else { return expected }
    return "\(expected); the nearest is \"\(nearest)\""
  }

  private func explain(_ text: String, by rules: StringRules, at path: String, into findings: inout [JSONSchemaFinding])
  {
    guard !rules.isValid(text) else { return }
    let count = text.unicodeScalars.count
    let keyword =
      count < rules.minLength
      ? "minLength"
      : count > rules.maxLength ? "maxLength" : rules.format?.accepts(text) == false ? "format" : "pattern"
    let note =
      if !rules.hasLength(text) {
        " has \(count.counted("character"))"
      } else if keyword == "pattern", rules.isTooLong(text) {
        " is too long for a pattern (\(JSONSchemaPattern.longestText) characters at most)"
      } else {
        ""
      }
    findings.append(
      finding(keyword, path, .string(text), "\(Self.quoted(.string(text)))\(note), expected \(expectation)"))
  }

  private func explain(
    _ value: TrackingValue, by rules: NumberRules, at path: String, into findings: inout [JSONSchemaFinding]
  ) {
    guard let number = JSONSchemaNumber(value), let keyword = rules.broken(by: number) else { return }
    findings.append(finding(keyword, path, value, "\(value), expected \(expectation)"))
  }
}

extension JSONSchemaNode.ArrayRules {
  fileprivate func explain(
    _ values: [TrackingValue], of schema: JSONSchemaNode, at path: String, _ context: inout JSONSchemaContext,
    into findings: inout [JSONSchemaFinding]
  ) {
    if values.count < minItems || maxItems < values.count {
      findings.append(
        schema.finding(
          values.count < minItems ? "minItems" : "maxItems", path, .array(values),
          "has \(values.count.counted("item")), expected \(schema.expectation)"))
    }
    for (position, value) in values.enumerated() {
      let rule = position < prefix.count ? prefix[position] : items
      rule?.explain(value, at: "\(path)[\(position)]", &context, into: &findings)
    }
    if let contains {
      var count = 0
      for value in values where contains.isValid(value, &context) { count += 1 }
      if count < minContains || maxContains < count {
        findings.append(
          schema.finding(
            "contains", path, .array(values),
            "\(count) of \(values.count) items are \(contains.expectation), expected \(schema.expectation)"))
      }
    }
    if uniqueItems, let position = duplicate(in: values) {
      findings.append(
        schema.finding("uniqueItems", "\(path)[\(position)]", values[position], "repeats an item before it"))
    }
  }
}

extension JSONSchemaNode.ObjectRules {
  fileprivate func explain(
    _ members: [String: TrackingValue], _ whole: TrackingValue, of schema: JSONSchemaNode, at path: String,
    _ context: inout JSONSchemaContext, into findings: inout [JSONSchemaFinding]
  ) {
    // Properties in the order of the plan, then the other members by name.
    for property in properties {
      let path = JSONSchemaNode.join(path, property.name)
      if let value = members.value(of: property.name) {
        property.schema?.explain(value, at: path, &context, into: &findings)
      } else if property.isRequired {
        let expected = property.schema.map { ", expected \($0.expectation)" } ?? ""
        findings.append(
          .init(
            kind: .missing, path: path, value: nil, reason: "is missing\(expected)",
            place: property.schema?.place ?? schema.place))
      }
    }
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      explain(key, value, of: schema, at: JSONSchemaNode.join(path, key), members: members, &context, into: &findings)
    }
    if members.count < minProperties || maxProperties < members.count {
      findings.append(
        schema.finding(
          members.count < minProperties ? "minProperties" : "maxProperties", path, whole,
          "has \(members.count.counted("member")), expected \(schema.expectation)"))
    }
    for (name, others) in dependentRequired where members.has(name) {
      for other in others where !members.has(other) {
        findings.append(
          .init(
            kind: .missing, path: JSONSchemaNode.join(path, other), value: nil,
            reason: "is missing, required because \(name) is present",
            place: schema.place))
      }
    }
    for (name, dependent) in dependentSchemas where members.has(name) {
      dependent.explain(whole, at: path, &context, into: &findings)
    }
  }

  private func explain(
    _ key: String, _ value: TrackingValue, of schema: JSONSchemaNode, at path: String, members: [String: TrackingValue],
    _ context: inout JSONSchemaContext, into findings: inout [JSONSchemaFinding]
  ) {
    var isKnown = property(key).map { properties[$0].schema != nil } ?? false
    for (pattern, schema) in patterns where pattern.matches(key) {
      isKnown = true
      schema.explain(value, at: path, &context, into: &findings)
    }
    if let names, !names.isValid(.string(key), &context) {
      findings.append(
        schema.finding(
          "propertyNames", path, value, "the name \"\(key.shortenedForMessage)\", expected \(names.expectation)"))
    }
    guard !isKnown else { return }
    if isClosed || additional?.verdict == false {
      let absent = properties.map(\.name).filter { !members.has($0) }
      let nearest =
        EditDistance.nearest(to: key, among: absent) ?? EditDistance.nearest(to: key, among: properties.map(\.name))
      let hint = nearest.map { "; the nearest is \($0)" } ?? ""
      let place = nearest.flatMap { name in properties.first { $0.name == name }?.schema?.place } ?? schema.place
      findings.append(
        .init(kind: .unplanned, path: path, value: value, reason: "is not in the plan\(hint)", place: place))
    } else {
      additional?.explain(value, at: path, &context, into: &findings)
    }
  }
}

extension JSONSchemaNode.Applicator {
  fileprivate func explain(
    _ value: TrackingValue, of schema: JSONSchemaNode, at path: String, _ context: inout JSONSchemaContext,
    into findings: inout [JSONSchemaFinding]
  ) {
    switch self {
    case .ref(let target): target.schema.explain(value, at: path, &context, into: &findings)
    case .dynamicRef(let reference):
      reference.target(in: context).explain(value, at: path, &context, into: &findings)
    case .allOf(let schemas):
      for schema in schemas { schema.explain(value, at: path, &context, into: &findings) }
    case .anyOf(let schemas):
      explain(value, noneOf: schemas, "anyOf", of: schema, at: path, &context, into: &findings)
    case .oneOf(let schemas):
      var holding = 0
      for schema in schemas where schema.isValid(value, &context) { holding += 1 }
      if holding > 1 {
        findings.append(
          schema.finding(
            "oneOf", path, value,
            "\(JSONSchemaNode.quoted(value)) is valid against \(holding) of \(schemas.count) alternatives, expected exactly one"
          ))
      } else {
        explain(value, noneOf: schemas, "oneOf", of: schema, at: path, &context, into: &findings)
      }
    case .not(let schema):
      findings.append(
        schema.finding(
          "not", path, value, "\(JSONSchemaNode.quoted(value)), expected anything but \(schema.expectation)"))
    case .conditional(let condition, let then, let otherwise):
      (condition.isValid(value, &context) ? then : otherwise)?.explain(value, at: path, &context, into: &findings)
    }
  }

  /// Adds the findings of the alternative that the value matches best.
  private func explain(
    _ value: TrackingValue, noneOf schemas: [JSONSchemaNode], _ keyword: String, of schema: JSONSchemaNode,
    at path: String,
    _ context: inout JSONSchemaContext, into findings: inout [JSONSchemaFinding]
  ) {
    var nearest: (position: Int, findings: [JSONSchemaFinding], weight: Int)?
    for (position, alternative) in schemas.enumerated() {
      var found: [JSONSchemaFinding] = []
      alternative.explain(value, at: path, &context, into: &found)
      // An alternative for another type is unlikely to be the intended one.
      let weight = found.count + (alternative.types.isDisjoint(with: JSONSchemaTypes(of: value)) ? 1_000 : 0)
      if weight < nearest?.weight ?? .max { nearest = (position, found, weight) }
    }
    guard schemas.count > 1, let nearest else {
      findings += nearest?.findings ?? []
      return
    }
    if schemas.allSatisfy({ $0.object == nil && $0.array == nil }) {
      let expected = schemas.map(\.expectation).joined(separator: ", or ").shortened(to: 400)
      findings.append(schema.finding(keyword, path, value, "\(JSONSchemaNode.quoted(value)), expected \(expected)"))
      return
    }
    findings.append(
      schema.finding(
        keyword, path, value,
        "\(JSONSchemaNode.quoted(value)) is valid against none of \(schemas.count) alternatives; the nearest is number \(nearest.position + 1):"
      ))
    findings += nearest.findings
  }
}
