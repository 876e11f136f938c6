import TrackingJSON
import TrackingModel

/// Segment Protocols in the forms of both APIs, and RudderStack's plans, which follow the older one.
///
/// Config API: `rules.events[] {name, rules}`. Public API: `rules[] {key, type, jsonSchema, version}`. The schema describes the whole
/// call, with the params at `properties`. Typewriter stores it unwrapped, so both shapes occur.
struct SegmentFormat {
  let files: PlanFiles
  let format: PlanFormat

  /// The members of a call, some of which its schema may describe.
  static let callMembers: Set<String> = [
    "context", "traits", "properties", "integrations", "userId", "anonymousId", "event", "type", "messageId",
    "timestamp",
  ]
  /// The kinds of calls; `common` is the Public API's for rules about all calls.
  private static let calls = ["track", "identify", "group", "page", "screen", "alias", "common"]

  func content() throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: format)
    // RudderStack's API has the events at the top.
    let isTop = format == .rudderStack && file.root["rules"] == nil
    guard let rules = isTop ? file.root : file.root["rules"] else {
      throw files.error(at: file.root, path: "", "\(format.title) must have `rules`")
    }
    guard let list = rules["events"]?.elements ?? rules.elements else {
      throw files.error(at: rules, path: "rules", "must have an array `events`, or be an array")
    }
    let isPublicAPI = rules.elements != nil
    let prefix = isPublicAPI ? "rules" : isTop ? "events" : "rules.events"
    var content = PlanContent()
    content.name = (file.root["display_name"] ?? file.root["name"])?.string
    let common = rules["global"] ?? list.first { call(of: $0) == "common" }?["jsonSchema"]
    var best: [String: (version: Int, position: Int)] = [:]
    for (index, rule) in list.enumerated() {
      let place = Place(path: "\(prefix)[\(index)]", number: index + 1, isPublicAPI: isPublicAPI)
      guard let entry = try entry(rule, at: place, common: common) else { continue }
      // If an event has several versions, the highest one applies, as in Typewriter.
      let version = rule["version"].flatMap { $0.int ?? $0.string.flatMap(Int.init) } ?? 0
      if let known = best[entry.name] {
        if version >= known.version {
          content.entries[known.position] = entry
          best[entry.name] = (version, known.position)
        }
      } else {
        best[entry.name] = (version, content.entries.count)
        content.entries.append(entry)
      }
    }
    // The Config API has the schemas of these calls beside the events.
    for call in ["identify", "group"] {
      if let traits = rules["\(call)_traits"], !traits.isEmpty {
        throw files.error(
          at: traits, path: "rules.\(call)_traits", "isn't read; \(format.title) has traits in `identify` and `group`")
      }
      guard let schema = rules[call], best[call] == nil else { continue }
      let entry = try entry(schema, of: schema, call: call, name: call, common: nil, path: "rules.\(call)")
      // An export has them also if nothing is planned for the call.
      let words = entry.params.members?.filter { !$0.value.isEmpty && JSONSchemaKeywords.asserts($0.key) } ?? []
      if words.contains(where: { $0.key != "type" }) { content.entries.append(entry) }
    }
    return content
  }

  /// The place of a rule in messages.
  private struct Place {
    let path: String
    let number: Int
    let isPublicAPI: Bool
  }

  private func call(of rule: JSONTree) -> String {
    (rule["type"] ?? rule["eventType"])?.string?.lowercased() ?? "track"
  }

  private func entry(_ rule: JSONTree, at place: Place, common: JSONTree?) throws(PlanError) -> PlanEntry? {
    let path = place.path
    guard rule.members != nil else {
      throw files.error(at: rule, path: path, "a rule must be an object, found \(rule.kind)")
    }
    let key = place.isPublicAPI ? "key" : "name"
    let call = call(of: rule)
    guard Self.calls.contains(call) else {
      throw files.error(
        at: rule, path: path,
        "\"\(call.shortenedForMessage)\" is not a kind of call; expected \(Self.calls.dropLast(2).joined(separator: ", ")) or alias"
      )
    }
    guard call != "common" else { return nil }
    var name = rule[key]?.string ?? ""
    if name.isEmpty {
      guard call != "track" else {
        let schemas = place.isPublicAPI ? "rules[].jsonSchema" : "rules.events[].rules"
        throw files.error(
          at: rule[key] ?? rule, path: path,
          "this is \(format.title) (\(schemas)), but rule \(place.number) has no \(key)")
      }
      // Calls other than `track` have no event name, so their kind is the name.
      name = call
    }
    let schemaKey = place.isPublicAPI ? "jsonSchema" : "rules"
    let schema = try files.schema(schemaKey, of: rule, in: format, path: path)
    return try entry(schema, of: rule, call: call, name: name, common: common, path: "\(path).\(schemaKey)")
  }

  private func entry(
    _ schema: JSONTree, of rule: JSONTree, call: String, name: String, common: JSONTree?, path: String
  ) throws(PlanError) -> PlanEntry {
    let schema = Self.withoutAny(schema)
    let member = ["identify", "group"].contains(call) ? "traits" : "properties"
    var params = try unwrapped(schema, member: member, path: path)
    if let shared = common?["properties"]?[member], params.members != nil {
      params = merged(params, with: Self.withoutAny(shared))
    }
    var entry = PlanEntry(
      name: name, node: rule, root: schema, params: params, draft: schema.draft(or: .draft07), path: path)
    entry.description = rule["description"]?.string ?? schema["description"]?.string
    entry.owner = rule["labels"]?["owner"]?.string
    if let date = rule["deprecatedAt"]?.string, !date.isEmpty, !date.hasPrefix("0001-") {
      entry.deprecated = "deprecated since \(date.prefix(10))"
    }
    return entry
  }

  /// The schema without the type `any`, which Segment's exports have and JSON Schema doesn't.
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

  /// The schema of the params within the schema of the call.
  private func unwrapped(_ schema: JSONTree, member: String, path: String) throws(PlanError) -> JSONTree {
    if let properties = schema["properties"] {
      // Typewriter writes the schema of the params alone.
      let keys = properties.members?.map(\.key) ?? []
      let isCall = keys.allSatisfy(Self.callMembers.contains)
      guard isCall, keys.contains(where: ["context", "traits", "properties"].contains) else { return schema }
    }
    try files.refuseRest(
      of: schema, in: format, params: "properties.\(member)", except: Self.callMembers, path: path)
    guard let inner = schema["properties"]?[member] else { return .emptyObject(at: schema) }
    guard inner.members != nil else { return inner }
    // `"properties": {}` means an event without params.
    return inner["properties"] == nil && inner["$ref"] == nil && inner["allOf"] == nil && inner["anyOf"] == nil
      && inner["oneOf"] == nil && inner["patternProperties"] == nil && inner["additionalProperties"] == nil
      ? inner.adding([.init("properties", JSONTree(.object([]), at: inner.place))]) : inner
  }

  /// The event's params with those that all events share.
  private func merged(_ params: JSONTree, with common: JSONTree) -> JSONTree {
    guard let shared = common["properties"]?.members, !shared.isEmpty else { return params }
    let own = params["properties"]?.members ?? []
    let properties = own + shared.filter { member in !own.contains { $0.key == member.key } }
    let required = (params["required"]?.elements ?? []) + (common["required"]?.elements ?? [])
    return params.removing(["properties", "required"]).adding([
      .init("properties", JSONTree(.object(properties), at: params.place)),
      .init("required", JSONTree(.array(required), at: params.place)),
    ])
  }
}
