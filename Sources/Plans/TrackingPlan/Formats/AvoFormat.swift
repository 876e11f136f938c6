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
