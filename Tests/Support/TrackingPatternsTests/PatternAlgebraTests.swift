import TestSupport

@testable import TrackingPatterns

/// Laws that hold for all patterns and events, checked on many random ones.
final class PatternAlgebraTests: XCTestCase {
  private func forAll(_ body: (inout RandomPatterns, TrackingEvent) -> Void) {
    var random = RandomPatterns(seed: 20_261_121)
    for _ in 0..<RandomCases.count(1_000) {
      let event = random.event()
      body(&random, event)
    }
  }

  func testTheDistanceIsNothingIfAndOnlyIfThePatternAccepts() {
    forAll { random, event in
      let pattern = random.pattern()
      if let mismatch = pattern.mismatch(of: event) {
        XCTAssertGreaterThan(mismatch.distance, 0, "\(pattern) of \(event)")
        var differences = Differences(.explain)
        pattern.condition.look(at: event, .strict, into: &differences)
        XCTAssertEqual(differences.list, mismatch.differences, "\(pattern) of \(event)")
        XCTAssertFalse(EventDiff.lines(for: event, mismatch).isEmpty)
      } else {
        var differences = Differences(.explain)
        pattern.condition.look(at: event, .strict, into: &differences)
        XCTAssertEqual(differences.list, [], "\(pattern) of \(event)")
      }
    }
  }

  func testTwiceNotIsThePatternItself() {
    forAll { random, event in
      let pattern = random.pattern()
      let twice = pattern.not().not()
      XCTAssertEqual(twice.mismatch(of: event)?.differences, pattern.mismatch(of: event)?.differences)
      XCTAssertEqual(twice.description, pattern.description)
      XCTAssertEqual(twice.name, pattern.name)
    }
  }

  func testNotAcceptsWhatThePatternDoesNot() {
    forAll { random, event in
      let pattern = random.pattern()
      XCTAssertNotEqual(pattern.accepts(event), pattern.not().accepts(event), "\(pattern) of \(event)")
    }
  }

  func testAndAndOrAreThoseOfLogic() {
    forAll { random, event in
      let (a, b) = (random.pattern(), random.pattern())
      XCTAssertEqual(a.and(b).accepts(event), a.accepts(event) && b.accepts(event))
      XCTAssertEqual(a.or(b).accepts(event), a.accepts(event) || b.accepts(event))
      guard a.and(b).problem == nil else { return }
      XCTAssertEqual(a.and(b).not().accepts(event), a.not().or(b.not()).accepts(event))
    }
  }

  func testAPatternWithANameAcceptsNoEventOfAnother() {
    forAll { random, event in
      let pattern = random.pattern()
      if let name = pattern.name, name != event.name {
        XCTAssertFalse(pattern.accepts(event))
        XCTAssertFalse(pattern.condition.holds(for: event, .strict), "\(pattern) of \(event)")
      }
    }
  }

  func testClosedAndStrictPatternsMatchNoMore() {
    forAll { random, event in
      let params = random.params()
      let pattern = EventPattern.named(event.name, params: params)
      if pattern.exact().accepts(event) { XCTAssertTrue(pattern.accepts(event)) }
      let equal = EventPattern.equal(to: random.event())
      if equal.accepts(event) { XCTAssertTrue(equal.lenient().accepts(event)) }
    }
  }

  func testTheEqualPatternAgreesWithEquality() {
    forAll { random, event in
      let other = random.event()
      XCTAssertEqual(EventPattern.equal(to: other).accepts(event), other == event)
      XCTAssertTrue(EventPattern.equal(to: event).accepts(event))
      XCTAssertTrue(EventPattern.equal(to: event).lenient().accepts(event))
    }
  }

  func testTwiceNotOfAMatcherIsTheMatcherItself() {
    forAll { random, event in
      let matcher = random.matcher()
      let value = event.params["a"]
      XCTAssertEqual(ValueMatcher.not(.not(matcher)).mismatch(of: value), matcher.mismatch(of: value))
      XCTAssertNotEqual(ValueMatcher.not(matcher).mismatch(of: value) == nil, matcher.mismatch(of: value) == nil)
      XCTAssertNotEqual(matcher.mismatch(of: value)?.distance, 0)
    }
  }

  func testNoLineOfADiffIsWiderThanAReportAllows() {
    forAll { random, event in
      let pattern = random.pattern()
      guard let mismatch = pattern.mismatch(of: event.with("long", .string(String(repeating: "wide ", count: 40))))
      else { return }
      for line in EventDiff.lines(for: event, mismatch) {
        XCTAssertLessThanOrEqual(line.count, Excerpt.columns - 4, line)
        XCTAssertFalse(line.contains(where: \.isNewline), line)
      }
    }
  }
}

extension EventPattern {
  fileprivate func accepts(_ event: TrackingEvent) -> Bool { mismatch(of: event) == nil }
}
