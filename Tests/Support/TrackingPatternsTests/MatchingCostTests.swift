import TestSupport

@testable import TrackingPatterns

/// The shape of what matching costs, compared with itself and not with a clock.
final class MatchingCostTests: XCTestCase {
  private func time(of body: () -> Void) -> Duration { ProcessorTime.least(of: 7, body) }

  private func event(name: String, params: Int) -> TrackingEvent {
    var event = TrackingEvent(name: name, params: [:])
    for index in 0..<params {
      event.params[.custom(key: "param_\(index)")] = .string("value \(index)")
    }
    return event
  }

  func testAnEventOfAnotherNameCostsTheSameHoweverLargeItAndThePatternAre() {
    let small = event(name: "screen_shown", params: 1)
    let large = event(name: "screen_shown", params: 5_000)
    let simple = EventPattern.named("purchase")
    let detailed = EventPattern.equal(to: event(name: "purchase", params: 5_000)).and(
      .params(["a[0].b": .matches(".*")])
    )
    .exact()
    func time(of pattern: EventPattern, _ event: TrackingEvent) -> Duration {
      self.time { for _ in 0..<200 where pattern.mismatch(of: event) == nil { XCTFail("matched") } }
    }
    XCTAssertLessThan(time(of: detailed, large), time(of: simple, small) * 10)
  }

  func testCombiningPatternsTakesTimeThatGrowsWithTheirParams() {
    func time(_ params: Int) -> Duration {
      let pattern = EventPattern.equal(to: event(name: "purchase", params: params))
      return self.time { _ = pattern.and(.params(["a[0].b": .matches(".*")])) }
    }
    // The square would be 64 times.
    XCTAssertLessThan(time(1_600), time(200) * 24)
  }

  func testDecidingCostsNoExplanation() {
    // 2,000 differences, of which the first decides.
    let pattern = EventPattern.equal(to: event(name: "purchase", params: 2_000))
    var other = event(name: "purchase", params: 2_000)
    for param in other.params.keys { other.params[param] = 0 }
    guard let mismatch = pattern.mismatch(of: other) else { return XCTFail("matched") }
    let deciding = time { _ = pattern.mismatch(of: other) }
    let explaining = time { _ = mismatch.distance }
    XCTAssertLessThan(deciding * 10, explaining)
  }
}
