import TrackingJSON
import TrackingModel

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
