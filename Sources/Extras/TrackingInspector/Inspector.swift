import Foundation
import StubModel
import TrackingModel
import TrackingServer
import TrackingSockets

/// Serves the page, and to it the entries of a server or of a run of tests.
///
/// The page is public and empty. Entries need the token, which is in the fragment of the printed URL and so never in a request line.
final class Inspector: HostedPage {
  static let path = "/-tracking/"
  /// The longest time that a request for news waits.
  static let longestWait = Duration.seconds(25)

  let token: String
  private let host: TrackingServer
  private let tests: InspectedTests
  private let state = Locked(State())

  private struct State {
    var openPolls = 0
    var polls = 0
    var lastPoll = ContinuousClock.now
    var shown = InspectorFeed.Cursor(test: 0)
    var pageLife = Duration.seconds(2)
  }

  convenience init(of server: TrackingServer) {
    self.init(on: server, showing: InspectedTests(of: server))
  }

  init(on host: TrackingServer, showing tests: InspectedTests) {
    self.host = host
    self.tests = tests
    // 128 bits.
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    token = Data(bytes).base64URL
  }

  /// Writes to standard error.
  static func say(_ text: String) { StandardError.write("TrackingInspector: \(text)\n") }

  /// The page's address, short enough for a line, with a host name that terminals turn into a link.
  var url: URL? {
    host.endpoint?.url.port.flatMap { URL(string: "http://localhost:\($0)\(Self.path)#token=\(token)") }
  }

  // MARK: - Requests

  func respond(to request: ReceivedRequest) -> PageOutcome {
    if let refusal = refusal(of: request) { return .response(refusal) }
    switch request.path {
    case Self.path: return .response(Self.page)
    case "\(Self.path)feed": return feed(request)
    default: return .response(.text(404, "The inspector is at \(Self.path)."))
    }
  }

  /// Returns a refusal if the method, host or origin isn't allowed.
  ///
  /// The server has checked Host and Origin already, by lists that a test can extend; these rules have no such list.
  private func refusal(of request: ReceivedRequest) -> HTTPResponse? {
    guard request.method == "GET" else {
      return .text(405, "The inspector supports only GET: it changes nothing.", ("Allow", "GET"))
    }
    // A page may let its own host name resolve to loopback (DNS rebinding), but cannot hide the name.
    guard let host = request.host, ["localhost", "127.0.0.1", "[::1]"].contains(host) else {
      return .text(403, "The inspector is available only as localhost, 127.0.0.1 and [::1].")
    }
    if let origin = request.headers["Origin"], !origin.isSameText(as: "http://\(request.headers["Host"] ?? "")") {
      return .text(403, "Only the inspector's own page may use this endpoint.")
    }
    return nil
  }

  private static let page = {
    var page = HTTPResponse(status: 200, type: "text/html; charset=utf-8", content: InspectorPage.live)
      .secured("\(InspectorPage.policy); frame-ancestors 'none'")
    // A browser requests the feed on another connection, and each idle one adds to the cost of poll() for each event.
    page.closes = true
    return page
  }()

  // MARK: - The feed

  /// The numbers of the requests that the page has without their responses.
  private static func pending(_ query: ReceivedFields) -> [Int] {
    (query["pending"] ?? "").split(separator: ",").prefix(100).compactMap { Int($0) }
  }

  private func feed(_ request: ReceivedRequest) -> PageOutcome {
    let site = request.headers["Sec-Fetch-Site"] ?? "same-origin"
    guard site == "same-origin" else { return .response(.text(403, "The feed is for the inspector's own page.")) }
    guard isAuthorized(request.headers["Authorization"]) else {
      return .response(
        .text(401, "The feed needs the token of the printed URL.", ("WWW-Authenticate", "Bearer")))
    }
    let query = request.query
    let chosen = query["chosen"].flatMap(Int.init)
    let response: @Sendable () -> PageOutcome = { [self] in
      let part = part(query, chosen: chosen)
      // After the part is made: a part that announces a hold counts as a poll since the hold began.
      notePoll()
      return .response(.json(part))
    }
    guard let (cursor, feed) = place(query, chosen: chosen) else {
      return .response(.text(404, "No test has begun."))
    }
    state.withLock { $0.shown = cursor }
    if feed.hasNews(after: cursor) || tests.revision != cursor.tests { return .work(response) }
    return .wait(
      Self.longestWait,
      until: { [self] wake in
        state.withLock { state in
          state.openPolls += 1
          state.polls += 1
        }
        let cancelNews = feed.wakeAtNews(after: cursor, wake)
        let cancelTests = tests.wake(after: cursor.tests, wake)
        if cancelTests == nil { wake() }
        return { [self] in
          cancelNews()
          cancelTests?()
          state.withLock { state in
            state.openPolls -= 1
            state.lastPoll = .now
          }
        }
      }, then: response)
  }

  /// The test to show on a page, and the page's state of it: empty if the page has another test's entries.
  private func place(_ query: ReceivedFields, chosen: Int?) -> (InspectorFeed.Cursor, InspectorFeed)? {
    guard let (number, feed) = tests.feed(chosen) else { return nil }
    var cursor = InspectorFeed.Cursor(query)
    if cursor.test == 0 { cursor.test = number }
    guard cursor.test != number else { return (cursor, feed) }
    var fresh = InspectorFeed.Cursor(test: number)
    fresh.tests = cursor.tests
    return (fresh, feed)
  }

  private func part(_ query: ReceivedFields, chosen: Int?) -> [UInt8] {
    guard let (place, feed) = place(query, chosen: chosen) else { return Array("{}".utf8) }
    var cursor = place
    let isSame = InspectorFeed.Cursor(query).test == cursor.test
    let (changed, revision) = tests.changes(since: cursor.tests)
    cursor.tests = revision
    return feed.part(
      after: cursor, pending: isSame ? Self.pending(query) : [],
      changed.isEmpty ? [:] : ["tests": .array(changed)])
  }

  private func notePoll() {
    state.withLock { state in
      state.polls += 1
      state.lastPoll = .now
    }
  }

  /// Compares in constant time, so that the time doesn't tell how much of the token was right.
  private func isAuthorized(_ field: String?) -> Bool {
    let (given, expected) = (Array((field ?? "").utf8), Array("Bearer \(token)".utf8))
    guard given.count == expected.count else { return false }
    return zip(given, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  // MARK: - Holding

  /// The time without a request after which a page counts as closed.
  var pageLife: Duration {
    get { state.withLock { $0.pageLife } }
    set { state.withLock { $0.pageLife = newValue } }
  }

  /// Whether a page was open since the beginning of a hold, and isn't any more.
  func hasBeenClosed(since polls: Int) -> Bool {
    state.withLock { state in
      state.polls > polls && state.openPolls == 0 && ContinuousClock.now - state.lastPoll > state.pageLife
    }
  }

  /// Returns when the open pages have everything of a server, at the latest after half a second.
  func waitForPages(of server: TrackingServer) {
    let deadline = ContinuousClock.now + .milliseconds(500)
    // Polls, because a closed page sends nothing. Only a stop with an open page waits at all.
    while !isShown(server), ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.005) }
  }

  /// Whether no page is open, or the last one to send a request has everything.
  private func isShown(_ server: TrackingServer) -> Bool {
    let (shown, isOpen) = state.withLock { state in
      (state.shown, state.openPolls > 0 || state.polls > 0 && ContinuousClock.now - state.lastPoll < state.pageLife)
    }
    guard isOpen, let number = tests.number(of: server), let (_, feed) = tests.feed(number) else { return true }
    return shown.test == number && feed.isComplete(at: shown)
  }

  var polls: Int { state.withLock { $0.openPolls > 0 ? $0.polls - 1 : $0.polls } }
}

extension HTTPResponse {
  fileprivate static func json(_ body: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, type: "application/json", content: body).secured()
  }

  fileprivate static func text(_ status: Int, _ text: String, _ more: (name: StaticString, value: String)? = nil)
    -> HTTPResponse
  {
    var response = HTTPResponse(status: status, type: "text/plain; charset=utf-8", content: Array("\(text)\n".utf8))
    if let more { response.addField(more.name, more.value) }
    return response.secured()
  }

  /// The response with fields that keep other pages from reading, framing or storing it.
  fileprivate func secured(_ policy: String = "default-src 'none'; frame-ancestors 'none'") -> HTTPResponse {
    var copy = self
    copy.addField("Content-Security-Policy", policy)
    copy.addField("X-Content-Type-Options", "nosniff")
    copy.addField("Referrer-Policy", "no-referrer")
    copy.addField("Cache-Control", "no-store")
    copy.addField("Cross-Origin-Resource-Policy", "same-origin")
    copy.addField("Cross-Origin-Opener-Policy", "same-origin")
    return copy
  }
}
