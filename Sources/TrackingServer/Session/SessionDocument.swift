import Foundation
import StubModel
import TrackingModel

/// A session as `session.json`: the one form of attachments, of the report, of the inspector's feed and of the command.
///
/// The article "The session format" of the inspector's documentation describes it.
package struct SessionDocument: Sendable {
  package static let format: StaticString = "tracking-session"
  package static let version = 1

  /// What stands in the place of credentials: a session is a file that people send to each other.
  private static let secretFields: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "tracking-session",
  ]

  package var entries: [JournalEntry]
  package var notes: SessionNotes.Snapshot
  package var lost: [LostEvents]
  /// Times are told from here.
  package var start: ContinuousClock.Instant
  /// Entries that were left out at the beginning.
  package var omitted = 0
  /// Bytes of a body, of which a journal may hold very many.
  package var longestBody = 4_096
  /// An event as a value of its Swift type, for a test to copy; `nil` where the type is not known.
  package var swift: (@Sendable (TrackingEvent) -> String?)?

  package init(
    entries: [JournalEntry] = [], notes: SessionNotes.Snapshot = .init(), lost: [LostEvents] = [],
    start: ContinuousClock.Instant? = nil
  ) {
    self.entries = entries
    self.notes = notes
    self.lost = lost
    self.start = start ?? entries.first?.arrival ?? .now
  }

  package var isEmpty: Bool { entries.isEmpty && lost.isEmpty }

  /// The document, one entry a line.
  package var json: [UInt8] { json(entries: entries.map(json)) }

  /// The same with the last entries alone, so that it stays about within a size.
  ///
  /// - Parameter size: Bytes for the entries.
  package func json(within size: Int) -> [UInt8] {
    var kept: [[UInt8]] = []
    var room = size
    for entry in entries.reversed() {
      let text = json(entry)
      room -= text.count
      guard room > 0 else { break }
      kept.append(text)
    }
    var copy = self
    copy.omitted += entries.count - kept.count
    return copy.json(entries: kept.reversed())
  }

  /// - Parameter more: Members that only a part of a session has.
  package func json(entries: [[UInt8]], _ more: [String: TrackingValue] = [:]) -> [UInt8] {
    var members: [String: TrackingValue] = [
      "format": .string("\(Self.format)"), "version": .int(Self.version), "title": .string(notes.title),
      "failures": .array(notes.failures.map { ["message": .string($0.message), "location": .string($0.location)] }),
      "waits": .array(notes.waits.map(Self.value)), "lost": .array(lost.map(Self.value)),
    ]
    if omitted > 0 { members["omittedEntries"] = .int(omitted) }
    members.merge(more) { $1 }
    var writer = JSONWriter()
    writer.write(.object(members))
    // The entries come last, and each is written by itself.
    var bytes = writer.bytes
    bytes.removeLast()
    bytes += Array(",\"entries\":[\n".utf8)
    for (index, entry) in entries.enumerated() {
      if index > 0 { bytes += Array(",\n".utf8) }
      bytes += entry
    }
    return bytes + Array("\n]}\n".utf8)
  }

  private static func value(_ wait: SessionNotes.OpenWait) -> TrackingValue {
    let standing = wait.standing()
    var members: [String: TrackingValue] = [
      "question": .string(wait.question), "location": .string(wait.location), "standing": .string(standing.text),
      "state": "open",
    ]
    members["nearestMiss"] = standing.nearestMiss.map(TrackingValue.string)
    return .object(members)
  }

  private static func value(_ lost: LostEvents) -> TrackingValue {
    .object([
      "launch": .string(lost.launch), "tracked": .unsigned(lost.tracked), "count": .int(lost.count),
      "numbers": .array(lost.numbers.map { .array([.unsigned($0.lowerBound), .unsigned($0.upperBound)]) }),
    ])
  }

  /// The marks that have changed, for entries that somebody has already.
  package var marks: TrackingValue {
    .object(Dictionary(uniqueKeysWithValues: notes.marks.map { ("\($0)", .object(Self.members(of: $1))) }))
  }

  private static func members(of mark: SessionNotes.Mark) -> [String: TrackingValue] {
    var members: [String: TrackingValue] = [:]
    members["isMatched"] = mark.isMatched.map(TrackingValue.bool)
    if !mark.findings.isEmpty {
      members["findings"] = .array(
        mark.findings.map { finding in
          var members: [String: TrackingValue] = ["message": .string(finding.message)]
          members["path"] = finding.path.map(TrackingValue.string)
          return .object(members)
        })
    }
    return members
  }
}

// MARK: - Entries

extension SessionDocument {
  /// One entry.
  ///
  /// Written member by member: an inspector that is open must cost little for each event.
  package func json(_ entry: JournalEntry) -> [UInt8] {
    var object = ObjectWriter()
    switch entry {
    case .event(let event): write(event, to: &object)
    case .request(let request): write(request, to: &object)
    case .rejection(let rejection): write(rejection, to: &object)
    }
    if let mark = notes.marks[entry.number] {
      for (name, value) in Self.members(of: mark).sorted(by: { $0.key < $1.key }) { object.member(named: name, value) }
    }
    return object.end()
  }

  private func begin(
    _ kind: StaticString, _ number: Int, _ arrival: ContinuousClock.Instant, _ object: inout ObjectWriter
  ) {
    object.begin(kind: kind)
    object.member("number", number)
    let (seconds, attoseconds) = (arrival - start).components
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    object.member("milliseconds", .double(Double(microseconds) / 1_000))
  }

  private func write(_ event: RecordedEvent, to object: inout ObjectWriter) {
    begin("event", event.number, event.arrival, &object)
    object.member("name", event.event.name)
    object.member("params", event.event.params)
    object.member("launch", event.launch)
    object.member("sequence", event.sequence.map(TrackingValue.unsigned))
    object.member("connection", event.connection)
    if let origin = event.event.origin {
      object.member("vendor", origin.format)
      object.member("id", origin.id)
      if origin.isLeftover { object.member("isLeftover", .bool(true)) }
      if !origin.context.isEmpty { object.member("context", .object(origin.context)) }
    }
    if !event.isAcknowledged { object.member("isAcknowledged", .bool(false)) }
    if let swift { object.member("swift", swift(event.event)) }
  }

  private func write(_ request: RecordedRequest, to object: inout ObjectWriter) {
    begin("request", request.number, request.arrival, &object)
    object.member("method", request.method)
    object.member("target", request.target)
    object.member("status", request.status)
    object.member("isAnswered", .bool(request.isAnswered))
    object.member("stub", request.stub.map { "\($0)" })
    object.member("fault", request.fault.map { "\($0)" })
    object.member("problem", request.problem)
    if request.isUnmatched { object.member("isUnmatched", .bool(true)) }
    object.member("nearestStub", request.nearestStub)
    object.member(
      "headers",
      .array(
        request.request.headers.fields.map { field in
          let isSecret = Self.secretFields.contains(field.name.lowercased())
          return ["name": .string(field.name), "value": .string(isSecret ? "(left out)" : field.value)]
        }))
    write(request.request.body, of: request.bodySize, to: &object)
    object.member("connection", request.connection)
    object.member("exchange", request.exchange)
  }

  private func write(_ rejection: RejectedSubmission, to object: inout ObjectWriter) {
    begin("rejection", rejection.number, rejection.arrival, &object)
    object.member("status", rejection.status)
    object.member("reason", rejection.reason)
    object.member("path", rejection.path)
    object.member("offset", rejection.offset)
    write(rejection.body, of: rejection.bodySize, to: &object)
    object.member("launch", rejection.launch)
    object.member("connection", rejection.connection)
  }

  private func write(_ body: Data, of size: Int, to object: inout ObjectWriter) {
    guard size > 0 else { return }
    object.member("body", String(decoding: body.prefix(longestBody), as: UTF8.self))
    object.member("bodySize", size)
  }
}

/// Writes one object, member by member; members without a value are left out.
private struct ObjectWriter {
  private var json = JSONWriter()

  mutating func begin(kind: StaticString) {
    json.write(raw: "{\"kind\":\"")
    json.write(raw: kind)
    json.write(raw: "\"")
  }

  mutating func end() -> [UInt8] {
    json.write(raw: "}")
    return json.bytes
  }

  mutating func member(_ name: StaticString, _ value: TrackingValue?) {
    guard let value else { return }
    self.name(name)
    json.write(value)
  }

  mutating func member(named name: String, _ value: TrackingValue) {
    json.write(raw: ",")
    json.write(string: name)
    json.write(raw: ":")
    json.write(value)
  }

  mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    json.write(string: value)
  }

  mutating func member(_ name: StaticString, _ value: Int?) { member(name, value.map(TrackingValue.int)) }

  mutating func member(_ name: StaticString, _ params: [TrackingParam: TrackingValue]) {
    self.name(name)
    json.write(params)
  }

  private mutating func name(_ name: StaticString) {
    json.write(raw: ",\"")
    json.write(raw: name)
    json.write(raw: "\":")
  }
}
