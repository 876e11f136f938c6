import TestSupport

final class BodyConditionTests: XCTestCase {
  private func differences(_ condition: BodyCondition, _ body: String) throws -> [String] {
    try differences(condition, Data(body.utf8))
  }

  private func differences(_ condition: BodyCondition, _ body: Data) throws -> [String] {
    try RequestPattern.request(.post, "/", body: condition)
      .differences(from: ReceivedRequest(method: "POST", path: "/", body: body))
  }

  func testBytesAreComparedOneByOne() throws {
    let condition = BodyCondition.exact(Data([0, 1, 255]))
    XCTAssertEqual(try differences(condition, Data([0, 1, 255])), [])
    XCTAssertEqual(try differences(condition, Data([9, 0, 1, 255])[1...]), [])
    XCTAssertEqual(try differences(condition, Data([0, 2, 255])), ["the body differs at byte 1"])
    XCTAssertEqual(try differences(condition, Data([0, 1])), ["the body has 2 bytes, not 3"])
    XCTAssertEqual(try differences(condition, Data([0, 1, 255, 0])), ["the body has 4 bytes, not 3"])
    XCTAssertEqual(try differences(condition, Data()), ["the body has 0 bytes, not 3"])
    XCTAssertEqual(try differences(.exact(Data()), Data()), [])
  }

  func testTextIsComparedWhole() throws {
    XCTAssertEqual(try differences(.text("caf\u{e9}"), "caf\u{e9}"), [])
    XCTAssertEqual(try differences(.text(""), ""), [])
    XCTAssertEqual(try differences(.text("a"), "a\n"), [#"the body is "a\n", not "a""#])
    XCTAssertEqual(
      try differences(.text("a"), Data([0xFF])), ["the body is \"\u{fffd}\", not \"a\""])
  }

  func testJSONIsComparedByItsValue() throws {
    let condition = BodyCondition.json(["id": 3, "tags": ["a", nil], "price": 1.5])
    XCTAssertEqual(try differences(condition, #" {"price":1.50,"tags":["a", null],"id":3.0} "#), [])
    XCTAssertEqual(
      try differences(condition, #"{"id": "3", "tags": ["b", null], "more": {}}"#),
      [
        #"id in the body is "3", not 3"#, "more in the body is there, too", "price in the body is missing, not 1.5",
        #"tags[0] in the body is "b", not "a""#,
      ])
    XCTAssertEqual(
      try differences(condition, #"{"id": 3, "tags": ["a"], "price": 1.5}"#),
      ["tags[1] in the body is missing, not null"])
    XCTAssertEqual(
      try differences(condition, "[1]"),
      [#"the body is [1], not {"id": 3, "price": 1.5, "tags": ["a", null]}"#])
  }

  func testASubsetOfJSONLooksAtEveryLevelForItsMembers() throws {
    let condition = BodyCondition.jsonSubset(["user": ["name": "anna"], "items": [["id": 1], ["id": 2]]])
    XCTAssertEqual(
      try differences(
        condition, #"{"x": 1, "user": {"name": "anna", "age": 3}, "items": [{"id": 1, "n": 0}, {"id": 2}]}"#), [])
    XCTAssertEqual(
      try differences(condition, #"{"user": {"name": "bert"}, "items": [{"id": 1}, {"id": 3}]}"#),
      [
        "items[1].id in the body is 3, not 2", #"user.name in the body is "bert", not "anna""#,
      ])
    XCTAssertEqual(
      try differences(condition, #"{"user": null, "items": [{"id": 1}]}"#),
      [
        "items[1] in the body is missing, not an object with id: 2",
        #"user in the body is null, not an object with name: "anna""#,
      ])
    XCTAssertEqual(try differences(.jsonSubset([:]), #"{"a": 1}"#), [])
    XCTAssertEqual(try differences(.jsonSubset([[:]]), "[]"), ["[0] in the body is missing, not an object"])
    XCTAssertEqual(try differences(.jsonSubset([["a": 1]]), #"[{"a": 2}]"#), ["[0].a in the body is 2, not 1"])
  }

  func testANameWithADotIsNoPath() throws {
    for condition in [BodyCondition.jsonSubset(["user.id": 1]), .jsonSubset(["a": ["user.id": .any]])] {
      XCTAssertNotEqual(try differences(condition, #"{"user": {"id": 1}, "a": {"user": {"id": 1}}}"#), [])
      XCTAssertEqual(try differences(condition, #"{"user.id": 1, "a": {"user.id": 1}}"#), [])
    }
  }

  func testNullIsNotWhatIsMissing() throws {
    XCTAssertEqual(try differences(.jsonSubset(["a": nil]), "{}"), ["a in the body is missing, not null"])
    XCTAssertEqual(try differences(.jsonSubset(["a": nil]), #"{"a": null}"#), [])
  }

  func testABodyThatIsNotJSONIsExplained() throws {
    XCTAssertEqual(try differences(.json(["a": 1]), ""), [#"the body is empty, not {"a": 1}"#])
    for (body, reason) in [
      (Data(#"{"a": "#.utf8), "expected a value, found the end of the text, at a, byte 6"),
      (Data([0xFF]), "expected a value, found the byte 0xFF, at byte 0"),
      (Data("{}x".utf8), #"expected the end of the text, found "x", at byte 2"#),
      (Data("[1,]".utf8), #"expected a value, found "]", at [1], byte 3"#),
      (Data("\u{FEFF}[,]".utf8), #"expected a value, found ",", at [0], byte 4"#),
    ] {
      XCTAssertEqual(try differences(.json(["a": 1]), body), ["the body can't be read as JSON: \(reason)"])
    }
  }

  func testFormsAreReadAsBrowsersWriteThem() throws {
    XCTAssertEqual(try differences(.form(["name": "Anna B", "note": ""]), "note=&name=Anna+B"), [])
    XCTAssertEqual(try differences(.formSubset(["q": "1+1=2&"]), "x=1&q=1%2B1%3D2%26"), [])
    XCTAssertEqual(
      try differences(.form(["name": "Anna B"]), "name=Anna%2BB&note"),
      [#"name in the form is "Anna+B", not "Anna B""#, "note is in the form, too"])
    XCTAssertEqual(try differences(.formSubset(["a": "1"]), ""), [#"a in the form is missing, not "1""#])
  }

  func testABodyThatIsNoFormIsShortened() throws {
    XCTAssertEqual(
      try differences(.form([:]), String(repeating: "x", count: 1_000)),
      [String(repeating: "x", count: 200) + "\u{2026} is in the form, too"])
  }

  func testJSONIsReadToALimitedDepthOnASmallStack() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"\"[":["#, count: depth / 2) + "1" + String(repeating: "]}", count: depth / 2)
    }
    let pattern = RequestPattern.request(.post, "/", body: .jsonSubset([:]))
    let path = String(repeating: #""[[0]."#, count: 31)
    let tooDeep = "the body can't be read as JSON: nested deeper than 64, at \(path.prefix(80))\u{2026}, byte \(32 * 8)"
    for (depth, words) in [
      (64, []), (66, [tooDeep]), (100_000, [tooDeep]),
    ] {
      let request = ReceivedRequest(method: "POST", path: "/", body: Data(nested(depth).utf8))
      runOnASmallStack {
        XCTAssertEqual((try? pattern.differences(from: request)) ?? ["thrown"], words)
      }
    }
  }

  // To put so many in order would take minutes, on the server's own thread.
  func testABodyFullOfCombiningCharactersIsToldFromAnotherAtOnce() throws {
    let marks = String(repeating: "\u{301}\u{316}", count: 30_000)
    let others = String(repeating: "\u{316}\u{301}", count: 30_000)
    XCTAssertEqual(try differences(.text(.equal(to: marks)), marks), [])
    // A message quotes the beginning, by scalars, since all of it is one character.
    XCTAssertEqual(try differences(.text("a"), others).map { $0.unicodeScalars.count < 300 }, [true])
    XCTAssertEqual(try differences(.text(.equal(to: marks)), others).count, 1)
    XCTAssertEqual(try differences(.form(["a": .equal(to: marks)]), "a=\(others)").count, 1)
    XCTAssertEqual(try differences(.form(["a": "b"]), "a=b&\(marks)=c&\(others)=d&\(marks)=e").count, 2)
    XCTAssertEqual(try differences(.formSubset(["a": "b"]), "\(marks)=c&a=b"), [])
    XCTAssertEqual(try differences(.json(["a": .equal(to: others)]), "{\"a\": \"\(marks)\"}").count, 1)
    XCTAssertEqual(
      try differences(.json(["a": 1]), "{\"\(marks)\": 1, \"\(others)\": 2}"),
      ["the body can't be read as JSON: more than 30 combining characters follow one another in a key, at byte 1"])
  }

  func testTypedJSONMayHoldNumbersThatOurOwnValuesCannot() throws {
    let request = ReceivedRequest(method: "POST", path: "/", body: Data("[1234567890123456789012345]".utf8))
    XCTAssertEqual(try request.json([Decimal].self), [Decimal(string: "1234567890123456789012345")])
    XCTAssertThrowsError(try ReceivedRequest(method: "POST", path: "/", body: Data("[1,]".utf8)).json([Int].self)) {
      guard case DecodingError.dataCorrupted(let context) = $0 else { return XCTFail("\($0)") }
      XCTAssertEqual(
        context.debugDescription, "The body can't be read as JSON: expected a value, found \"]\", at [1], byte 3.")
    }
  }

  func testJSONInUTF16IsNoJSON() throws {
    let body = try XCTUnwrap(#"{"a": 1}"#.data(using: .utf16LittleEndian))
    XCTAssertEqual(try differences(.json(["a": 1]), body).count, 1)
    XCTAssertTrue(try differences(.json(["a": 1]), body)[0].hasPrefix("the body can't be read as JSON: "))
  }

  func testADeepBodyIsNoJSONOfAnyType() throws {
    for depth in [65, 512, 513, 514, 10_000] {
      let request = ReceivedRequest(method: "POST", path: "/", body: Data(repeating: UInt8(ascii: "["), count: depth))
      XCTAssertThrowsError(try request.json(TrackingValue.self)) {
        guard case DecodingError.dataCorrupted(let context) = $0 else { return XCTFail("\($0)") }
        let path = String(repeating: "[0]", count: 64).prefix(80) + "\u{2026}"
        XCTAssertEqual(
          context.debugDescription, "The body can't be read as JSON: nested deeper than 64, at \(path), byte 64.")
      }
    }
    let request = ReceivedRequest(method: "POST", path: "/", body: Data("[[1]]".utf8))
    XCTAssertEqual(try request.json(TrackingValue.self), [[1]])
  }
}
