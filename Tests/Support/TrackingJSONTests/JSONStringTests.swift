import TestSupport
@testable import TrackingJSON

/// RFC 8259 7 and 8: escapes, surrogates, UTF-8.
final class JSONStringTests: XCTestCase {
  func testTextOfAnyScriptIsReadUnchanged() {
    for text in [
      "", "a", "äöü", "日本語", "👩‍👩‍👧‍👦", "e\u{301}", "\u{10FFFF}", "\u{FFFD}", "\u{2028}", "\u{7F}", "a\u{0300}b", "\u{FEFF}",
    ] {
      check("\"\(text)\"", text)
      check("\"\\n\(text)\"", "\n" + text)
    }
  }

  func testEachEscapeIsReadAsItsCharacter() {
    check(#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t")
    check(#""\u0041\u00e4\u00E4\u20ac\u0000""#, "Aää€\0")
    check(#""\ud83d\ude00""#, "😀")
    check(#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}")
    check(#""\uD7FF\uE000\uFFFF""#, "\u{D7FF}\u{E000}\u{FFFF}")
    check(#""a\u0301""#, "a\u{301}")
  }

  func testEscapesThatJSONDoesNotKnowAreRefused() {
    check(#""\x41""#, "@1: unknown escape sequence")
    check(#""ab\'""#, "@3: unknown escape sequence")
    check(#""\0""#, "@1: unknown escape sequence")
    check(#""\U0041""#, "@1: unknown escape sequence")
    check("\"\\\u{A}\"", "@1: unknown escape sequence")
    check(#""\u""#, "@1: expected four hexadecimal digits after \\u")
    check(#""\u00g0""#, "@1: expected four hexadecimal digits after \\u")
    check(#""\u+041""#, "@1: expected four hexadecimal digits after \\u")
    check(#""\u 041""#, "@1: expected four hexadecimal digits after \\u")
    check(#""\u004"#, "@1: expected four hexadecimal digits after \\u")
    check(#""\ud83d\u00""#, "@7: expected four hexadecimal digits after \\u")
  }

  func testALoneSurrogateIsRefused() {
    for text in [
      #""\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\u0041""#, #""\ud83d\ud83d""#, #""\ude00""#,
      #""\ude00\ud83d""#, #""\ud83d"#, #""\ud83d\"#,
    ] {
      check(text, "@1: a surrogate must be one of a pair")
    }
    check(#""ab\udfff""#, "@3: a surrogate must be one of a pair")
  }

  func testAStringThatDoesNotEndIsRefusedAtTheEnd() {
    check("\"", "@1: the string has no closing quotation mark")
    check("\"ab", "@3: the string has no closing quotation mark")
    check("\"a\\", "@2: the string has no closing quotation mark")
    check("\"a\\n", "@4: the string has no closing quotation mark")
    check("\"a\\\"", "@4: the string has no closing quotation mark")
  }

  func testControlCharactersMustBeEscaped() {
    for byte in UInt8(0)..<0x20 {
      let found = "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      let wanted = JSONParsing.error("@1: a control character in a string must be escaped, found \(found)")
      XCTAssertEqual(JSONParsing([0x22, byte, 0x22]), wanted)
      let behindEscape: [UInt8] = Array(#""\n"#.utf8) + [byte, 0x22]
      XCTAssertEqual(
        JSONParsing(behindEscape),
        .error("@3: a control character in a string must be escaped, found \(found)"))
    }
  }

  func testEverySequenceOfBytesThatIsNotUTF8IsRefused() {
    let wrong: [[UInt8]] = [
      // Continuation bytes alone; bytes that begin nothing.
      [0x80], [0xBF], [0xC0], [0xC1], [0xF5], [0xF8], [0xFC], [0xFE], [0xFF],
      // Overlong forms.
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x80, 0x80, 0x80],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x88, 0x80, 0x80, 0x80],
      // Surrogates.
      [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80],
      // Above U+10FFFF.
      [0xF4, 0x90, 0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF],
      // Cut short, and continued by what does not continue.
      [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xC3, 0x28], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28],
      [0xF0, 0x28, 0x8C, 0xBC], [0xF0, 0x9F, 0x28, 0xBC], [0xF0, 0x9F, 0x98, 0x28], [0xE2, 0xC3, 0xA4],
    ]
    for bytes in wrong {
      XCTAssertEqual(JSONParsing([0x22] + bytes + [0x22]), .error("@1: invalid UTF-8"), "\(bytes)")
      XCTAssertEqual(JSONParsing([0x22] + bytes), .error("@1: invalid UTF-8"), "\(bytes)")
      XCTAssertEqual(JSONParsing(Array(#""\n"#.utf8) + bytes + [0x22]), .error("@3: invalid UTF-8"), "\(bytes)")
    }
  }

  func testEverySequenceOfTwoAndThreeBytesIsReadAsTheStandardLibraryReadsIt() {
    for first in UInt8(0x7E)...0xFF {
      for second in stride(from: UInt8(0x20), to: 0xFF, by: 1) where second != 0x22 && second != 0x5C {
        agree([first, second])
        agree([first, second, 0x80])
        agree([first, second, 0xBF])
        agree([first, second, 0x80, 0xBF])
      }
    }
  }

  private func agree(_ bytes: [UInt8]) {
    // Invalid UTF-8 is decoded with replacement characters.
    let decoded = String(decoding: bytes, as: UTF8.self)
    let expected = decoded.utf8.elementsEqual(bytes) ? decoded : nil
    switch (JSONParsing([0x22] + bytes + [0x22]), expected) {
    case (.value(.string(let read)), .some(let text)): XCTAssertEqual(Array(read.utf8), Array(text.utf8))
    case (.error, nil): break
    case (let parsed, _): XCTFail("\(bytes): \(parsed), not \(expected ?? "refused")")
    }
  }

  private func check(_ text: String, _ wanted: String, file: StaticString = #filePath, line: UInt = #line) {
    switch JSONParsing(text) {
    case .value(.string(let value)): XCTAssertEqual(Array(value.utf8), Array(wanted.utf8), file: file, line: line)
    case .value(let value): XCTFail("no string: \(value)", file: file, line: line)
    case .error(let error): XCTAssertEqual(error, wanted, file: file, line: line)
    }
  }
}
