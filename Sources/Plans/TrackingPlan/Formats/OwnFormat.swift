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
      if content.name == nil { content.name = file.root["plan"]?.string }
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
        content.entries.append(try entry(event, common: common, files, &content.remarks))
      }
    }
    return content
  }

  private static func object(
    _ key: String, of root: JSONTree, _ files: PlanFiles
  ) throws(PlanError) -> [JSONTree.Member] {
    guard let node = root[key] else { return [] }
    guard let members = node.members else {
      throw files.error(at: node, path: key, "must be an object, found \(node.kind)")
    }
    return members
  }

  private static func entry(
    _ event: JSONTree.Member, common: [JSONTree.Member], _ files: PlanFiles, _ remarks: inout [PlanContent.Remark]
  ) throws(PlanError) -> PlanEntry {
    let (node, path) = (event.value, "events.\(event.key)")
    guard let members = node.members else {
      throw files.error(at: node, path: path, "an event must be an object, found \(node.kind)")
    }
    var params: [JSONTree.Member] = []
    var isOpen = false
    var words = Words()
    for member in members {
      let inner = "\(path).\(member.key)"
      switch member.key {
      case "params":
        guard let members = member.value.members else {
          throw files.error(at: member.value, path: inner, "params must be an object, found \(member.value.kind)")
        }
        params = members
        for param in members { try check(param, path: "\(inner).\(param.key)", files) }
      case "open": isOpen = try bool(member, inner, files)
      case "coverage": words.countsInCoverage = try bool(member, inner, files)
      case "draft": words.isDraft = try bool(member, inner, files)
      case "description": words.description = try text(member, inner, files)
      case "owner": words.owner = try text(member, inner, files)
      case "swiftName": words.swiftName = try text(member, inner, files)
      case "deprecated":
        if let isDeprecated = member.value.bool {
          words.deprecated = isDeprecated ? "" : nil
        } else {
          words.deprecated = try text(member, inner, files)
        }
      case "expires":
        let day = try text(member, inner, files)
        guard StringFormat.date.accepts(day) else {
          throw files.error(
            at: member.value, path: inner, "\"\(day.shortenedForMessage)\" is not a date like 2027-01-01")
        }
        words.expires = day
      case "sources": words.sources = try list(member, inner, files).compactMap(\.string)
      case "examples": words.examples = try list(member, inner, files)
      case "counterexamples": words.counterexamples = try list(member, inner, files)
      case "tags": _ = try list(member, inner, files)
      default: throw unknown(member, in: "an event", eventMembers, path: path, files)
      }
    }
    for param in common where !params.contains(where: { $0.key.isSameText(as: param.key) }) { params.append(param) }
    let schema = Self.schema(of: params, isOpen: isOpen, at: node)
    var entry = PlanEntry(name: event.key, node: node, params: schema, draft: .draft2020, path: "\(path).params")
    words.apply(to: &entry)
    return entry
  }

  /// The members of an event other than its params.
  private struct Words {
    var description: String?
    var owner: String?
    var swiftName: String?
    var deprecated: String?
    var expires: String?
    var isDraft = false
    var countsInCoverage = true
    var sources: [String] = []
    var examples: [JSONTree] = []
    var counterexamples: [JSONTree] = []

    func apply(to entry: inout PlanEntry) {
      entry.description = description
      entry.owner = owner
      entry.swiftName = swiftName
      entry.deprecated = deprecated
      entry.expires = expires
      entry.isDraft = isDraft
      entry.countsInCoverage = countsInCoverage
      entry.sources = sources
      entry.examples = examples
      entry.counterexamples = counterexamples
    }
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
      let nearest = EditDistance.nearest(to: text, among: JSONSchemaTypes.names).map { "; the nearest is \"\($0)\"" }
      throw files.error(
        at: name, path: path,
        "\"\(text.shortenedForMessage)\" is not a type\(nearest ?? "; expected one of \(JSONSchemaTypes.names.joined(separator: ", "))")"
      )
    }
  }

  private static func unknown(
    _ member: JSONTree.Member, in what: String, _ known: [String], path: String, _ files: PlanFiles
  ) -> PlanError {
    let nearest = EditDistance.nearest(to: member.key, among: known).map { "; the nearest is `\($0)`" }
    return files.error(
      at: member.value, path: path,
      "`\(member.key.shortenedForMessage)` is not a member of \(what)\(nearest ?? "; expected one of \(known.joined(separator: ", "))")"
    )
  }

  private static func bool(_ member: JSONTree.Member, _ path: String, _ files: PlanFiles) throws(PlanError) -> Bool {
    guard let value = member.value.bool else {
      throw files.error(at: member.value, path: path, "must be true or false, found \(member.value.kind)")
    }
    return value
  }

  private static func text(_ member: JSONTree.Member, _ path: String, _ files: PlanFiles) throws(PlanError) -> String {
    guard let value = member.value.string else {
      throw files.error(at: member.value, path: path, "must be a string, found \(member.value.kind)")
    }
    return value
  }

  private static func list(_ member: JSONTree.Member, _ path: String, _ files: PlanFiles) throws(PlanError)
    -> [JSONTree]
  {
    guard let value = member.value.elements else {
      throw files.error(at: member.value, path: path, "must be an array, found \(member.value.kind)")
    }
    return value
  }
}

// MARK: JSON Schemas

extension OwnFormat {
  /// The schema of an event's params as an object schema.
  static func schema(of params: [JSONTree.Member], isOpen: Bool, at node: JSONTree) -> JSONTree {
    let required = params.filter { $0.value["optional"]?.bool != true }
      .map { JSONTree(.scalar(.string($0.key)), at: $0.value.place) }
    var members = [
      JSONTree.Member("type", JSONTree(.scalar("object"), at: node.place)),
      JSONTree.Member("properties", JSONTree(.object(params), at: node.place)),
      JSONTree.Member("required", JSONTree(.array(required), at: node.place)),
    ]
    if isOpen { members.append(JSONTree.Member("additionalProperties", JSONTree(.scalar(true), at: node.place))) }
    return JSONTree(.object(members), at: node.place)
  }

  /// The schema with an explicit `required` where this format implies one.
  package static func completed(_ node: JSONTree) -> JSONTree {
    guard let members = node.members else { return node }
    var result = members.map { member in
      JSONTree.Member(
        member.key, member.value.mapSchemas(JSONSchemaDraft.draft2020.holding(of: member.key), completed))
    }
    if let properties = node["properties"]?.members, node["required"] == nil {
      let required = properties.filter { $0.value["optional"]?.bool != true }
        .map { JSONTree(.scalar(.string($0.key)), at: $0.value.place) }
      result.append(JSONTree.Member("required", JSONTree(.array(required), at: node.place)))
    }
    return JSONTree(.object(result), at: node.place)
  }
}
