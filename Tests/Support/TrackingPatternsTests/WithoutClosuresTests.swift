import TestSupport
@testable import TrackingPatterns

/// Patterns that are judged without running their closures.
final class WithoutClosuresTests: XCTestCase {
  private struct Rated: TrackingSchema {
    static let eventName = "rated"
    var stars: Int
  }

  private static let closure = EventPattern.satisfying("a closure") { _ in
    XCTFail("the closure has run")
    return true
  }

  private static let matcher = ValueMatcher.satisfying("a closure") { _ in
    XCTFail("the closure has run")
    return true
  }

  private func judge(_ pattern: EventPattern, _ event: TrackingEvent, from process: String? = nil) -> Bool? {
    pattern.matchesWithoutClosures(event, from: process)
  }

  func testAPatternIsDecidedWhereNoClosureCanChangeTheResult() {
    let (a, b) = (TrackingEvent(name: "a", params: ["n": 1]), TrackingEvent(name: "b"))
    let both = EventPattern.named("a").and(Self.closure)
    XCTAssertEqual(judge(both, a), nil)
    XCTAssertEqual(judge(both, b), false)
    XCTAssertEqual(judge(both.not(), a), nil)
    XCTAssertEqual(judge(both.not(), b), true)
    let either = EventPattern.named("a").or(Self.closure)
    XCTAssertEqual(judge(either, a), true)
    XCTAssertEqual(judge(either, b), nil)
    XCTAssertEqual(judge(Self.closure.and(.named("a")), b), false)
    XCTAssertEqual(judge(.named("a", params: ["n": 2]).and(Self.closure), a), false)
    XCTAssertEqual(judge(.named("a").exact().and(Self.closure), a), false)
    XCTAssertEqual(judge(.named("a"), a), true)
  }

  func testAMatcherIsDecidedInTheSameWay() {
    let event = TrackingEvent(name: "a", params: ["n": 1, "list": [1]])
    XCTAssertEqual(judge(.params(["n": Self.matcher]), event), nil)
    XCTAssertEqual(judge(.params(["absent": Self.matcher]), event), false)
    XCTAssertEqual(judge(.params(["absent": .not(Self.matcher)]), event), true)
    XCTAssertEqual(judge(.params(["n": .not(Self.matcher)]), event), nil)
    XCTAssertEqual(judge(.params(["n": .one(of: [1, Self.matcher])]), event), true)
    XCTAssertEqual(judge(.params(["n": .all(of: [2, Self.matcher])]), event), false)
    XCTAssertEqual(judge(.params(["list": .each(Self.matcher)]), event), nil)
    XCTAssertEqual(judge(.params(["n": .each(Self.matcher)]), event), false)
    XCTAssertEqual(judge(.params(["list": [Self.matcher, 2]]), event), false)
  }

  func testATypedEventIsDecodedAndItsClosureDoesNotRun() {
    let pattern = EventPattern.typed(Rated.self, "many stars") { _ in
      XCTFail("the closure has run")
      return true
    }
    XCTAssertEqual(judge(pattern, TrackingEvent(name: "rated", params: ["stars": 5])), nil)
    XCTAssertEqual(judge(pattern, TrackingEvent(name: "rated", params: ["stars": "5"])), false)
    XCTAssertEqual(judge(pattern, TrackingEvent(name: "other")), false)
    XCTAssertEqual(judge(.typed(Rated.self), TrackingEvent(name: "rated", params: ["stars": 5])), true)
    XCTAssertTrue(pattern.hasClosure)
    XCTAssertFalse(EventPattern.typed(Rated.self).hasClosure)
  }

  func testTheProcessIsThatOfTheEvent() {
    let pattern = EventPattern.named("a").from("Widget").and(Self.closure)
    XCTAssertEqual(judge(pattern, TrackingEvent(name: "a"), from: "Widget"), nil)
    XCTAssertEqual(judge(pattern, TrackingEvent(name: "a"), from: "Shop"), false)
    XCTAssertEqual(judge(pattern, TrackingEvent(name: "a")), false)
  }

  func testAnAssertionNamesThePartsOfAnEventThatItLooksAt() {
    XCTAssertEqual(EventPattern.named("a").assertion, "by name")
    XCTAssertEqual(EventPattern.named("a", params: ["c": 1, "b": .any]).assertion, #"by name, "b" and "c""#)
    XCTAssertEqual(EventPattern.equal(to: TrackingEvent(name: "a")).assertion, "as a whole")
    XCTAssertEqual(EventPattern.typed(Rated.self).assertion, "as Rated")
    XCTAssertEqual(EventPattern.named("a").and(Self.closure).assertion, "by name and by a closure")
    XCTAssertEqual(EventPattern.named("a").exact().lenient().assertion, "by name and no other params")
    XCTAssertEqual(EventPattern.named("a").from("W").assertion, #"by name and from the process "W""#)
  }
}
