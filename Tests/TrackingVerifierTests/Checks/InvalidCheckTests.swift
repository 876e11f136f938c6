import TestSupport

@testable import TrackingChecks
@testable import TrackingVerifier

/// A check that nothing can pass is a mistake in the test: it fails at once, not after the timeout.
final class InvalidCheckTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 600, reporter: reporter))

  func testAnInvalidRegularExpression() {
    verifier.wait(for: .named("purchase", params: ["order_id": .matches("A-[0-9")]))
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
    let message = reporter.sentences.first ?? ""
    XCTAssertTrue(
      message.hasPrefix(#"The pattern cannot match any event: "A-[0-9" is not a regular expression: "#), message)
  }

  func testABoundThatIsNotANumberInOneOfSeveralPatterns() async {
    await verifier.wait(for: .inOrder([.named("a"), .params(["total": .greater(than: Double.nan)])]))
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testTheAbsenceOfAnImpossibleMatchProvesNothing() {
    verifier.wait(for: .none(of: .named("purchase", params: ["order_id": .matches("(")]), within: 0))
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testTheAbsenceOfAnImpossibleMatchProvesNothingWhenTheTestEnds() {
    let absence = TrackingCheck<CheckOutcome>.none(of: .named("purchase", params: ["order_id": .matches("(")]))
    verifier = TrackingVerifier(with: self, configuration: .init(checksAtStop: [absence], reporter: reporter))
    verifier.stop()
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testTheAbsenceOfWhatNothingCanBeProvesNothing() {
    struct Nameless: TrackingSchema {
      static let eventName = ""
    }
    let (every, names) = (ReceivedRequest.Method.any, "an event's name isn't empty")
    func misspelt(_ method: String, _ meant: String) -> String {
      "the method \"\(method)\" isn't one that clients send: write \(meant)"
    }
    let patterns: [(EntryPattern, reason: String)] = [
      (.request("DELTE", "/a"), misspelt("DELTE", "DELETE")), (.request("GTE", "/a"), misspelt("GTE", "GET")),
      (.request("Psot", "/a"), "the method \"Psot\""), (.request("patch", "/a"), misspelt("patch", "PATCH")),
      (.request("PROPFIN", "/a"), misspelt("PROPFIN", "PROPFIND")),
      (.request(every, "/a").responded(4040), "no response has the status 4040: a status is from 100 to 599"),
      (.request(every, "/a").responded(in: 99...200), "no response has the status 99"),
      (.request(every, "/a").responded(in: 500...600).not(), "no response has the status 600"),
      (.request(every, "/a", headers: ["": "b"]), "no request has a header field with an empty name"),
      (.request(every, "/a", cookies: ["": .present]), "no request has a cookie with an empty name"),
      (.request(every, .regex("users/[0-9]+")), "doesn't begin with a slash"),
      (.request(every, .regex("")), "isn't a valid regular expression"),
      (.named(""), names), (.named("", params: ["a": 1]), names), (.named("a").or(.named("")), names),
      (.equal(to: TrackingEvent(name: "")), names), (.typed(Nameless.self), names),
      (.named("a").from(""), "a process's name isn't empty"),
    ]
    for (number, (pattern, reason)) in patterns.enumerated() {
      let line = #line as UInt + 1
      verifier.wait(for: .none(of: pattern, within: 0))
      XCTAssertEqual(reporter.failures.count, number + 1, reason)
      XCTAssertEqual(reporter.kinds.last, .misuse, reason)
      XCTAssertEqual(reporter.lines.last, line)
      let message = reporter.messages.last?.replacing("\n", with: " ") ?? ""
      XCTAssertTrue(message.contains(reason), message)
    }
  }

  func testACheckThatIgnoresEverythingIsRefused() {
    let all = EntryPattern.request(.any, "/*")
    func sentence(_ noun: String) -> String {
      "A check that ignores all \(noun) checks nothing: name only those to ignore in `ignoring:`."
    }
    let refused: [(TrackingCheck<CheckOutcome>, String)] = [
      (.noDuplicates(within: 0.1, ignoring: [.any]), "events"),
      (.nothingElse(ignoring: [.named("a"), .any]), "events"),
      (.plan(ignoring: [.named("a").or(.any.lenient())]), "events"),
      (.nothingElse(among: .requests, ignoring: [all]), "requests"),
      (.noDuplicates(within: 1, among: [.events, .requests], ignoring: [.any, all]), "events or requests"),
      (.nothingElse(among: [.events, .requests], ignoring: [.any.or(all)]), "events or requests"),
    ]
    for (check, noun) in refused { XCTAssertEqual(check.kind.problem, sentence(noun)) }
    let checks: [TrackingCheck<CheckOutcome>] = [
      .noDuplicates(within: 1, among: [.events, .requests], ignoring: [.any]),
      .nothingElse(among: .requests, ignoring: [.any]),
      .nothingElse(ignoring: [all, .named("a"), .any.exact()]), .plan(ignoring: [.any.from("App")]),
      .nothingElse(among: .requests, ignoring: [all.responded(200), .request(.get, "/*"), .request(.any, "/a/*")]),
      .nothingElse(among: .requests, ignoring: [.request(.any, "/*", query: ["a": .present])]),
    ]
    for check in checks { XCTAssertNil(check.kind.problem, "\(check)") }
  }

  func testTwoNamesAtOnceAreRefused() {
    let both = TrackingCheck<TrackingEvent?>.named("a").and(.named("b"))
    verifier.wait(for: .none(of: .named("a").and(.named("b")), within: 0.1))
    verifier.wait(for: both)
    verifier.wait(for: .none(of: .named("a", params: ["x": 3]).and(.params(["x": 4])), within: 0.1))
    let advice =
      "`and` is for conditions on one event: write `.inAnyOrder([…])` for two events, and `or` for either of them."
    XCTAssertEqual(
      reporter.sentences,
      [
        "The pattern cannot match any event: no event has the two names \"a\" and \"b\". \(advice)",
        "The pattern cannot match any event: no event has the two names \"a\" and \"b\". \(advice)",
        "The pattern cannot match any event: no event has \"x\" equal to both 3 and 4. \(advice)",
      ])
    XCTAssertEqual(Set(reporter.kinds), [.misuse])
    let long = String(repeating: "long_", count: 30)
    let problem = TrackingCheck<CheckOutcome>.one(.named(long).and(.named("b\(long)"))).kind.problem
    XCTAssertLessThanOrEqual(problem?.split(separator: "\n").first?.count ?? 0, 120)
  }

  func testTwoMethodsOrTwoPathsAtOnceAreRefused() {
    let (get, post) = (RequestPattern.request(.get, "/a"), RequestPattern.request(.post, "/b"))
    let check = TrackingCheck<RecordedRequest?>.request(.get, "/a").and(.request(.post, "/a"))
    verifier.wait(for: check)
    verifier.wait(for: .none(of: EntryPattern(post.and(get.or(.request(.put, "/b")))), within: 0.1))
    verifier.wait(for: .inOrder([.request(.get, "/a").and(.request(.any, "/a/")).responded(200)]))
    verifier.stub(StubEndpoint(get.and(post), .ok))
    let advice =
      "`and` is for conditions on one request: write `.inAnyOrder([…])` for two requests, and `or` for either of them."
    XCTAssertEqual(
      reporter.sentences,
      [
        "The pattern cannot match any request: no request has the two methods GET and POST. \(advice)",
        "The pattern cannot match any request: no request has the two methods POST and GET. \(advice)",
        "The pattern cannot match any request: no request has the two paths /a and /a/. \(advice)",
        "The stub GET /a and POST /b was not installed: no request has the two methods GET and POST.",
      ])
    XCTAssertEqual(reporter.kinds, [.misuse, .misuse, .misuse, .invalidStub])
    let long = StubPath.template("/" + String(repeating: "long/", count: 30))
    let paths = EntryPattern.request(.get, long).and(.request(.get, .template("/b\(long)")))
    let problem = TrackingCheck<CheckOutcome>.one(paths).kind.problem
    XCTAssertLessThanOrEqual(problem?.split(separator: "\n").first?.count ?? 121, 120)
  }

  func testAnAlternativeMakesUpForAnImpossiblePattern() {
    let impossible = EntryPattern.request(.get, "/a", query: ["b": .one(of: [])])
    let (event, request) = (EntryPattern.named("a").and(.named("b")), EntryPattern.request(.get, "/b"))
    let methods = EntryPattern.request(.post, "/b").and(request)
    for pattern in [
      impossible.or(request), request.or(impossible), event.or(request), event.or(.named("c")), methods.or(request),
      methods.or(.named("a")), request.and(.request(.post, "/a").or(.request(.get, "/*"))),
      EntryPattern.named("a").and(request).or(request),
    ] {
      XCTAssertNil(TrackingCheck<CheckOutcome>.one(pattern).kind.problem, "\(pattern)")
    }
    for pattern in [
      impossible.or(impossible), impossible.not().or(request), event.or(impossible), event.not().or(request), methods,
      methods.or(impossible), methods.not().or(request),
      EntryPattern.request(.get, .regex("[")).or(request), EntryPattern.named("").or(request),
      EntryPattern.named("a").and(request),
    ] {
      XCTAssertNotNil(TrackingCheck<CheckOutcome>.one(pattern).kind.problem, "\(pattern)")
    }
  }

  func testAListeningCheckHasNoTimeout() {
    let event = TrackingCheck<TrackingEvent?>.named("a")
    verifier.wait(for: .none(of: .named("a")), timeout: 2)
    verifier.wait(for: event, count: 0, timeout: 0)
    verifier.wait(for: event, count: ...2, timeout: 0.5)
    verifier.wait(for: .count(0..<3, of: .named("a"), within: 1), timeout: 2)
    verifier.wait(for: .nothingElse(), timeout: .infinity)
    verifier.expect(event, count: 0, timeout: 2) {}
    XCTAssertThrowsError(try verifier.require(.none(of: .named("a"), within: 1), timeout: 1) {})
    XCTAssertEqual(
      verifier.outcome(of: .nothingElse(within: 2, ignoring: [.named("b")]), timeout: 2).failure?.kind, .misuse)
    XCTAssertEqual(
      reporter.messages,
      [
        "An absence has no timeout: write `.none(of: …, within: 2)` instead of `timeout: 2`.",
        "A count that may be 0 has no timeout: write `.none(of: …, within: 0)` instead of `timeout: 0`.",
        "A count that may be 0 has no timeout: write `.count(...2, of: …, within: 0.5)` instead of `timeout: 0.5`.",
        "A count that may be 0 has no timeout: leave out `timeout: 2`, since `within: 1` ends it.",
        "`nothingElse` has no timeout: write `.nothingElse(within: 2)` instead of `timeout: .infinity`.",
        "A count that may be 0 has no timeout: write `.none(of: …, within: 2)` instead of `timeout: 2`.",
        "An absence has no timeout: leave out `timeout: 1`, since `within: 1` ends it.",
      ])
    XCTAssertEqual(Set(reporter.kinds), [.misuse])
  }

  func testMethodsInAnyCaseAndMethodsOfOtherProtocolsMatch() {
    for method: ReceivedRequest.Method in ["delete", "Get", "post", "put", "options", "HEAD"] {
      let pattern = RequestPattern.request(method, "/a")
      XCTAssertEqual("\(pattern)", "the request \(method.rawValue.uppercased()) /a")
      XCTAssertEqual(pattern, .request(.init(rawValue: method.rawValue.uppercased()), "/a"))
      let request = ReceivedRequest(method: .init(rawValue: method.rawValue.uppercased()), path: "/a")
      XCTAssertTrue(pattern.matches(ParsedRequest(request)))
      XCTAssertNil(verifier.outcome(of: .none(of: EntryPattern(pattern), within: 0)).failure)
    }
    for method: ReceivedRequest.Method in [
      "PURGE", "PROPFIND", "M-SEARCH", "NOTIFY", "SUBSCRIBE", "BAN", "LIST", "SET", "TRACK",
    ] {
      XCTAssertNil(RequestPattern.request(method, "/a").problem, "\(method)")
    }
    XCTAssertNil(RequestPattern.request(.get, .regex("a?/b|/c")).problem)
    XCTAssertNil(RequestPattern.request(.get, .regex(".*/books")).problem)
  }

  func testANegativeNumberOfEvents() {
    verifier.wait(for: .named("a"), count: -1)
    verifier.wait(for: .named("a"), count: .atMost(-1))
    verifier.wait(for: .named("a"), count: .atLeast(-2))
    verifier.wait(for: .named("a"), count: -2...3)
    XCTAssertEqual(reporter.failures.map(\.kind), Array(repeating: .misuse, count: 4))
    XCTAssertEqual(reporter.sentences.first, "A count cannot be negative: exactly -1 times.")
    verifier.wait(for: .named("a"), count: EventCount(least: 3, most: 1))
    verifier.wait(for: .next(.named("a")), count: 2)
    XCTAssertEqual(
      reporter.sentences.suffix(2),
      [
        "No number is at least 3 and at most 1.", "`next` is for one match, so it has no count: wait for each.",
      ])
  }

  func testAnEmptyRangeOfNumbers() {
    let two = 2
    verifier.wait(for: .named("a"), count: 0..<0)
    verifier.wait(for: .named("a"), count: two..<2)
    verifier.wait(for: .request(.get, "/a"), count: ..<0)
    verifier.wait(for: .named("a"), count: Int.min..<Int.min)
    verifier.expect(.named("a"), count: ..<Int.min) {}
    XCTAssertEqual(reporter.kinds, Array(repeating: .misuse, count: 5))
    XCTAssertEqual(
      reporter.sentences,
      Array(repeating: "The count is an empty range, so no number of matches fits.", count: 5))
    verifier.wait(for: .named("a"), count: -3 ..< -1)
    verifier.wait(for: .named("a"), count: ...(-1))
    XCTAssertEqual(
      reporter.sentences.suffix(2),
      [
        "A count cannot be negative: between -3 and -2 times.", "A count cannot be negative: at most -1 times.",
      ])
  }

  func testAnInvalidTime() {
    verifier.wait(for: .noDuplicates(within: .nan))
    verifier.wait(for: .noDuplicates(within: -.infinity))
    verifier.wait(for: .none(of: .named("a"), within: -1))
    XCTAssertEqual(reporter.failures.map(\.kind), Array(repeating: .misuse, count: 3))
    XCTAssertEqual(
      reporter.sentences.last, "A number of seconds cannot be -1 s: no event named \"a\" within -1 s.")
  }

  func testACheckThatCannotFailIsRefusedWhereItIsWritten() {
    let order = "An empty order checks nothing: name at least one event or request."
    let count = "A count without a bound checks nothing: expect at least 1, or at most a number."
    let kinds = "A check of no kind of entries checks nothing: name events, requests or both."
    let cases: [(TrackingCheck<CheckOutcome>, String)] = [
      (.inOrder([]), order), (.inAnyOrder([]), order), (.consecutive([]), order),
      (.count(0..., of: .named("a")), count), (.count(.atLeast(0), of: .request(.get, "/a")), count),
      (.count(.atMost(.max), of: .named("a")), count), (.count(0...Int.max, of: .named("a")), count),
      (.nothingElse(among: []), kinds), (.noDuplicates(within: 1, among: []), kinds),
      (
        .none(of: .named("a"), within: .infinity),
        "A check that listens without an end never passes: name the seconds with `within:`."
      ),
      (
        .nothingElse(within: .infinity),
        "A check that listens without an end never passes: name the seconds with `within:`."
      ),
      (
        .count(...2, of: .named("a"), within: -1),
        "A number of seconds cannot be -1 s: at most 2 events named \"a\" within -1 s."
      ),
      (
        .count(1..., of: .named("a"), within: 2),
        "A count of 1 or more waits for its timeout: write `timeout: 2` in the call, not `within:`."
      ),
      (
        .count(1, of: .named("a", params: ["b": .all(of: [])])),
        "The pattern cannot match any event: an empty list of matchers checks nothing; write `.any` for any value."
      ),
      (
        .none(of: .named("a", params: ["b": .one(of: [])])),
        "The pattern cannot match any event: no value is one of an empty list."
      ),
      (
        .none(of: .request(.get, "/a", query: ["b": .not(.one(of: []))])),
        "The pattern cannot match any request: a condition can't match anything: no value is one of an empty list."
      ),
    ]
    let endless: [TimeInterval] = [.greatestFiniteMagnitude, Date.distantFuture.timeIntervalSinceNow]
    for seconds in endless {
      XCTAssertEqual(
        TrackingCheck<CheckOutcome>.none(of: .any, within: seconds).invalidity(at: CodeLocation())?.kind, .misuse)
      XCTAssertEqual(
        TrackingCheck<CheckOutcome>.noDuplicates(within: seconds).invalidity(at: CodeLocation())?.kind, .misuse)
    }
    XCTAssertNil(TrackingCheck<CheckOutcome>.noDuplicates(within: .infinity).invalidity(at: CodeLocation()))
    for (check, sentence) in cases {
      let failure = check.invalidity(at: CodeLocation())
      XCTAssertEqual(failure?.kind, .misuse, sentence)
      XCTAssertEqual(failure?.message.replacing("\n", with: " "), sentence)
    }
    XCTAssertNil(TrackingCheck<CheckOutcome>.none(of: .named("a"), within: 86_400).invalidity(at: CodeLocation()))
    XCTAssertNil(TrackingCheck<CheckOutcome>.count(.atMost(.max - 1), of: .named("a")).invalidity(at: CodeLocation()))
  }

  func testACheckThatCannotFailIsRefusedByEachDriver() {
    verifier.wait(for: .inOrder([]))
    verifier.expect(.inAnyOrder([])) {}
    verifier.wait(for: .named("a"), count: 0...)
    let expectation = verifier.expectation(for: .named("a"), count: .atLeast(0))
    XCTAssertThrowsError(try verifier.require(.consecutive([])))
    XCTAssertEqual(verifier.outcome(of: .nothingElse(among: [])).failure?.kind, .misuse)
    XCTAssertEqual(reporter.kinds, Array(repeating: .misuse, count: 5))
    XCTAssertEqual(XCTWaiter().wait(for: [expectation], timeout: 0), .timedOut)
    let stopped = RecordingReporter()
    TrackingVerifier(with: self, configuration: .init(checksAtStop: [.inOrder([])], reporter: stopped)).stop()
    XCTAssertEqual(stopped.kinds, [.misuse])
  }
}
