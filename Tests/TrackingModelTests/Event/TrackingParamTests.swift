import TestSupport

final class TrackingParamTests: XCTestCase {
  func testACustomParamOfAPredefinedNameIsThatParam() {
    XCTAssertEqual(TrackingParam.custom(key: "screen"), .screen)
    XCTAssertEqual(TrackingParam.custom(key: "screen").hashValue, TrackingParam.screen.hashValue)
    XCTAssertEqual("event_name" as TrackingParam, .eventName)
    XCTAssertNotEqual(TrackingParam.custom(key: "Screen"), .screen)

    let params: [TrackingParam: TrackingValue] = [.screen: "main", .eventName: "tap"]
    XCTAssertEqual(params[.custom(key: "screen")], "main")
    XCTAssertEqual(params["event_name"], "tap")
  }

  func testPredefinedParamsAreSnakeCaseOnTheWire() {
    XCTAssertEqual(TrackingParam.eventName.key, "event_name")
    XCTAssertEqual(TrackingParam.screen.key, "screen")
    XCTAssertEqual(TrackingParam.encodingError.key, "tracking_encoding_error")
  }

  func testALiteralMayBeInterpolated() {
    let number = 3
    XCTAssertEqual("slot_\(number)" as TrackingParam, .custom(key: "slot_3"))
  }

  func testADictionaryByParamsIsAnObjectInJSON() throws {
    let json = try JSONEncoder().encode([TrackingParam.screen: 1])
    XCTAssertEqual(String(decoding: json, as: UTF8.self), #"{"screen":1}"#)
    XCTAssertEqual(try JSONDecoder().decode([TrackingParam: Int].self, from: json), [.screen: 1])
  }

  func testAParamByItselfIsAStringInJSON() throws {
    let json = try JSONEncoder().encode([TrackingParam.screen, "", "ключ \u{0}\u{2028}"])
    XCTAssertEqual(try JSONDecoder().decode([String].self, from: json), ["screen", "", "ключ \u{0}\u{2028}"])
    XCTAssertEqual(
      try JSONDecoder().decode([TrackingParam].self, from: json), [.screen, "", "ключ \u{0}\u{2028}"])
  }

  func testAParamIsACodingKeyOfItsNameAndNeverANumber() {
    XCTAssertEqual(TrackingParam(stringValue: "7").stringValue, "7")
    XCTAssertNil(TrackingParam(stringValue: "7").intValue)
    XCTAssertNil(TrackingParam(intValue: 7))
    XCTAssertEqual(TrackingParam(codingKey: TrackingParam.screen), .screen)
    XCTAssertEqual(TrackingParam.screen.codingKey.stringValue, "screen")
  }

  func testAParamIsPrintedAsItsName() {
    XCTAssertEqual("\(TrackingParam.screen)", "screen")
    XCTAssertEqual(String(reflecting: TrackingParam.screen), "screen")
    XCTAssertEqual([TrackingParam.screen, "a", .eventName].sorted(), ["a", .eventName, .screen])
  }
}
