import TestSupport

@testable import TrackingPatterns

/// The edges of patterns and matchers, each as documented.
final class PatternEdgeTests: XCTestCase {
  private func assert(
    _ matcher: ValueMatcher, accepts accepted: [TrackingValue], butNot refused: [TrackingValue],
    file: StaticString = #filePath, line: UInt = #line
  ) {
    for value in accepted {
      XCTAssertNil(matcher.mismatch(of: value), "\(matcher) of \(value)", file: file, line: line)
    }
    for value in refused {
      XCTAssertNotNil(matcher.mismatch(of: value), "\(matcher) of \(value)", file: file, line: line)
    }
  }

  // MARK: Array and object literals

  func testAnArrayLiteralMatchesAsManyElements() {
    assert([.not("x")], accepts: [["a"], [nil]], butNot: [[], ["x"], ["a", "b"]])
    assert(["a", .not("x")], accepts: [["a", "b"]], butNot: [["a"], [], ["a", "x"]])
    XCTAssertEqual(
      ValueMatcher(arrayLiteral: "a", .not("x")).mismatch(of: ["a"])?.differences,
      [.missing(path: "[1]", expected: .words(#"not "x""#), instead: nil)])
    assert([.one(of: ["a", .absent])], accepts: [["a"]], butNot: [[]])
  }

  func testOfSeveralProblemsTheFirstByNameIsTold() {
    let names = ["a", "b", "c", "d", "e", "f"]
    let wrong = names.map { ($0, ValueMatcher.approximately(.nan, tolerance: Double($0.utf8.first ?? 0))) }
    let params = Dictionary(uniqueKeysWithValues: wrong.map { (TrackingParam.custom(key: $0), $1) })
    let problem = wrong[0].1.problem
    XCTAssertNotNil(problem)
    XCTAssertEqual(EventPattern.named("e", params: params).problem, problem)
    XCTAssertEqual(EventPattern.context(params).problem, problem)
    XCTAssertEqual(ValueMatcher.object(params).problem, problem)
  }

  func testAnArrayHasNoAbsentElements() {
    XCTAssertEqual(ValueMatcher(arrayLiteral: "a", .absent).problem?.reason, "an array has no absent elements")
    XCTAssertEqual(
      EventPattern.named("a", params: ["list": .not([.absent])]).mismatch(of: .tapped)?.differences,
      [.condition("an array has no absent elements")])
  }

  func testAnObjectLiteralMatchesAllItsNames() {
    assert(["id": .not("x")], accepts: [["id": "a"], ["id": nil]], butNot: [[:], ["id": "x"], ["id": "a", "b": 1]])
    assert(["id": .all(of: [.not("x"), .not("y")])], accepts: [["id": "a"]], butNot: [[:]])
  }

  func testAnObjectLiteralMayNameWhatMayBeAbsent() {
    assert(["id": 1, "note": .absent], accepts: [["id": 1]], butNot: [["id": 1, "note": nil], [:]])
    assert(["note": .one(of: [.anyString, .absent])], accepts: [[:], ["note": "a"]], butNot: [["note": 1]])
  }

  // MARK: Events

  func testExactlyOfNotAcceptsNoMoreThanNot() {
    let pattern = EventPattern.named("tap", params: ["a": 1]).not()
    let (other, match, extra) = (
      TrackingEvent(name: "tap", params: ["a": 2]), TrackingEvent(name: "tap", params: ["a": 1]),
      TrackingEvent(name: "tap", params: ["a": 1, "b": 1])
    )
    XCTAssertNil(pattern.exact().mismatch(of: other))
    for event in [match, extra] {
      XCTAssertNotNil(pattern.mismatch(of: event))
      XCTAssertNotNil(pattern.exact().mismatch(of: event), "\(event)")
    }
    XCTAssertNotNil(pattern.exact().mismatch(of: TrackingEvent(name: "tap", params: ["a": 2, "b": 1])))
    XCTAssertEqual(
      pattern.exact().description, #"anything but (an event named "tap" with a: 1) and no other params"#)
  }

  func testANullIsNoParamOfATypeThatDoesNotReadIt() {
    let pattern = EventPattern.typed(AddedToCart.self).exact()
    let event = TrackingEvent(name: "added_to_cart", params: ["product_id": "1", "quantity": 2])
    XCTAssertNil(pattern.mismatch(of: event))
    XCTAssertNil(pattern.mismatch(of: event.with("price", nil as TrackingValue)))
    XCTAssertEqual(
      pattern.mismatch(of: event.with("prize", nil as TrackingValue))?.differences,
      [.extra(path: "prize", found: .null)])
  }

  func testNamesAreMatchedByTheirBytes() {
    let event = TrackingEvent(name: "caf\u{E9}", params: ["\u{E9}": "\u{E9}"])
    XCTAssertNil(EventPattern.named("caf\u{E9}", params: ["\u{E9}": "\u{E9}"]).mismatch(of: event))
    for pattern: EventPattern in [
      .named("cafe\u{301}"), .params(["e\u{301}": .any]), .params(["\u{E9}": "e\u{301}"]),
      .params(["\u{E9}": .contains("e\u{301}")]), .params(["\u{E9}": .hasPrefix("e")]),
      .named("cafe\u{301}").or(.named("cafe\u{301}", params: ["a": 1])), .equal(to: TrackingEvent(name: "cafe\u{301}")),
    ] {
      XCTAssertNotNil(pattern.mismatch(of: event), "\(pattern)")
    }
  }

  func testADifferenceInNormalizationIsExplained() {
    let event = TrackingEvent(name: "caf\u{E9}", params: ["drink": "th\u{E9}"])
    let mismatch = EventPattern.named("cafe\u{301}", params: ["drink": "the\u{301}"]).mismatch(of: event)
    XCTAssertEqual(
      mismatch.map { EventDiff.lines(for: event, $0).map { $0.precomposedStringWithCanonicalMapping } },
      [
        "- café",
        "+ café   (differs in Unicode normalization only: character 4 is U+00E9, expected U+0065 U+0301)",
        #"- drink: "thé""#,
        #"+ drink: "thé""#,
        "    (differs in Unicode normalization only: character 3 is U+00E9, expected U+0065 U+0301)",
      ])
  }

  func testAnEmptyNameOfAMemberCanBeMatched() {
    let event = TrackingEvent(name: "a", params: ["o": ["": ["": 1, "b": 2], ".x": 3], "": 4])
    for (path, value) in [("o..", 1), ("o..b", 2), ("o..x", 3), ("", 4)] as [(TrackingParam, TrackingValue)] {
      XCTAssertNil(EventPattern.params([path: .equal(to: value)]).mismatch(of: event), "\(path)")
      XCTAssertNotNil(EventPattern.params([path: .not(.equal(to: value))]).mismatch(of: event), "\(path)")
    }
    XCTAssertNil(EventPattern.params(["o": .object(["": .object(["": 1])])]).mismatch(of: event))
    XCTAssertNotNil(EventPattern.params(["o": .object(["": 1])]).mismatch(of: event))
    XCTAssertNotNil(EventPattern.params(["o[0]": .any]).mismatch(of: event))
    let dotted = TrackingEvent(name: "a", params: ["a": ["\u{301}b": 1]])
    XCTAssertNil(EventPattern.params(["a.\u{301}b": 1]).mismatch(of: dotted))
  }

  // MARK: Order

  func testDatesAreComparedAsPointsInTime() throws {
    let eight = try XCTUnwrap(ISO8601DateFormatter().date(from: "2026-11-21T08:00:00Z"))
    assert(
      .less(than: eight),
      accepts: ["2026-11-21T08:30:00+01:00", "2026-11-21T07:59:59.9999Z", "-000001-01-01T00:00:00Z"],
      butNot: ["2026-11-21T08:00:00Z", "2026-11-21T07:30:00-01:00", "2026-11-21", "yesterday", "", 0, nil])
    assert(
      .atMost(eight), accepts: ["2026-11-21T09:00:00+01:00", "2026-11-21T08:00:00.000Z", "2026-11-21T07:59:60Z"],
      butNot: ["2026-11-21T08:00:00.0001Z"])
    assert(
      .greater(than: "2026-11-21T08:00:00+01:00"), accepts: ["2026-11-21T07:00:00.001Z", "+012026-01-01T00:00:00Z"],
      butNot: ["2026-11-21T07:00:00Z"])
    assert(
      .in(eight...eight.addingTimeInterval(60)), accepts: ["2026-11-21T10:00:30+02:00"],
      butNot: ["2026-11-21T08:01:01Z"])
    assert(.less(than: Date(timeIntervalSince1970: 300_000_000_000)), accepts: ["2026-11-21T08:00:00Z"], butNot: [])
    XCTAssertEqual(
      ValueMatcher.less(than: eight).mismatch(of: "soon")?.differences,
      [
        .unmet(
          path: "", expected: #"less than "2026-11-21T08:00:00.000Z""#, found: "soon", note: "it isn't a date",
          weight: MismatchWeight.type)
      ])
  }

  func testOtherTextsAreComparedByTheirBytes() {
    assert(.less(than: "b"), accepts: ["a", "", "aé", "B"], butNot: ["b", "ba", 1, nil])
    assert(.atMost("\u{E9}"), accepts: ["\u{E9}", "e\u{301}"], butNot: ["\u{E9}a"])
    assert(.atMost("e\u{301}"), accepts: ["e\u{301}"], butNot: ["\u{E9}"])
  }

  // MARK: Numbers

  func testApproximatelyIsExactForWholeNumbers() {
    let large = 0x1p53
    assert(
      .approximately(large, tolerance: 0), accepts: [.int(1 << 53)], butNot: [.int(1 << 53 + 1), .int(1 << 53 + 3)])
    assert(
      .approximately(large, tolerance: 2), accepts: [.int(1 << 53 + 2), .int(1 << 53 - 2)],
      butNot: [.int(1 << 53 + 3), .int(1 << 53 - 3)])
    assert(
      .approximately(0x1p63, tolerance: 1), accepts: [.int(.max), .unsigned(1 << 63 + 1)],
      butNot: [.int(.max - 1), .unsigned(1 << 63 + 2), .int(.min)])
    assert(.approximately(1e20, tolerance: 1), accepts: [.double(1e20)], butNot: [.double(1e20.nextUp), .int(.min)])
    assert(.approximately(3, tolerance: 0.5), accepts: [3, 3.5, 2.5], butNot: [4, 3.6])
    assert(.approximately(-3, tolerance: .infinity), accepts: [.int(.max), 0.5, 1e300], butNot: ["3", nil])
  }

  func testApproximatelyAllowsForTheRoundingOfDecimals() {
    assert(.approximately(1, tolerance: 0.1), accepts: [1.1, 0.9], butNot: [1.1000001, 0.8999999])
    assert(.approximately(9.5, tolerance: 0.01), accepts: [9.49, 9.51], butNot: [9.52, 9.48])
    assert(.approximately(0.3, tolerance: 0), accepts: [0.3, 0.30000000000000004], butNot: [0.3000000001])
  }

  func testANumberThatJSONCannotWriteIsATextInProcessToo() {
    for (number, text) in [(Double.nan, "NaN"), (.infinity, "Infinity"), (-.infinity, "-Infinity")] {
      for matcher: ValueMatcher in [
        .anyString, .anyNumber, .anyInteger, .contains("N"), .hasPrefix("-"), .matches(".*ity"), .less(than: 3),
        .less(than: "O"), .approximately(1, tolerance: .infinity), .equal(to: number), .equal(to: text),
      ] {
        XCTAssertEqual(
          matcher.mismatch(of: .double(number)) == nil, matcher.mismatch(of: .string(text)) == nil,
          "\(matcher), \(text)")
      }
      assert(.anyString, accepts: [.double(number)], butNot: [])
    }
    assert(.equal(to: 0), accepts: [.double(-0.0)], butNot: [])
  }

  func testTextsOfManyCombiningCharactersAreComparedInLinearTime() {
    let text = "a" + String(repeating: "\u{301}\u{316}", count: 50_000)
    let event = TrackingEvent(name: text, params: [.custom(key: text): .string(text)])
    for pattern: EventPattern in [
      .named("a"), .params(["a": .any]), .params([.custom(key: text): "b"]),
      .params([.custom(key: text): .contains("b")]), .params([.custom(key: text): .matches(".*")]),
      .params([.custom(key: text): .one(of: ["b", .hasSuffix("c")])]), .equal(to: TrackingEvent(name: "a")),
    ] {
      guard let mismatch = pattern.mismatch(of: event) else { return XCTFail("matches") }
      XCTAssertLessThan(EventDiff.lines(for: event, mismatch).joined().utf8.count, 20_000)
    }
  }
}
