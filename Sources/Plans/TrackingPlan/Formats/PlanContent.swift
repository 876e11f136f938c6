import TrackingJSON
import TrackingModel

struct PlanContent {
  var name: String?
  var events: [PlannedEvent] = []
}

extension PlanFiles {
  /// The only file of a vendor's plan.
  func onlyFile(of format: PlanFormat) throws(PlanError) -> File {
    guard files.count == 1, let file = files.first else {
      throw PlanError(file: name, reason: "\(format.title) must be one file, found a folder with \(files.count)")
    }
    return file
  }

  func text(_ key: String, of node: JSONTree, path: String) throws(PlanError) -> String {
    let value = try member(key, of: node, path: path)
    guard let text = value.string else {
      throw error(at: value, path: path, "\(key) must be a string, found \(value.kind)")
    }
    guard !text.isEmpty else { throw error(at: value, path: path, "has an empty \(key)") }
    return text
  }

  func list(_ key: String, of node: JSONTree) throws(PlanError) -> [JSONTree] {
    let value = try member(key, of: node, path: "")
    return try required(value.elements, "an array", of: value, path: key)
  }

  /// Returns the JSON Schema of an event; refuses other members that describe its params.
  func schema(_ key: String, of event: JSONTree, in format: PlanFormat, path: String) throws(PlanError) -> JSONTree {
    let schema = try member(key, of: event, path: path)
    guard schema.members != nil else {
      throw error(at: schema, path: path, "\(key) must be a JSON Schema, found \(schema.kind)")
    }
    let words = [
      "properties", "params", "parameters", "props", "attributes", "fields", "schema", "jsonSchema", "schemaJson",
      "rules", "required", "additionalProperties",
    ]
    for member in event.members ?? [] where member.key != key && words.contains(member.key) && !member.value.isEmpty {
      throw error(
        at: member.value, path: "\(path).\(member.key)",
        "isn't read; \(format.title) describes an event's params in `\(key)`")
    }
    return schema
  }

  /// Refuses constraints in a call's schema that aren't in its params.
  func refuseRest(
    of schema: JSONTree, in format: PlanFormat, params: String, except members: Set<String>, path: String
  ) throws(PlanError) {
    let properties = schema["properties"]?.members ?? []
    let rest = (schema.members ?? []).first { member in
      switch member.key {
      case "type", "properties", "additionalProperties": false
      case "required": !(member.value.elements ?? []).allSatisfy { members.contains($0.string ?? "") }
      default: JSONSchemaKeywords.asserts(member.key) && !member.value.isEmpty
      }
    }
    guard let member = rest ?? properties.first(where: { !members.contains($0.key) }) else { return }
    throw error(
      at: member.value, path: path,
      "`\(member.key.shortenedForMessage)` isn't read; \(format.title) describes an event's params in `\(params)`")
  }

  /// Refuses a single page of rules from Segment's Public API, since events of other pages would be unplanned.
  func refusePage(of root: JSONTree, count: Int) throws(PlanError) {
    guard let page = root["pagination"] else { return }
    let others = ["next", "previous"].contains { page[$0]?.string ?? "" != "" }
    guard others || page["totalEntries"]?.int ?? 0 > count else { return }
    throw error(
      at: page, path: "pagination",
      "this is one page of the plan's rules, not the plan; put the `rules` of all pages into one file")
  }

  private func member(_ key: String, of node: JSONTree, path: String) throws(PlanError) -> JSONTree {
    guard let value = node[key] else { throw error(at: node, path: path, "has no \(key)") }
    return value
  }
}

extension JSONTree {
  /// The draft in the schema's `$schema`, otherwise the format's usual one.
  func draft(or usual: JSONSchemaDraft) -> JSONSchemaDraft {
    self["$schema"]?.string.flatMap(JSONSchemaDraft.init) ?? usual
  }

  var isEmpty: Bool {
    switch content {
    case .scalar(let value): value == .null
    case .spelled: false
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    }
  }

  /// The schema of an event's params; one that says nothing about params means an event without params.
  var withoutParamsIfEmpty: JSONTree {
    let words = [
      "properties", "$ref", "allOf", "anyOf", "oneOf", "if", "dependentSchemas", "patternProperties",
      "additionalProperties",
    ]
    guard members != nil, !words.contains(where: { self[$0] != nil }) else { return self }
    return adding([.init("properties", JSONTree(.object([]), at: place))])
  }

  /// The schema of an object without properties, for planned events without params.
  static func emptyObject(at node: JSONTree) -> JSONTree {
    JSONTree(
      .object([
        Member("type", JSONTree(.scalar("object"), at: node.place)),
        Member("properties", JSONTree(.object([]), at: node.place)),
      ]), at: node.place)
  }
}
