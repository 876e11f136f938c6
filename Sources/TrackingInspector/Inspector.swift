import Foundation
import StubModel
import TrackingModel
import TrackingServer
import TrackingSockets

/// Serves the page, and the entries of one server to it.
///
/// The page is public and empty. Entries need the token, which is in the fragment of the printed URL and so never in a request's line.
final class Inspector: HostedPage {
  static let path = "/-tracking/"
  /// The most entries of one answer: the page asks again, at its own pace.
  static let mostEntries = 4_000
  /// Bytes after which an answer ends; an entry is never cut.
  static let mostBytes = 1_048_576
  /// The longest time that a request for news waits.
  static let longestWait = Duration.seconds(25)

  let token: String
  private let server: TrackingServer
  private let state = Locked(State())

  private struct State {
    /// Times are told from the first entry.
    var start: ContinuousClock.Instant?
    var openPolls = 0
    var polls = 0
    var lastPoll = ContinuousClock.now
  }

  init(of server: TrackingServer) {
    self.server = server
    // 128 bits.
    var generator = SystemRandomNumberGenerator()
    token = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    .joined()
  }

  var url: URL? {
    server.endpoint.flatMap { URL(string: "\(Self.path)#token=\(token)", relativeTo: $0.url)?.absoluteURL }
  }

  // MARK: - Requests

  func answer(_ request: HTTPRequest) -> PageAnswer {
    if let refusal = refusal(of: request) { return .response(refusal) }
    switch request.path {
    case Self.path: return .response(Self.page)
    case "\(Self.path)feed": return feed(request)
    default: return .response(.text(404, "The inspector is at \(Self.path)."))
    }
  }

  /// What may not be asked, or by whom.
  ///
  /// The server has checked Host and Origin already, by lists that a test can extend; these rules cannot be.
  private func refusal(of request: HTTPRequest) -> PageResponse? {
    guard request.method == "GET" else {
      return .text(405, "The inspector only answers GET: it changes nothing.", [("Allow", "GET")])
    }
    // A page may let its own host name resolve to loopback (DNS rebinding), but cannot hide the name.
    guard let host = request.host, ["localhost", "127.0.0.1", "[::1]"].contains(host) else {
      return .text(403, "The inspector answers as localhost, 127.0.0.1 and [::1] alone.")
    }
    if let origin = request.headers["Origin"], origin != "http://\(request.headers["Host"] ?? "")" {
      return .text(403, "The inspector answers its own page alone.")
    }
    return nil
  }

  private static let page = PageResponse(
    status: 200, fields: [("Content-Type", "text/html; charset=utf-8")], body: InspectorPage.live
  ).secured("\(InspectorPage.policy); frame-ancestors 'none'")

  // MARK: - The feed

  /// What the page knows already; each answer says what to ask for next.
  private struct Cursor {
    /// The number of the last entry.
    var after = 0
    /// What the test has said.
    var revision = 0
    var answers = -1
    var steps = 0
    /// The revision of the plan that the page has.
    var plan = 0
    var redeliveries = 0

    init(_ query: FormFields) {
      func number(_ name: String) -> Int { query[name].flatMap(Int.init).map { max($0, 0) } ?? 0 }
      (after, revision, steps) = (number("after"), number("revision"), number("steps"))
      (plan, redeliveries) = (number("plan"), number("redeliveries"))
      answers = query["answers"] == nil ? -1 : number("answers")
    }

    var json: TrackingValue {
      [
        "after": .int(after), "revision": .int(revision), "answers": .int(answers), "steps": .int(steps),
        "plan": .int(plan), "redeliveries": .int(redeliveries),
      ]
    }
  }

  /// The numbers of the requests that the page has without their answers.
  private static func unanswered(_ query: FormFields) -> [Int] {
    (query["unanswered"] ?? "").split(separator: ",").prefix(100).compactMap { Int($0) }
  }

  private func feed(_ request: HTTPRequest) -> PageAnswer {
    let site = request.headers["Sec-Fetch-Site"] ?? "same-origin"
    guard site == "same-origin" else { return .response(.text(403, "The feed is for the inspector's own page.")) }
    guard isAuthorized(request.headers["Authorization"]) else {
      return .response(
        .text(401, "The feed needs the token of the printed URL.", [("WWW-Authenticate", "Bearer")]))
    }
    let (cursor, unanswered) = (Cursor(request.query), Self.unanswered(request.query))
    let answer: @Sendable () -> PageAnswer = { [self] in
      let part = part(after: cursor, unanswered)
      // After the part is made: one that tells of a hold counts as a poll since the hold began.
      notePoll()
      return .response(.json(part))
    }
    let isNews =
      server.journal.nextNumber > cursor.after + 1 || server.notes.revision != cursor.revision
      || server.journal.revision != cursor.answers
    if isNews { return .work(answer) }
    return .wait(
      Self.longestWait,
      until: { [self] wake in
        state.withLock { state in
          state.openPolls += 1
          state.polls += 1
        }
        let cancel = wakeAtNews(after: cursor, wake)
        return { [self] in
          cancel()
          state.withLock { state in
            state.openPolls -= 1
            state.lastPoll = .now
          }
        }
      }, then: answer)
  }

  private func notePoll() {
    state.withLock { state in
      state.polls += 1
      state.lastPoll = .now
    }
  }

  private func wakeAtNews(after cursor: Cursor, _ wake: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let journal = server.journal
    let ofNotes = server.notes.wake(after: cursor.revision, wake)
    if ofNotes == nil { wake() }
    switch journal.news(from: cursor.after + 1, revision: cursor.answers, orWake: wake) {
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

  /// The entries after those that the page has, and what has changed.
  private func part(after cursor: Cursor, _ unanswered: [Int]) -> [UInt8] {
    let journal = server.journal
    var next = cursor
    next.answers = journal.revision
    let end = journal.nextNumber
    let entries = journal.entries(from: cursor.after + 1, atMost: Self.mostEntries)
    let answered = unanswered.filter { $0 <= cursor.after }.compactMap { number in
      journal.entries(from: number, atMost: 1).first { $0.number == number && $0.request?.isAnswered == true }
    }
    let numbers = cursor.after + 1..<max(entries.last?.number ?? 0, cursor.after) + 1
    var notes = server.notes.snapshot(since: cursor.revision, of: numbers)
    notes.steps = Array(notes.steps.dropFirst(cursor.steps))
    let start = state.withLock { state in
      if state.start == nil, !(entries.isEmpty && notes.steps.isEmpty) {
        state.start = SessionDocument.start(of: entries, notes)
      }
      return state.start
    }
    // A step is shown before the entry that arrived next, which may not be in this part.
    notes.steps = Array(notes.steps.prefix { $0.place <= (entries.last?.number ?? end) + 1 })
    note(redeliveriesAfter: &next, in: &notes)
    var document = SessionDocument(
      entries: answered + entries, notes: notes, lost: journal.lostEvents(since: .beginning), start: start)
    document.hasPlan = cursor.plan != notes.ruleRevision
    next.plan = notes.ruleRevision
    next.revision = notes.revision
    let changes = notes.marks.filter { $0.key <= cursor.after }.map { ("\($0)", $1.json) }
    return document.json(within: Self.mostBytes) { contents in
      let count = contents.entries - answered.count
      next.after = count > 0 ? entries[count - 1].number : max(cursor.after, end - 1)
      next.steps += contents.steps
      return [
        "cursor": next.json, "isMore": .bool(next.after < end - 1), "isHeld": .bool(notes.isHeld),
        "marks": .object(Dictionary(uniqueKeysWithValues: changes)),
      ]
    }
  }

  /// Marks the events that an SDK has delivered again since the last answer.
  private func note(redeliveriesAfter cursor: inout Cursor, in notes: inout SessionNotes.Snapshot) {
    let redeliveries = server.journal.redeliveries(since: .beginning)
    // A reset of the journal forgets them.
    let known = cursor.redeliveries > redeliveries.count ? 0 : cursor.redeliveries
    cursor.redeliveries = redeliveries.count
    guard !redeliveries.isEmpty else { return }
    let changed = Set(redeliveries.dropFirst(known).map(\.entry))
    for (entry, count) in server.journal.redeliveryCounts where entry > cursor.after || changed.contains(entry) {
      notes.marks[entry, default: .init()].redeliveries = count
    }
  }

  /// Compares in constant time: how long a refusal takes must not tell how much of the token was right.
  private func isAuthorized(_ field: String?) -> Bool {
    let (given, expected) = (Array((field ?? "").utf8), Array("Bearer \(token)".utf8))
    guard given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: - Holding

  /// Whether a page was open since the beginning of a hold, and is not any more.
  func hasBeenClosed(since polls: Int) -> Bool {
    state.withLock { state in
      state.polls > polls && state.openPolls == 0 && ContinuousClock.now - state.lastPoll > .seconds(2)
    }
  }

  var polls: Int { state.withLock { $0.openPolls > 0 ? $0.polls - 1 : $0.polls } }
}

extension PageResponse {
  fileprivate static func json(_ body: [UInt8]) -> PageResponse {
    PageResponse(status: 200, fields: [("Content-Type", "application/json")], body: body).secured()
  }

  fileprivate static func text(_ status: Int, _ text: String, _ more: [(name: StaticString, value: String)] = [])
    -> PageResponse
  {
    PageResponse(
      status: status, fields: [("Content-Type", "text/plain; charset=utf-8")] + more, body: Array("\(text)\n".utf8)
    ).secured()
  }

  /// The fields that keep other pages from reading, framing or keeping what the inspector answers.
  fileprivate func secured(_ policy: String = "default-src 'none'; frame-ancestors 'none'") -> PageResponse {
    var copy = self
    copy.fields += [
      ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cache-Control", "no-store"), ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Cross-Origin-Opener-Policy", "same-origin"),
    ]
    return copy
  }
}
