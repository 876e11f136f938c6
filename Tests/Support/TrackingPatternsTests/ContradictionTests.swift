import TestSupport

@testable import TrackingPatterns

/// Patterns that need two names, or two values of one param, so that no event matches.
final class ContradictionTests: XCTestCase {
  private func reason(_ pattern: EventPattern) -> String? { pattern.problem?.reason }

  func testTwoNamesCannotMatch() {
    XCTAssertEqual(reason(.named("a").and(.named("b"))), #"no event has the two names "a" and "b""#)
    XCTAssertEqual(
      reason(.params(["x": 1]).and(.named("a")).and(.equal(to: TrackingEvent(name: "b")))),
      #"no event has the two names "a" and "b""#)
    XCTAssertNil(reason(.named("a").and(.named("a"))))
    XCTAssertNil(reason(.named("a").and(.named("b").or(.named("a")))))
    XCTAssertNil(reason(.named("a").and(.named("b").not())))
    XCTAssertEqual(reason(.named("a").and(.named("b").or(.named("c")))), #"no event has the two names "a" and "b""#)
    XCTAssertEqual(
      reason(.named("a").from("App").and(.any.from("Widget"))),
      #"no event is from the two processes "App" and "Widget""#)
  }

  func testTwoValuesOfAParamCannotMatch() {
    XCTAssertEqual(
      reason(.named("a", params: ["x": 1]).and(.params(["x": 2]))), #"no event has "x" equal to both 1 and 2"#)
    XCTAssertEqual(
      reason(.context(["$os": "iOS"]).and(.context(["$os": "tvOS"]))),
      #"no event has "$os" equal to both "iOS" and "tvOS""#)
    XCTAssertEqual(
      reason(.params(["items[0].id": ["a"]]).and(.params(["items[0].id": ["b"]]))),
      #"no event has "items[0].id" equal to both ["a"] and ["b"]"#)
    // They may be equal, leniently.
    for (left, right): (ValueMatcher, ValueMatcher) in [
      (3, "3"), ("1.0", "1"), (true, "true"), (1, 1.0), (["1"], [1]), (["a": 1], ["a": "1"]), (1, .greater(than: 2)),
    ] {
      XCTAssertNil(reason(.params(["x": left]).and(.params(["x": right]))), "\(left) \(right)")
    }
    XCTAssertNil(reason(.params(["x": 1]).and(.context(["x": 2]))))
    XCTAssertNil(reason(.params(["x": 1]).and(.params(["y": 2]))))
  }

  func testAllOfTwoValuesIsNone() {
    let matcher = ValueMatcher.all(of: ["a", .any, "b"])
    XCTAssertEqual(matcher.problem?.reason, #"no value equals both "a" and "b""#)
    XCTAssertEqual(reason(.params(["x": matcher])), #"no value equals both "a" and "b""#)
    XCTAssertNil(ValueMatcher.one(of: [matcher, "c"]).problem)
    XCTAssertNil(ValueMatcher.all(of: ["1", .one(of: ["1", "2"])]).problem)
  }

  func testAnAlternativeMakesUpForAnImpossibleOneAndNotForAMistake() {
    let impossible = EventPattern.named("a", params: ["x": .one(of: [])])
    let mistake = EventPattern.named("a", params: ["x": .matches("(")])
    XCTAssertNil(reason(impossible.or(.named("b"))))
    XCTAssertNil(reason(.named("b").or(.named("a").and(.named("c")))))
    XCTAssertEqual(reason(impossible.or(impossible)), "no value is one of an empty list")
    XCTAssertNotNil(reason(mistake.or(.named("b"))))
    XCTAssertNotNil(reason(.named("b").or(mistake)))
    // The negation of an impossible pattern matches everything, so it is a mistake.
    XCTAssertNotNil(reason(impossible.not().or(.named("b"))))
    XCTAssertNotNil(reason(EventPattern.named("a").and(.named("b")).not().or(.any)))
    XCTAssertTrue(impossible.or(.named("b")).mismatch(of: TrackingEvent(name: "b")) == nil)
  }

  /// Compares with every event over the names and values of the patterns.
  func testNoEventMatchesWhatIsRefusedAndSomeMatchesTheOthers() {
    var generator = RandomCases.generator(seed: 63)
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    let names = ["a", "b"]
    let values: [TrackingValue?] = [nil, 1, "1", "1.0", 2, true, "true", "x"]
    let events = names.flatMap { name in
      values.flatMap { x in
        values.map { y in
          TrackingEvent(
            name: name,
            params: Dictionary(
              [("x", x), ("y", y)].compactMap { key, value in
                value.map { (TrackingParam.custom(key: key), $0) }
              }
            ) { $1 })
        }
      }
    }
    var namesWholeEvents = false
    func pattern(_ depth: Int) -> EventPattern {
      switch Int.random(in: 0..<(depth > 0 ? 7 : 3), using: &generator) {
      case 0: return .named(pick(names))
      case 1: return .params([pick(["x", "y"]): .equal(to: pick(values.compactMap(\.self)))])
      case 2 where namesWholeEvents: return .equal(to: pick(events))
      case 3, 4, 5: return pattern(depth - 1).and(pattern(depth - 1))
      default:
        guard depth > 0 else { return .any }
        return pattern(depth - 1).or(pattern(depth - 1))
      }
    }
    var refused = 0
    for number in 0..<RandomCases.count(4_000) {
      namesWholeEvents = number.isMultiple(of: 2)
      let pattern = pattern(3).lenient()
      let matches = events.contains { pattern.condition.holds(for: $0, .strict) }
      if matches { XCTAssertNil(pattern.problem, "\(pattern)") }
      // A whole event also excludes params that another pattern needs, which isn't looked for.
      if !namesWholeEvents { XCTAssertEqual(pattern.problem == nil, matches, "\(pattern)") }
      refused += matches ? 0 : 1
    }
    XCTAssertGreaterThan(refused, RandomCases.count(400))
  }
}
