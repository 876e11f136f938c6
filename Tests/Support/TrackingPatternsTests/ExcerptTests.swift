import TrackingModel
import TrackingPatterns
import XCTest

final class ExcerptTests: XCTestCase {
  func testLinesAfterTheFirstKeepTheIndentOfTheText() {
    XCTAssertEqual(Excerpt.wrapped("one two three", width: 8), "one two\nthree")
    XCTAssertEqual(Excerpt.wrapped("    one two three", width: 12), "    one two\n    three")
    XCTAssertEqual(
      Excerpt.wrapped("    one two three four", width: 12, indent: 2), "    one two\n      three\n      four")
  }
}
