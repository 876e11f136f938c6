import TrackingJSON
import TrackingModel

/// Avo's export with JSON Schemas: `events[] {name, sources, rules}`, the params at `rules.properties.properties`.
enum AvoFormat {
  static func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    let file = try files.onlyFile(of: .avo)
    var content = PlanContent()
    content.name = file.root["name"]?.string ?? file.root["schema"]?["name"]?.string
    for (index, item) in try files.list("events", of: file.root).enumerated() {
      let path = "events[\(index)]"
      let name = try files.text("name", of: item, path: path)
      let rules = try files.schema("rules", of: item, in: .avo, path: path)
      let members = rules["properties"]?.members ?? []
      let params = rules["properties"]?["properties"]
      try files.refuseRest(
        of: rules, in: .avo, params: "properties.properties",
        except: CallShape.members.union(["name", "nameMapping", "userProperties"]), path: "\(path).rules")
      // A schema of the params alone, whose params have the names of a call's members.
      if let member = members.first(where: { member in
        CallShape.members.contains(member.key) && !CallShape.fits(member)
          || params == nil && !member.value.isEmpty && member.value["const"] == nil && member.key != "userProperties"
      }) {
        throw files.error(
          at: member.value, path: "\(path).rules",
          "`\(member.key)` isn't read; \(PlanFormat.avo.title) describes an event's params in `properties.properties`")
      }
      content.events.append(
        PlannedEvent(
          name: name, place: files.place(of: item), description: item["description"]?.string,
          owner: item["owner"]?.string,
          sources: (item["sources"]?.elements ?? []).compactMap { $0["name"]?.string ?? $0.string },
          node: item, root: rules, schema: params?.withoutParamsIfEmpty ?? .emptyObject(at: rules),
          draft: rules.draft(or: .draft06), path: "\(path).rules"))
    }
    return content
  }
}
