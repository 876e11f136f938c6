import TrackingJSON
import TrackingModel

/// Mixpanel Lexicon: `entries[] {entityType, name, schemaJson, metadata}`, as uploaded, or `results[]`, as downloaded; skips entries of other
/// kinds, such as profiles.
enum MixpanelFormat {
  private static let otherKinds = ["profile", "group", "lookup"]

  /// The member of a file with the entries; `nil` if it isn't a Lexicon.
  static func list(in root: JSONTree) -> String? {
    ["entries", "results"].first { root[$0]?.elements?.contains { $0["entityType"] != nil } == true }
  }

  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: .mixpanel)
    var content = PlanContent()
    let list = list(in: file.root) ?? "entries"
    for (index, item) in try files.list(list, of: file.root).enumerated() {
      let path = "\(list)[\(index)]"
      let kind = try files.text("entityType", of: item, path: path)
      guard kind.lowercased() == "event" else {
        if otherKinds.contains(kind.lowercased()) { continue }
        throw files.error(
          at: item["entityType"] ?? item, path: path,
          "\"\(kind.shortenedForMessage)\" is not a kind of entry; expected event or profile")
      }
      let name = try files.text("name", of: item, path: path)
      let schema = try files.schema("schemaJson", of: item, in: .mixpanel, path: path).withoutParamsIfEmpty
      var event = PlannedEvent(
        name: name, place: files.place(of: item), description: schema["description"]?.string, node: item, root: schema,
        schema: schema, draft: schema.draft(or: .draft07), path: "\(path).schemaJson")
      let metadata = (item["metadata"] ?? schema["metadata"])?["com.mixpanel"]
      if metadata?["dropped"]?.bool == true { event.deprecated = "Mixpanel drops this event" }
      content.events.append(event)
    }
    return content
  }
}
