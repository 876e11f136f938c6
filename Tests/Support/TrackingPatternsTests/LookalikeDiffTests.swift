import TrackingModel
import TestSupport

@testable import TrackingPatterns

/// The explanations of values that look equal but aren't.
final class LookalikeDiffTests: XCTestCase {
  func testALineIsNotTurnedAround() {
    XCTAssertEqual(Excerpt.of("purchase(note: \"\u{202E}abc\u{2066}\")"), #"purchase(note: "\u{202E}abc\u{2066}")"#)
    XCTAssertEqual(Excerpt.of("👨‍👩‍👧 é \u{65E5}"), "👨‍👩‍👧 é 日")
  }

  /// The lines below the event's name.
  private func assert(
    _ value: TrackingValue, _ matcher: ValueMatcher, _ text: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    XCTAssertEqual(EventDiff.text(value, matcher), "  seen\n" + text, file: file, line: line)
  }

  func testEqualTextOfAnotherType() {
    assert("3", 3, #"- value: 3"# + "\n" + #"+ value: "3"   ("3" is a string, expected the number 3)"#)
    assert(3, "3", #"- value: "3""# + "\n" + #"+ value: 3   (3 is a number, expected the string "3")"#)
    assert("true", true, "- value: true\n" + #"+ value: "true"   ("true" is a string, expected the boolean true)"#)
    assert(1, true, "- value: true\n+ value: 1   (1 is a number, expected the boolean true)")
    assert(false, 0, "- value: 0\n+ value: false   (false is a boolean, expected the number 0)")
    assert("null", nil, "- value: null\n" + #"+ value: "null"   ("null" is a string, expected null)"#)
    assert([1], "[1]", #"- value: "[1]""# + "\n" + #"+ value: [1]   ([1] is an array, expected the string "[1]")"#)
    assert("many", 3, "- value: 3\n" + #"+ value: "many"   (a string, expected a number)"#)
    assert([3], 3, "- value: 3\n+ value: [3]   (an array, expected a number)")
  }

  func testNumbersThatAreNaNOrInfinite() {
    assert(
      .double(.nan), 3,
      """
      - value: 3
      + value: "NaN"   ("NaN" is how a number that JSON can't write is sent)
      """)
    assert(
      .double(-.infinity), 3.5,
      """
      - value: 3.5
      + value: "-Infinity"   ("-Infinity" is how a number that JSON can't write is sent)
      """)
  }

  func testBigNumbersThatDifferInOneDigit() {
    assert(4_815_162_342, 4_815_162_352, "- value: 4815162352\n+ value: 4815162342   (10 less)")
    assert(
      9_007_199_254_740_992, 9_007_199_254_740_993,
      """
      - value: 9007199254740993
      + value: 9007199254740992   (1 less: a double can't hold the expected number)
      """)
    assert(
      0.30000000000000004, 0.3,
      """
      - value: 0.3
      + value: 0.30000000000000004
          (differs by rounding only; .approximately(_:tolerance:) allows for it)
      """)
    assert(.int(.max), .equal(to: Int.min), "- value: -9223372036854775808\n+ value: 9223372036854775807")
  }

  func testWhiteSpaceAtTheEnds() {
    assert("main ", "main", #"- value: "main""# + "\n" + #"+ value: "main "   (a space at the end)"#)
    assert("\t main", "main", #"- value: "main""# + "\n" + #"+ value: "\t main"   (white space at the beginning)"#)
    assert("main", "main\n", #"- value: "main\n""# + "\n" + #"+ value: "main"   (a line break missing at the end)"#)
    assert(
      "  main\u{A0}", "main",
      #"- value: "main""# + "\n"
        + #"+ value: "  main\u{A0}"   (2 spaces at the beginning, U+00A0 NO-BREAK SPACE at the end)"#)
    assert("", " ", #"- value: " ""# + "\n" + #"+ value: ""   (a space missing at the beginning)"#)
  }

  func testLetterCase() {
    assert(
      "Main_Screen", "main_screen",
      #"- value: "main_screen""# + "\n" + #"+ value: "Main_Screen"   (differs in letter case only)"#)
    assert(
      "Main_Screen", .hasPrefix("main"),
      #"- value: a text that begins with "main""# + "\n" + #"+ value: "Main_Screen"   (matches if case is ignored)"#)
  }

  func testInvisibleCharacters() {
    assert(
      "main\u{200B}_screen", "main_screen",
      #"- value: "main_screen""# + "\n"
        + #"+ value: "main\u{200B}_screen"   (U+200B ZERO WIDTH SPACE after character 4)"#)
    assert(
      "main", "main\u{FEFF}",
      #"- value: "main\u{FEFF}""# + "\n"
        + #"+ value: "main"   (U+FEFF ZERO WIDTH NO-BREAK SPACE missing after character 4)"#)
    assert(
      "a\u{202E}b", "ab",
      #"- value: "ab""# + "\n" + #"+ value: "a\u{202E}b"   (U+202E RIGHT-TO-LEFT OVERRIDE after character 1)"#)
    assert("x", "a\u{7}", #"- value: "a\u0007""# + "\n" + #"+ value: "x""#)
    assert("👨‍👩‍👧", "👨‍👩‍👦", #"- value: "👨‍👩‍👦""# + "\n" + #"+ value: "👨‍👩‍👧""#)
  }

  func testCharactersThatLookLikeOthers() {
    assert(
      "m\u{430}in", "main",
      """
      - value: "main"
      + value: "m\u{430}in"
          (character 2 is U+0430 CYRILLIC SMALL LETTER A, expected U+0061 LATIN SMALL LETTER A)
      """)
    assert(
      "add to\u{A0}cart", "add to cart",
      #"""
      - value: "add to cart"
      + value: "add to\u{A0}cart"   (character 7 is U+00A0 NO-BREAK SPACE, expected U+0020 SPACE)
      """#)
    assert(
      "it’s", "it's",
      """
      - value: "it's"
      + value: "it’s"
          (character 3 is U+2019 RIGHT SINGLE QUOTATION MARK, expected U+0027 APOSTROPHE)
      """)
    assert(
      "o\u{FB03}ce", "office",
      """
      - value: "office"
      + value: "o\u{FB03}ce"
          (character 2 is U+FB03 LATIN SMALL LIGATURE FFI, expected U+0066 LATIN SMALL LETTER F)
      """)
    assert(
      "cafe\u{301} – bar", "caf\u{E9} - bar",
      """
      - value: "caf\u{E9} - bar"
      + value: "cafe\u{301} – bar"   (character 6 is U+2013 EN DASH, expected U+002D HYPHEN-MINUS)
      """)
  }

  func testCanonicallyEquivalentTextsAreExplained() {
    assert(
      "cafe\u{301}", "caf\u{E9}",
      "- value: \"caf\u{E9}\"\n+ value: \"cafe\u{301}\"\n"
        + "    (differs in Unicode normalization only: character 4 is U+0065 U+0301, expected U+00E9)")
  }

  func testALookalikeAmongAlternativesIsExplainedToo() {
    assert(
      "EUR ", .one(of: ["USD", "EUR"]),
      #"- value: one of "USD", "EUR""# + "\n" + #"+ value: "EUR "   (a space at the end)"#)
  }

  func testNamesThatOnlyLookEqual() {
    assertText(
      EventDiff.text(TrackingEvent.tapped.named("button_tapped "), .equal(to: .tapped)),
      """
      - button_tapped
      + "button_tapped "   (a space at the end)
        (2 equal params)
      """)
    assertText(
      EventDiff.text(TrackingEvent.tapped.named("Button_tapped"), .named("button_tapped")),
      """
      - button_tapped
      + Button_tapped   (differs in letter case only)
      """)
  }

  func testLongTextsShowTheirFirstDifference() {
    let words = (1...60).map { "word\($0)" }
    var others = words
    others[39] = "WORD40x"
    assert(
      .string(others.joined(separator: " ")), .equal(to: words.joined(separator: " ")),
      """
      - value: "word1 word2 ... rd38 word39 word40 word41 word42 word43 word44 word45 wor ...  word60"
      + value: "word1 word2 ... rd38 word39 WORD40x word41 word42 word43 word44 word45 wo ...  word60"
          (411 characters, expected 410; they differ from character 265 on)
      """)
    assert(
      .string("x" + words.joined(separator: " ")), .equal(to: words.joined(separator: " ")),
      """
      - value: "word1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word1 ...  word60"
      + value: "xword1 word2 word3 word4 word5 word6 word7 word8 word9 word10 word11 word ...  word60"
          (411 characters, expected 410; they differ from character 1 on)
      """)
    assert(
      .string(words.joined(separator: " ") + "x"), .equal(to: words.joined(separator: " ")),
      """
      - value: "word1 word2 ... ord59 word60"
      + value: "word1 word2 ... ord59 word60x"
          (411 characters, expected 410; they differ from character 411 on)
      """)
  }
}
