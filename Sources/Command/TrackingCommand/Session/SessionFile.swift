import Foundation
import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingChecks
import TrackingRules

/// A `session.json`, as `tracking serve --save` and failed tests write it.
struct SessionFile: Sendable {
  struct Failure: Sendable {
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
    /// The text of a note; `nil` for entries of other kinds.
    let note: String?
    /// Whether a wait of the test matched the event.
    let isMatched: Bool
    /// Whether the entry is a submission that the server refused.
    let isRejection: Bool
  }

  /// The events of one launch that were tracked but never arrived.
  struct Loss: Sendable {
    let launch: String
    let count: Int
  }

  /// The newest supported version.
  private static let version = 1
  private static let format = "tracking-session"
  private static let deepest = 512
  private static let timeOfDay = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The file's path, as the caller gave it.
  let name: String
  /// The name of the test, or that of the server; may be empty.
  let title: String
  /// Whether `tracking serve` has received it.
  let isServed: Bool
  /// The time of day of its beginning, in microseconds since 1970; `nil` if unknown.
  let began: Int?
  /// The tests of `tracking serve`, in the order of their beginnings.
  let tests: [ServedTest]
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

  /// Whether a file claims to be a session of any version, even if the rest can't be read; pipes aren't read, because they can be read only once.
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
    return Data(try JSONFile(at: path).bytes)
  }

  init(contentsOf path: String) throws(PlanError) {
    try self.init(Self.data(at: path), name: path)
  }

  /// Reads a session from a file's bytes.
  ///
  /// - Throws: ``PlanError`` with the line and the reason if it isn't one, or has a newer version.
  init(_ data: Data, name: String) throws(PlanError) {
    guard !data.isEmpty else { throw PlanError(file: name, reason: "is empty, expected a session") }
    let file = JSONFile(data, name: name)
    self = try file.read(maximumDepth: Self.deepest) { (root) throws(JSONError) in
      try SessionFile(root, name: name, hash: file.bytes.hashValue)
    }
  }

  private init(_ root: JSONNode, name: String, hash: Int) throws(JSONError) {
    guard try root["format"]?.tree.string == Self.format else {
      throw root.error("is not a session: it has no member \"format\" with the value \"\(Self.format)\"")
    }
    let version = try root.member("version").integer()
    guard version <= Self.version else {
      throw root.error(
        "is a session of version \(version), and this tool reads version \(Self.version); update the tool")
    }
    identity = "\(hash)"
    self.name = name
    title = try root["title"]?.string() ?? ""
    isServed = try root["isServed"]?.tree.bool == true
    omitted = try root["omittedEntries"]?.integer() ?? 0
    plan = try root["plan"].flatMap { (plan) throws(JSONError) in
      PlanIdentity(name: try plan["name"]?.string(), digest: try plan["digest"]?.string())
    }
    failures = try root.list("failures").map { (failure) throws(JSONError) in
      Failure(message: try failure.member("message").string(), location: try failure["location"]?.string() ?? "")
    }
    losses = try root.list("lost").map { (loss) throws(JSONError) in
      Loss(launch: try loss["launch"]?.string() ?? "", count: try loss["count"]?.integer() ?? 0)
    }
    let entries = try root.member("entries").elements().enumerated().map { (place, entry) throws(JSONError) in
      try Entry(entry, place: place + 1)
    }
    self.entries = entries
    began = try root["began"].flatMap { (began) throws(JSONError) in
      try? Self.timeOfDay.parse(began.string())
    }.map { Int($0.timeIntervalSince1970 * 1_000_000) }
    tests =
      !isServed
      ? []
      : try root["tests"].map { (tests) throws(JSONError) in try ServedTest.all(in: tests) }
        ?? ServedTest.all(in: entries, failures)
  }
}

extension JSONNode {
  /// The elements of an optional member.
  fileprivate func list(_ name: String) throws(JSONError) -> [JSONNode] { try self[name]?.elements() ?? [] }
}

extension SessionFile.Entry {
  /// Reads an entry; `place` is its number if it has none.
  fileprivate init(_ entry: JSONNode, place: Int) throws(JSONError) {
    let kind = try entry.member("kind").string()
    // Below `Int.max`, so that the number of the next entry is an `Int`.
    number = min(try entry["number"]?.integer() ?? place, .max - 1)
    isMatched = try entry["isMatched"]?.tree.bool == true
    isRejection = kind == "rejection"
    note = kind == "note" ? try entry["text"]?.string() : nil
    var problems = try entry.list("findings").map { (finding) throws(JSONError) in
      let message = try finding.member("message").string()
      return try finding["path"].map { (path) throws(JSONError) in "\(try path.string()): \(message)" } ?? message
    }
    if isRejection {
      let path = try entry["path"].map { (path) throws(JSONError) in "\(try path.string()): " } ?? ""
      let status = try entry["status"]?.integer() ?? 0
      problems.append("rejected (\(status)): \(path)\(try entry["reason"]?.string() ?? "")")
    }
    if try entry["isUnmatched"]?.tree.bool == true { problems.append("no stub matches it") }
    if let problem = try entry["problem"]?.string() { problems.append(problem) }
    self.problems = problems
    guard kind == "event" else {
      let target = try entry["target"]?.string() ?? ""
      name = try entry["method"].map { (method) throws(JSONError) in "\(try method.string()) \(target)" } ?? kind
      event = nil
      return
    }
    name = try entry.member("name").string()
    let params = try entry["params"]?.values() ?? [:]
    let event = TrackingEvent(
      name: name, params: [TrackingParam: TrackingValue](params.map { (.custom(key: $0), $1) }) { first, _ in first })
    let site = try entry["at"].map { (site) throws(JSONError) in try site.string() }.flatMap(CallSite.init)
    self.event = site.map(event.at) ?? event
  }
}

extension ServedTest {
  /// The tests of a session from a version that wrote only where named ones begin: each lasts until the next, and all attempts of a name failed if
  /// one did.
  fileprivate static func all(in entries: [SessionFile.Entry], _ failures: [SessionFile.Failure]) -> [ServedTest] {
    // `checkout, wait:3` is the location of a failure of a test with a name.
    let failed = Set(failures.map { $0.location.replacing(/(^|, )(?:wait:[0-9]+|finish)$/, with: "") })
    let isRestFailed = !failed.isSubset(of: entries.compactMap(\.note))
    var tests = isRestFailed ? [ServedTest(from: 0, until: 0, hasFailed: true)] : []
    var next = 1
    for entry in entries {
      if let name = entry.note {
        if let last = tests.indices.last, tests[last].until == nil { tests[last].until = next }
        tests.append(ServedTest(name: name, place: tests.count, from: next, hasFailed: failed.contains(name)))
      } else {
        next = entry.number + 1
      }
    }
    return tests
  }
}

extension SessionFile {
  var events: [(number: Int, event: TrackingEvent, isMatched: Bool)] {
    entries.compactMap { entry in entry.event.map { (entry.number, $0, entry.isMatched) } }
  }

  var callSiteNames: CallSiteNames { CallSiteNames(of: entries.lazy.compactMap { $0.event?.callSite }) }

  var rejections: Int { entries.count(where: \.isRejection) }

  /// The number of events that were tracked but never arrived.
  var lost: Int {
    losses.reduce(0) { total, loss in
      let sum = total.addingReportingOverflow(loss.count)
      return sum.overflow ? .max : sum.partialValue
    }
  }
}
