import TestSupport

@testable import TrackingJSON

final class JSONTreeTests: XCTestCase {
  private func tree(_ text: String, _ spelling: JSONTree.Spelling = .canonical) throws -> JSONTree {
    try JSONTree(text.utf8, spelling: spelling)
  }

  func testMembersKeepTheirOrderAndEachValueItsPlace() throws {
    let tree = try tree(#"{"b": 1, "a": [true, {"c": null}]}"#)
    XCTAssertEqual(tree.members?.map(\.key), ["b", "a"])
    XCTAssertEqual(tree["a"]?.place.offset, 14)
    XCTAssertEqual(tree["a"]?.elements?[1]["c"]?.place.offset, 27)
    XCTAssertEqual(tree.value, ["b": 1, "a": [true, ["c": .null]]])
  }

  func testWrittenSpellingsSurviveANewLayout() throws {
    let text =
      #"{"price":1.50,"big":123456789012345678901234567890,"name":"caf\u00e9","same":1,"same":2,"none":[],"no":{}}"#
    let tree = try tree(text, .written)
    XCTAssertEqual(tree.text(.compact), text)
    assertText(
      tree.text(.lines, indentation: 2),
      """
      {
          "price": 1.50,
          "big": 123456789012345678901234567890,
          "name": "caf\\u00e9",
          "same": 1,
          "same": 2,
          "none": [],
          "no": {}
        }
      """)
    XCTAssertEqual(tree["price"]?.value, 1.5)
    XCTAssertEqual(tree["name"]?.string, "café")
    XCTAssertEqual(tree["big"]?.value, "123456789012345678901234567890")
  }

  func testCanonicalSpellingRefusesWhatAValueCannotHold() {
    XCTAssertThrowsError(try tree("[1, 123456789012345678901234567890]")) { error in
      XCTAssertEqual((error as? JSONError)?.path, "[1]")
      XCTAssertEqual(
        (error as? JSONError)?.reason,
        "neither 64 bits nor a double hold the integer 123456789012345678901234567890")
    }
    XCTAssertThrowsError(try tree(#"{"a": 1, "a": 2}"#)) { error in
      XCTAssertEqual((error as? JSONError)?.reason, "this key appears twice")
    }
  }

  func testAWrittenTreeKeepsEveryByteButWhiteSpace() throws {
    let text = #"{"caf\u00e9\/\"":1.50e+2,"a":"\/","a":[{},[],null,-0,"\u2028é"]}"#
    XCTAssertEqual(try tree(text, .written).text(.compact), text)
    assertText(
      try tree(text, .written).text(.lines, indentation: 2),
      #"""
      {
          "caf\u00e9\/\"": 1.50e+2,
          "a": "\/",
          "a": [
            {},
            [],
            null,
            -0,
            "\u2028é"
          ]
        }
      """#)
    XCTAssertEqual(try tree(text, .written)["café/\""]?.int, 150)
  }

  func testAFittingLayoutBreaksOnlyWhatIsTooLong() throws {
    let tree = try tree(#"{"short": {"a": [1, 2]}, "long": {"first": "aaaaaaaaaa", "second": "bbbbbbbbbb"}}"#)
    assertText(
      tree.text(.fitting(width: 40)),
      """
      {
        "short": { "a": [1, 2] },
        "long": {
          "first": "aaaaaaaaaa",
          "second": "bbbbbbbbbb"
        }
      }
      """)
  }

  func testATreeOfAValueHasItsMembersInTheOrderOfTheirNames() {
    XCTAssertEqual(JSONTree(of: ["b": 1, "a": [.null]]).text(.compact), #"{"a":[null],"b":1}"#)
  }

  func testADeepTreeIsReadAndWrittenOnASmallStack() {
    let text = String(repeating: #"{"a":["#, count: 66) + "1.0" + String(repeating: "]}", count: 66)
    runOnASmallStack {
      let tree = try? JSONTree(text.utf8, spelling: .written)
      XCTAssertEqual(tree?.text(.compact), text)
      XCTAssertEqual(tree?.text(.lines).filter { !$0.isWhitespace }, text)
      XCTAssertEqual(tree.map { JSONTree(of: $0.value).text(.compact) }, text.replacing("1.0", with: "1"))
    }
  }
}
