import TrackingJSON
import TrackingModel

/// Our own format: events by name, whose params are JSON Schemas (2020-12) with a few additional keywords.
///
/// A param is required unless it is `optional`, and an event has no other params unless it is `open`, so missing and unplanned params are
/// found by default. The same applies to the members of an object unless its schema has `required` or `additionalProperties`; see
/// ``SchemaExtent`` for subschemas.
package enum OwnFormat {
  static let members = ["$schema", "plan", "description", "types", "common", "events"]
  /// The keywords of a param that JSON Schema doesn't have.
  static let paramWords = ["optional", "personal", "deprecated", "draft", "swiftName"]
  /// The keywords that have a meaning in a param's schema.
  package static let keywords = JSONSchemaKeywords.standard.union(paramWords)

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
      common += try object("common", of: file.root, files)
    }
    for param in common { try check(param, path: "common.\(param.key)", files) }
    for file in files.files {
      for type in try object("types", of: file.root, files) {
        try checkType(type.value, path: "types.\(type.key)", files)
      }
    }
    var known: [String: JSONTree] = [:]
    for file in files.files {
      for event in try object("events", of: file.root, files) {
        if let other = known.updateValue(event.value, forKey: event.key), other.place.file != event.value.place.file {
          let place = files.place(of: other)
          throw files.error(
            at: event.value, path: "events.\(event.key)", "is also defined in \(place.file), line \(place.line)")
        }
        content.events.append(try self.event(event, common: common, files))
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

  private static func event(
    _ member: JSONTree.Member, common: [JSONTree.Member], _ files: PlanFiles
  ) throws(PlanError) -> PlannedEvent {
    let (node, path) = (member.value, "events.\(member.key)")
    guard let members = node.members else {
      throw files.error(at: node, path: path, "an event must be an object, found \(node.kind)")
    }
    let params = node["params"]?.members ?? []
    let others = common.filter { param in !params.contains { $0.key.isSameText(as: param.key) } }
    let schema = schema(of: params + others, isOpen: node["open"]?.bool == true, at: node)
    var event = PlannedEvent(
      name: member.key, place: files.place(of: node), node: node, root: schema, schema: schema, draft: .draft2020,
      path: "\(path).params")
    for member in members {
      guard let known = eventMembers.first(where: { $0.key == member.key }) else {
        throw unknown(member, in: "an event", eventMembers.map(\.key), path: path, files)
      }
      try known.read(&event, Member(node: member.value, path: "\(path).\(member.key)", files: files))
    }
    return event
  }

  /// The members of an event, with the code that reads them.
  static let eventMembers: [EventMember] = [
    EventMember("description") { event, member throws(PlanError) in event.description = try member.text() },
    EventMember("owner") { event, member throws(PlanError) in event.owner = try member.text() },
    EventMember("params") { _, member throws(PlanError) in try member.checkParams() },
    EventMember("open") { _, member throws(PlanError) in _ = try member.flag() },
    EventMember("examples") { event, member throws(PlanError) in event.examples = try member.list() },
    EventMember("counterexamples") { event, member throws(PlanError) in event.counterexamples = try member.list() },
    EventMember("deprecated") { event, member throws(PlanError) in event.deprecated = try member.reason() },
    EventMember("expires") { event, member throws(PlanError) in event.expires = try member.day() },
    EventMember("coverage") { event, member throws(PlanError) in event.countsInCoverage = try member.flag() },
    EventMember("draft") { event, member throws(PlanError) in event.isDraft = try member.flag() },
    EventMember("sources") { event, member throws(PlanError) in event.sources = try member.texts() },
    EventMember("swiftName") { event, member throws(PlanError) in event.swiftName = try member.text() },
    EventMember("tags") { _, member throws(PlanError) in _ = try member.list() },
  ]

  /// A type, because a list of functions with typed errors needs the run time of macOS 15.
  struct EventMember: Sendable {
    let key: String
    fileprivate let read: @Sendable (inout PlannedEvent, Member) throws(PlanError) -> Void

    fileprivate init(
      _ key: String, _ read: @escaping @Sendable (inout PlannedEvent, Member) throws(PlanError) -> Void
    ) {
      (self.key, self.read) = (key, read)
    }
  }

  struct Member {
    fileprivate let node: JSONTree
    fileprivate let path: String
    fileprivate let files: PlanFiles

    func flag() throws(PlanError) -> Bool { try files.required(node.bool, "true or false", of: node, path: path) }
    func text() throws(PlanError) -> String { try files.required(node.string, "a string", of: node, path: path) }
    func list() throws(PlanError) -> [JSONTree] { try files.required(node.elements, "an array", of: node, path: path) }

    func texts() throws(PlanError) -> [String] {
      try list().enumerated().map { index, text throws(PlanError) in
        try files.required(text.string, "a string", of: text, path: "\(path)[\(index)]")
      }
    }

    /// A text, or `true` for no reason; `nil` for `false`.
    func reason() throws(PlanError) -> String? {
      if let flag = node.bool { flag ? "" : nil } else { try text() }
    }

    func day() throws(PlanError) -> String {
      let day = try text()
      guard StringFormat.date.accepts(day) else {
        throw files.error(at: node, path: path, "\"\(day.shortenedForMessage)\" is not a date like 2027-01-01")
      }
      return day
    }

    func checkParams() throws(PlanError) {
      guard let params = node.members else {
        throw files.error(at: node, path: path, "params must be an object, found \(node.kind)")
      }
      for param in params { try check(param, path: "\(path).\(param.key)", files) }
    }
  }

  // MARK: Checks while reading

  private static func check(_ param: JSONTree.Member, path: String, _ files: PlanFiles) throws(PlanError) {
    try checkType(param.value, path: path, files)
    guard let optional = param.value["optional"], optional.bool == nil else { return }
    throw files.error(at: optional, path: path, "optional must be true or false, found \(optional.kind)")
  }

  /// Finds the most common mistake, an unknown type, early; compiling the schema finds the others.
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
  /// Combines the params' schemas into an object schema.
  static func schema(of params: [JSONTree.Member], isOpen: Bool, at node: JSONTree) -> JSONTree {
    var members = [
      JSONTree.Member("type", JSONTree(.scalar("object"), at: node.place)),
      JSONTree.Member("properties", JSONTree(.object(params), at: node.place)),
    ]
    if isOpen { members.append(JSONTree.Member("additionalProperties", JSONTree(.scalar(true), at: node.place))) }
    return JSONTree(.object(members), at: node.place)
  }
}
