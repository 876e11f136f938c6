import TestSupport

final class TrackingEventTests: XCTestCase {
  // MARK: Call shapes

  func testAnEcommerceEventIsWrittenAsLiteralsWithoutACast() {
    let event = TrackingEvent(
      name: "purchase",
      params: [
        "currency": "EUR", "value": 29.5, "coupon": nil, "first": true,
        "items": [
          ["item_id": "42", "price": 9.5, "quantity": 2, "gift": false, "tags": ["a", 1, nil, [:]]],
          ["item_id": "43", "price": 10.5, "quantity": 1, "note": nil],
        ],
      ])

    let first: TrackingValue = .object([
      "item_id": .string("42"), "price": .double(9.5), "quantity": .int(2), "gift": .bool(false),
      "tags": .array([.string("a"), .int(1), .null, .object([:])]),
    ])
    let second: TrackingValue = .object([
      "item_id": .string("43"), "price": .double(10.5), "quantity": .int(1), "note": .null,
    ])
    XCTAssertEqual(
      event.params,
      [
        "currency": .string("EUR"), "value": .double(29.5), "coupon": .null, "first": .bool(true),
        "items": .array([first, second]),
      ])
  }

  func testVariablesOfAllKindsMixWithLiterals() {
    let name = "list", count = [1, 2, 3].count, price = 9.5, tags = ["a", "b"], day = Date(timeIntervalSince1970: 0)
    let absent: String? = nil
    let present: String? = "here"
    let event = TrackingEvent(
      name: "viewed",
      params: [
        .screen: name, "count": count, "price": price * 2, "tags": tags, "day": day, "absent": absent,
        "present": present, "kind": Kind.banner, "fixed": 1, "nothing": nil, "text": "n \(count)",
        "choice": count > 2 ? "many" : "few",
      ])

    XCTAssertEqual(
      event.description,
      #"viewed(absent: null, choice: "many", count: 3, day: "1970-01-01T00:00:00.000Z", fixed: 1, kind: "banner_ad","#
        + #" nothing: null, present: "here", price: 19, screen: "list", tags: ["a", "b"], text: "n 3")"#)
  }

  func testOptionalsAloneAreParams() {
    let absent: String? = nil
    XCTAssertEqual(TrackingEvent(name: "e", params: [.screen: absent]).params, [.screen: .null])
    XCTAssertEqual(TrackingEvent(name: "e", params: [.screen: nil]).params, [.screen: .null])
  }

  func testAVariableInsideOfANestedLiteralIsWrapped() {
    let product = "42"
    let nested = TrackingEvent(name: "e", params: ["items": [["id": .init(product), "quantity": 2]]])
    XCTAssertEqual(nested.params, ["items": .array([.object(["id": .string("42"), "quantity": .int(2)])])])

    let mixed = TrackingEvent(
      name: "e", params: ["list": product, "items": [["id": .init(product), "quantity": 2]] as TrackingValue])
    XCTAssertEqual(mixed.params["items"], nested.params["items"])
    XCTAssertEqual(mixed.params["list"], "42")
  }

  func testParamsMayComeFromADictionaryOrBeLeftOut() {
    let typed: [TrackingParam: TrackingValue] = [.screen: "main"]
    let strings: [TrackingParam: String] = [.screen: "main"]
    let convertible: [TrackingParam: any TrackingValueConvertible] = [.screen: "main"]
    let expected = TrackingEvent(name: "e", params: [.screen: "main"])
    XCTAssertEqual(TrackingEvent(name: "e", params: typed), expected)
    XCTAssertEqual(TrackingEvent(name: "e", params: strings), expected)
    XCTAssertEqual(TrackingEvent(name: "e", params: convertible), expected)
    XCTAssertEqual(TrackingEvent(name: "e"), TrackingEvent(name: "e", params: [:]))
  }

  // MARK: Equality

  func testEventsAreEqualByNameAndParams() {
    let event = TrackingEvent(name: "e", params: ["a": 3, "b": 1.0])
    XCTAssertEqual(event, TrackingEvent(name: "e", params: ["b": 1, "a": 3.0]))
    XCTAssertEqual(event.hashValue, TrackingEvent(name: "e", params: ["b": 1, "a": 3.0]).hashValue)
    XCTAssertNotEqual(event, TrackingEvent(name: "f", params: ["a": 3, "b": 1]))
    XCTAssertNotEqual(event, TrackingEvent(name: "e", params: ["a": 3]))
    XCTAssertNotEqual(event, TrackingEvent(name: "e", params: ["a": 3, "b": true]))
    XCTAssertNotEqual(TrackingEvent(name: "e", params: ["a": nil]), TrackingEvent(name: "e", params: [:]))
  }

  // MARK: JSON

  func testAnEventIsNameAndParamsInJSON() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let event = TrackingEvent(name: "tap", params: [.screen: "main", .eventName: "t", "n": 1])
    XCTAssertEqual(
      String(decoding: try encoder.encode(event), as: UTF8.self),
      #"{"name":"tap","params":{"event_name":"t","n":1,"screen":"main"}}"#)
  }

  func testAnEventSurvivesJSON() throws {
    let event = TrackingEvent(
      name: "größe \u{0}\u{2028}😀", params: ["": "", "n": nil, "deep": [["a": [1, -2.5, true, [:], []]]]])
    XCTAssertEqual(try JSONDecoder().decode(TrackingEvent.self, from: JSONEncoder().encode(event)), event)
  }

  func testParamsMayBeMissingOrNullInJSON() throws {
    for json in [#"{"name": "opened"}"#, #"{"name": "opened", "params": null}"#, #"{"params": {}, "name": "opened"}"#] {
      XCTAssertEqual(
        try JSONDecoder().decode(TrackingEvent.self, from: Data(json.utf8)), TrackingEvent(name: "opened"), json)
    }
  }

  func testInvalidEventsAreNotReadFromJSON() {
    for json in [
      #"{"params": {}}"#, #"{"name": 1}"#, #"{"name": null}"#, #"{"name": "e", "params": []}"#,
      #"{"name": "e", "params": 1}"#, #"[]"#, #""e""#,
    ] {
      XCTAssertThrowsError(try JSONDecoder().decode(TrackingEvent.self, from: Data(json.utf8)), json)
    }
  }

  // MARK: Description

  func testAnEventIsPrintedOnOneLineInTheOrderOfItsParams() {
    let event = TrackingEvent(name: "tap", params: ["b": [2, "x"], "a": ["z": 1, "y": nil], "c": "line\nbreak"])
    XCTAssertEqual(event.description, #"tap(a: {"y": null, "z": 1}, b: [2, "x"], c: "line\nbreak")"#)
    XCTAssertEqual(TrackingEvent(name: "tap").description, "tap()")
  }
}

private enum Kind: String, TrackingValueConvertible {
  case banner = "banner_ad"
}
