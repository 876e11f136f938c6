import TestSupport

final class TypedEventDecodingErrorTests: XCTestCase {
  func testAnEventOfAnotherNameIsNotDecoded() {
    XCTAssertEqual(
      message(TrackingEvent(name: "added_to_basket", params: ["price": 1])),
      #"Added: its event is named "added_to_cart", this one "added_to_basket""#)
  }

  func testAMissingParamIsNamedWithTheTypeThatIsExpected() {
    for (param, expected) in [
      ("price", "Double"), ("title", "String"), ("isGift", "Bool"), ("count", "Int8"), ("day", "Date"),
      ("screen", "String"),
      ("items", "an array"), ("address", "an object"), ("link", "String"),
    ] {
      XCTAssertEqual(message(without: param), "Added: params.\(param) is missing, expected \(expected)")
    }
  }

  func testAParamOfAnotherTypeIsNamedWithBothTypes() {
    for (param, value, text) in [
      ("price", "9.50", #"expected Double, found the string "9.50""#),
      ("title", 3, "expected String, found the number 3"),
      ("title", true, "expected String, found the boolean true"),
      ("isGift", 1, "expected Bool, found the number 1"),
      ("count", "x", #"expected Int8, found the string "x""#),
      ("count", [1], "expected Int8, found an array"),
      ("day", 0, "expected Date, found the number 0"),
      ("screen", ["a": 1], "expected String, found an object"),
      ("items", "none", #"expected an array, found the string "none""#),
      ("address", [], "expected an object, found an array"),
      ("address", "x", #"expected an object, found the string "x""#),
    ] as [(TrackingParam, TrackingValue, String)] {
      XCTAssertEqual(message(with: param, value), "Added: params.\(param): \(text)")
    }
  }

  func testNullWhereAValueIsExpectedIsNamed() {
    for (param, expected) in [
      ("price", "Double"), ("title", "String"), ("isGift", "Bool"), ("day", "Date"), ("items", "an array"),
      ("address", "an object"),
    ] as [(TrackingParam, String)] {
      XCTAssertEqual(message(with: param, nil), "Added: params.\(param): expected \(expected), found null")
    }
  }

  func testAValueThatAnEnumDoesNotHaveIsNamed() {
    XCTAssertEqual(
      message(with: "screen", "settings"),
      #"Added: params.screen: Cannot initialize Screen from invalid String value settings, found the string "settings""#
    )
  }

  func testAnInvalidDateIsNamed() {
    XCTAssertEqual(
      message(with: "day", "2026-02-30T10:00:00.000Z"),
      #"Added: params.day: expected Date, found the string "2026-02-30T10:00:00.000Z""#)
    XCTAssertEqual(message(with: "day", "today"), #"Added: params.day: expected Date, found the string "today""#)
  }

  func testANumberThatItsTypeCannotHoldIsNamed() {
    XCTAssertEqual(message(with: "count", 300), "Added: params.count: expected Int8, found the number 300")
    XCTAssertEqual(message(with: "count", 2.5), "Added: params.count: expected Int8, found the number 2.5")
    XCTAssertEqual(
      message(with: "items", [["id": "1", "price": 1, "stock": 3], ["id": "1", "price": 2, "stock": -1]]),
      "Added: params.items[1].stock: expected UInt, found the number -1")
    XCTAssertEqual(
      message(with: "items", [["id": "1", "price": 1, "stock": -2], ["id": "1", "price": 2, "stock": -1]]),
      "Added: params.items[1].stock: expected UInt, found the number -1", "one of two is named")
  }

  func testAPathLeadsThroughArraysAndObjects() {
    XCTAssertEqual(
      message(with: "items", [["id": "1", "price": 1], ["id": "2", "price": "free"]]),
      #"Added: params.items[1].price: expected Double, found the string "free""#)
    XCTAssertEqual(
      message(with: "items", [["id": "1"]]), "Added: params.items[0].price is missing, expected Double")
    XCTAssertEqual(message(with: "items", [3]), "Added: params.items[0]: expected an object, found the number 3")
    XCTAssertEqual(
      message(with: "address", ["lines": ["a", nil]]), "Added: params.address.lines[1]: expected String, found null")
    XCTAssertEqual(
      message(with: "address", ["lines": [], "floors": ["1": 2]]),
      "Added: params.address.floors.1: expected String, found the number 2")
  }

  func testTheReasonOfATypesOwnDecodingIsKept() {
    XCTAssertThrowsError(try TrackingEvent(name: "picky").decode(as: Picky.self)) { error in
      XCTAssertEqual("\(error)", "Picky: params: not today")
    }
  }

  func testAnErrorIsAValueThatATestCanInspect() {
    XCTAssertThrowsError(try event(with: "price", "9.50").decode(as: Added.self)) { error in
      let error = error as? TypedEventDecodingError
      XCTAssertEqual(error?.typedEvent, "Added")
      XCTAssertEqual(error?.path, "params.price")
      XCTAssertEqual(error?.kind, .mismatch(expected: "Double", found: #"the string "9.50""#))
      XCTAssertEqual(
        error?.localizedDescription, #"Added: params.price: expected Double, found the string "9.50""#)
    }
    XCTAssertThrowsError(try event(without: "price").decode(as: Added.self)) { error in
      XCTAssertEqual((error as? TypedEventDecodingError)?.kind, .missing(expected: "Double"))
    }
  }

  func testAValidEventIsDecodedWhole() {
    XCTAssertNoThrow(try valid.decode(as: Added.self))
  }

  // MARK: -

  private var valid: TrackingEvent {
    TrackingEvent(
      name: "added_to_cart",
      params: [
        "price": 9.5, "title": "t", "isGift": false, "count": 1, "day": "2026-11-21T10:00:00.000Z", "screen": "cart",
        "items": [], "address": ["lines": []], "link": "https://example.com",
      ])
  }

  private func event(with param: TrackingParam, _ value: TrackingValue) -> TrackingEvent {
    var event = valid
    event.params[param] = value
    return event
  }

  private func event(without param: String) -> TrackingEvent {
    var event = valid
    event.params[.custom(key: param)] = nil
    return event
  }

  private func message(with param: TrackingParam, _ value: TrackingValue) -> String? {
    message(event(with: param, value))
  }

  private func message(without param: String) -> String? {
    message(event(without: param))
  }

  private func message(_ event: TrackingEvent) -> String? {
    do {
      _ = try event.decode(as: Added.self)
      return nil
    } catch {
      return "\(error)"
    }
  }
}

private struct Added: TrackingSchema {
  static let eventName = "added_to_cart"

  enum Screen: String, Codable { case cart, product }
  struct Item: Codable {
    var id: String
    var price: Double
    var stock: UInt?
  }
  struct Address: Codable {
    var lines: [String]
    var floors: [Int: String]?
  }

  var price: Double
  var title: String
  var isGift: Bool
  var count: Int8
  var day: Date
  var screen: Screen
  var items: [Item]
  var address: Address
  var link: URL
}

private struct Picky: TrackingSchema {
  static let eventName = "picky"
  struct NotToday: Error, CustomStringConvertible {
    var description: String { "not today" }
  }

  init(from decoder: any Decoder) throws { throw NotToday() }
}
