import TrackingJSON
import TrackingModel

/// Avo's export with JSON Schemas: `events[] {name, sources, rules}`, the params at `rules.properties.properties`.
enum AvoFormat {
  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: .avo)
    var content = PlanContent()
    content.name = file.root["name"]?.string ?? file.root["schema"]?["name"]?.string
    for (index, event) in try files.list("events", of: file.root).enumerated() {
      let path = "events[\(index)]"
      let name = try files.text("name", of: event, path: path)
      let rules = try files.schema("rules", of: event, in: .avo, path: path)
      let params = rules["properties"]?["properties"]
      try files.refuseRest(
        of: rules, in: .avo, params: "properties.properties",
        except: SegmentFormat.callMembers.union(["name", "userProperties"]), path: "\(path).rules")
      var entry = PlanEntry(
        name: name, node: event, root: rules, params: params ?? .emptyObject(at: rules),
        draft: rules.draft(or: .draft06),
        path: "\(path).rules")
      entry.description = event["description"]?.string
      entry.owner = event["owner"]?.string
      entry.sources = (event["sources"]?.elements ?? []).compactMap { $0["name"]?.string ?? $0.string }
      content.entries.append(entry)
    }
    return content
  }
}

/// Mixpanel Lexicon: `entries[] {entityType, name, schemaJson, metadata}`.
///
/// Profiles are skipped.
enum MixpanelFormat {
  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: .mixpanel)
    var content = PlanContent()
    for (index, item) in try files.list("entries", of: file.root).enumerated() {
      let path = "entries[\(index)]"
      guard try files.text("entityType", of: item, path: path) == "event" else { continue }
      let name = try files.text("name", of: item, path: path)
      var schema = try files.schema("schemaJson", of: item, in: .mixpanel, path: path)
      if schema["properties"] == nil {
        schema = schema.adding([.init("properties", JSONTree(.object([]), at: schema.place))])
      }
      var entry = PlanEntry(
        name: name, node: item, params: schema, draft: schema.draft(or: .draft07), path: "\(path).schemaJson")
      entry.description = schema["description"]?.string
      let metadata = (item["metadata"] ?? schema["metadata"])?["com.mixpanel"]
      if metadata?["dropped"]?.bool == true { entry.deprecated = "Mixpanel drops this event" }
      content.entries.append(entry)
    }
    return content
  }
}

/// Snowplow's Iglu: one self-describing JSON Schema per file.
///
/// The highest version of each applies.
enum IgluFormat {
  private struct Name: Hashable {
    let vendor: String
    let name: String
  }

  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    var newest: [Name: (version: [Int], file: PlanFiles.File)] = [:]
    var order: [Name] = []
    for file in files.files {
      // Skip other JSON in the folder, such as a resolver's configuration.
      guard let itself = file.root["self"] else {
        guard file.relativePath.contains("/jsonschema/") else { continue }
        throw files.error(at: file.root, path: "", "has no self")
      }
      let vendor = try files.text("vendor", of: itself, path: "self")
      let name = try files.text("name", of: itself, path: "self")
      let text = try files.text("version", of: itself, path: "self")
      let version = text.split(separator: "-").compactMap { Int($0) }
      guard version.count == 3 else {
        throw files.error(
          at: itself["version"] ?? itself, path: "self.version",
          "\"\(text.shortenedForMessage)\" is not a SchemaVer like 1-0-0")
      }
      let key = Name(vendor: vendor, name: name)
      if let known = newest[key] {
        if known.version.lexicographicallyPrecedes(version) { newest[key] = (version, file) }
      } else {
        newest[key] = (version, file)
        order.append(key)
      }
    }
    var content = PlanContent()
    let counts = Dictionary(order.map { ($0.name, 1) }, uniquingKeysWith: +)
    for key in order {
      guard let file = newest[key]?.file else { continue }
      // An event is tracked under its name. If two vendors use the same name, the vendor tells them apart.
      let name = counts[key.name] == 1 ? key.name : "\(key.vendor)/\(key.name)"
      var entry = PlanEntry(
        name: name, node: file.root, params: file.root, draft: file.root.draft(or: .draft04), path: "")
      entry.description = file.root["description"]?.string
      entry.owner = key.vendor
      content.entries.append(entry)
    }
    guard !content.entries.isEmpty else {
      throw PlanError(file: files.name, reason: "contains no self-describing schema (one with a member `self`)")
    }
    return content
  }
}
