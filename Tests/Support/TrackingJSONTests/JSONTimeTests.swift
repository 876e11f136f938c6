import TestSupport

@testable import TrackingJSON

/// Time grows with the text and no faster: sixteen times as much text takes about sixteen times as long, and not 256 times.
final class JSONTimeTests: XCTestCase {
  func testALongStringTakesLinearTime() {
    checkLinear { "\"" + String(repeating: "a", count: $0) + "\"" }
  }

  func testALongStringOfEscapesTakesLinearTime() {
    checkLinear { "\"" + String(repeating: #"\ud83d\ude00\n"#, count: $0 / 14) + "\"" }
  }

  func testALongNumberTakesLinearTime() {
    checkLinear { "1." + String(repeating: "3", count: $0) }
    checkLinear { String(repeating: "7", count: $0) }
    checkLinear { "0." + String(repeating: "0", count: $0) + "1e\($0)" }
    checkLinear { "1e" + String(repeating: "0", count: $0) + "1" }
  }

  func testALongArrayTakesLinearTime() {
    checkLinear { "[" + String(repeating: "0,", count: $0 / 2) + "0]" }
  }

  func testALongObjectTakesLinearTime() {
    checkLinear { "{" + (0..<($0 / 12)).map { "\"k\($0)\":0" }.joined(separator: ",") + "}" }
  }

  func testCombiningCharactersTakeLinearTime() {
    checkLinear { "{\"" + String(repeating: "\u{301}\u{316}", count: $0 / 4) + "\":0}" }
    checkLinear { "{\"" + String(repeating: "a" + marks(30), count: $0 / 61) + "\":0}" }
    checkLinear { "[\"" + marks($0 / 4) + "\"]" }
  }

  func testTooManyCombiningCharactersAreRefusedWithTheirPlace() {
    XCTAssertEqual(JSONParsing("{\"a\(marks(30))\":0}").isError, false)
    XCTAssertEqual(
      JSONParsing("{\"a\(marks(31))\":0}"),
      .error("@1: more than 30 combining characters follow one another in a key"))
    // Values are compared by their bytes.
    XCTAssertEqual(JSONParsing("[\"a\(marks(200_000))\"]").isError, false)
  }

  private func marks(_ count: Int) -> String {
    String(repeating: "\u{301}\u{316}", count: count / 2) + (count.isMultiple(of: 2) ? "" : "\u{301}")
  }

  func testWhiteSpaceTakesLinearTime() {
    checkLinear { String(repeating: " \n", count: $0 / 2) + "0" }
  }

  private func checkLinear(_ text: (Int) -> String, file: StaticString = #filePath, line: UInt = #line) {
    let (short, long) = (Array(text(15_000).utf8), Array(text(240_000).utf8))
    let (least, most) = (
      ProcessorTime.least(of: 3) { _ = JSONParsing(short) }, ProcessorTime.least(of: 3) { _ = JSONParsing(long) }
    )
    XCTAssertLessThan(most / max(least, .microseconds(50)), 50, file: file, line: line)
  }
}
