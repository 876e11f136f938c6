import TestSupport

final class RecordedTextTests: XCTestCase {
  private let source = #"""
    func test() {
      assertText(
        first,
        """
        one
        """)
      assertText(
        second,
        """
        line \(line): a "b" \\ c
        both \
        parts

        last
        """)
    }
    """#

  func testALiteralIsRewrittenAndLinesThatStayAreKeptAsTheyAreWritten() {
    XCTAssertEqual(
      RecordedText.rewritten(
        source, line: 7, from: "line 42: a \"b\" \\ c\nboth parts\n\nlast",
        to: "line 42: a \"b\" \\ c\nnew \\\n\nboth parts\n"),
      #"""
      func test() {
        assertText(
          first,
          """
          one
          """)
        assertText(
          second,
          """
          line \(line): a "b" \\ c
          new \\

          both \
          parts

          """)
      }
      """#)
  }

  func testALiteralOfAnotherTextIsNotRewritten() {
    XCTAssertNil(RecordedText.rewritten(source, line: 7, from: "one", to: "two"))
    XCTAssertNil(RecordedText.rewritten(source, line: 1, from: "line 42", to: "two"))
  }
}
