import TrackingJSON
import TrackingModel

extension JSONSchemaCompiler {
  /// Compiles a schema's keywords.
  mutating func fill(
    _ schema: JSONSchemaNode, from location: JSONSchemaRegistry.Location, path: String, _ extent: SchemaExtent
  ) throws(Failure) {
    let node = location.node
    if let bool = node.bool {
      schema.verdict = bool
      return
    }
    guard let members = node.members else { throw expected("a schema", node, path) }
    let resource = registry.resources[location.resource]
    let draft = resource.draft
    let reader = KeywordReader(node: node, path: path)
    let outer = extents
    extents = SubschemaExtents(of: node, extent, draft)
    defer { extents = outer }
    if let keywords = options.keywords,
      let (value, reason) = JSONSchemaKeywords.withoutEffect(in: node, draft, known: keywords, allowsAnnotations: false)
        .first
    {
      throw Failure(place: value.place, path: path, reason: reason)
    }
    if draft.refStandsAlone, let ref = node["$ref"] {
      schema.applicators = [.ref(.init(schema: try reference(ref, in: location.resource, path: path)))]
      return
    }
    try references(of: node, in: location.resource, path: path, into: schema)
    if !resource.ignoresAssertions {
      try values(of: node, path: path, into: schema)
      schema.number = try numberRules(reader, draft)
      schema.string = try stringRules(reader)
    }
    schema.array = try arrayRules(reader, draft, location.resource, asserts: !resource.ignoresAssertions)
    schema.object = try objectRules(reader, draft, location.resource, asserts: !resource.ignoresAssertions)
    try combinations(of: members, draft, location.resource, path: path, into: schema)
    if draft >= .draft2019 {
      schema.unevaluatedItems = try node["unevaluatedItems"].map { node throws(Failure) in
        try child(node, below: "unevaluatedItems", in: location.resource, path: path)
      }
      schema.unevaluatedProperties = try node["unevaluatedProperties"].map { node throws(Failure) in
        try child(node, below: "unevaluatedProperties", in: location.resource, path: path)
      }
    }
    schema.closesUnevaluated = options.closesObjects && node.closing(extent, draft) == .evaluated
    if let deprecated = node["deprecated"] {
      schema.deprecation = deprecated.string ?? (deprecated.bool == true ? "" : nil)
    }
  }

  private mutating func references(
    of node: JSONTree, in resource: Int, path: String, into schema: JSONSchemaNode
  ) throws(Failure) {
    let draft = registry.resources[resource].draft
    if let ref = node["$ref"] {
      schema.applicators.append(.ref(.init(schema: try reference(ref, in: resource, path: path))))
    }
    if draft >= .draft2020, let ref = node["$dynamicRef"] {
      schema.applicators.append(try dynamicReference(ref, in: resource, path: path))
    }
    if draft == .draft2019, let ref = node["$recursiveRef"] {
      schema.applicators.append(try recursiveReference(ref, in: resource, path: path))
    }
  }

  private func values(of node: JSONTree, path: String, into schema: JSONSchemaNode) throws(Failure) {
    if let type = node["type"] {
      schema.types = []
      for name in type.elements ?? [type] {
        guard let text = name.string else { throw expected("the name of a type", name, path) }
        guard let types = JSONSchemaTypes(name: text) else {
          throw Failure(place: name.place, path: path, reason: JSONSchemaTypes.refusal(of: text))
        }
        schema.types.formUnion(types)
      }
    }
    if let list = node["enum"] {
      guard let values = list.elements else { throw expected("an array of values", list, "\(path).enum") }
      schema.constants.append(.init(keyword: "enum", values: values.map(\.value)))
    }
    if let value = node["const"], registry.resources[schema.resource].draft >= .draft06 {
      schema.constants.append(.init(keyword: "const", values: [value.value]))
    }
  }

  private func numberRules(_ reader: KeywordReader, _ draft: JSONSchemaDraft) throws(Failure) -> JSONSchemaNode
    .NumberRules?
  {
    var rules = JSONSchemaNode.NumberRules()
    rules.minimum = try reader.number("minimum")
    rules.maximum = try reader.number("maximum")
    if draft == .draft04 {
      // In draft 04, the exclusive bounds are booleans that modify the inclusive ones.
      if reader.node["exclusiveMinimum"]?.bool == true { swap(&rules.minimum, &rules.exclusiveMinimum) }
      if reader.node["exclusiveMaximum"]?.bool == true { swap(&rules.maximum, &rules.exclusiveMaximum) }
    } else {
      rules.exclusiveMinimum = try reader.number("exclusiveMinimum")
      rules.exclusiveMaximum = try reader.number("exclusiveMaximum")
    }
    rules.multipleOf = try reader.number("multipleOf")
    if let unit = rules.multipleOf, unit <= .int(0) { throw reader.failure("multipleOf", "must be above 0") }
    return rules.isUsed ? rules : nil
  }

  private func stringRules(_ reader: KeywordReader) throws(Failure) -> JSONSchemaNode.StringRules? {
    let rules = JSONSchemaNode.StringRules()
    rules.minLength = try reader.count("minLength") ?? 0
    rules.maxLength = try reader.count("maxLength") ?? .max
    if let pattern = reader.node["pattern"] {
      rules.pattern = try reader.pattern(pattern.string ?? "", at: pattern, "pattern")
    }
    if options.assertsFormats, let format = reader.node["format"]?.string {
      rules.format = StringFormat(rawValue: format)
    }
    return rules.isUsed ? rules : nil
  }

  private mutating func arrayRules(
    _ reader: KeywordReader, _ draft: JSONSchemaDraft, _ resource: Int, asserts: Bool
  ) throws(Failure) -> JSONSchemaNode.ArrayRules? {
    let rules = JSONSchemaNode.ArrayRules()
    let path = reader.path + "[]"
    let node = reader.node
    if let list = draft >= .draft2020 ? node["prefixItems"]?.elements : node["items"]?.elements {
      for element in list { rules.prefix.append(try child(element, below: "items", in: resource, path: path)) }
      if draft <= .draft2019, let rest = node["additionalItems"] {
        rules.items = try child(rest, below: "items", in: resource, path: path)
      }
    }
    if let items = node["items"], items.elements == nil || draft >= .draft2020 {
      rules.items = try child(items, below: "items", in: resource, path: path)
    }
    if draft >= .draft06, let contains = node["contains"] {
      rules.contains = try child(contains, below: "contains", in: resource, path: path)
      rules.containsEvaluates = draft >= .draft2020
      if draft >= .draft2019, asserts {
        rules.minContains = try reader.count("minContains") ?? 1
        rules.maxContains = try reader.count("maxContains") ?? .max
      }
    }
    if asserts {
      rules.minItems = try reader.count("minItems") ?? 0
      rules.maxItems = try reader.count("maxItems") ?? .max
      rules.uniqueItems = node["uniqueItems"]?.bool ?? false
    }
    return rules.isUsed ? rules : nil
  }

  private mutating func objectRules(
    _ reader: KeywordReader, _ draft: JSONSchemaDraft, _ resource: Int, asserts: Bool
  ) throws(Failure) -> JSONSchemaNode.ObjectRules? {
    let rules = JSONSchemaNode.ObjectRules()
    let node = reader.node
    for member in try reader.members("properties") {
      let position = rules.enter(member.key)
      rules.properties[position].schema = try child(
        member.value, below: "properties", in: resource,
        path: reader.path.isEmpty ? member.key : "\(reader.path).\(member.key)")
    }
    for member in try reader.members("patternProperties") {
      let pattern = try reader.pattern(member.key, at: member.value, "patternProperties")
      let path = "\(reader.path).\(member.key)"
      rules.patterns.append((pattern, try child(member.value, below: "patternProperties", in: resource, path: path)))
    }
    if let rest = node["additionalProperties"] {
      rules.additional = try child(rest, below: "additionalProperties", in: resource, path: reader.path)
    }
    if draft >= .draft06, let names = node["propertyNames"] {
      rules.names = try child(names, below: "propertyNames", in: resource, path: reader.path)
    }
    rules.listsMembers = node["properties"] != nil || !rules.patterns.isEmpty
    rules.isClosed = options.closesObjects && node.closing(extents.own, draft) == .listed
    try dependencies(reader, draft, resource, asserts: asserts, into: rules)
    if asserts {
      // From draft 04 on, `required` is an array. The boolean of draft 03 is ignored.
      if let required = node["required"], required.bool == nil {
        for name in try reader.names(required, "required") {
          rules.properties[rules.enter(name)].isRequired = true
        }
      } else if options.requiresProperties {
        for name in node.impliedRequired(extents.own) ?? [] {
          rules.properties[rules.enter(name)].isRequired = true
        }
      }
      rules.minProperties = try reader.count("minProperties") ?? 0
      rules.maxProperties = try reader.count("maxProperties") ?? .max
    }
    rules.finish()
    return rules.isUsed ? rules : nil
  }

  private mutating func dependencies(
    _ reader: KeywordReader, _ draft: JSONSchemaDraft, _ resource: Int, asserts: Bool,
    into rules: JSONSchemaNode.ObjectRules
  ) throws(Failure) {
    for keyword in draft <= .draft07 ? ["dependencies"] : ["dependencies", "dependentRequired", "dependentSchemas"] {
      for member in try reader.members(keyword) {
        if keyword != "dependentSchemas", member.value.elements != nil {
          if asserts { rules.dependentRequired.append((member.key, try reader.names(member.value, keyword))) }
        } else {
          let schema = try child(member.value, below: keyword, in: resource, path: reader.path)
          rules.dependentSchemas.append((member.key, schema))
        }
      }
    }
  }

  private mutating func combinations(
    of members: [JSONTree.Member], _ draft: JSONSchemaDraft, _ resource: Int, path: String, into schema: JSONSchemaNode
  ) throws(Failure) {
    var condition: (if: JSONSchemaNode?, then: JSONSchemaNode?, else: JSONSchemaNode?)
    for member in members {
      switch member.key {
      case "allOf": schema.applicators.append(.allOf(try children(member, resource, path)))
      case "anyOf": schema.applicators.append(.anyOf(try children(member, resource, path)))
      case "oneOf": schema.applicators.append(.oneOf(try children(member, resource, path)))
      case "not": schema.applicators.append(.not(try child(member.value, below: member.key, in: resource, path: path)))
      case "if" where draft >= .draft07:
        condition.if = try child(member.value, below: member.key, in: resource, path: path)
      case "then" where draft >= .draft07:
        condition.then = try child(member.value, below: member.key, in: resource, path: path)
      case "else" where draft >= .draft07:
        condition.else = try child(member.value, below: member.key, in: resource, path: path)
      default: break
      }
    }
    guard let test = condition.if else { return }
    schema.applicators.append(.conditional(if: test, then: condition.then, else: condition.else))
  }

  private mutating func children(
    _ member: JSONTree.Member, _ resource: Int, _ path: String
  ) throws(Failure) -> [JSONSchemaNode] {
    guard let elements = member.value.elements, !elements.isEmpty else {
      throw expected("a non-empty array of schemas", member.value, "\(path).\(member.key)")
    }
    var schemas: [JSONSchemaNode] = []
    for element in elements { schemas.append(try child(element, below: member.key, in: resource, path: path)) }
    return schemas
  }
}

/// Reads the keywords of one schema; its errors name the keyword.
private struct KeywordReader {
  let node: JSONTree
  let path: String

  func failure(_ keyword: String, _ reason: String) -> JSONSchemaCompiler.Failure {
    JSONSchemaCompiler.Failure(place: (node[keyword] ?? node).place, path: path, reason: "\(keyword) \(reason)")
  }

  func number(_ keyword: String) throws(JSONSchemaCompiler.Failure) -> JSONSchemaNumber? {
    guard let value = node[keyword] else { return nil }
    guard case .scalar(let scalar) = value.content, let number = JSONSchemaNumber(scalar) else {
      throw failure(keyword, "must be a number, found \(value.kind)")
    }
    return number
  }

  /// Returns the number of characters, items or properties in a keyword.
  func count(_ keyword: String) throws(JSONSchemaCompiler.Failure) -> Int? {
    guard let value = node[keyword] else { return nil }
    guard case .scalar(let scalar) = value.content, let number = JSONSchemaNumber(scalar), .int(0) <= number else {
      throw failure(
        keyword, "must be a whole number of at least 0, found \(value.value.description.shortenedForMessage)")
    }
    switch number {
    case .int(let count): return count
    case .unsigned: return .max
    case .double(let value): return value >= 1e18 ? .max : Int(value)
    }
  }

  func members(_ keyword: String) throws(JSONSchemaCompiler.Failure) -> [JSONTree.Member] {
    guard let value = node[keyword] else { return [] }
    guard let members = value.members else { throw failure(keyword, "must be an object, found \(value.kind)") }
    return members
  }

  func names(_ list: JSONTree, _ keyword: String) throws(JSONSchemaCompiler.Failure) -> [String] {
    guard let elements = list.elements else {
      throw failure(keyword, "must be an array of strings, found \(list.kind)")
    }
    var names: [String] = []
    for element in elements {
      guard let name = element.string else {
        throw failure(keyword, "must be an array of strings, found \(element.kind) in it")
      }
      names.append(name)
    }
    return names
  }

  func pattern(_ text: String, at node: JSONTree, _ keyword: String) throws(JSONSchemaCompiler.Failure)
    -> JSONSchemaPattern
  {
    if keyword == "pattern", node.string == nil { throw failure(keyword, "must be a string, found \(node.kind)") }
    guard let pattern = JSONSchemaPattern(text) else {
      throw JSONSchemaCompiler.Failure(
        place: node.place, path: path, reason: "\(keyword) \"\(text.shortenedForMessage)\" is not a regular expression")
    }
    return pattern
  }
}
