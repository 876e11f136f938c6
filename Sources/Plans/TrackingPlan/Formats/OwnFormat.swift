import TrackingJSON
import TrackingModel

/// Our own format: events by name, whose params are JSON Schemas (2020-12) with a few additional keywords.
///
/// A param is required unless it is `optional`, and an event has no other params unless it is `open`, so missing and unplanned params are
/// found by default. The same applies to the members of an object whose schema has no `required` and no `additionalProperties`.
package enum OwnFormat {
  static let members = ["$schema", "plan", "description", "types", "common", "events"]
  static let eventMembers = [
    "description", "owner", "params", "open", "examples", "counterexamples", "deprecated", "expires", "coverage",
    "draft", "sources", "swiftName", "tags",
  ]
  /// The keywords of a param that JSON Schema doesn't have.
  static let paramWords = ["optional", "personal", "deprecated", "draft", "swiftName"]

  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    var content = PlanContent()
    var common: [JSONTree.Member] = []
    for file in files.files {
      guard let members = file.root.members else {
        throw files.error(at: file.root, path: "", "a plan must be an object, found \(file.root.kind)")
      }
      for member in members where !Self.members.contains(member.key) {
        throw unknown(member, in: "a plan", Self.members, path: "", files)
      }
      if let name = file.root["plan"] {
        let text = try files.required(name.string, "a string", of: name, path: "plan")
        content.name = content.name ?? text
      }
      content.types += try object("types", of: file.root, files).map { JSONTree.Member($0.key, completed($0.value)) }
      common += try object("common", of: file.root, files)
    }
    for param in common { try check(param, path: "common.\(param.key)", files) }
    for type in content.types { try checkType(type.value, path: "types.\(type.key)", files) }
    var known: [String: JSONTree] = [:]
    for file in files.files {
      for event in try object("events", of: file.root, files) {
        if let other = known.updateValue(event.value, forKey: event.key), other.place.file != event.value.place.file {
          let place = files.place(of: other)
          throw files.error(
            at: event.value, path: "events.\(event.key)", "is also defined in \(place.file), line \(place.line)")
        }
        content.entries.append(try entry(event, common: common, files))
      }
    }
    return content
  }

  private static func object(
    _ key: String, of root: JSONTree, _ files: PlanFiles
  ) throws(PlanError) -> [JSONTree.Member] {
    try root[key].map { node throws(PlanError) in try files.required(node.members, "an object", of: node, path: key) }
      ?? []
  }

  private static func entry(
    _ event: JSONTree.Member, common: [JSONTree.Member], _ files: PlanFiles
  ) throws(PlanError) -> PlanEntry {
    let (node, path) = (event.value, "events.\(event.key)")
    guard let members = node.members else {
      throw files.error(at: node, path: path, "an event must be an object, found \(node.kind)")
    }
    let params = node["params"]?.members ?? []
    let others = common.filter { param in !params.contains { $0.key.isSameText(as: param.key) } }
    var entry = PlanEntry(
      name: event.key, node: node,
      params: schema(of: params + others, isOpen: node["open"]?.bool == true, at: node), draft: .draft2020,
      path: "\(path).params")
    for member in members {
      let (value, inner) = (member.value, "\(path).\(member.key)")
      func flag() throws(PlanError) -> Bool { try files.required(value.bool, "true or false", of: value, path: inner) }
      func text() throws(PlanError) -> String { try files.required(value.string, "a string", of: value, path: inner) }
      func list() throws(PlanError) -> [JSONTree] {
        try files.required(value.elements, "an array", of: value, path: inner)
      }
      switch member.key {
      case "params":
        guard value.members != nil else {
          throw files.error(at: value, path: inner, "params must be an object, found \(value.kind)")
        }
        for param in params { try check(param, path: "\(inner).\(param.key)", files) }
      case "open": _ = try flag()
      case "coverage": entry.countsInCoverage = try flag()
      case "draft": entry.isDraft = try flag()
      case "description": entry.description = try text()
      case "owner": entry.owner = try text()
      case "swiftName": entry.swiftName = try text()
      case "deprecated":
        entry.deprecated = if let isDeprecated = value.bool { isDeprecated ? "" : nil } else { try text() }
      case "expires":
        let day = try text()
        guard StringFormat.date.accepts(day) else {
          throw files.error(at: value, path: inner, "\"\(day.shortenedForMessage)\" is not a date like 2027-01-01")
        }
        entry.expires = day
      case "sources":
        for (index, source) in try list().enumerated() {
          entry.sources.append(try files.required(source.string, "a string", of: source, path: "\(inner)[\(index)]"))
        }
      case "examples": entry.examples = try list()
      case "counterexamples": entry.counterexamples = try list()
      case "tags": _ = try list()
      default: throw unknown(member, in: "an event", eventMembers, path: path, files)
      }
    }
    return entry
  }

  // MARK: Checks while reading

  private static func check(_ param: JSONTree.Member, path: String, _ files: PlanFiles) throws(PlanError) {
    try checkType(param.value, path: path, files)
    guard let optional = param.value["optional"], optional.bool == nil else { return }
    throw files.error(at: optional, path: path, "optional must be true or false, found \(optional.kind)")
  }

  /// Finds the most common mistake, an unknown type, while reading.
  ///
  /// Compiling the schema finds the others.
  private static func checkType(_ node: JSONTree, path: String, _ files: PlanFiles) throws(PlanError) {
    guard node.members != nil else {
      guard node.bool == nil else { return }
      throw files.error(at: node, path: path, "a param must be a JSON Schema (an object), found \(node.kind)")
    }
    guard let type = node["type"] else { return }
    for name in type.elements ?? [type] {
      guard let text = name.string, JSONSchemaTypes(name: text) == nil else { continue }
      throw files.error(at: name, path: path, JSONSchemaTypes.refusal(of: text))
    }
  }

  private static func unknown(
    _ member: JSONTree.Member, in what: String, _ known: [String], path: String, _ files: PlanFiles
  ) -> PlanError {
    files.error(
      at: member.value, path: path,
      "`\(member.key.shortenedForMessage)` is not a member of \(what)"
        + EditDistance.hint(for: member.key, among: known, quote: "`"))
  }
}

// MARK: JSON Schemas

extension OwnFormat {
  /// The schema of an event's params as an object schema.
  static func schema(of params: [JSONTree.Member], isOpen: Bool, at node: JSONTree) -> JSONTree {
    var members = [
      JSONTree.Member("type", JSONTree(.scalar("object"), at: node.place)),
      JSONTree.Member("properties", JSONTree(.object(params), at: node.place)), required(of: params, at: node),
    ]
    if isOpen { members.append(JSONTree.Member("additionalProperties", JSONTree(.scalar(true), at: node.place))) }
    return JSONTree(.object(members), at: node.place)
  }

  /// The schema with an explicit `required` where this format implies one.
  package static func completed(_ node: JSONTree) -> JSONTree {
    guard let members = node.members else { return node }
    var result = members.map { member in
      JSONTree.Member(member.key, member.value.mapSchemas(JSONSchemaDraft.draft2020.holding(of: member.key), completed))
    }
    if let properties = node["properties"]?.members, node["required"] == nil {
      result.append(required(of: properties, at: node))
    }
    return JSONTree(.object(result), at: node.place)
  }

  /// The keyword `required` with the names of all params that aren't optional.
  private static func required(of params: [JSONTree.Member], at node: JSONTree) -> JSONTree.Member {
    let names = params.filter { $0.value["optional"]?.bool != true }
    return .init(
      "required", JSONTree(.array(names.map { JSONTree(.scalar(.string($0.key)), at: $0.value.place) }), at: node.place)
    )
  }
}
