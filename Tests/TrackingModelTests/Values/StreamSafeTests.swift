import TrackingModel
import XCTest

final class StreamSafeTests: XCTestCase {
  /// Combining characters in an order that is not the canonical one.
  private func marks(_ count: Int) -> String {
    String(repeating: "\u{301}\u{316}", count: count / 2) + (count.isMultiple(of: 2) ? "" : "\u{316}")
  }

  func testThirtyCombiningCharactersInARowAreAsManyAsTextHas() {
    XCTAssertTrue("".isStreamSafe())
    XCTAssertTrue(("a" + marks(30)).isStreamSafe())
    XCTAssertFalse(("a" + marks(31)).isStreamSafe())
    XCTAssertTrue(String(repeating: "a" + marks(30), count: 100).isStreamSafe())
    XCTAssertFalse((String(repeating: "a" + marks(30), count: 100) + "\u{301}").isStreamSafe())
    XCTAssertTrue((marks(30) + "\u{4E00}" + marks(30)).isStreamSafe())
    XCTAssertTrue(String(repeating: "日本語", count: 1_000).isStreamSafe())
    // Beyond the basic plane.
    XCTAssertFalse(String(repeating: "\u{1D165}", count: 31).isStreamSafe())
  }

  func testTextsAreTheSameHoweverTheirCharactersAreSpelled() {
    XCTAssertTrue("caf\u{E9}".isSameText(as: "cafe\u{301}"))
    XCTAssertTrue("cafe\u{301}".isSameText(as: "caf\u{E9}"))
    XCTAssertFalse("cafe".isSameText(as: "caf\u{E9}"))
    let ordered = "a" + String(repeating: "\u{316}", count: 50) + String(repeating: "\u{301}", count: 50)
    XCTAssertTrue(("a" + marks(100)).isSameText(as: ordered))
  }

  func testTextsOfMoreCombiningCharactersAreTheSameByTheirBytes() {
    let ordered = "a" + String(repeating: "\u{316}", count: 51) + String(repeating: "\u{301}", count: 51)
    XCTAssertTrue(("a" + marks(102)).isSameText(as: "a" + marks(102)))
    XCTAssertFalse(("a" + marks(102)).isSameText(as: ordered))
  }
}
