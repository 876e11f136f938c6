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
  /// Entries of one answer: the page asks again, at its own pace.
  static let mostEntries = 500
  /// How long a question for news waits.
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

  func answer(_ request: StubRequest) -> PageAnswer {
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
  private func refusal(of request: StubRequest) -> PageResponse? {
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

  /// What the page knows already.
  private struct Cursor {
    var after = 0
    var revision = 0
    var answers = -1
    /// Requests that it has without an answer.
    var unanswered: [Int] = []

    init(_ query: FormFields) {
      func number(_ name: String) -> Int? { query[name].flatMap(Int.init).map { max($0, 0) } }
      after = number("after") ?? 0
      revision = number("revision") ?? 0
      answers = number("answers") ?? -1
      unanswered = (query["unanswered"] ?? "").split(separator: ",").prefix(100).compactMap { Int($0) }
    }
  }

  private func feed(_ request: StubRequest) -> PageAnswer {
    let site = request.headers["Sec-Fetch-Site"] ?? "same-origin"
    guard site == "same-origin" else { return .response(.text(403, "The feed is for the inspector's own page.")) }
    guard isAuthorized(request.headers["Authorization"]) else {
      return .response(
        .text(401, "The feed needs the token of the printed URL.", [("WWW-Authenticate", "Bearer")]))
    }
    let cursor = Cursor(request.query)
    let answer: @Sendable () -> PageAnswer = { [self] in .response(.json(part(after: cursor))) }
    let isNews =
      server.journal.mark().entry > cursor.after + 1 || server.notes.revision != cursor.revision
      || server.journal.answers != cursor.answers
    if isNews {
      notePoll()
      return .work(answer)
    }
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
    switch journal.news(from: cursor.after + 1, answers: cursor.answers, orWake: wake) {
    case .none(let waiter):
      return {
        journal.cancel(waiter)
        ofNotes?()
      }
    case .entries, .answers:
      wake()
      return { ofNotes?() }
    }
  }

  /// The entries after those that the page has, and what has changed.
  private func part(after cursor: Cursor) -> [UInt8] {
    let journal = server.journal
    let answers = journal.answers
    let next = journal.mark().entry
    let entries = Array(journal.entries(from: cursor.after + 1).prefix(Self.mostEntries))
    let answered = cursor.unanswered.filter { $0 <= cursor.after }.compactMap { number in
      journal.entries(from: number).first { $0.number == number && $0.request?.isAnswered == true }
    }
    let start = state.withLock { state in
      state.start = state.start ?? entries.first?.arrival
      return state.start
    }
    var document = SessionDocument(
      entries: entries, notes: server.notes.snapshot(since: cursor.revision),
      lost: journal.lostEvents(since: .beginning), start: start)
    document.swift = InspectorLinkage.swiftSource(of: server)
    let last = entries.last?.number ?? max(cursor.after, next - 1)
    return document.json(
      entries: (entries + answered).map(document.json),
      [
        "next": .int(last), "revision": .int(document.notes.revision), "answers": .int(answers),
        "isMore": .bool(last < next - 1), "isHeld": .bool(document.notes.isHeld), "marks": document.marks,
      ])
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
