import TestSupport
import TrackingModel

@testable import TrackingPatterns

final class HeadlineTests: XCTestCase {
  private let long = String(repeating: "x", count: 70)

  private func event(_ params: [TrackingParam: TrackingValue]) -> Headline {
    Headline(of: TrackingEvent(name: "order_placed", params: params))
  }

  func testALineThatFitsIsWhole() {
    let line: Headline = "Expected nothing, but \(event(["total": 3, "items": []])) arrived"
    XCTAssertEqual(line.line, "Expected nothing, but order_placed(items: [], total: 3) arrived")
  }

  func testWholeParamsAreLeftOutLongestFirst() {
    let line: Headline =
      "Expected nothing, but \(event(["items": .string(long), "note": "a", "total": 3])) arrived 1 ms later"
    XCTAssertEqual(line.line, #"Expected nothing, but order_placed(…, note: "a", total: 3) arrived 1 ms later"#)
  }

  func testTheTimeIsNotQuadraticInTheNumberOfParams() {
    let numbers = 10_000..<30_000
    let words = event(Dictionary(uniqueKeysWithValues: numbers.map { (TrackingParam("k\($0)"), 1) }))
    let last = numbers.suffix(9).map { "k\($0): 1" }.joined(separator: ", ")
    XCTAssertEqual(words.line, "order_placed(…, \(last))")
    XCTAssertEqual(words.sparing(numbers.map { "k\($0)" }).line, "order_placed(…, \(last))")
  }

  func testParamsThatAreEqualAreLeftOutBeforeLongerOnes() {
    let differing = TrackingValue.string("differs " + long.prefix(50))
    let words = event(["a": "equal", "b": differing, "c": "equal, too", "d": .object(["e": 1])])
    let line: Headline = "No \(words.sparing(["b", "d.e"])) arrived"
    XCTAssertEqual(line.line, #"No order_placed(a: "equal", b: "differs \#(long.prefix(50))", …, d: {"e": 1}) arrived"#)
  }

  func testOnlyAValueThatIsTooLongAloneIsCutInItsMiddle() {
    let line: Headline = "No \(event(["note": .string(long + long)])) arrived"
    XCTAssertEqual(line.line.count, 120)
    XCTAssertTrue(line.line.hasPrefix(#"No order_placed(note: "xxx"#), line.line)
    XCTAssertTrue(line.line.contains(" … (of 148) … "), line.line)
    // Without the room for a part of the value, it is left out.
    let narrow: Headline = "No \(event(["note": .string(long)])), \(long), arrived"
    XCTAssertEqual(narrow.line, "No order_placed(…), \(long), arrived")
  }

  func testForeignTextsAreCutAtTheirEndsAfterAllParams() {
    let line: Headline =
      "No \(event(["a": 1, "b": 2])) arrived within 5 s; #2 was rejected (400): \(foreign: "the sum " + long) (twice)"
    XCTAssertEqual(
      line.line,
      "No order_placed(…) arrived within 5 s; #2 was rejected (400): the sum xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (twice)"
    )
    XCTAssertEqual(line.line.count, 120)
  }

  func testNamesAreCutInTheirMiddleAtLast() {
    let line: Headline = "No event named \(name: long) arrived, but \(name: long) did, \(foreign: long)"
    XCTAssertEqual(
      line.line,
      "No event named xxxxxxxx … (of 70) … xxx arrived, but xxxxxxxxxxxxxxxx … (of 70) … xxxxxxxx did, xxxxxxxxxxxxxxxxxxxxxxx…"
    )
  }

  func testOurOwnWordsStay() {
    let words = String(repeating: "word ", count: 22)
    let line: Headline = "\(words)\(event(["a": 1, "b": "xxxxxxxxxxxxxxxx"]))"
    XCTAssertTrue(line.line.hasPrefix(words), line.line)
  }

  func testPatternsKnowTheirParams() {
    let pattern = EventPattern.named("purchase", params: ["note": .equal(to: long), "total": 3]).exact()
    let line: Headline = "Expected \(pattern.words), but 2 arrived; #3 is the extra one"
    XCTAssertEqual(
      line.line,
      #"Expected an event named "purchase" with …, total: 3 and no other params, but 2 arrived; #3 is the extra one"#)
    XCTAssertEqual(pattern.words.text, "\(pattern)")
  }

  func testControlsAreEscapedBeforeTheLineIsMeasured() {
    let line: Headline = "Event \(name: "a\u{1B}[2J") arrived\nlate"
    XCTAssertEqual(line.line, #"Event a\u{1B}[2J arrived late"#)
  }
}
