import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules

/// The events that an app may send, read from a plan in the team's own format or a vendor's.
///
/// ```swift
/// let plan = try TrackingPlan(contentsOf: URL(filePath: "tracking-plan.json"))
/// plan.findings(in: TrackingEvent(name: "added_to_cart", params: ["quantity": "1"]))
/// ```
///
/// Reading checks names and types. An event's schema is compiled when the first event of that name is checked. Nothing is fetched from a network.
public struct TrackingPlan: Sendable {
  /// The plan's name; its file's name if it has none.
  public let name: String
  /// The format that the plan was read in.
  public let format: PlanFormat

  package let files: PlanFiles
  package let content: PlanContent
  private let positions: [String: Int]
  private let schemas: PlanSchemas
  /// Whether an object without `additionalProperties` has no other members.
  package let closesObjects: Bool

  /// The largest number of events in a plan.
  private static let mostEvents = 10_000

  /// Reads a plan from a file or a folder.
  ///
  /// If `format` is `nil`, it is detected from the content. If `source` is set, events that are planned only for other sources are skipped. A param that
  /// the plan doesn't mention is a finding unless the plan itself or `allowsUnplannedParams` says otherwise.
  ///
  /// - Throws: ``PlanError`` with the file, the line and a suggestion if the plan can't be used.
  public init(
    contentsOf url: URL, format: PlanFormat? = nil, source: String? = nil, allowsUnplannedParams: Bool = false
  ) throws(PlanError) {
    try self.init(
      files: PlanFiles(contentsOf: url), format: format, source: source, allowsUnplannedParams: allowsUnplannedParams)
  }

  /// Reads a plan from text; `name` is the file's name in messages.
  public init(
    text: String, name: String = "tracking-plan.json", format: PlanFormat? = nil, source: String? = nil,
    allowsUnplannedParams: Bool = false
  ) throws(PlanError) {
    try self.init(
      files: PlanFiles(text: text, name: name), format: format, source: source,
      allowsUnplannedParams: allowsUnplannedParams)
  }

  package init(
    files: PlanFiles, format: PlanFormat?, source: String?, allowsUnplannedParams: Bool
  ) throws(PlanError) {
    let format = if let format { format } else { try PlanFormat(detecting: files) }
    var content = try format.content(of: files)
    if let source { try Self.keep(source, in: &content, files) }
    guard content.entries.count <= Self.mostEvents else {
      throw PlanError(
        file: files.name, reason: "has \(content.entries.count) events, more than the limit of \(Self.mostEvents)")
    }
    self.files = files
    self.format = format
    self.content = content
    name = content.name ?? URL(fileURLWithPath: files.name).deletingPathExtension().lastPathComponent
    positions = Dictionary(content.entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    schemas = PlanSchemas(of: content.entries)
    closesObjects = !allowsUnplannedParams
  }

  private static func keep(_ source: String, in content: inout PlanContent, _ files: PlanFiles) throws(PlanError) {
    let known = Set(content.entries.flatMap(\.sources)).sorted()
    guard known.contains(where: { $0.caseInsensitiveCompare(source) == .orderedSame }) else {
      let others =
        known.isEmpty
        ? "the plan names no sources" : "the plan has \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
      throw PlanError(file: files.name, reason: "no event is planned for the source \"\(source)\"; \(others)")
    }
    content.entries.removeAll { entry in
      !entry.sources.isEmpty && !entry.sources.contains { $0.caseInsensitiveCompare(source) == .orderedSame }
    }
  }

  /// The planned events in the order of the plan.
  public var events: [PlannedEvent] {
    content.entries.map { PlannedEvent(entry: $0, plan: self) }
  }

  /// Returns the planned event with exactly this name.
  public func event(named name: String) -> PlannedEvent? {
    entry(named: name).map { PlannedEvent(entry: content.entries[$0], plan: self) }
  }

  package func entry(named name: String) -> Int? {
    guard let position = positions[name], content.entries[position].name.isSameText(as: name) else { return nil }
    return position
  }

  /// The compiled schema of an event's params, or the reason why it can't be used.
  package func schema(at position: Int) -> Result<JSONSchema, PlanError> {
    schemas.schema(at: position) { compiled(content.entries[position].params, of: content.entries[position]) }
  }

  /// Compiles a part of an event's schema, or gives the reason why it can't be used.
  ///
  /// In our own format, a member without an effect is a reason unless `refusesIneffective` is `false`.
  package func compiled(
    _ schema: JSONTree, of entry: PlanEntry, refusesIneffective: Bool = true
  ) -> Result<JSONSchema, PlanError> {
    var documents: JSONSchema.Documents = [("plan:/shared", sharedRoot(of: entry), entry.draft)]
    for file in files.files where files.files.count > 1 {
      documents.append(("plan:/\(file.relativePath)", file.root, entry.draft))
    }
    do throws(JSONSchema.Failure) {
      return .success(
        try JSONSchema(
          format == .trackingPlan ? OwnFormat.completed(schema) : schema, root: entry.root,
          uri: "plan:/\(files.files[Int(entry.node.place.file)].relativePath)?\(entry.node.place.offset)",
          draft: entry.draft, fallback: "plan:/shared", documents: documents,
          options: .init(
            closesObjects: closesObjects,
            keywords: format == .trackingPlan && refusesIneffective ? JSONSchemaKeywords.known(in: format) : nil),
          path: entry.path))
    } catch {
      return .failure(PlanError(at: files.place(of: error.place), path: error.path, error.reason))
    }
  }

  /// The document that references such as `#/types/Currency` resolve against: the event's file, or the completed types of all files.
  private func sharedRoot(of entry: PlanEntry) -> JSONTree {
    let root = files.files[Int(entry.node.place.file)].root
    guard format == .trackingPlan else { return root }
    return JSONTree(.object([.init("types", JSONTree(.object(content.types), at: root.place))]), at: root.place)
  }
}

extension TrackingPlan: EventRule {
  /// `every event to match the plan "Storefront"`.
  public var expectation: String { "every event to match the plan \"\(name)\"" }

  /// Returns the violations of the plan by an event, in the order of the plan; empty if the event is valid.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    guard let position = entry(named: event.name) else { return [unplanned(event.name)] }
    // The fast path: nearly all events are valid, and every event is checked.
    if schemas.isPlain(at: position), let schema = schemas.known(at: position), schema.isValid(event.params) {
      return []
    }
    var findings = remarks(on: content.entries[position])
    switch schema(at: position) {
    case .failure(let error):
      findings.append(PlanFinding(kind: .unusable, reason: "the plan can't be used: \(error)"))
    case .success(let schema):
      findings += schema.deprecations(in: event.params).map { name, reason, place in
        PlanFinding(
          kind: .deprecated, path: name, value: event.params[.custom(key: name)],
          reason: reason.isEmpty ? "is deprecated" : "is deprecated: \(reason)", place: files.place(of: place))
      }
      guard !schema.isValid(event.params) else { break }
      findings += schema.findings(in: event.params).map { finding in
        PlanFinding(
          kind: .init(finding.kind), path: finding.path, value: finding.path.isEmpty ? nil : finding.value,
          reason: finding.reason, place: files.place(of: finding.place))
      }
    }
    return findings
  }

  private func unplanned(_ name: String) -> PlanFinding {
    let nearest = EditDistance.nearest(to: name, among: content.entries.lazy.map(\.name))
    let place = nearest.flatMap(entry(named:)).map { files.place(of: content.entries[$0].node) }
    let isLookalike = positions[name] != nil
    let hint =
      isLookalike
      ? "; it has one that looks the same but has different code points"
      : nearest.map { "; the nearest is \($0)" } ?? ""
    return PlanFinding(kind: .unplannedEvent, reason: "the plan has no event with this name\(hint)", place: place)
  }

  private func remarks(on entry: PlanEntry) -> [PlanFinding] {
    var findings: [PlanFinding] = []
    if let reason = entry.deprecated {
      let text = reason.isEmpty ? "the event is deprecated" : "the event is deprecated: \(reason)"
      findings.append(PlanFinding(kind: .deprecated, reason: text, place: files.place(of: entry.node)))
    }
    if let day = entry.expires, PlanDay.today > day {
      findings.append(
        PlanFinding(kind: .expired, reason: "the event expired on \(day)", place: files.place(of: entry.node)))
    }
    return findings
  }
}

extension PlanFinding.Kind {
  fileprivate init(_ kind: JSONSchemaFinding.Kind) {
    switch kind {
    case .missing: self = .missing
    case .unplanned: self = .unplanned
    case .mismatch(let keyword): self = .mismatch(keyword: keyword)
    }
  }
}

/// Days in the format of plans.
package enum PlanDay {
  /// Today in UTC, as `2027-01-01`.
  package static var today: String {
    String(TrackingValue(Date()).description.dropFirst().prefix(10))
  }
}

/// The schemas of a plan; the first thread that needs one compiles it.
private struct PlanSchemas: Sendable {
  private let compiled: Locked<[Result<JSONSchema, PlanError>?]>
  /// Whether a valid event has no findings, because it is neither deprecated nor ever expires.
  private let plain: [Bool]

  init(of entries: [PlanEntry]) {
    compiled = Locked(Array(repeating: nil, count: entries.count))
    plain = entries.map { $0.deprecated == nil && $0.expires == nil }
  }

  func isPlain(at position: Int) -> Bool { plain[position] }

  /// The compiled schema; `nil` if it isn't compiled yet, isn't usable or has deprecated params.
  func known(at position: Int) -> JSONSchema? {
    guard case .success(let schema)? = compiled.withLock({ $0[position] }), !schema.hasDeprecations else { return nil }
    return schema
  }

  func schema(
    at position: Int, compile: () -> Result<JSONSchema, PlanError>
  ) -> Result<JSONSchema, PlanError> {
    compiled.withLock { compiled in
      if let schema = compiled[position] { return schema }
      let schema = compile()
      compiled[position] = schema
      return schema
    }
  }
}
