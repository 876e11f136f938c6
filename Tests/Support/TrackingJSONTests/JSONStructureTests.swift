import TestSupport
@testable import TrackingJSON

/// RFC 8259 2 to 5 and 8.1: what surrounds strings and numbers.
final class JSONStructureTests: XCTestCase {
  func testValuesOfEachKindAreRead() {
    check("null", "null")
    check("true", "bool true")
    check("false", "bool false")
    check("{}", "{}")
    check("[]", "[]")
    check("[[],{}]", "[[], {}]")
    check(#"{"a":[1,{"b":null}],"c":true}"#, "{a: [int 1, {b: null}], c: bool true}")
    check(#"{"":0}"#, "{: int 0}")
  }

  func testOnlyFourKindsOfWhiteSpaceMayStandBetweenTokens() {
    check(" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", "[int 1, int 2]")
    check(" { \"a\" : 1 , \"b\" : [ ] } ", "{a: int 1, b: []}")
    check("\u{B}1", "@0: expected a value, found the byte 0x0B")
    check("\u{C}1", "@0: expected a value, found the byte 0x0C")
    check("1\u{A0}", "@1: expected the end of the text, found the byte 0xC2")
    check("1\u{2028}", "@1: expected the end of the text, found the byte 0xE2")
    check("[1\u{85}]", "@2: expected \",\" or \"]\", found the byte 0xC2")
  }

  func testATextWithoutAValueIsRefused() {
    check("", "@0: expected a value, found the end of the text")
    check("  ", "@2: expected a value, found the end of the text")
    check("nul", "@0: expected null")
    check("nulL", "@0: expected null")
    check("True", "@0: expected a value, found \"T\"")
    check("truefalse", "@4: expected the end of the text, found \"f\"")
    check("'a'", "@0: expected a value, found \"'\"")
    check("// 1\n1", "@0: expected a value, found \"/\"")
    check("1 2", "@2: expected the end of the text, found \"2\"")
    check("{}}", "@2: expected the end of the text, found \"}\"")
    check("1\0", "@1: expected the end of the text, found the byte 0x00")
    check("\0", "@0: expected a value, found the byte 0x00")
    check("\u{FEFF}1", "@0: expected a value, found a byte order mark")
    check("1\u{FEFF}", "@1: expected the end of the text, found the byte 0xEF")
    XCTAssertEqual(JSONParsing([0xFF]), .error("@0: expected a value, found the byte 0xFF"))
    // Byte order marks of UTF-16, and a text in UTF-32.
    XCTAssertEqual(JSONParsing([0xFE, 0xFF, 0, 0x31]), .error("@0: expected a value, found the byte 0xFE"))
    XCTAssertEqual(JSONParsing([0xFF, 0xFE, 0x31, 0]), .error("@0: expected a value, found the byte 0xFF"))
    XCTAssertEqual(JSONParsing([0, 0, 0, 0x31]), .error("@0: expected a value, found the byte 0x00"))
    XCTAssertEqual(JSONParsing([0x31, 0, 0x32, 0]), .error("@1: expected the end of the text, found the byte 0x00"))
  }

  func testBrokenArraysAreRefusedWithTheirPlace() {
    check("[", "[0]@1: expected a value, found the end of the text")
    check("[1", "@2: expected \",\" or \"]\", found the end of the text")
    check("[1,", "[1]@3: expected a value, found the end of the text")
    check("[1,]", "[1]@3: expected a value, found \"]\"")
    check("[,1]", "[0]@1: expected a value, found \",\"")
    check("[1,,2]", "[1]@3: expected a value, found \",\"")
    check("[1 2]", "@3: expected \",\" or \"]\", found \"2\"")
    check("[1}", "@2: expected \",\" or \"]\", found \"}\"")
    check("]", "@0: expected a value, found \"]\"")
    check("[[1],[2,[x]]]", "[1][1][0]@9: expected a value, found \"x\"")
  }

  func testBrokenObjectsAreRefusedWithTheirPlace() {
    check("{", "@1: expected a key in quotes, found the end of the text")
    check("{a:1}", "@1: expected a key in quotes, found \"a\"")
    check("{1:1}", "@1: expected a key in quotes, found \"1\"")
    check(#"{"a"}"#, "@4: expected \":\" after the key, found \"}\"")
    check(#"{"a" 1}"#, "@5: expected \":\" after the key, found \"1\"")
    check(#"{"a"::1}"#, "a@5: expected a value, found \":\"")
    check(#"{"a":}"#, "a@5: expected a value, found \"}\"")
    check(#"{"a":1,}"#, "@7: expected a key in quotes, found \"}\"")
    check(#"{"a":1 "b":2}"#, "@7: expected \",\" or \"}\", found \"\"\"")
    check(#"{,}"#, "@1: expected a key in quotes, found \",\"")
    check(#"{"a":1]"#, "@6: expected \",\" or \"}\", found \"]\"")
    check(#"{"a":{"b":[0,{"c":tru}]}}"#, "a.b[1].c@18: expected true")
    check(#"{"":x}"#, "@4: expected a value, found \"x\"")
  }

  func testARepeatedKeyIsRefusedInAnySpelling() {
    check(#"{"a":1,"a":1}"#, "a@7: this key appears twice")
    check(#"{"a":1,"\u0061":2}"#, "a@7: this key appears twice")
    check(#"{"x":{"b":0,"a":1,"a":2}}"#, "x.a@18: this key appears twice")
  }

  func testKeysThatDifferInNormalizationOnlyAreRefusedAsSuch() {
    let reason = "this key is canonically equivalent to an earlier one (they differ in Unicode normalization only)"
    check("{\"\u{E9}\":1,\"e\u{301}\":2}", "e\u{301}@8: \(reason)")
    check("{\"x\":{\"e\u{301}\":1,\"\u{E9}\":{\"a\":[]}}}", "x.\u{E9}@14: \(reason)")
    check("{\"\u{E9}\":1,\"\u{E9}\":2}", "\u{E9}@8: this key appears twice")
    check("{\"\u{E9}\":1,\"\\u00e9\":2}", "\u{E9}@8: this key appears twice")
    check(#"{"":1,"":2}"#, "@6: this key appears twice")
    check(#"{"a":1,"A":2}"#, "{A: int 2, a: int 1}")
  }

  func testNestingIsReadUpToItsLimit() {
    XCTAssertEqual(JSONParsing(nested(512)).isError, false)
    let tooDeep = JSONParsing(nested(513))
    XCTAssertEqual(tooDeep, .error(path(512) + "@512: nested deeper than 512"))
    XCTAssertEqual(JSONParsing(nestedObjects(512)).isError, false)
    XCTAssertEqual(JSONParsing(nestedObjects(513)).isError, true)
    // Depth is that of what is open, not of what was.
    let many = "[" + Array(repeating: nested(511), count: 20).joined(separator: ",") + "]"
    XCTAssertEqual(JSONParsing(many).isError, false)
  }

  func testEndlessNestingIsRefusedWithoutOverflowingTheStack() {
    for unit in ["[", #"{"a":"#, #"[{"a":"#] {
      let text = String(repeating: unit, count: 100_000)
      XCTAssertTrue(JSONParsing(text).description.hasSuffix(": nested deeper than 512"), unit)
    }
  }

  func testThePathOfAnErrorIsShortEvenWithLongKeys() {
    let key = String(repeating: "k", count: 5_000)
    let text = String(repeating: "{\"\(key)\":", count: 200) + "x"
    let parsed = JSONParsing(text).description
    let one = String(repeating: "k", count: 100) + "\u{2026}"
    let path = "\u{2026}" + Array(repeating: one, count: 10).joined(separator: ".")
    XCTAssertEqual(parsed, "\(path)@\(text.utf8.count - 1): expected a value, found \"x\"")
  }

  private func path(_ depth: Int) -> String {
    let levels = (1_000 + 2) / 3
    return depth <= levels
      ? String(repeating: "[0]", count: depth) : "\u{2026}" + String(repeating: "[0]", count: levels)
  }

  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  private func nestedObjects(_ depth: Int) -> String {
    String(repeating: #"{"a":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
  }

  private func check(
    _ text: String, _ wanted: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(JSONParsing(text).description, wanted, text, file: file, line: line)
  }
}
