import TrackingJSON
import TrackingModel

/// The formats of plans.
public enum PlanFormat: String, CaseIterable, Sendable {
  /// Our own: `events` by name, in one file or in a folder of files.
  case trackingPlan = "tracking-plan"
  /// Segment Protocols, as exported by the Config API (`rules.events`) or the Public API (`rules` by key).
  case segment
  /// RudderStack's `rules.events`, which have an `eventType`.
  case rudderStack = "rudderstack"
  /// Avo's export with JSON Schemas.
  case avo
  /// A folder of self-describing schemas, `schemas/VENDOR/NAME/jsonschema/M-R-A`.
  case iglu
  /// Mixpanel Lexicon's `entries`.
  case mixpanel

  /// Detects the format of files by their content.
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
    } else if root["rules"]?.elements != nil {
      self = .segment
    } else if root["entries"]?.elements != nil {
      self = .mixpanel
    } else if root["events"]?.elements != nil {
      self = .avo
    } else if root["events"] != nil || root["types"] != nil || root["common"] != nil || root["plan"] != nil {
      self = .trackingPlan
    } else {
      let nearest = EditDistance.nearest(to: root.members?.first?.key ?? "", among: OwnFormat.members)
      throw files.error(
        at: root, path: "",
        "not a known plan format: it has no `events`, `rules` or `entries`"
          + (nearest.map { "; did you mean `\($0)` instead of `\(root.members?.first?.key ?? "")`?" } ?? ""))
    }
  }

  func content(of files: PlanFiles) throws(PlanError) -> PlanContent {
    switch self {
    case .trackingPlan: try OwnFormat.content(of: files)
    case .segment, .rudderStack: try SegmentFormat(files: files, format: self).content()
    case .avo: try AvoFormat.content(of: files)
    case .iglu: try IgluFormat.content(of: files)
    case .mixpanel: try MixpanelFormat.content(of: files)
    }
  }

  /// The format's name in messages.
  var title: String {
    switch self {
    case .trackingPlan: "a tracking plan"
    case .segment: "a Segment plan"
    case .rudderStack: "a RudderStack plan"
    case .avo: "an Avo plan"
    case .iglu: "a folder of Iglu schemas"
    case .mixpanel: "a Mixpanel Lexicon"
    }
  }
}

extension PlanFiles {
  /// The single file of a vendor's plan.
  func onlyFile(of format: PlanFormat) throws(PlanError) -> File {
    guard files.count == 1, let file = files.first else {
      throw PlanError(file: name, reason: "\(format.title) must be one file, found a folder with \(files.count)")
    }
    return file
  }

  /// Returns a member that must be a string.
  func text(_ key: String, of node: JSONTree, path: String) throws(PlanError) -> String {
    guard let value = node[key] else { throw error(at: node, path: path, "has no \(key)") }
    guard let text = value.string else {
      throw error(at: value, path: path, "\(key) must be a string, found \(value.kind)")
    }
    return text
  }
}

extension JSONTree {
  /// The draft that the schema's `$schema` names, or else the format's usual one.
  func draft(or usual: JSONSchemaDraft) -> JSONSchemaDraft {
    self["$schema"]?.string.flatMap(JSONSchemaDraft.init) ?? usual
  }

  /// The schema of an object without properties, for events without params in the plan.
  static func emptyObject(at node: JSONTree) -> JSONTree {
    JSONTree(
      .object([
        Member("type", JSONTree(.scalar("object"), at: node.place)),
        Member("properties", JSONTree(.object([]), at: node.place)),
      ]), at: node.place)
  }
}
