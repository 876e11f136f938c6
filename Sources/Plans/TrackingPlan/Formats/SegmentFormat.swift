import TrackingJSON
import TrackingModel

/// Segment Protocols in the forms of both APIs, and RudderStack's plans, which follow the older one.
///
/// Config API: `rules.events[] {name, rules}`. Public API: `rules[] {key, type, jsonSchema, version}`. The schema describes the whole
/// call, with the params at `properties`. Typewriter stores it unwrapped, so both shapes occur (``CallShape``).
struct SegmentFormat {
  let files: PlanFiles
  let format: PlanFormat

  private static let calls = ["track", "identify", "group", "page", "screen", "alias"]

  func content() throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: format)
    // RudderStack's API has the events at the top level.
    let isTop = format == .rudderStack && file.root["rules"] == nil
    guard let rules = isTop ? file.root : file.root["rules"] else {
      throw files.error(at: file.root, path: "", "\(format.title) must have `rules`")
    }
    guard let list = rules["events"]?.elements ?? rules.elements else {
      throw files.error(at: rules, path: "rules", "must have an array `events`, or be an array")
    }
    let isPublicAPI = rules.elements != nil
    let prefix = isPublicAPI ? "rules" : isTop ? "events" : "rules.events"
    let keys = isPublicAPI ? (name: "key", schema: "jsonSchema") : (name: "name", schema: "rules")
    try files.refusePage(of: file.root, count: list.count)
    let common = try common(of: rules, list, schemaKey: keys.schema)
    let shape = CallShape(of: list.compactMap { $0[keys.schema] } + ["identify", "group"].compactMap { rules[$0] })
    var content = PlanContent()
    content.name = (file.root["display_name"] ?? file.root["name"])?.string
    var best: [TextKey: (version: Int, position: Int)] = [:]
    for (index, rule) in list.enumerated() where call(of: rule) != "common" {
      let path = "\(prefix)[\(index)]"
      let name = try name(of: rule, key: keys.name, path: path)
      let schema = try files.schema(keys.schema, of: rule, in: format, path: path)
      let event = try event(
        schema, of: rule, call: call(of: rule), name: name, in: shape, common: common, path: "\(path).\(keys.schema)")
      // If an event has several versions, the highest one applies, as in Typewriter.
      let version = rule["version"].flatMap { $0.int ?? $0.string.flatMap(Int.init) } ?? 0
      if let known = best[event.name] {
        if version >= known.version {
          content.events[known.position] = event
          best[event.name] = (version, known.position)
        }
      } else {
        best[event.name] = (version, content.events.count)
        content.events.append(event)
      }
    }
    // The Config API has the schemas of these calls next to the events.
    for call in ["identify", "group"] {
      let path = "rules.\(call)"
      if let traits = rules["\(call)_traits"], !traits.isEmpty {
        throw files.error(
          at: traits, path: "\(path)_traits", "isn't read; \(format.title) has traits in `identify` and `group`")
      }
      guard let schema = rules[call], best[call] == nil else { continue }
      // Exports have them even if nothing is planned for the call.
      let params = try unwrapped(Self.withoutAny(schema), member: "traits", in: shape, path: path).members ?? []
      guard params.contains(where: { $0.key != "type" && !$0.value.isEmpty && JSONSchemaKeywords.asserts($0.key) })
      else { continue }
      content.events.append(
        try event(schema, of: schema, call: call, name: call, in: shape, common: common, path: path))
    }
    return content
  }

  /// The schema for all calls: `global` of the Config API, or the rule of the type `common` of the Public API.
  private func common(of rules: JSONTree, _ list: [JSONTree], schemaKey: String) throws(PlanError) -> JSONTree? {
    var (schema, path) = (rules["global"], "rules.global")
    if let index = list.firstIndex(where: { call(of: $0) == "common" }) {
      schema = try files.schema(schemaKey, of: list[index], in: format, path: "rules[\(index)]")
      path = "rules[\(index)].\(schemaKey)"
    }
    guard let schema else { return nil }
    try files.refuseRest(
      of: schema, in: format, params: "properties.properties", except: CallShape.members, path: path)
    return Self.withoutAny(schema)
  }

  private func call(of rule: JSONTree) -> String {
    (rule["type"] ?? rule["eventType"])?.string?.lowercased() ?? "track"
  }

  private func name(of rule: JSONTree, key: String, path: String) throws(PlanError) -> String {
    guard rule.members != nil else {
      throw files.error(at: rule, path: path, "a rule must be an object, found \(rule.kind)")
    }
    let call = call(of: rule)
    guard Self.calls.contains(call) else {
      throw files.error(
        at: rule, path: path,
        "\"\(call.shortenedForMessage)\" is not a kind of call; expected track, identify, group, page, screen or alias")
    }
    // Calls other than `track` have no event name, so their kind is the name.
    if call != "track", rule[key]?.string ?? "" == "" { return call }
    return try files.text(key, of: rule, path: path)
  }

  private func event(
    _ schema: JSONTree, of rule: JSONTree, call: String, name: String, in shape: CallShape, common: JSONTree?,
    path: String
  ) throws(PlanError) -> PlannedEvent {
    let schema = Self.withoutAny(schema)
    let member = ["identify", "group"].contains(call) ? "traits" : "properties"
    var params = try unwrapped(schema, member: member, in: shape, path: path)
    if let shared = common?["properties"]?[member], params.members != nil { params = merged(params, with: shared) }
    var event = PlannedEvent(
      name: name, place: files.place(of: rule),
      description: rule["description"]?.string ?? schema["description"]?.string,
      owner: rule["labels"]?["owner"]?.string, node: rule, root: schema, schema: params,
      draft: schema.draft(or: .draft07), path: path)
    if let date = rule["deprecatedAt"]?.string, !date.isEmpty, !date.hasPrefix("0001-") {
      event.deprecated = "deprecated since \(date.prefix(10))"
    }
    return event
  }

  /// Removes the type `any`, which Segment's exports have and JSON Schema doesn't.
  private static func withoutAny(_ schema: JSONTree) -> JSONTree {
    guard let members = schema.members else { return schema }
    let types = schema["type"].map { $0.elements ?? [$0] } ?? []
    let hasAny = types.contains { $0.string == "any" }
    return JSONTree(
      .object(
        members.filter { !hasAny || $0.key != "type" }.map {
          .init($0.key, $0.value.mapSchemas(JSONSchemaDraft.draft07.holding(of: $0.key), withoutAny))
        }), at: schema.place)
  }

  /// Returns the schema of the params within the schema of a call.
  private func unwrapped(
    _ schema: JSONTree, member: String, in shape: CallShape, path: String
  ) throws(PlanError) -> JSONTree {
    guard schema["properties"] == nil || shape.isCall(schema, member: member) else { return schema }
    try files.refuseRest(
      of: schema, in: format, params: "properties.\(member)", except: CallShape.members, path: path)
    return schema["properties"]?[member]?.withoutParamsIfEmpty ?? .emptyObject(at: schema)
  }

  /// Adds the constraints of the rule for all calls to the event's params; the event's own apply if both have the same keyword.
  private func merged(_ params: JSONTree, with common: JSONTree) -> JSONTree {
    let members = (common.members ?? []).compactMap { member -> JSONTree.Member? in
      guard JSONSchemaKeywords.asserts(member.key), !member.value.isEmpty else { return nil }
      guard let own = params[member.key] else { return member }
      switch (member.key, own.content, member.value.content) {
      case ("properties", .object(let own), .object(let shared)):
        let others = shared.filter { member in !own.contains { $0.key == member.key } }
        return .init(member.key, JSONTree(.object(own + others), at: params.place))
      case ("required", .array(let own), .array(let shared)):
        return .init(member.key, JSONTree(.array(own + shared), at: params.place))
      default: return nil
      }
    }
    return params.removing(Set(members.map(\.key))).adding(members)
  }
}
