import TrackingJSON
import TrackingModel

extension PlanFormat {
  init(detecting files: PlanFiles) throws(PlanError) {
    guard let first = files.files.first else { throw PlanError(file: files.name, reason: "contains no plan") }
    let root = first.root
    guard root.members != nil else {
      throw files.error(at: root, path: "", "a plan must be an object, found \(root.kind)")
    }
    if files.files.contains(where: { $0.root["self"]?["vendor"] != nil || $0.relativePath.contains("/jsonschema/") }) {
      self = .iglu
    } else if let events = root["rules"]?["events"]?.elements {
      self = events.contains { $0["eventType"] != nil } ? .rudderStack : .segment
    } else if let rules = root["rules"]?.elements,
      rules.contains(where: { $0["jsonSchema"] != nil || $0["key"] != nil })
    {
      self = .segment
    } else if MixpanelFormat.list(in: root) != nil {
      self = .mixpanel
    } else if let events = root["events"]?.elements, events.contains(where: { $0["rules"] != nil }) {
      self = events.contains { $0["eventType"] != nil } ? .rudderStack : .avo
    } else if root["events"]?.elements == nil,
      ["events", "types", "common", "plan"].contains(where: { root[$0] != nil })
    {
      self = .trackingPlan
    } else {
      throw Self.refusal(of: root, in: files)
    }
  }

  /// The reason that no format reads the content.
  private static func refusal(of root: JSONTree, in files: PlanFiles) -> PlanError {
    for (list, sign) in [
      (
        "events",
        "events without `rules`, which those of Avo and RudderStack have; in our format `events` is an object with the events by name"
      ),
      ("rules", "rules without `jsonSchema`, which those of Segment have"),
      ("entries", "entries without `entityType`, which those of Mixpanel have"),
      ("results", "results without `entityType`, which those of Mixpanel have"),
    ] {
      guard let node = root[list], node.elements != nil else { continue }
      return files.error(at: node, path: list, "not a known plan format: an array of \(sign)")
    }
    let members = root.members ?? []
    if root["$schema"]?.string.flatMap(JSONSchemaDraft.init) != nil
      || members.contains(where: { $0.key != "type" && JSONSchemaKeywords.asserts($0.key) })
    {
      return files.error(
        at: root, path: "",
        "this is a JSON Schema, not a plan; a plan has the schemas of an event's params at `events.NAME.params`")
    }
    let first = members.first?.key ?? ""
    let nearest = EditDistance.nearest(to: first, among: OwnFormat.members)
    return files.error(
      at: root, path: "",
      "not a known plan format: it has no `events`, `rules`, `entries` or `results`"
        + (nearest.map { "; did you mean `\($0)` instead of `\(first)`?" } ?? ""))
  }

  func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    switch name {
    case .trackingPlan: try OwnFormat.content(of: files)
    case .segment, .rudderStack: try SegmentFormat(files: files, format: self).content()
    case .avo: try AvoFormat.content(of: files)
    case .iglu: try IgluFormat.content(of: files)
    case .mixpanel: try MixpanelFormat.content(of: files)
    }
  }
}
