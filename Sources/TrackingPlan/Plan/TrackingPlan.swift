import Foundation
import TrackingJSON
import TrackingModel

/// The events that an app is meant to send: read from a file of the team or of its vendor, and asked about single events.
///
/// ```swift
/// let plan = try TrackingPlan(contentsOf: URL(filePath: "tracking-plan.json"))
/// plan.findings(in: TrackingEvent(name: "added_to_cart", params: ["quantity": "1"]))
/// ```
///
/// Reading looks at names and types; an event's schema is compiled when its first event comes. Nothing is fetched from a network.
public struct TrackingPlan: Sendable {
  /// What becomes of params that the plan doesn't mention, where it doesn't say.
  public enum Unplanned: Sendable {
    /// They are findings.
    case findings
    /// They may be there.
    case allowed
  }

  /// What the plan calls itself, else the name of its file.
  public let name: String
  /// The format it was read in.
  public let format: PlanFormat

  package let files: PlanFiles
  package let content: PlanContent
  private let positions: [String: Int]
  private let schemas: PlanSchemas

  /// The most events of a plan.
  private static let mostEvents = 10_000

  /// Reads a plan from a file or a folder.
  ///
  /// `format` is detected from the content if it is `nil`. With a `source`, events that are planned for other sources only are left out.
  ///
  /// - Throws: ``PlanError`` with file, line and the nearest right word, if the plan can't be used.
  public init(
    contentsOf url: URL, format: PlanFormat? = nil, source: String? = nil, unplannedParams: Unplanned = .findings
  ) throws(PlanError) {
    try self.init(files: PlanFiles(contentsOf: url), format: format, source: source, unplannedParams: unplannedParams)
  }

  /// Reads a plan that is at hand as text; `name` stands for the file in messages.
  public init(
    text: String, name: String = "tracking-plan.json", format: PlanFormat? = nil, source: String? = nil,
    unplannedParams: Unplanned = .findings
  ) throws(PlanError) {
    try self.init(
      files: PlanFiles(text: text, name: name), format: format, source: source, unplannedParams: unplannedParams)
  }

  package init(
    files: PlanFiles, format: PlanFormat?, source: String?, unplannedParams: Unplanned
  ) throws(PlanError) {
    let format = if let format { format } else { try PlanFormat(detecting: files) }
    var content = try format.content(of: files)
    if let source { try Self.keep(source, in: &content, files) }
    guard content.entries.count <= Self.mostEvents else {
      throw PlanError(
        file: files.name, reason: "plans \(content.entries.count) events, at most \(Self.mostEvents) are read")
    }
    self.files = files
    self.format = format
    self.content = content
    name = content.name ?? URL(fileURLWithPath: files.name).deletingPathExtension().lastPathComponent
    positions = Dictionary(content.entries.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    schemas = PlanSchemas(of: content.entries, closesObjects: unplannedParams == .findings)
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

  /// The planned event of exactly this name.
  public func event(named name: String) -> PlannedEvent? {
    entry(named: name).map { PlannedEvent(entry: content.entries[$0], plan: self) }
  }

  package func entry(named name: String) -> Int? {
    guard let position = positions[name], content.entries[position].name.isIdentical(to: name) else { return nil }
    return position
  }

  /// The compiled schema of an event's params, or why it can't be used.
  package func schema(at position: Int) -> Result<JSONSchema, PlanError> {
    schemas.schema(at: position) { closesObjects in
      let entry = content.entries[position]
      var documents = JSONSchema.Documents()
      documents.add(sharedRoot(of: entry), uri: "plan:/shared", draft: entry.draft)
      for file in files.files where files.files.count > 1 {
        documents.add(file.root, uri: "plan:/\(file.relativePath)", draft: entry.draft)
      }
      do throws(JSONSchema.Failure) {
        return .success(
          try JSONSchema(
            format == .trackingPlan ? OwnFormat.completed(entry.params) : entry.params, root: entry.root,
            uri: "plan:/\(files.files[Int(entry.node.place.file)].relativePath)?\(position)", draft: entry.draft,
            fallback: "plan:/shared", documents: documents, options: .init(closesObjects: closesObjects),
            path: entry.path))
      } catch {
        let place = files.place(of: error.place)
        return .failure(PlanError(file: place.file, line: place.line, path: error.path, reason: error.reason))
      }
    }
  }

  /// What `#/types/Currency` and the like lead to: the file, with the types of all files and complete.
  private func sharedRoot(of entry: PlanEntry) -> PlanNode {
    let root = files.files[Int(entry.node.place.file)].root
    guard format == .trackingPlan else { return root }
    return PlanNode(
      .object([.init("types", PlanNode(.object(content.types), at: root.place))]), at: root.place)
  }
}

extension TrackingPlan: EventRule {
  /// `every event to be as "Storefront" plans it`.
  public var expectation: String { "every event to be as \"\(name)\" plans it" }

  /// What is wrong with an event by the plan, in the order of the plan; empty if nothing is.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    guard let position = entry(named: event.name) else { return [unplanned(event.name)] }
    // Nearly all events are right, and this is asked of each of them.
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
          kind: .deprecated, path: name, reason: reason.isEmpty ? "is deprecated" : "is deprecated: \(reason)",
          place: files.place(of: place))
      }
      guard !schema.isValid(event.params) else { break }
      findings += schema.findings(in: event.params).map { finding in
        PlanFinding(
          kind: .init(finding.kind), path: finding.path, reason: finding.reason, place: files.place(of: finding.place))
      }
    }
    return findings
  }

  private func unplanned(_ name: String) -> PlanFinding {
    let nearest = NearestName.of(name, among: content.entries.lazy.map(\.name))
    let place = nearest.flatMap(entry(named:)).map { files.place(of: content.entries[$0].node) }
    let isLookalike = positions[name] != nil
    let hint =
      isLookalike
      ? "; the plan has a name that reads the same with other code points"
      : nearest.map { "; the plan has \($0)" } ?? ""
    return PlanFinding(kind: .unplannedEvent, reason: "no event is planned under this name\(hint)", place: place)
  }

  private func remarks(on entry: PlanEntry) -> [PlanFinding] {
    var findings: [PlanFinding] = []
    if let reason = entry.deprecated {
      let text = reason.isEmpty ? "the event is deprecated" : "the event is deprecated: \(reason)"
      findings.append(PlanFinding(kind: .deprecated, reason: text, place: files.place(of: entry.node)))
    }
    if let day = entry.expires, PlanDay.today > day {
      findings.append(
        PlanFinding(kind: .expired, reason: "the event has expired on \(day)", place: files.place(of: entry.node)))
    }
    return findings
  }
}

extension PlanFinding.Kind {
  fileprivate init(_ kind: SchemaFinding.Kind) {
    switch kind {
    case .missing: self = .missing
    case .unplanned: self = .unplanned
    case .mismatch(let keyword): self = .mismatch(keyword: keyword)
    }
  }
}

/// Days as plans write them.
package enum PlanDay {
  /// Today in UTC, as `2027-01-01`.
  package static var today: String {
    String(TrackingValue(Date()).description.dropFirst().prefix(10))
  }
}

/// The schemas of a plan, compiled once each by whichever thread is first.
private final class PlanSchemas: @unchecked Sendable {
  private let lock = NSLock()
  /// Guarded by `lock`.
  private var compiled: [Result<JSONSchema, PlanError>?]
  private let closesObjects: Bool
  /// Whether there is nothing to say about an event that is right: it is neither deprecated nor does it expire.
  private let plain: [Bool]

  init(of entries: [PlanEntry], closesObjects: Bool) {
    compiled = Array(repeating: nil, count: entries.count)
    plain = entries.map { $0.deprecated == nil && $0.expires == nil }
    self.closesObjects = closesObjects
  }

  func isPlain(at position: Int) -> Bool { plain[position] }

  /// What has been compiled; `nil` before the first event, and where params are deprecated.
  func known(at position: Int) -> JSONSchema? {
    lock.lock()
    defer { lock.unlock() }
    guard case .success(let schema)? = compiled[position], !schema.hasDeprecations else { return nil }
    return schema
  }

  func schema(
    at position: Int, compile: (Bool) -> Result<JSONSchema, PlanError>
  ) -> Result<JSONSchema, PlanError> {
    lock.lock()
    defer { lock.unlock() }
    if let schema = compiled[position] { return schema }
    let schema = compile(closesObjects)
    compiled[position] = schema
    return schema
  }
}
