import Foundation
import TrackingModel
import TrackingServer

/// The entries and notes of one server, in parts for the page.
final class InspectorFeed: Sendable {
  /// The maximum number of entries of a part; the page requests the next at its own pace.
  private static let mostEntries = 4_000
  /// The size in bytes after which a part ends; an entry is never cut.
  private static let mostBytes = 1_048_576

  let server: TrackingServer
  /// The origin of all times.
  private let start = Locked<ContinuousClock.Instant?>(nil)

  init(of server: TrackingServer) {
    self.server = server
  }

  /// The state that the page already has; each part contains the next one.
  struct Cursor {
    /// The test's number in a run of tests; 0 for a page of one server.
    var test = 0
    /// The number of the last entry.
    var after = 0
    var revision = 0
    var responses = -1
    var steps = 0
    var plan = 0
    var redeliveries = 0
    var tests = 0

    init(test: Int) { self.test = test }

    init(_ query: ReceivedFields) {
      // Below `Int.max`, so that the number of the next entry is an `Int`.
      func number(_ name: String) -> Int { query[name].flatMap(Int.init).map { min(max($0, 0), .max - 1) } ?? 0 }
      (test, after, revision, steps) = (number("test"), number("after"), number("revision"), number("steps"))
      (plan, redeliveries, tests) = (number("plan"), number("redeliveries"), number("tests"))
      responses = query["responses"] == nil ? -1 : number("responses")
    }

    var json: TrackingValue {
      [
        "test": .int(test), "after": .int(after), "revision": .int(revision), "responses": .int(responses),
        "steps": .int(steps), "plan": .int(plan), "redeliveries": .int(redeliveries), "tests": .int(tests),
      ]
    }
  }

  func hasNews(after cursor: Cursor) -> Bool {
    server.journal.nextNumber > cursor.after + 1 || server.sessionNotes.revision != cursor.revision
      || server.journal.revision != cursor.responses
  }

  func isComplete(at cursor: Cursor) -> Bool {
    cursor.revision >= server.sessionNotes.revision && cursor.after >= server.journal.nextNumber - 1
  }

  /// Calls `wake` at the next news; returns a function that cancels the call.
  func wakeAtNews(after cursor: Cursor, _ wake: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let journal = server.journal
    let ofNotes = server.sessionNotes.wake(after: cursor.revision, wake)
    if ofNotes == nil { wake() }
    switch journal.news(from: cursor.after + 1, revision: cursor.responses, orWake: wake) {
    case .none(let waiter):
      return {
        journal.cancel(waiter)
        ofNotes?()
      }
    case .entries, .revised:
      wake()
      return { ofNotes?() }
    }
  }

  /// The entries that the page doesn't have, and what has changed.
  ///
  /// - Parameter pending: The numbers of the requests that the page has without their responses.
  /// - Parameter more: Members about the run of tests.
  func part(after cursor: Cursor, pending: [Int], _ more: [String: TrackingValue] = [:]) -> [UInt8] {
    let journal = server.journal
    var next = cursor
    next.responses = journal.revision
    let end = journal.nextNumber
    // Read in place: copying each part would allocate and free many pages.
    let entries = journal.entries(from: cursor.after + 1)
    let first = entries.first { _ in true }
    let last = first.map { $0.number + min(entries.count, Self.mostEntries) - 1 }
    let completed = completed(of: pending, upTo: cursor.after)
    let numbers = cursor.after + 1..<max(last ?? 0, cursor.after) + 1
    var notes = server.sessionNotes.snapshot(since: cursor.revision, of: numbers)
    notes.steps = Array(notes.steps.dropFirst(cursor.steps))
    let start = start(at: first, notes)
    // A step is shown before the next entry, which may not be in this part.
    notes.steps = Array(notes.steps.prefix { $0.place <= (last ?? end) + 1 })
    next.redeliveries = addRedeliveries(of: numbers, after: cursor.redeliveries, to: &notes)
    (next.plan, next.revision) = (notes.ruleRevision, notes.revision)
    let more = first == nil && cursor.after == 0 ? more.merging(setup) { $1 } : more
    return document(completed, notes, start, after: cursor).json(
      followedBy: entries, atMost: Self.mostEntries, within: Self.mostBytes
    ) { contents in
      next.after = contents.last ?? max(cursor.after, end - 1)
      next.steps += contents.steps
      return more.merging([
        "cursor": next.json, "isMore": .bool(next.after < end - 1), "isHeld": .bool(notes.isHeld),
        "marks": Self.changedMarks(notes, upTo: cursor.after),
      ]) { $1 }
    }
  }

  /// The pending requests that have responses now.
  private func completed(of pending: [Int], upTo last: Int) -> [JournalEntry] {
    pending.filter { $0 <= last }.compactMap { number in
      server.journal.entries(from: number, atMost: 1).first { $0.number == number && $0.request?.hasResponse == true }
    }
  }

  /// The beginning of the session, fixed by the first part with an entry or a step; `nil` before.
  private func start(at first: JournalEntry?, _ notes: SessionNotes.Snapshot) -> ContinuousClock.Instant? {
    start.withLock { start in
      if start == nil, first != nil || !notes.steps.isEmpty { start = SessionDocument.start(at: first, notes) }
      return start
    }
  }

  /// Adds the numbers of redeliveries to the marks of entries; returns the number of all redeliveries, for the next cursor.
  private func addRedeliveries(
    of numbers: Range<Int>, after known: Int, to notes: inout SessionNotes.Snapshot
  ) -> Int {
    let redelivered = server.journal.redeliveryCounts(of: numbers, after: known)
    for (entry, count) in redelivered.counts { notes.marks[entry, default: .init()].redeliveries = count }
    return redelivered.known
  }

  private func document(
    _ completed: [JournalEntry], _ notes: SessionNotes.Snapshot, _ start: ContinuousClock.Instant?, after cursor: Cursor
  ) -> SessionDocument {
    var document = SessionDocument(
      entries: completed, notes: notes, lost: server.journal.lostEvents(since: .beginning), start: start)
    document.read(server)
    document.isServed = server.journal.vocabulary == .options
    document.hasPlan = cursor.plan != notes.ruleRevision
    document.hasMutants = cursor.revision < notes.mutantsRevision
    document.hasTests = cursor.revision < notes.testsRevision
    return document
  }

  /// The marks of entries that the page already has, by number.
  private static func changedMarks(_ notes: SessionNotes.Snapshot, upTo last: Int) -> TrackingValue {
    let changed = notes.marks.filter { $0.key <= last }.map { ("\($0)", $1.json) }
    return .object(Dictionary(uniqueKeysWithValues: changed))
  }

  /// The hints before the first event: the server's addresses, for an app and for the SDKs whose formats are accepted.
  private var setup: [String: TrackingValue] {
    guard let endpoint = server.endpoint, let port = endpoint.url.port else { return [:] }
    let url = URL(string: "http://localhost:\(port)") ?? endpoint.url
    return [
      "setup": [
        "url": .string(url.absoluteString),
        "environment": .object(endpoint.launchEnvironment.mapValues(TrackingValue.string)),
        "sdks": .array(
          server.stubs.acceptedFormats.map { format in
            ["name": .string(format.name), "url": .string(format.address(at: url).absoluteString)]
          }),
      ]
    ]
  }
}
