import TestSupport
import TrackingPatterns

/// Matchers that are passed to another process and come back.
final class ValueMatcherCodingTests: XCTestCase {
  private let matchers: [ValueMatcher] = [
    nil, true, 42, 1.5, "a=\u{0}é", [1, "x", nil], ["a": 1, "b": ["c": .present]], .any, .absent, .anyString,
    .anyNumber,
    .anyInteger, .anyBoolean, .anyArray, .anyObject, .less(than: 1), .atMost(1.5), .greater(than: "m"), .atLeast(-1),
    .in(1...3), .in(0.5..<2), .approximately(2, tolerance: 0.25), .contains("b"), .hasPrefix("a"), .hasSuffix("z"),
    .matches("[a-z]+"), .each(.greater(than: 1)), .contains(element: "x"), .count(.atLeast(2)),
    .object(["a": 1, "b.c": .hasPrefix("d")]), .one(of: [1, "x", .absent]),
    .all(of: [.hasPrefix("a"), .hasSuffix("z")]),
    .not("b"), .not(.one(of: [1, .each(.not(.absent))])), .equal(to: TrackingValue.unsigned(.max)),
  ]

  private let values: [TrackingValue] = [
    .null, true, false, 0, 1, 2, 42, 1.5, 2.2, "a", "z", "az", "abc", "n", "a=\u{0}é", [], [1, "x", .null], [2, 3],
    ["x", "y"], ["a": 1], ["a": 1, "b": ["c": "de"]], ["a": 1, "b": ["c": 2], "d": 3], .unsigned(.max), .int(.min),
  ]

  /// The matcher that another process gets.
  private func coded(_ matcher: ValueMatcher) throws -> ValueMatcher {
    try JSONDecoder().decode(CodedForm<ValueMatcher>.self, from: JSONEncoder().encode(CodedForm(matcher))).value
  }

  func testEachMatcherAcceptsTheSameAfterItsJourney() throws {
    for matcher in matchers {
      let again = try coded(matcher)
      XCTAssertEqual(again, matcher)
      XCTAssertEqual("\(again)", "\(matcher)")
      for value in values {
        XCTAssertEqual(again.accepts(value), matcher.accepts(value), "\(matcher), \(value)")
      }
      for fields in [[], ["1"], ["a", "b"], ["abc"], ["az"], ["2.2"]] {
        XCTAssertEqual(again.accepts(fieldWith: fields), matcher.accepts(fieldWith: fields), "\(matcher), \(fields)")
      }
    }
  }

  func testAMatcherThatCanAcceptNothingStaysOne() throws {
    for matcher in [ValueMatcher.matches("["), .not(.matches("("))] {
      let problem = try XCTUnwrap(matcher.invalidity, "\(matcher)")
      XCTAssertEqual(try coded(matcher).invalidity, problem)
    }
  }

  func testAClosureIsEqualToItsCopiesAlone() throws {
    let first = ValueMatcher.satisfying("even") { $0 == 2 }
    let second = ValueMatcher.satisfying("even") { $0 == 4 }
    XCTAssertNotEqual(first, second)
    XCTAssertEqual(first, first)
    XCTAssertEqual(first.hashValue, second.hashValue)
    XCTAssertNotEqual(ValueMatcher.one(of: [first, "a"]), .one(of: [second, "a"]))
    XCTAssertEqual(ValueMatcher.one(of: [first, "a"]), .one(of: [first, "a"]))
    XCTAssertNotEqual(["a": first, "b": second] as ValueMatcher, ["a": second, "b": first])
    XCTAssertNotEqual(ValueMatcher.matches(/a/), .matches(/b/))
    XCTAssertEqual(ValueMatcher.matches("a"), .matches("a"))
  }

  func testCodeDoesNotArrive() {
    let closures: [ValueMatcher] = [
      .satisfying("even") { $0 == 2 }, .not(.each(.satisfying("even") { $0 == 2 })), .matches(/a+/, as: "even"),
      .object(["a": .one(of: [1, .satisfying("even") { $0 == 2 }])]),
    ]
    for matcher in closures {
      XCTAssertEqual(matcher.closure, "even")
      XCTAssertThrowsError(try coded(matcher), "\(matcher)")
    }
  }

  func testWhatIsNoMatcherIsRefused() {
    for json in ["1", "\"some\"", "{}", #"{"equal":1,"kind":"string"}"#, #"{"matches":1}"#, #"{"ordered":[1]}"#, "[]"] {
      XCTAssertThrowsError(try JSONDecoder().decode(CodedForm<ValueMatcher>.self, from: Data(json.utf8)), json) {
        error in
        XCTAssertTrue("\(error)".contains("isn't a ValueMatcher"), "\(error)")
      }
    }
  }
}
