import TestSupport

@testable import TrackingPatterns

/// Senders that write everything as text.
final class LenientPatternTests: XCTestCase {
  private func assert(
    _ matcher: ValueMatcher, accepts accepted: [TrackingValue], refuses refused: [TrackingValue],
    file: StaticString = #filePath, line: UInt = #line
  ) {
    for (values, isAccepted) in [(accepted, true), (refused, false)] {
      for value in values {
        let pattern = EventPattern.params(["value": matcher]).lenient()
        let mismatch = pattern.mismatch(of: TrackingEvent(name: "a", params: ["value": value]))
        XCTAssertEqual(mismatch == nil, isAccepted, "\(matcher): \(value)", file: file, line: line)
      }
    }
  }

  func testNumbersAndTheirTexts() {
    assert(
      12.5, accepts: [12.5, "12.5", "12.50", "1.25e1"],
      refuses: ["12,5", " 12.5", "12.5 ", "+12.5", "0x0C", "", "12.6"])
    assert(3, accepts: ["3", "3.0", 3.0], refuses: ["03", "three", "-3", true, "3."])
    assert(-3, accepts: ["-3"], refuses: ["--3", "3", "- 3"])
    assert(9_007_199_254_740_993, accepts: ["9007199254740993"], refuses: ["9007199254740992"])
    assert("12.5", accepts: [12.5, "12.5"], refuses: ["12.50", 12.6])
  }

  func testOtherValuesAndTheirTexts() {
    assert(true, accepts: [true, "true"], refuses: ["TRUE", "1", 1, "false"])
    assert("false", accepts: [false], refuses: [true, 0])
    assert(nil, accepts: ["null", nil], refuses: ["", 0])
    assert(["a": [1, true]], accepts: [["a": ["1", "true"]]], refuses: [["a": ["1"]], #"{"a": [1, true]}"#])
    assert("nan", accepts: [], refuses: [0])
  }

  func testOtherMatchers() {
    assert(.greater(than: 100), accepts: ["120", 120], refuses: ["99", "many"])
    assert(.approximately(9.5, tolerance: 0.1), accepts: ["9.55"], refuses: ["9.7"])
    assert(.anyNumber, accepts: ["1"], refuses: ["one", true])
    assert(.anyInteger, accepts: ["1", "2.0"], refuses: ["1.5"])
    assert(.anyBoolean, accepts: ["true"], refuses: ["yes", 1])
    assert(.anyString, accepts: [1, true], refuses: [nil, []])
    assert(.hasPrefix("12"), accepts: [120, "12"], refuses: [21])
    assert(.each(.less(than: 3)), accepts: [["1", 2]], refuses: [["3"]])
    assert(.not(3), accepts: ["4"], refuses: ["3"])
  }

  func testAnExactEvent() {
    let event = TrackingEvent(name: "a", params: ["count": 3, "isNew": true])
    let sent = TrackingEvent(name: "a", params: ["count": "3", "isNew": "true"])
    XCTAssertNotNil(EventPattern.equal(to: event).mismatch(of: sent))
    XCTAssertNil(EventPattern.equal(to: event).lenient().mismatch(of: sent))
    XCTAssertNil(EventPattern.named("b").or(.equal(to: event)).lenient().mismatch(of: sent))
    XCTAssertNil(EventPattern.params(["count": 3]).lenient().and(.params(["isNew": "true"])).mismatch(of: sent))
    XCTAssertNotNil(EventPattern.params(["count": 3]).lenient().and(.params(["isNew": true])).mismatch(of: sent))
  }
}
