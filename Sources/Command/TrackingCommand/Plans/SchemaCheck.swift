import TrackingJSON
import TrackingModel
import TrackingPlan

/// Finds mistakes in a schema that compile: keywords without an effect, and constraints that no value meets.
struct SchemaCheck {
  private let plan: TrackingPlan
  /// The event; for shared types the first one, since every event sees them alike.
  private let event: PlannedEvent?
  private let draft: JSONSchemaDraft
  private(set) var problems: [PlanError] = []

  /// Creates a check for the schemas of an event, or for the shared types of a plan in our format.
  init(plan: TrackingPlan, event: PlannedEvent?) {
    self.plan = plan
    self.event = event ?? plan.events.first
    draft = event?.draft ?? .draft2020
  }

  private mutating func add(_ node: JSONTree, _ path: String, _ reason: String) {
    problems.append(plan.files.error(at: node, path: path, reason))
  }

  private var isOurs: Bool { plan.format == .trackingPlan }

  /// Checks a schema and its subschemas; `isParam` says that it is a param's or a member's.
  mutating func look(at node: JSONTree, path: String, isParam: Bool = false, _ extent: SchemaExtent = .whole) {
    guard let members = node.members else { return }
    let extents = SubschemaExtents(of: node, extent, draft)
    if node["draft"]?.bool == true { add(node, path, "is a draft; review it and remove `draft`") }
    keywords(of: node, path)
    counts(of: node, path)
    ranges(of: node, path)
    values(of: node, extent, path)
    requirements(of: node, extent, path, isParam: isParam)
    for member in members {
      let (inner, extent) = (member.value, extents[member.key])
      switch JSONSchemaKeywords.holding(member.key) {
      case .schema: look(at: inner, path: path, extent)
      case .schemas: for node in inner.elements ?? [] { look(at: node, path: path, extent) }
      case .schemaOrSchemas:
        look(at: inner, path: path + "[]", extent)
        for node in inner.elements ?? [] { look(at: node, path: path + "[]", extent) }
      case .schemasByName:
        for schema in inner.members ?? [] {
          look(at: schema.value, path: "\(path).\(schema.key)", isParam: member.key == "properties", extent)
        }
      case nil: break
      }
    }
  }

  // MARK: Keywords

  private mutating func keywords(of node: JSONTree, _ path: String) {
    let known = isOurs ? OwnFormat.keywords : JSONSchemaKeywords.standard
    for (value, reason) in JSONSchemaKeywords.withoutEffect(in: node, draft, known: known, allowsAnnotations: !isOurs) {
      add(value, path, reason)
    }
    if let format = node["format"], let name = format.string, StringFormat(rawValue: name) == nil {
      let formats = StringFormat.allCases.map(\.rawValue)
      let nearest = EditDistance.nearest(to: name, among: formats)
      if isOurs || nearest != nil {
        let hint =
          nearest.map { "the nearest is \"\($0)\"" }
          ?? "the checked ones are \(formats.joined(separator: ", "))"
        add(format, path, "the format \(JSONTree.quoted(name)) is not checked; \(hint)")
      }
    }
  }

  private mutating func counts(of node: JSONTree, _ path: String) {
    for word in [
      "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains",
    ] {
      guard case .double(let value)? = node[word]?.value, value != value.rounded() else { continue }
      add(node[word] ?? node, path, "\(word) must be a whole number, found \(value)")
    }
  }

  // MARK: Constraints that no value meets

  private mutating func ranges(of node: JSONTree, _ path: String) {
    for (least, most) in [
      ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ] {
      guard let low = node[least].flatMap({ JSONSchemaNumber($0.value) }),
        let high = node[most].flatMap({ JSONSchemaNumber($0.value) }), high < low
      else { continue }
      add(
        node, path,
        "\(least) \(node[least]?.value.description ?? "") is above \(most) \(node[most]?.value.description ?? ""), so no value is valid"
      )
    }
    if let types = node["type"]?.elements, types.isEmpty { add(node, path, "type is empty, so no value is valid") }
  }

  private mutating func values(of node: JSONTree, _ extent: SchemaExtent, _ path: String) {
    if node["enum"]?.elements?.isEmpty == true {
      add(node["enum"] ?? node, path, "enum is empty, so no value is valid")
    }
    guard let event else { return listedValues(of: node, nil, path) }
    guard ["enum", "const", "default"].contains(where: { node[$0] != nil }) else { return }
    let schema = try? plan.compiled(node, extent, of: event, refusesIneffective: false).get()
    listedValues(of: node, schema, path)
    if let value = node["default"], schema?.isValid(value.value) == false {
      add(value, path, "the default \(value.value) is not valid")
    }
  }

  /// Finds values of `const` and `enum` that the schema itself refuses.
  private mutating func listedValues(of node: JSONTree, _ schema: JSONSchema?, _ path: String) {
    let constant = draft >= .draft06 ? node["const"] : nil
    let list = node["enum"]?.elements ?? []
    let (word, end) = constant == nil ? ("enum", "it is never valid") : ("const", "no value is valid")
    let types = node["type"].map { type in
      (type.elements ?? [type]).compactMap { $0.string.flatMap(JSONSchemaTypes.init) }
        .reduce(JSONSchemaTypes()) { $0.union($1) }
    }
    for value in constant.map({ [$0] }) ?? list {
      let reason: String? =
        if let type = node["type"], types?.contains(JSONSchemaTypes(of: value.value)) == false {
          "is not of the type \(type.value)"
        } else if constant != nil, !list.isEmpty, !list.contains(where: { $0.value == value.value }) {
          "is not in enum"
        } else if schema?.isValid(value.value) == false {
          "breaks another rule of its schema"
        } else {
          nil
        }
      if let reason { add(value, path, "the value \(value.value) of \(word) \(reason), so \(end)") }
    }
  }

  private mutating func requirements(of node: JSONTree, _ extent: SchemaExtent, _ path: String, isParam: Bool) {
    if let required = node["required"], required.bool != nil, draft >= .draft04 {
      let hint = isOurs && isParam ? "; a param is required unless it has `\"optional\": true`" : ""
      add(required, path, "`required` is a list of names and has no effect as \(required.value)\(hint)")
    }
    let properties = node["properties"]?.members ?? []
    let isClosed =
      node["additionalProperties"]?.bool == false && node["patternProperties"] == nil
      || plan.closesObjects && !properties.isEmpty && node.closing(extent, draft) == .listed
    guard isClosed else { return }
    for name in node["required"]?.elements ?? [] {
      guard let text = name.string, !properties.contains(where: { $0.key.isSameText(as: text) }) else { continue }
      add(name, path, "the member \(JSONTree.quoted(text)) is required and not allowed, so no object is valid")
    }
  }
}
