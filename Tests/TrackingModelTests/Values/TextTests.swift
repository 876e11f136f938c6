import TestSupport

/// Names and text values are equal when their UTF-8 bytes are.
final class TextTests: XCTestCase {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  /// Combining characters that aren't in canonical order.
  private func marks(_ count: Int) -> String {
    String(repeating: "\u{301}\u{316}", count: count / 2) + (count.isMultiple(of: 2) ? "" : "\u{316}")
  }

  func testTextsThatAreOnlyCanonicallyEquivalentAreTwo() {
    XCTAssertEqual(composed, decomposed)
    XCTAssertFalse(composed.isSameText(as: decomposed))
    XCTAssertTrue(composed.isSameText(as: "café"))
    XCTAssertNotEqual(TrackingValue.string(composed), .string(decomposed))
    XCTAssertNotEqual(TrackingParam.custom(key: composed), .custom(key: decomposed))
    XCTAssertNotEqual(TrackingEvent(name: composed), TrackingEvent(name: decomposed))
    XCTAssertNotEqual(
      TrackingEvent(name: "a", params: [.custom(key: composed): 1]),
      TrackingEvent(name: "a", params: [.custom(key: decomposed): 1]))
    XCTAssertEqual(Set([TrackingValue.string(composed), .string(decomposed), .string("café")]).count, 2)
    XCTAssertEqual(Set([TrackingEvent(name: composed), TrackingEvent(name: decomposed)]).count, 2)
  }

  func testANameIsSplitIntoWords() {
    for (name, words, split) in [
      ("added_to_cart", ["added", "to", "cart"], ["added", "to", "cart"]),
      ("X-Api-Key", ["X", "Api", "Key"], ["X", "Api", "Key"]),
      ("productID", ["product", "ID"], ["product", "ID"]),
      ("APIKey2ID", ["APIKey2ID"], ["API", "Key2", "ID"]),
      ("  ", [], []), ("_a__B_", ["a", "B"], ["a", "B"]),
      ("größeÄndern\u{200B}x", ["größe", "Ändern", "x"], ["größe", "Ändern", "x"]),
      ("cafe\u{301}Bar", ["cafe\u{301}Bar"], ["cafe\u{301}", "Bar"]),
    ] {
      XCTAssertEqual(name.words(splitsAcronyms: false), words, name)
      XCTAssertEqual(name.words(splitsAcronyms: true), split, name)
    }
  }

  func testMemberNamesOfObjectsAreSwiftStrings() {
    XCTAssertEqual(TrackingValue.object([composed: 1]), .object([decomposed: 1]))
  }

  func testTheOrderOfParamsTellsAllOfThemApart() {
    let names = ["", "a", "ab", "b", "cafe", decomposed, composed, "caf\u{E9}/", "z", "\u{FFFD}", "\u{1F600}"]
    let params = names.map(TrackingParam.custom(key:))
    for (index, left) in params.enumerated() {
      for (other, right) in params.enumerated() {
        XCTAssertEqual(left < right, index < other, "\(left) and \(right)")
        XCTAssertEqual(left == right, index == other, "\(left) and \(right)")
      }
    }
    XCTAssertEqual(params.shuffled().sorted(), params)
  }

  func testBothOfTwoEquivalentParamsAreWrittenAndReadInOneOrder() throws {
    let event = TrackingEvent(name: "a", params: [.custom(key: composed): 1, .custom(key: decomposed): 2])
    XCTAssertEqual(event.params.count, 2)
    XCTAssertEqual("\(event)", "a(\(decomposed): 2, \(composed): 1)")
    var writer = JSONWriter()
    writer.write(event)
    XCTAssertEqual(
      Array(writer.bytes), Array(#"{"name":"a","params":{"\#(decomposed)":2,"\#(composed)":1}}"#.utf8))
    struct Other: TrackingSchema {
      static let eventName = "a"
      var x: Int?
    }
    // Neither has a place in the type, and an object has room for one of them.
    XCTAssertNil(try event.decode(as: Other.self).x)
  }

  func testAStringFromObjectiveCIsTheSameText() {
    let foreign = NSString(string: "caf\u{E9} \u{1F600} ") as String
    let value = TrackingValue.string(foreign)
    XCTAssertEqual(value, .string("caf\u{E9} \u{1F600} "))
    XCTAssertEqual(Set([value, .string("caf\u{E9} \u{1F600} ")]).count, 1)
  }

  func testPartsAreFoundByTheirBytes() {
    XCTAssertTrue("abcabd".containsBytes(of: "abd"))
    XCTAssertTrue("abc".containsBytes(of: ""))
    XCTAssertTrue("".containsBytes(of: ""))
    XCTAssertTrue("aaab".containsBytes(of: "aab"))
    XCTAssertTrue("abc".containsBytes(of: "abc"))
    XCTAssertFalse("abc".containsBytes(of: "abcd"))
    XCTAssertFalse("abc".containsBytes(of: "ac"))
    XCTAssertFalse("".containsBytes(of: "a"))
    XCTAssertTrue(decomposed.containsBytes(of: "fe"))
    XCTAssertFalse(composed.containsBytes(of: "fe"))
  }

  func testEqualityAndHashesTakeLinearTime() {
    // Compared or hashed as Swift strings, these would take hours.
    let (left, right) = ("a" + marks(2_000_000), "a" + marks(1_999_998) + "\u{316}\u{301}")
    XCTAssertNotEqual(TrackingValue.string(left), .string(right))
    XCTAssertEqual(Set([TrackingParam.custom(key: left), .custom(key: right), .custom(key: left)]).count, 2)
    XCTAssertNotEqual(TrackingParam.custom(key: left) < .custom(key: right), .custom(key: right) < .custom(key: left))
  }

  func testThirtyCombiningCharactersInARowAreAsManyAsTextNeeds() {
    XCTAssertTrue("".isStreamSafe())
    XCTAssertTrue(("a" + marks(30)).isStreamSafe())
    XCTAssertFalse(("a" + marks(31)).isStreamSafe())
    XCTAssertTrue(String(repeating: "a" + marks(30), count: 100).isStreamSafe())
    XCTAssertFalse((String(repeating: "a" + marks(30), count: 100) + "\u{301}").isStreamSafe())
    XCTAssertTrue((marks(30) + "\u{4E00}" + marks(30)).isStreamSafe())
    XCTAssertTrue(String(repeating: "日本語", count: 1_000).isStreamSafe())
    // Above the basic plane.
    XCTAssertFalse(String(repeating: "\u{1D165}", count: 31).isStreamSafe())
  }
}
