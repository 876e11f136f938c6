import TrackingModel

/// The formats of plans.
public enum PlanFormat: String, CaseIterable, Sendable {
  /// Our own: `events` by name, in one file or in a folder of files.
  case trackingPlan = "tracking-plan"
  /// Segment Protocols, as the Config API (`rules.events`) or the Public API (`rules` by key) gives it.
  case segment
  /// RudderStack's `rules.events` with an `eventType`.
  case rudderStack = "rudderstack"
  /// Avo's export with JSON Schemas.
  case avo
  /// A folder of self-describing schemas, `schemas/VENDOR/NAME/jsonschema/M-R-A`.
  case iglu
  /// Mixpanel Lexicon's `entries`.
  case mixpanel

  /// The format of files by what they hold.
  init(detecting files: PlanFiles) throws(PlanError) {
    guard let first = files.files.first else { throw PlanError(file: files.name, reason: "holds no plan") }
    let root = first.root
    guard root.members != nil else {
      throw files.error(at: root, path: "", "expected a plan, which is an object, found \(root.kind)")
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
      let nearest = NearestName.of(root.members?.first?.key ?? "", among: OwnFormat.members)
      throw files.error(
        at: root, path: "",
        "this is no plan that can be read: it has no `events`, `rules` or `entries`"
          + (nearest.map { "; did you mean `\($0)` where it says `\(root.members?.first?.key ?? "")`?" } ?? ""))
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

  /// What messages call it.
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
  /// The one file of a vendor's plan.
  func onlyFile(of format: PlanFormat) throws(PlanError) -> File {
    guard files.count == 1, let file = files.first else {
      throw PlanError(file: name, reason: "\(format.title) is one file, found a folder with \(files.count)")
    }
    return file
  }

  /// A member that must be a text.
  func text(_ key: String, of node: PlanNode, path: String) throws(PlanError) -> String {
    guard let value = node[key] else { throw error(at: node, path: path, "has no \(key)") }
    guard let text = value.string else {
      throw error(at: value, path: path, "\(key) must be a text, found \(value.kind)")
    }
    return text
  }
}

extension PlanNode {
  /// The draft that a schema says it is written in.
  func draft(or usual: SchemaDraft) -> SchemaDraft {
    self["$schema"]?.string.flatMap(SchemaDraft.init) ?? usual
  }

  /// The schema of an object without any property, for events of which the plan says nothing more.
  static func emptyObject(at node: PlanNode) -> PlanNode {
    PlanNode(
      .object([
        Member("type", PlanNode(.scalar("object"), at: node.place)),
        Member("properties", PlanNode(.object([]), at: node.place)),
      ]), at: node.place)
  }
}
