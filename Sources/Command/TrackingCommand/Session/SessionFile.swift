import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingChecks
import TrackingRules

/// A `session.json`, as `tracking serve --save` and failed tests write it.
struct SessionFile: Sendable {
  /// A failure of the test.
  struct Failure: Sendable {
    /// The text that the test reported.
    let message: String
    /// The line of the test, such as `CartTests.swift:31`; empty if the session has none.
    let location: String
  }

  /// An event, a request or a rejected submission.
  struct Entry: Sendable {
    /// The entry's number among all entries of the session.
    let number: Int
    /// An event's name, a request's method and target, or the entry's kind.
    let name: String
    /// The entry's problems, one text each.
    let problems: [String]
    /// The event; `nil` for entries of other kinds.
    let event: TrackingEvent?
    /// Whether a wait of the test matched the event.
    let isMatched: Bool
    /// Whether the entry is a submission that the server refused.
    let isRejection: Bool
  }

  /// The events of one launch that were tracked and never arrived.
  struct Loss: Sendable {
    /// The token of the app's launch.
    let launch: String
    /// The number of events.
    let count: Int
  }

  /// The newest version that is read.
  private static let version = 1
  private static let format = "tracking-session"
  private static let deepest = 512

  /// The file's path, as the caller gave it.
  let name: String
  /// The name of the test; empty if there is none.
  let title: String
  /// The failures of the test.
  let failures: [Failure]
  /// The entries in the order of arrival.
  let entries: [Entry]
  /// The events that never arrived, by launch.
  let losses: [Loss]
  /// The plan that the events were checked against; `nil` if there was none.
  let plan: PlanIdentity?
  /// The number of entries that were left out when the file was written.
  let omitted: Int
  /// Equal for copies of a file, within one run of the tool.
  let identity: String

  /// Whether a file says that it is a session, of whichever version, even if the rest of it can't be read.
  ///
  /// A pipe isn't looked into, because it can be read only once.
  static func isSession(_ path: String) -> Bool {
    var file = stat()
    guard stat(path, &file) == 0, file.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG), let data = try? data(at: path)
    else { return false }
    return [UInt8](data).withUnsafeBufferPointer { buffer in
      var reader = JSONReader(buffer, maximumDepth: deepest)
      var format: String?
      try? reader.object { (reader, key) throws(JSONError) in
        guard key == "format", reader.peek() == UInt8(ascii: "\"") else {
          try reader.skipValue()
          return true
        }
        format = try reader.string()
        // The rest of the file doesn't matter.
        return false
      }
      return format == Self.format
    }
  }

  /// Reads a file's bytes; it may be a pipe.
  ///
  /// - Throws: ``PlanError`` with the reason in the system's words.
  static func data(at path: String) throws(PlanError) -> Data {
    if URL(fileURLWithPath: path).isFolder == true {
      let example = SessionFolder(path: path).allSessions.first
      throw PlanError(
        file: path,
        reason: example.map { "is a folder; name a session, such as \($0)" } ?? "is a folder without sessions")
    }
    do {
      let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? handle.close() }
      return try handle.readToEnd() ?? Data()
    } catch {
      throw PlanError(file: path, reason: "can't be read: \(error.fileReason)")
    }
  }

  init(contentsOf path: String) throws(PlanError) {
    try self.init(Self.data(at: path), name: path)
  }

  /// Reads a session from a file's bytes.
  ///
  /// - Throws: ``PlanError`` with the line and the reason if it isn't one, or is one of a newer version.
  init(_ data: Data, name: String) throws(PlanError) {
    let bytes = [UInt8](data)
    let root = try Self.members(of: bytes, name: name)
    guard root["format"] == .string(Self.format) else {
      throw PlanError(
        file: name, reason: "is not a session: it has no member \"format\" with the value \"\(Self.format)\"")
    }
    guard case .int(let version)? = root["version"] else {
      throw PlanError(file: name, path: "version", reason: "is missing or is not an integer")
    }
    guard version <= Self.version else {
      throw PlanError(
        file: name,
        reason: "is a session of version \(version), and this tool reads version \(Self.version); update the tool")
    }
    let session = SessionObject(members: root, file: name)
    guard root["entries"] != nil else {
      throw PlanError(file: name, path: "entries", reason: "is missing or is not an array")
    }
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    identity = "\(hasher.finalize())"
    self.name = name
    title = try session.text("title") ?? ""
    omitted = try session.integer("omittedEntries") ?? 0
    if case .object(let plan)? = root["plan"] {
      let plan = SessionObject(members: plan, file: name, path: "plan")
      self.plan = PlanIdentity(name: try plan.text("name"), digest: try plan.text("digest"))
    } else {
      plan = nil
    }
    failures = try session.objects("failures") { failure throws(PlanError) in
      Failure(message: try failure.requiredText("message"), location: try failure.text("location") ?? "")
    }
    losses = try session.objects("lost") { loss throws(PlanError) in
      Loss(launch: try loss.text("launch") ?? "", count: try loss.integer("count") ?? 0)
    }
    var place = 0
    entries = try session.objects("entries") { entry throws(PlanError) in
      place += 1
      return try Entry(entry, place: place)
    }
  }

  private static func members(of bytes: [UInt8], name: String) throws(PlanError) -> [String: TrackingValue] {
    guard !bytes.isEmpty else { throw PlanError(file: name, reason: "is empty, expected a session") }
    do throws(JSONError) {
      return try JSONReader.read(bytes, maximumDepth: deepest) { (reader) throws(JSONError) in try reader.members() }
    } catch {
      throw PlanError(error, in: bytes, of: name)
    }
  }
}

extension SessionFile.Entry {
  /// Reads an entry; `place` is its number if it has none.
  fileprivate init(_ entry: SessionObject, place: Int) throws(PlanError) {
    guard let kind = try? entry.requiredText("kind") else {
      throw PlanError(file: entry.file, path: entry.path, reason: "an entry needs a \"kind\" that is a string")
    }
    number = try entry.integer("number") ?? place
    isMatched = entry.members["isMatched"] == .bool(true)
    isRejection = kind == "rejection"
    var problems = try entry.objects("findings") { finding throws(PlanError) in
      let message = try finding.requiredText("message")
      return try finding.text("path").map { "\($0): \(message)" } ?? message
    }
    if isRejection {
      let path = try entry.text("path").map { "\($0): " } ?? ""
      problems.append("rejected (\(try entry.integer("status") ?? 0)): \(path)\(try entry.text("reason") ?? "")")
    }
    if entry.members["isUnmatched"] == .bool(true) { problems.append("no stub matches it") }
    if let problem = try entry.text("problem") { problems.append(problem) }
    self.problems = problems
    guard kind == "event" else {
      let target = try entry.text("target") ?? ""
      name = try entry.text("method").map { "\($0) \(target)" } ?? kind
      event = nil
      return
    }
    guard let name = try? entry.requiredText("name"), case .object(let params) = entry.members["params"] ?? .object([:])
    else {
      throw PlanError(
        file: entry.file, path: entry.path,
        reason: "an event needs a \"name\" that is a string, and \"params\" that are an object")
    }
    self.name = name
    let event = TrackingEvent(
      name: name, params: [TrackingParam: TrackingValue](params.map { (.custom(key: $0), $1) }) { first, _ in first })
    self.event = try entry.text("at").flatMap(CallSite.init).map(event.at) ?? event
  }
}

extension SessionFile {
  /// The entries that are events.
  var events: [(number: Int, event: TrackingEvent, isMatched: Bool)] {
    entries.compactMap { entry in entry.event.map { (entry.number, $0, entry.isMatched) } }
  }

  /// The names of the events' call sites.
  var callSiteNames: CallSiteNames { CallSiteNames(of: entries.lazy.compactMap { $0.event?.callSite }) }

  /// The number of submissions that the server refused.
  var rejections: Int { entries.count(where: \.isRejection) }

  /// The number of events that were tracked and never arrived.
  var lost: Int {
    losses.reduce(0) { total, loss in
      let sum = total.addingReportingOverflow(loss.count)
      return sum.overflow ? .max : sum.partialValue
    }
  }
}

/// An object in a session, whose members are read by their types.
private struct SessionObject {
  let members: [String: TrackingValue]
  let file: String
  /// The object's place: `entries[2]`; empty for the whole session.
  var path = ""

  private func error(_ name: String, _ reason: String) -> PlanError {
    PlanError(file: file, path: path.isEmpty ? name : "\(path).\(name)", reason: reason)
  }

  /// A member that may be missing or `null`.
  private func value<Value>(
    _ name: String, _ value: (TrackingValue) -> Value?, _ problem: String
  ) throws(PlanError) -> Value? {
    guard let member = members[name], member != .null else { return nil }
    guard let value = value(member) else { throw error(name, "is \(problem)") }
    return value
  }

  func text(_ name: String) throws(PlanError) -> String? { try value(name, { $0.stringValue }, "not a string") }
  func integer(_ name: String) throws(PlanError) -> Int? { try value(name, { $0.intValue }, "not an integer") }

  func requiredText(_ name: String) throws(PlanError) -> String {
    guard let text = try text(name) else { throw error(name, "is missing") }
    return text
  }

  /// The elements of an array of objects; empty if it is missing.
  func objects<Element>(
    _ name: String, _ read: (SessionObject) throws(PlanError) -> Element
  ) throws(PlanError) -> [Element] {
    var found: [Element] = []
    for (index, element) in (try value(name, { $0.arrayValue }, "missing or is not an array") ?? []).enumerated() {
      let place = "\(path.isEmpty ? "" : "\(path).")\(name)[\(index)]"
      guard let members = element.objectValue else {
        throw PlanError(file: file, path: place, reason: "is not an object")
      }
      found.append(try read(SessionObject(members: members, file: file, path: place)))
    }
    return found
  }
}
