import TrackingJSON
import TrackingModel

/// Segment Protocols in the forms of both APIs, and RudderStack's plans, which follow the older one.
///
/// Config API: `rules.events[] {name, rules}`. Public API: `rules[] {key, type, jsonSchema, version}`. The schema describes the whole
/// call, with the params at `properties`. Typewriter stores it unwrapped, so both shapes occur.
struct SegmentFormat {
  let files: PlanFiles
  let format: PlanFormat

  func content() throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: format)
    guard let rules = file.root["rules"] else {
      throw files.error(at: file.root, path: "", "\(format.title) must have `rules`")
    }
    var content = PlanContent()
    content.name = (file.root["display_name"] ?? file.root["name"])?.string
    var best: [String: (version: Int, position: Int)] = [:]
    for (index, rule) in (rules["events"]?.elements ?? rules.elements ?? []).enumerated() {
      guard let entry = try entry(rule, index: index, common: rules["global"]) else { continue }
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
    return content
  }

  private func entry(_ rule: JSONTree, index: Int, common: JSONTree?) throws(PlanError) -> PlanEntry? {
    let isPublicAPI = rule["jsonSchema"] != nil || rule["key"] != nil
    let path = "rules\(isPublicAPI ? "" : ".events")[\(index)]"
    guard rule.members != nil else {
      throw files.error(at: rule, path: path, "a rule must be an object, found \(rule.kind)")
    }
    let key = isPublicAPI ? "key" : "name"
    let call = (rule["type"] ?? rule["eventType"])?.string?.lowercased() ?? "track"
    // `COMMON` is the Public API's schema for all calls.
    guard call != "common" else { return nil }
    var name = rule[key]?.string ?? ""
    if name.isEmpty {
      guard call != "track" else {
        throw files.error(
          at: rule[key] ?? rule, path: path,
          "this is \(format.title) (\(isPublicAPI ? "rules[].jsonSchema" : "rules.events[].rules")), but rule \(index + 1) has no \(key)"
        )
      }
      // Calls other than `track` have no event name, so their kind is the name.
      name = call
    }
    let schemaKey = isPublicAPI ? "jsonSchema" : "rules"
    let schema = rule[schemaKey] ?? .emptyObject(at: rule)
    guard schema.members != nil else {
      throw files.error(at: schema, path: path, "\(schemaKey) must be a JSON Schema, found \(schema.kind)")
    }
    let member = ["identify", "group"].contains(call) ? "traits" : "properties"
    var params = unwrapped(schema, member: member)
    if let shared = common?["properties"]?[member] { params = merged(params, with: shared) }
    var entry = PlanEntry(
      name: name, node: rule, root: schema, params: params, draft: schema.draft(or: .draft07),
      path: "\(path).\(schemaKey)")
    entry.description = rule["description"]?.string ?? schema["description"]?.string
    entry.owner = rule["labels"]?["owner"]?.string
    if let date = rule["deprecatedAt"]?.string, !date.isEmpty, !date.hasPrefix("0001-") {
      entry.deprecated = "deprecated since \(date.prefix(10))"
    }
    return entry
  }

  /// The schema of the params within the schema of the call.
  private func unwrapped(_ schema: JSONTree, member: String) -> JSONTree {
    guard let properties = schema["properties"], let members = properties.members else {
      return .emptyObject(at: schema)
    }
    let isCall = members.allSatisfy {
      [
        "context", "traits", "properties", "integrations", "userId", "anonymousId", "event", "type", "messageId",
        "timestamp",
      ].contains($0.key)
    }
    guard isCall, !members.isEmpty else { return schema }
    guard let inner = properties[member], inner.members != nil else { return .emptyObject(at: schema) }
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
