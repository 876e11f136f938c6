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
        "An absence without an end never passes: name the seconds for which none may arrive."
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
