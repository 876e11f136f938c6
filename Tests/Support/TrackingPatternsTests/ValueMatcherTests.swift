import TestSupport

@testable import TrackingPatterns

final class ValueMatcherTests: XCTestCase {
  private func assert(
    _ matcher: ValueMatcher, accepts accepted: [TrackingValue?], refuses refused: [TrackingValue?],
    file: StaticString = #filePath, line: UInt = #line
  ) {
    for value in accepted {
      XCTAssertNil(matcher.mismatch(of: value), "\(matcher)", file: file, line: line)
    }
    for value in refused {
      let text = value.map(\.description) ?? "nothing"
      guard let mismatch = matcher.mismatch(of: value) else {
        XCTFail("\(matcher) accepts \(text)", file: file, line: line)
        continue
      }
      XCTAssertGreaterThan(mismatch.distance, 0, "\(matcher) of \(text)", file: file, line: line)
    }
  }

  func testLiteralsAcceptTheValueThatTheyWrite() {
    assert("EUR", accepts: ["EUR"], refuses: ["eur", "EUR ", 1, nil, .null])
    assert(3, accepts: [3, 3.0], refuses: ["3", 4, true])
    assert(-3, accepts: [-3], refuses: [3])
    assert(9.5, accepts: [9.5], refuses: [9.500001])
    assert(true, accepts: [true], refuses: [1, "true", false])
    assert(nil, accepts: [.null], refuses: [.none, 0, "null"])
    assert([1, "a", nil], accepts: [[1, "a", nil]], refuses: [[1, "a"], [1, nil, "a"], [:], [1, "a", nil, 1]])
    assert(["a": 1], accepts: [["a": 1]], refuses: [["a": 1, "b": 2], ["a": 2], [:], []])
    assert([], accepts: [[]], refuses: [[1], [:]])
    assert([:], accepts: [[:]], refuses: [["a": 1], []])
    let name = "EUR"
    assert("\(name)-1", accepts: ["EUR-1"], refuses: ["EUR"])
  }

  func testLiteralsMayHoldMatchers() {
    assert([1, .any], accepts: [[1, 2], [1, nil]], refuses: [[1], [2, 2], [1, 2, 3]])
    assert(
      ["id": 1, "price": .greater(than: 0)], accepts: [["id": 1, "price": 2]],
      refuses: [["id": 1, "price": 0], ["id": 1], ["id": 1, "price": 2, "more": 1], 1])
    assert(["id": 1, "note": .absent], accepts: [["id": 1]], refuses: [["id": 1, "note": nil]])
  }

  func testEqualToAVariable() {
    let quantity: Int? = 3
    assert(.equal(to: quantity), accepts: [3], refuses: [nil, "3"])
    assert(.equal(to: Date(timeIntervalSince1970: 0)), accepts: ["1970-01-01T00:00:00.000Z"], refuses: [0])
    assert(.equal(to: Double.nan), accepts: ["NaN"], refuses: [0])
  }

  func testAnyAndAbsent() {
    assert(.any, accepts: [.null, 1, [], "x"], refuses: [nil])
    assert(.absent, accepts: [nil], refuses: [.null, "", false])
  }

  func testTypes() {
    assert(.anyString, accepts: ["", "1"], refuses: [1, nil, .null])
    assert(.anyNumber, accepts: [1, 1.5, .unsigned(.max)], refuses: ["1", true, nil])
    assert(.anyInteger, accepts: [1, 3.0, .unsigned(.max), 1e300, -1e300], refuses: [1.5, "1", .double(.infinity)])
    assert(.anyBoolean, accepts: [true, false], refuses: [1, "true"])
    assert(.anyArray, accepts: [[], [1]], refuses: [[:], "[]"])
    assert(.anyObject, accepts: [[:]], refuses: [[], "{}"])
  }

  func testOneOfAndAllOfAndNot() {
    assert(.one(of: ["EUR", 3, .absent]), accepts: ["EUR", 3, nil], refuses: ["USD", .null])
    assert(.one(of: []), accepts: [], refuses: ["x", nil])
    assert(.all(of: [.greater(than: 1), .less(than: 5)]), accepts: [2, 4.9], refuses: [1, 5, "2", nil])
    // An empty list is a mistake, which a `not` doesn't turn into a match of everything.
    for matcher: ValueMatcher in [.all(of: []), .not(.one(of: [])), .one(of: ["x", .all(of: [])])] {
      assert(matcher, accepts: [], refuses: ["x", nil])
    }
    assert(.not("x"), accepts: ["y", 1, nil], refuses: ["x"])
    assert(.not(.absent), accepts: [.null, 1], refuses: [nil])
    assert(.not(.not("x")), accepts: ["x"], refuses: ["y", nil])
    assert(.all(of: [.any, .not("x")]), accepts: ["y"], refuses: ["x", nil])
    assert(.one(of: ["a", "b"].map { .hasPrefix($0) }), accepts: ["ax", "by"], refuses: ["c"])
  }

  func testTexts() {
    assert(.contains("out"), accepts: ["checkout", "out"], refuses: ["OUT", "ou", 1, nil, ["out"]])
    assert(.hasPrefix("main"), accepts: ["main", "main_screen"], refuses: ["Main", "a main", ""])
    assert(.hasSuffix("screen"), accepts: ["main_screen"], refuses: ["screens", ""])
    assert(.contains(""), accepts: ["", "x"], refuses: [1])
  }

  func testRegularExpressionsMatchWholeTexts() {
    assert(.matches(#"A-\d{6}"#), accepts: ["A-000042"], refuses: ["A-00042", "xA-000042", "A-000042\n", "", 1, nil])
    assert(.matches(".*gift.*"), accepts: ["a gift for you"], refuses: ["Gift"])
    assert(.matches("(?i)gift"), accepts: ["GIFT"], refuses: ["a gift"])
    assert(.matches(#/[a-z]+_(\d)/#), accepts: ["tap_1"], refuses: ["tap_12", "tap_"])
    assert(.matches(""), accepts: [""], refuses: ["x"])
  }

  func testAnInvalidRegularExpressionSaysWhyAndAcceptsNothing() {
    let reasons = [
      ("A-(", "expected ')'"), ("[a", "expected ']'"), ("*", "quantifier '*' must appear after expression"),
      ("a{3,1}", "range lower bound '3' must be less than or equal to upper bound '1'"),
    ]
    for (source, reason) in reasons {
      let matcher = ValueMatcher.not(.one(of: [.each(.matches(source)), [.matches(source)], ["a": .matches(source)]]))
      XCTAssertEqual(matcher.problem?.reason, "\(TrackingValue.string(source)) is not a regular expression: \(reason)")
      assert(matcher, accepts: [], refuses: ["x", nil])
    }
  }

  func testOneRegularExpressionServesManyThreads() {
    let matcher = ValueMatcher.matches(#/(\w+)-(\d+)/#)
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      XCTAssertNil(matcher.mismatch(of: "order-\(index)"))
      XCTAssertNotNil(matcher.mismatch(of: "order-\(index)-"))
    }
  }

  func testOrder() {
    assert(.greater(than: 100), accepts: [100.5, 101, .unsigned(.max)], refuses: [100, -1, "101", nil, true, .null])
    assert(.atLeast(100), accepts: [100, 101], refuses: [99.9])
    assert(.less(than: -1.5), accepts: [-2, -1.6], refuses: [-1.5, 0])
    assert(.atMost(0), accepts: [0, -0.0, -1], refuses: [0.001])
    assert(.in(1...5), accepts: [1, 3.5, 5], refuses: [0.9, 5.1, "3"])
    assert(.in(0.0..<1), accepts: [0, 0.99], refuses: [1, -0.01])
    assert(.greater(than: 1), accepts: [1e300], refuses: [.double(.nan), .double(.infinity), -1e300])
  }

  func testOrderIsExactWhereDoublesAreNot() {
    assert(.greater(than: 9_007_199_254_740_992), accepts: [9_007_199_254_740_993], refuses: [9_007_199_254_740_992])
    assert(
      .less(than: 18_446_744_073_709_551_616.0), accepts: [.unsigned(.max)], refuses: [18_446_744_073_709_551_616.0])
    assert(.greater(than: UInt64.max), accepts: [18_446_744_073_709_551_616.0], refuses: [.unsigned(.max)])
    assert(.less(than: Int.min), accepts: [-9.3e18], refuses: [.int(.min), 0, -9.2e18])
  }

  func testDatesAndTextsHaveAnOrderToo() {
    let date = Date(timeIntervalSince1970: 1_000)
    assert(
      .greater(than: date), accepts: [TrackingValue(date.addingTimeInterval(0.001))],
      refuses: [TrackingValue(date), 2_000])
    assert(.in("a"..."c"), accepts: ["a", "bz", "c"], refuses: ["ca", "A", 1])
  }

  func testInvalidBoundsAndTolerancesSayWhy() {
    XCTAssertEqual(ValueMatcher.greater(than: Double.nan).problem?.reason, "nan can't be a bound")
    XCTAssertEqual(
      ValueMatcher.approximately(1, tolerance: -0.1).problem?.reason,
      "no number is approximately 1.0 with a tolerance of -0.1")
    XCTAssertNotNil(ValueMatcher.approximately(1, tolerance: .nan).problem)
    XCTAssertNil(ValueMatcher.approximately(1, tolerance: 0).problem)
  }

  func testApproximately() {
    assert(.approximately(9.5, tolerance: 0.01), accepts: [9.5, 9.49, 9.51], refuses: [9.48, 9.52, "9.5", nil])
    assert(.approximately(1, tolerance: 0.1), accepts: [1.1, 0.9], refuses: [1.1000001])
    assert(.approximately(0.3, tolerance: 0), accepts: [0.3, 0.30000000000000004], refuses: [0.3000001])
    assert(.approximately(1, tolerance: .infinity), accepts: [1e300], refuses: [.double(.nan)])
  }

  func testArrays() {
    assert(.each(.greater(than: 0)), accepts: [[1, 2], []], refuses: [[1, 0], ["1"], 1, [:], nil])
    assert(.contains(element: "42"), accepts: [["41", "42"]], refuses: [["4", "2"], [], "42", nil])
    assert(.contains(element: .object(["id": 1])), accepts: [[["id": 1, "x": 2]]], refuses: [[["id": 2]]])
    assert(.count(2), accepts: [[1, 2]], refuses: [[1], [], ["a": 1, "b": 2], 2])
    assert(.count(.in(1...2)), accepts: [[1], [1, 2]], refuses: [[], [1, 2, 3]])
  }

  func testObjectsByTheirParts() {
    let matcher = ValueMatcher.object(["id": 1, "price.currency": "EUR", "tags[0]": .any, "note": .absent])
    let object: TrackingValue = ["id": 1, "price": ["currency": "EUR", "amount": 2], "tags": ["a"], "more": true]
    assert(matcher, accepts: [object], refuses: [["id": 1], [:], [], nil])
    assert(.object([:]), accepts: [[:], object], refuses: [[]])
  }

  func testAClosure() {
    let even = ValueMatcher.satisfying("an even number") {
      if case .int(let number) = $0 { number % 2 == 0 } else { false }
    }
    assert(even, accepts: [2], refuses: [3, "2", nil])
  }

  func testCodeInARegexMayUseTheSamePattern() throws {
    struct Even: CustomConsumingRegexComponent {
      typealias RegexOutput = Substring
      let body: @Sendable (Substring) -> Bool
      func consuming(_ input: String, startingAt index: String.Index, in bounds: Range<String.Index>) throws -> (
        upperBound: String.Index, output: Substring
      )? {
        body(input[index..<bounds.upperBound]) ? (bounds.upperBound, input[index..<bounds.upperBound]) : nil
      }
    }
    let pattern = Locked<EventPattern?>(nil)
    let even = Even { text in
      // The first use, when the pattern is made, has no text.
      guard text.count > 1, let used = pattern.withLock({ $0 }) else { return true }
      return used.mismatch(of: TrackingEvent(name: "e", params: ["a": .string(String(text.dropFirst()))])) == nil
    }
    pattern.withLock { $0 = .named("e", params: ["a": .matches(even.regex)]) }
    let used = try XCTUnwrap(pattern.withLock { $0 })
    let done = expectation(description: "each thread has its result")
    done.expectedFulfillmentCount = 8
    for _ in 0..<8 {
      Thread.detachNewThread {
        for _ in 0..<50 { XCTAssertNil(used.mismatch(of: TrackingEvent(name: "e", params: ["a": "four"]))) }
        done.fulfill()
      }
    }
    wait(for: [done], timeout: 20)
  }
}
