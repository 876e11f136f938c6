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
  /// The format of the plan's files.
  public let format: PlanFormat

  package let files: PlanFiles
  private let references: PlanReferences
  package var types: [JSONTree.Member] { references.types?.all ?? [] }
  /// The planned events without their params, which checking doesn't need.
  private let planned: [PlannedEvent]
  private let positions: [TextKey: Int]
  private let schemas: PlanSchemas
  /// Whether a whole object without `additionalProperties` has no other members.
  package let closesObjects: Bool

  /// The maximum number of events in a plan.
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
    guard content.events.count <= Self.mostEvents else {
      throw PlanError(
        file: files.name, reason: "has \(content.events.count) events, more than the limit of \(Self.mostEvents)")
    }
    self.files = files
    self.format = format
    planned = content.events
    references = PlanReferences(in: files, types: format == .trackingPlan ? PlanTypes(of: files) : nil)
    name = content.name ?? URL(fileURLWithPath: files.name).deletingPathExtension().lastPathComponent
    positions = Dictionary(planned.enumerated().map { (TextKey($1.name), $0) }, uniquingKeysWith: { first, _ in first })
    schemas = PlanSchemas(of: planned)
    closesObjects = !allowsUnplannedParams
  }

  private static func keep(_ source: String, in content: inout PlanContent, _ files: PlanFiles) throws(PlanError) {
    let known = Set(content.events.flatMap(\.sources)).sorted()
    guard known.contains(where: { $0.caseInsensitiveCompare(source) == .orderedSame }) else {
      let others =
        known.isEmpty
        ? "the plan names no sources" : "the plan has \(known.map { "\"\($0)\"" }.joined(separator: ", "))"
      throw PlanError(file: files.name, reason: "no event is planned for the source \"\(source)\"; \(others)")
    }
    content.events.removeAll { event in
      !event.sources.isEmpty && !event.sources.contains { $0.caseInsensitiveCompare(source) == .orderedSame }
    }
  }

  /// The planned events in the order of the plan.
  public var events: [PlannedEvent] { planned.map(withParams) }

  /// Returns the planned event with exactly this name.
  public func event(named name: String) -> PlannedEvent? {
    position(of: name).map { withParams(planned[$0]) }
  }

  private func position(of name: String) -> Int? { positions[name] }

  /// The compiled schema of an event's params, or the reason that it can't be used.
  private func schema(at position: Int) -> Result<JSONSchema, PlanError> {
    schemas.schema(at: position) { compiled(planned[position].schema, of: planned[position]) }
  }

  /// Compiles a part of an event's schema, or returns the reason that it can't be used.
  ///
  /// In our own format, a member without an effect is a reason unless `refusesIneffective` is `false`.
  package func compiled(
    _ schema: JSONTree, _ extent: SchemaExtent = .whole, of event: PlannedEvent, refusesIneffective: Bool = true
  ) -> Result<JSONSchema, PlanError> {
    let uris = files.files.map { "plan:/\($0.relativePath)" }
    do throws(JSONSchema.Failure) {
      return .success(
        try JSONSchema(
          schema, root: event.root,
          uri: "\(uris[Int(event.node.place.file)])?\(event.node.place.offset)",
          draft: event.draft, fallbacks: { references.files(for: $0, in: event).map { uris[$0] } },
          documents: zip(uris, references.roots).map { ($0, $1, event.draft) },
          options: .init(
            closesObjects: closesObjects, requiresProperties: format == .trackingPlan,
            keywords: format == .trackingPlan && refusesIneffective ? OwnFormat.keywords : nil),
          path: event.path, extent: extent))
    } catch {
      return .failure(PlanError(at: files.place(of: error.place), path: error.path, error.reason))
    }
  }

  /// Resolves a pointer such as `#/types/Currency` in the event's own schema, or else in the plan's files.
  package func target(of reference: JSONTree, in event: PlannedEvent) -> JSONTree? {
    references.target(of: reference, in: event)
  }

  /// Adds an event's params, read from its schema.
  private func withParams(_ event: PlannedEvent) -> PlannedEvent {
    var whole = event
    whole.params = ShapeReader(files: files, format: format, references: references, event: event).params
    return whole
  }
}

extension TrackingPlan: EventRule {
  /// The completion of "Expected …": `every event to match the plan "Storefront"`.
  public var expectation: String { "every event to match the plan \"\(name)\"" }

  /// Returns an event's violations of the plan, in the order of the plan; empty if the event is valid.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    guard let position = position(of: event.name) else { return [unplanned(event.name)] }
    // The fast path: nearly all events are valid, and every event is checked.
    if let schema = schemas.plain(at: position), schema.isValid(event.params) {
      return []
    }
    var findings = schemas.rules(at: position).filter(\.applies).map(\.finding)
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
    let nearest = EditDistance.nearest(to: name, among: planned.lazy.map(\.name))
    let place = nearest.flatMap(position).map { planned[$0].place }
    let isLookalike = planned.contains { $0.name == name }
    let hint =
      isLookalike
      ? "; it has one that looks the same but has different code points"
      : nearest.map { "; the nearest is \($0)" } ?? ""
    return PlanFinding(kind: .unplannedEvent, reason: "the plan has no event with this name\(hint)", place: place)
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

/// The schemas of a plan, each compiled by the first thread that needs it.
private struct PlanSchemas: Sendable {
  private let compiled: Locked<[Result<JSONSchema, PlanError>?]>
  /// The rules for the events themselves, in addition to their schemas.
  private let rules: [[PlannedEvent.Rule]]

  init(of events: [PlannedEvent]) {
    compiled = Locked(Array(repeating: nil, count: events.count))
    rules = events.map(\.rules)
  }

  func rules(at position: Int) -> [PlannedEvent.Rule] { rules[position] }

  /// The compiled schema if it alone decides about an event; `nil` if it isn't compiled yet or isn't usable, too.
  func plain(at position: Int) -> JSONSchema? {
    guard rules[position].isEmpty, case .success(let schema)? = compiled.withLock({ $0[position] }),
      !schema.hasDeprecations
    else { return nil }
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
