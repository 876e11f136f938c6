import TestSupport

@testable import TrackingJSON

final class JSONPathTests: XCTestCase {
  func testAnEscapedPathIsThatOfAPlanUnlessANameIsOdd() {
    for (steps, text) in [
      ([.member("items"), .each, .member("price")], "items[].price"), ([.member("a"), .each, .each], "a[][]"),
      ([.member("a.b")], #"a\.b"#), ([.member("a[]")], #"a\[]"#), ([.member("a[]"), .each], #"a\[][]"#),
      ([.member("a[][]")], #"a[]\[]"#), ([.member("[Amplitude] Page")], "[Amplitude] Page"),
      ([.member("a[].b")], #"a[]\.b"#), ([.member(#"a\"#), .each], #"a\\[]"#), ([.member("")], ""),
      ([.member(""), .member("a")], ".a"), ([.member("a"), .member("")], "a."), ([.member(""), .each], "[]"),
      ([.member("[]")], #"\[]"#), ([.member("a"), .member("\u{301}b")], "a.\u{301}b"),
    ] as [([JSONPath.Step], String)] {
      XCTAssertEqual(Array(JSONPath(steps).escaped.utf8), Array(text.utf8))
      XCTAssertEqual(JSONPath(escaped: text), JSONPath(steps), text)
    }
  }

  func testRandomPathsReturnFromTheirText() {
    for seed in RandomCases.seeds(500) {
      var random = SeededGenerator(seed: UInt64(seed))
      var steps: [JSONPath.Step] = []
      for _ in 0...random.next() % 4 {
        let name = (0..<random.next() % 5).map { _ in
          [".", "[", "]", "[]", "\\", "a", "\u{301}"][Int(random.next() % 7)]
        }
        steps.append(.member(name.joined()))
        if random.next() % 2 == 0 { steps.append(.each) }
      }
      XCTAssertEqual(JSONPath(escaped: JSONPath(steps).escaped), JSONPath(steps), "\(seed)")
    }
  }

  func testNamesAreComparedByCodePoints() {
    XCTAssertNotEqual(JSONPath([.member("caf\u{E9}")]), JSONPath([.member("cafe\u{301}")]))
    XCTAssertEqual(Set([JSONPath([.member("caf\u{E9}")]), JSONPath([.member("cafe\u{301}")])]).count, 2)
  }
}
