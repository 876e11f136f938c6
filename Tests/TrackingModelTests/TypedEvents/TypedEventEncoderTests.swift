import TestSupport

final class TypedEventEncoderTests: XCTestCase {
  func testADecimalWithTooManyDigitsIsTextThatIsReadBack() throws {
    struct Paid: TrackingSchema {
      static let eventName = "paid"
      var amounts: [Decimal]
      var currency: String
    }
    let amounts = [
      Decimal(string: "0.1")!, Decimal(string: "0.1234567890123456789")!, Decimal(string: "9.99999999999999999999")!,
    ]
    let event = TrackingEvent(Paid(amounts: amounts, currency: "EUR"))
    XCTAssertEqual(
      event,
      TrackingEvent(
        name: "paid",
        params: ["amounts": [0.1, "0.1234567890123456789", "9.99999999999999999999"], "currency": "EUR"]))
    XCTAssertEqual(try event.decode(as: Paid.self).amounts, amounts)
  }

  func testASetThatATypeEncodesItselfHasAStableOrder() {
    struct Tags: Codable {
      var tags: Set<String>
      init(tags: Set<String>) { self.tags = tags }
      init(from decoder: any Decoder) throws { tags = try Set(from: decoder) }
      func encode(to encoder: any Encoder) throws { try tags.encode(to: encoder) }
    }
    struct Tagged: TrackingSchema {
      static let eventName = "tagged"
      var tags: Tags
      var ids: Set<Int>
      var order: [Int]
      enum CodingKeys: CodingKey { case tags, ids, order, loop }
      init(tags: Tags, ids: Set<Int>, order: [Int]) { (self.tags, self.ids, self.order) = (tags, ids, order) }
      init(from decoder: any Decoder) throws { throw CancellationError() }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(tags, forKey: .tags)
        try ids.encode(to: container.superEncoder(forKey: .ids))
        try order.encode(to: container.superEncoder(forKey: .order))
        var loop = container.nestedUnkeyedContainer(forKey: .loop)
        for id in ids { try loop.encode(id) }
      }
    }
    let names = (0..<20).map { "tag \($0)" }
    let event = TrackingEvent(
      Tagged(tags: Tags(tags: Set(names)), ids: Set(0..<9), order: [3, 1, 2, 0, 8, 7, 6, 5, 4]))
    XCTAssertEqual(event.params["tags"], .array(names.sorted().map(TrackingValue.string)))
    XCTAssertEqual(event.params["ids"], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    XCTAssertEqual(event.params["loop"], [0, 1, 2, 3, 4, 5, 6, 7, 8])
    // A list that is stored as one keeps its order, be it of the same elements.
    XCTAssertEqual(event.params["order"], [3, 1, 2, 0, 8, 7, 6, 5, 4])
  }

  func testFieldsBecomeParamsUnderTheirCodingKeys() {
    let event = TrackingEvent(
      Viewed(
        screen: .cart, productID: "42", count: 2, ratio: 0.5, isFirst: true, note: nil,
        day: .init(timeIntervalSince1970: 0)))
    XCTAssertEqual(
      event.description,
      #"viewed(count: 2, day: "1970-01-01T00:00:00.000Z", isFirst: true, product_id: "42", ratio: 0.5, screen: "cart_screen")"#
    )
  }

  func testAnOptionalThatIsSetIsItsValue() {
    let viewed = Viewed(screen: .main, productID: "1", count: 1, ratio: 1, isFirst: false, note: "n", day: nil)
    XCTAssertEqual(TrackingEvent(viewed).params["note"], "n")
    XCTAssertNil(TrackingEvent(viewed).params["day"])
  }

  func testDictionariesAreObjectsByTheirKeys() {
    let event = TrackingEvent(
      Dictionaries(
        byName: ["b": 1, "a": 2], byNumber: [7: "x", -1: "y"], byKey: [.first: true], byEnum: [.main: 1],
        byParam: [.screen: 0.5],
        dates: ["d": Date(timeIntervalSince1970: 0)]))
    XCTAssertEqual(
      event.params,
      [
        "byName": ["a": 2, "b": 1], "byNumber": ["-1": "y", "7": "x"], "byKey": ["first": true],
        // Swift encodes a dictionary as an array if its keys are neither strings, integers nor coding keys.
        "byEnum": ["main_screen", 1], "byParam": ["screen": 0.5], "dates": ["d": "1970-01-01T00:00:00.000Z"],
      ])
  }

  func testSetsAndDictionariesWithoutNamesAreInTheSameOrderOnEveryRun() {
    for _ in 0..<20 {
      var tags: Set<String> = []
      var places: [Place: Int] = [:]
      tags.reserveCapacity(.random(in: 0...500))
      places.reserveCapacity(.random(in: 0...500))
      for name in ["d", "b", "a", "c"].shuffled() {
        tags.insert(name)
        places[Place(name: name)] = 1
      }
      XCTAssertEqual(
        TrackingEvent(Shelf(tags: tags, places: places, nested: ["x": [tags]])).description,
        #"shelf(nested: {"x": [["a", "b", "c", "d"]]}, places: [{"name": "a"}, 1, {"name": "b"}, 1, {"name": "c"}, 1, "#
          + #"{"name": "d"}, 1], tags: ["a", "b", "c", "d"])"#)
    }
  }

  func testFoundationsTypesAreWrittenAsOnTheWire() throws {
    let event = TrackingEvent(
      Foundations(
        url: try XCTUnwrap(URL(string: "https://example.com/?a=b")), data: Data([1, 2]),
        uuid: try XCTUnwrap(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")),
        price: try XCTUnwrap(Decimal(string: "19.99")), float: 0.1, size: 1.5,
        days: [Date(timeIntervalSince1970: 0)], links: [URL(string: "a")]))
    XCTAssertEqual(
      event.params,
      [
        "url": "https://example.com/?a=b", "data": "AQI=", "uuid": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
        "price": 19.99, "float": 0.1, "size": 1.5, "days": ["1970-01-01T00:00:00.000Z"], "links": ["a"],
      ])
  }

  func testEveryIntegerAndNaNAndInfinitiesAreKept() {
    XCTAssertEqual(
      TrackingEvent(Numbers()).params,
      [
        "i8": -128, "i16": -32_768, "i32": -2_147_483_648, "i64": .int(.min), "u8": 255, "u16": 65_535,
        "u32": 4_294_967_295, "u64": .unsigned(.max), "nan": "NaN", "infinity": "-Infinity", "list": ["NaN", 1, 2.5],
      ])
  }

  func testASuperclassMayShareTheContainerOrHaveOneOfItsOwn() {
    XCTAssertEqual(TrackingEvent(Flat(base: 1, own: 2)).description, "flat(base: 1, own: 2)")
    XCTAssertEqual(TrackingEvent(Nested(base: 1, own: 2)).description, #"nested(own: 2, super: {"base": 1})"#)
    XCTAssertEqual(TrackingEvent(Nested(base: 1, own: 2) as Base).name, "nested")
  }

  func testContainersMayBeNestedByHand() {
    XCTAssertEqual(
      TrackingEvent(ByHand()).description,
      #"by_hand(again: {"first": 1, "second": 2}, list: [1, null, true, "x", {"deep": 2.5}, [3], {"inner": 4}],"#
        + #" object: {"deep": "d", "none": null}, parent: {"inner": 5})"#)
  }

  func testAnEnumWithAssociatedValuesIsAnObject() {
    XCTAssertEqual(TrackingEvent(Payment.card(last4: "1234")).description, #"payment(card: {"last4": "1234"})"#)
    XCTAssertEqual(TrackingEvent(Payment.cash).description, "payment(cash: {})")
  }

  func testATypeWithoutFieldsHasNoParams() {
    XCTAssertEqual(TrackingEvent(Opened()), TrackingEvent(name: "opened"))
  }

  func testValuesOfTheModelAreParamsAsTheyAre() {
    let event = TrackingEvent(Loose(value: ["a": [1, nil]], values: ["x": .unsigned(3)], nothing: nil))
    XCTAssertEqual(event.params, ["value": ["a": [1, nil]], "values": ["x": 3]])
  }

  // MARK: Values that can't be encoded

  func testATypeThatIsNotAnObjectIsKeptAndSaysSo() {
    XCTAssertEqual(
      TrackingEvent(Single(text: "x")).params,
      ["value": "x", "tracking_encoding_error": "Single encodes itself as a string, so its fields have no names"])
    XCTAssertEqual(
      TrackingEvent(Listed()).params,
      ["value": [1, 2], "tracking_encoding_error": "Listed encodes itself as an array, so its fields have no names"])
  }

  func testAFieldThatThrowsIsNamedAndEarlierFieldsAreKept() {
    XCTAssertEqual(
      TrackingEvent(Throwing(good: 1, bad: Stubborn(), later: 2)).params,
      ["good": 1, "tracking_encoding_error": "params.bad: out of ink"])
  }

  func testAFieldThatThrowsDeepInsideIsNamedByItsPath() {
    XCTAssertEqual(
      TrackingEvent(ThrowingDeep(items: [.init(), .init(bad: Stubborn())])).params[.encodingError],
      "params.items[1].bad: out of ink")
    XCTAssertEqual(
      TrackingEvent(ThrowingDeep(items: [.init(byName: ["key": Stubborn()])])).params[.encodingError],
      "params.items[0].byName.key: out of ink")
  }

  func testAnEncodingErrorHasItsOwnPathOrItsPlace() {
    XCTAssertEqual(
      TrackingEvent(ThrowingDeep(items: [.init(refused: Refusing(knowsItsPlace: true))])).params[.encodingError],
      "params.items[0].refused.inner: refused")
    XCTAssertEqual(
      TrackingEvent(ThrowingDeep(items: [.init(refused: Refusing(knowsItsPlace: false))])).params[.encodingError],
      "params.items[0].refused: refused")
  }

  func testATypeThatThrowsKeepsItsEvent() {
    XCTAssertEqual(
      TrackingEvent(ThrowingAtOnce()), TrackingEvent(name: "at_once", params: [.encodingError: "params: out of ink"]))
  }

  func testATypeMayRecoverFromAnErrorOfItsField() {
    XCTAssertEqual(TrackingEvent(Recovering()).params, ["bad": "replaced"])
  }
}

private enum Screen: String, Codable { case main = "main_screen", cart = "cart_screen" }

private struct Viewed: TrackingSchema {
  static let eventName = "viewed"
  var screen: Screen
  var productID: String
  var count: Int
  var ratio: Double
  var isFirst: Bool
  var note: String?
  var day: Date?

  enum CodingKeys: String, CodingKey {
    case screen, productID = "product_id", count, ratio, isFirst, note, day
  }
}

private struct Dictionaries: TrackingSchema {
  static let eventName = "dictionaries"
  enum Key: String, Codable, CodingKeyRepresentable { case first }
  var byName: [String: Int]
  var byNumber: [Int: String]
  var byKey: [Key: Bool]
  var byEnum: [Screen: Int]
  var byParam: [TrackingParam: Double]
  var dates: [String: Date]
}

private struct Place: Codable, Hashable {
  var name: String
}

private struct Shelf: TrackingSchema {
  static let eventName = "shelf"
  var tags: Set<String>
  var places: [Place: Int]
  var nested: [String: [Set<String>]]
}

private struct Foundations: TrackingSchema {
  static let eventName = "foundations"
  var url: URL
  var data: Data
  var uuid: UUID
  var price: Decimal
  var float: Float
  var size: CGFloat
  var days: [Date]
  var links: [URL?]
}

private struct Numbers: TrackingSchema {
  static let eventName = "numbers"
  var i8 = Int8.min
  var i16 = Int16.min
  var i32 = Int32.min
  var i64 = Int64.min
  var u8 = UInt8.max
  var u16 = UInt16.max
  var u32 = UInt32.max
  var u64 = UInt64.max
  var nan = Double.nan
  var infinity = -Float.infinity
  var list = [Double.nan, 1, 2.5]
}

private class Base: TrackingSchema, @unchecked Sendable {
  class var eventName: String { "base" }
  let base: Int

  init(base: Int) { self.base = base }
}

private final class Flat: Base, @unchecked Sendable {
  override class var eventName: String { "flat" }
  let own: Int

  init(base: Int, own: Int) {
    self.own = own
    super.init(base: base)
  }

  required init(from decoder: any Decoder) throws { fatalError("not decoded") }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: TrackingParam.self)
    try container.encode(own, forKey: "own")
  }
}

private final class Nested: Base, @unchecked Sendable {
  override class var eventName: String { "nested" }
  let own: Int

  init(base: Int, own: Int) {
    self.own = own
    super.init(base: base)
  }

  required init(from decoder: any Decoder) throws { fatalError("not decoded") }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TrackingParam.self)
    try super.encode(to: container.superEncoder())
    try container.encode(own, forKey: "own")
  }
}

private struct ByHand: TrackingSchema {
  static let eventName = "by_hand"

  init() {}
  init(from decoder: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TrackingParam.self)
    var object = container.nestedContainer(keyedBy: TrackingParam.self, forKey: "object")
    try object.encode("d", forKey: "deep")
    try object.encodeNil(forKey: "none")
    var list = container.nestedUnkeyedContainer(forKey: "list")
    try list.encode(1)
    try list.encodeNil()
    try list.encode(true)
    try list.encode("x")
    var inList = list.nestedContainer(keyedBy: TrackingParam.self)
    var listInList = list.nestedUnkeyedContainer()
    try listInList.encode(3)
    try inList.encode(2.5, forKey: "deep")
    try ["inner": 4].encode(to: list.superEncoder())
    try ["inner": 5].encode(to: container.superEncoder(forKey: "parent"))
    for (key, value) in [("first", 1), ("second", 2)] {
      var again = container.nestedContainer(keyedBy: TrackingParam.self, forKey: "again")
      try again.encode(value, forKey: .custom(key: key))
    }
  }
}

private enum Payment: TrackingSchema {
  static let eventName = "payment"
  case card(last4: String)
  case cash
}

private struct Opened: TrackingSchema {
  static let eventName = "opened"
}

private struct Loose: TrackingSchema {
  static let eventName = "loose"
  var value: TrackingValue
  var values: [String: TrackingValue]
  var nothing: TrackingValue?
}

private struct Single: TrackingSchema {
  static let eventName = "single"
  var text: String

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

private struct Listed: TrackingSchema {
  static let eventName = "listed"

  func encode(to encoder: any Encoder) throws {
    try [1, 2].encode(to: encoder)
  }
}

private struct OutOfInk: Error, CustomStringConvertible {
  var description: String { "out of ink" }
}

private struct Stubborn: Codable {
  func encode(to encoder: any Encoder) throws { throw OutOfInk() }
}

private struct Refusing: Codable {
  var knowsItsPlace: Bool

  func encode(to encoder: any Encoder) throws {
    let path = knowsItsPlace ? encoder.codingPath + [TrackingParam.custom(key: "inner")] : []
    throw EncodingError.invalidValue(self, .init(codingPath: path, debugDescription: "refused"))
  }
}

private struct Throwing: TrackingSchema {
  static let eventName = "throwing"
  var good: Int
  var bad: Stubborn
  var later: Int
}

private struct ThrowingDeep: TrackingSchema {
  static let eventName = "throwing_deep"
  struct Item: Codable {
    var bad: Stubborn?
    var byName: [String: Stubborn]?
    var refused: Refusing?
  }
  var items: [Item]
}

private struct ThrowingAtOnce: TrackingSchema {
  static let eventName = "at_once"
  func encode(to encoder: any Encoder) throws { throw OutOfInk() }
}

private struct Recovering: TrackingSchema {
  static let eventName = "recovering"

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TrackingParam.self)
    do {
      try container.encode(Stubborn(), forKey: "bad")
    } catch {
      try container.encode("replaced", forKey: "bad")
    }
  }
}
