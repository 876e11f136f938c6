import Foundation
import StubModel
import TrackingModel
import TrackingRules
import TrackingSecrets
import TrackingServer

/// A session as `session.json`, for attachments, the report, the inspector's feed and the command.
///
/// The article "The session format" of the inspector's documentation describes it.
struct SessionDocument: Sendable {
  static let format: StaticString = "tracking-session"
  static let version = 1

  var entries: [JournalEntry]
  var notes: SessionNotes.Snapshot
  var lost: [LostEvents]
  /// The number of entries omitted at the beginning.
  var omitted = 0
  /// The maximum number of bytes that are written of a body.
  var longestBody = 4_096
  /// The responses to the requests; `nil` to omit them.
  private var responses: ResponseLog?
  private var backend: (any Backend)?
  private static let secretFields = SecretFields()
  /// Whether `tracking serve` has received it, so that the page copies JSON in place of Swift.
  var isServed = false
  /// Whether the planned events are written.
  var hasPlan = true
  var hasMutants = true
  var hasTests = true
  /// The maximum number of bytes of planned events.
  private var planSize = Int.max
  /// The beginning of the session; all times are relative to it.
  private let start: Arrival
  /// The time of day at the beginning.
  private let began: Date

  init(
    entries: [JournalEntry] = [], notes: SessionNotes.Snapshot = .init(), lost: [LostEvents] = [],
    start: ContinuousClock.Instant? = nil
  ) {
    self.entries = entries
    self.notes = notes
    self.lost = lost
    let start = start ?? Self.start(at: entries.first, notes)
    self.start = Arrival(start)
    began = Date(timeIntervalSinceNow: -((ContinuousClock.now - start) / .seconds(1)))
  }

  /// Writes a server's responses, too, and leaves out what its recording redacts.
  mutating func read(_ server: TrackingServer) {
    (responses, backend) = (server.journal.responses, server.backend.withLock { $0 })
  }

  /// The time of the first entry, or of the first step if that is earlier.
  static func start(at first: JournalEntry?, _ notes: SessionNotes.Snapshot) -> ContinuousClock.Instant {
    [first?.arrival, notes.steps.first?.time].compactMap(\.self).min() ?? .now
  }

  var isEmpty: Bool { entries.isEmpty && lost.isEmpty }

  /// The document, one entry per line.
  var json: [UInt8] { json(within: .max) { _ in [:] } }

  /// The document with as many of its last entries as fit a size in bytes.
  ///
  /// An entry that would take most of the room is left out, so that one large body doesn't keep out all others.
  func json(endingWithin size: Int) -> [UInt8] {
    var kept: [JournalEntry] = []
    var room = size
    for entry in entries.reversed() {
      var writer = JSONWriter()
      write(entry, to: &writer)
      guard writer.count <= size / 2 else { continue }
      room -= writer.count
      guard room > 0 else { break }
      kept.append(entry)
    }
    var copy = self
    copy.omitted += entries.count - kept.count
    copy.planSize = size / 4
    copy.entries = kept.reversed()
    if copy.omitted > 0, let first = copy.entries.first { copy.notes.steps.removeAll { $0.place < first.number } }
    return copy.json
  }

  /// The document with its entries, followed by later ones within the limits, but at least one.
  ///
  /// - Parameter more: Members of a part of a session, which depend on its contents.
  func json(
    followedBy later: JournalEntries? = nil, atMost most: Int = 0, within size: Int,
    _ more: (Contents) -> [String: TrackingValue]
  ) -> [UInt8] {
    var members: [String: TrackingValue] = [
      "format": .string("\(Self.format)"), "version": .int(Self.version), "title": .string(notes.title),
      "began": TrackingValue(began),
      "failures": .array(notes.failures.map { ["message": .string($0.message), "location": .string($0.location)] }),
      "waits": .array(notes.waits.map(Self.value)), "lost": .array(lost.map(Self.value)),
    ]
    if isServed { members["isServed"] = true }
    if hasTests, let tests = notes.tests { members["tests"] = tests() }
    if omitted > 0 { members["omittedEntries"] = .int(omitted) }
    if hasPlan, let rule = notes.rule as? any OutlinedRule { members["plan"] = cut(rule.outline) }
    if hasMutants, let mutants = notes.mutants { members["mutants"] = mutants }
    var writer = JSONWriter()
    writer.reserve(min((entries.count + min(later?.count ?? 0, most)) * 192, size))
    writer.object { writer in
      var contents = Contents()
      writer.members(members)
      writer.member("entries") { writer in
        writer.lines { contents = writeEntries(followedBy: later, atMost: most, within: size, to: &$0) }
      }
      writer.members(more(contents))
    }
    writer.endDocument()
    return writer.bytes
  }

  /// The extent of a part of a session.
  struct Contents {
    /// The number of the last entry written after the document's own entries; `nil` if none was written.
    var last: Int?
    var steps = 0
  }

  /// Writes each step before the entry that arrived next.
  private func writeEntries(
    followedBy later: JournalEntries?, atMost most: Int, within size: Int, to writer: inout JSONWriter
  ) -> Contents {
    var contents = Contents()
    func writeSteps(before number: Int) {
      while contents.steps < notes.steps.count, notes.steps[contents.steps].place <= number {
        writer.beginLine()
        write(notes.steps[contents.steps], to: &writer)
        contents.steps += 1
      }
    }
    func writeNext(_ entry: JournalEntry) {
      writeSteps(before: entry.number)
      writer.beginLine()
      write(entry, to: &writer)
    }
    for entry in entries { writeNext(entry) }
    var (later, left) = (later, most)
    while let block = later?.nextBlock(atMost: left) {
      for entry in block {
        if contents.last != nil, writer.count >= size { return contents }
        writeNext(entry)
        contents.last = entry.number
      }
      left -= block.count
    }
    writeSteps(before: .max)
    return contents
  }

  /// Writes the document's entries as elements of an array, without its steps.
  func writeElements(to writer: inout JSONWriter) {
    for entry in entries {
      writer.beginElement()
      write(entry, to: &writer)
    }
  }

  /// The plan's events that fit, those received first.
  private func cut(_ outline: TrackingValue) -> TrackingValue {
    guard planSize < .max, case .object(var plan) = outline, case .array(let events)? = plan["events"] else {
      return outline
    }
    let received = Set(entries.compactMap { $0.event?.event.name })
    func isReceived(_ event: TrackingValue) -> Bool {
      if case .object(let members) = event, case .string(let name)? = members["name"] {
        received.contains(name)
      } else {
        false
      }
    }
    var room = planSize
    var kept = Set<Int>()
    for isFirst in [true, false] {
      for (place, event) in events.enumerated() where isReceived(event) == isFirst && room > 0 {
        var writer = JSONWriter()
        writer.write(event)
        room -= writer.count
        if room > 0 { kept.insert(place) }
      }
    }
    guard kept.count < events.count else { return outline }
    plan["events"] = .array(events.indices.filter(kept.contains).map { events[$0] })
    plan["omittedEvents"] = .int(events.count - kept.count)
    return .object(plan)
  }

  private static func value(_ wait: SessionNotes.OpenWait) -> TrackingValue {
    let progress = wait.progress()
    var members: [String: TrackingValue] = [
      "check": .string(wait.check), "location": .string(wait.location), "progress": .string(progress.text),
      "state": "open",
    ]
    members["nearestMiss"] = progress.nearestMiss.map(TrackingValue.string)
    return .object(members)
  }

  private static func value(_ lost: LostEvents) -> TrackingValue {
    .object([
      "launch": .string(lost.launch), "tracked": .unsigned(lost.tracked), "count": .int(lost.count),
      "numbers": .array(lost.numbers.map { .array([.unsigned($0.lowerBound), .unsigned($0.upperBound)]) }),
    ])
  }
}

// MARK: - Entries

// Written member by member into one buffer, since an open inspector must cost little per event.

extension SessionDocument {
  private func write(_ entry: JournalEntry, to json: inout JSONWriter) {
    json.object { json in
      switch entry {
      case .event(let event): write(event, to: &json)
      case .request(let request): write(request, to: &json)
      case .rejection(let rejection): write(rejection, to: &json)
      }
      if !notes.marks.isEmpty, let mark = notes.marks[entry.number] {
        json.member("isMatched", mark.isMatched.map(TrackingValue.bool))
        json.member("redeliveries", mark.redeliveries)
      }
    }
  }

  private func begin(_ kind: String, _ number: Int, _ nanoseconds: Int64, _ json: inout JSONWriter) {
    json.member("kind", kind)
    json.member("number", number)
    writeMilliseconds(nanoseconds - start.nanoseconds, &json)
  }

  private func writeMilliseconds(_ nanoseconds: Int64, _ json: inout JSONWriter) {
    json.member("milliseconds") { $0.write(thousandths: Int(nanoseconds / 1_000)) }
  }

  private func write(_ step: SessionNotes.Step, to json: inout JSONWriter) {
    json.object { json in
      begin("note", 0, Arrival(step.time).nanoseconds, &json)
      json.member("text", step.text)
    }
  }

  private func write(_ event: RecordedEvent, to json: inout JSONWriter) {
    begin("event", event.number, event.nanoseconds, &json)
    json.member("name", event.event.name)
    json.member("params") { $0.write(event.event.params) }
    json.member("at", event.event.callSite.map { "\($0)" })
    json.member("launch", event.launch)
    json.member("process", event.process)
    json.member("sequence", event.sequence.map(TrackingValue.unsigned))
    json.member("connection", event.connection)
    if let origin = event.event.origin {
      json.member("vendor", origin.format)
      json.member("id", origin.id)
      if origin.isLeftover { json.member("isLeftover", .bool(true)) }
      if !origin.context.isEmpty { json.member("context", .object(origin.context)) }
    }
    if !event.isAcknowledged { json.member("isAcknowledged", .bool(false)) }
    guard let rule = notes.rule else { return }
    let findings = rule.findings(in: event.event).filter(\.isFailure)
    guard !findings.isEmpty else { return }
    json.member(
      "findings",
      .array(
        findings.map { finding in
          var members: [String: TrackingValue] = ["message": .string(finding.reason)]
          if !finding.path.isEmpty { members["path"] = .string(finding.path) }
          return .object(members)
        }))
  }

  private func write(_ request: RecordedRequest, to json: inout JSONWriter) {
    begin("request", request.number, Arrival(request.arrival).nanoseconds, &json)
    json.member("method", request.method.rawValue)
    json.member("target", request.target)
    json.member("status", request.status)
    json.member("hasResponse", .bool(request.hasResponse))
    json.member("stub", request.stub.map { "\($0)" })
    json.member("fault", request.fault.map { "\($0)" })
    json.member("problem", request.problem)
    json.member("process", request.process)
    if request.isUnmatched { json.member("isUnmatched", .bool(true)) }
    json.member("nearestStub", request.nearestStub)
    json.member("headers", value(request.request.headers))
    write(request.request.body, of: request.bodySize, to: &json)
    if let response = responses?[request] { write(response, to: request, &json) }
    json.member("connection", request.connection)
    json.member("exchange", request.exchange)
  }

  private func write(_ rejection: RejectedSubmission, to json: inout JSONWriter) {
    begin("rejection", rejection.number, Arrival(rejection.arrival).nanoseconds, &json)
    json.member("status", rejection.status)
    json.member("reason", rejection.reason)
    json.member("path", rejection.path)
    json.member("offset", rejection.offset)
    write(rejection.body, of: rejection.bodySize, to: &json)
    json.member("launch", rejection.launch)
    json.member("process", rejection.process)
    json.member("connection", rejection.connection)
  }

  private func write(_ response: ResponseLog.Response, to request: RecordedRequest, _ json: inout JSONWriter) {
    json.member("response") { json in
      json.object { json in
        json.member("fields", value(response.fields))
        if let sending = request.sending {
          writeMilliseconds(Arrival(sending.instant).nanoseconds - Arrival(request.arrival).nanoseconds, &json)
        }
        write(Data(response.content), of: response.size, to: &json)
      }
    }
  }

  private func value(_ fields: MessageHeaders) -> TrackingValue {
    .array(
      fields.fields.map { field in
        let isSecret = backend?.isSecret(field: field.name) ?? Self.secretFields.contains(field.name)
        return ["name": .string(field.name), "value": .string(isSecret ? "(left out)" : field.value)]
      })
  }

  /// Writes the beginning of a body; `size` is `nil` for a stream.
  private func write(_ body: Data, of size: Int?, to json: inout JSONWriter) {
    guard size != 0 else { return }
    let shown = body.prefix(longestBody)
    json.member("body", String(decoding: shown, as: UTF8.self))
    json.member("bodySize", size)
    // The cut may split a character.
    let isText = (0...3).contains { String(data: shown.dropLast($0), encoding: .utf8) != nil }
    if !isText { json.member("bodyBase64", shown.base64EncodedString()) }
  }
}
