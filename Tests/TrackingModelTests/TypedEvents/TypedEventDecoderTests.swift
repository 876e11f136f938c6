import TestSupport

final class TypedEventDecoderTests: XCTestCase {
  func testATypedEventSurvivesEncodingAndDecoding() throws {
    let order = Order.sample
    XCTAssertEqual(try throughJSON(order), order)
  }

  func testOptionalsThatAreNilSurvive() throws {
    var order = Order.sample
    order.note = nil
    order.paid = nil
    order.link = nil
    order.items = []
    order.counts = [:]
    XCTAssertEqual(try throughJSON(order), order)
  }

  func testNullIsReadAsNil() throws {
    let event = TrackingEvent(name: "tapped", params: ["count": 3, "note": nil])
    XCTAssertEqual(try event.decode(as: Tapped.self), Tapped(count: 3))
  }

  func testParamsThatTheTypeDoesNotKnowAreIgnored() throws {
    let event = TrackingEvent(name: "tapped", params: ["count": 3.0, "other": [1, 2]])
    XCTAssertEqual(try event.decode(as: Tapped.self), Tapped(count: 3))
  }

  func testDecimalsWithMoreDigitsThanANumberCarriesSurvive() throws {
    struct Split: TrackingSchema, Equatable {
      static let eventName = "split"
      var share: Decimal
      var shares: [Decimal]
      var byName: [String: [Decimal]]
    }
    let third = Decimal(61) / 3
    let split = Split(share: third, shares: [1, -third, third], byName: ["a.b": [Decimal(1) / 7]])
    XCTAssertEqual(try TrackingEvent(split).decode(as: Split.self), split)
    for text in ["9.50", "9.5", "20.33 ", "x", ""] {
      let event = TrackingEvent(name: "split", params: ["share": .string(text), "shares": [], "byName": [:]])
      XCTAssertThrowsError(try event.decode(as: Split.self)) {
        XCTAssertEqual("\($0)", "Split: params.share: expected Decimal, found the string \"\(text)\"")
      }
    }
  }

  func testAnEnumWithAssociatedValuesSurvives() throws {
    for payment in [Payment.card(last4: "1234"), .cash] {
      XCTAssertEqual(try throughJSON(payment), payment)
    }
  }

  func testASubclassSurvivesWithItsSuperclassInAContainerOfItsOwn() throws {
    let back = try throughJSON(Derived(base: 1, own: "x"))
    XCTAssertEqual([back.base.description, back.own], ["1", "x"])
  }

  func testTextOfEveryKindSurvives() throws {
    let text = Text(text: "\u{0}\u{2028}\"\\/é e\u{301} 😀\u{10FFFF}", names: ["": "", "a.b": "NaN", "ключ": "\r\n"])
    XCTAssertEqual(try throughJSON(text), text)
  }

  private func throughJSON<S: TrackingSchema>(_ schema: S) throws -> S {
    let event = TrackingEvent(schema)
    XCTAssertNil(event.params[.encodingError])
    var writer = JSONWriter()
    writer.write(event)
    let back = try JSONDecoder().decode(TrackingEvent.self, from: Data(writer.bytes))
    XCTAssertEqual(back, event)
    let decoded = try back.decode(as: S.self)
    XCTAssertEqual(TrackingEvent(decoded), event)
    return decoded
  }
}

private struct Order: TrackingSchema, Equatable {
  static let eventName = "ordered"

  enum Channel: String, Codable { case web, app = "mobile_app" }
  enum Rank: Int, Codable { case low = 1, high = 9 }

  struct Item: Codable, Equatable {
    var id: String
    var price: Decimal
    var tags: Set<String>
    var parts: [Item]?
  }

  var channel: Channel
  var rank: Rank
  var number: Int
  var isGift: Bool
  var placed: Date
  var paid: Date?
  var note: String?
  var link: URL?
  var token: UUID
  var blob: Data
  var total: Decimal
  var rate: Float
  var items: [Item]
  var counts: [String: Int]
  var floors: [Int: String]
  var channels: [Channel: Bool]
  var gaps: [Int?]
  var extra: TrackingValue

  enum CodingKeys: String, CodingKey {
    case channel, rank, number = "order_number", isGift = "is_gift", placed, paid, note, link, token, blob, total, rate,
      items, counts
    case floors, channels, gaps, extra
  }

  static var sample: Order {
    Order(
      channel: .app, rank: .high, number: .max, isGift: true, placed: Date(timeIntervalSince1970: 1_795_255_200.123),
      paid: Date(timeIntervalSince1970: -1.5), note: "n", link: URL(string: "https://example.com/a?b=c"), token: UUID(),
      blob: Data((0...255).map(UInt8.init)), total: Decimal(string: "1234.56") ?? 0, rate: 0.1,
      items: [
        Item(
          id: "1", price: Decimal(string: "9.99") ?? 0, tags: ["a"],
          parts: [Item(id: "2", price: 0, tags: [], parts: [])])
      ],
      counts: ["": 0, "a": -1], floors: [-1: "cellar", 0: "ground"], channels: [.web: true, .app: false],
      gaps: [1, nil, 3],
      extra: ["x": [1, 2.5, nil, "y"]])
  }
}

private struct Tapped: TrackingSchema, Equatable {
  static let eventName = "tapped"
  var count: Int
  var note: String?
}

private struct Numbers: TrackingSchema, Equatable {
  static let eventName = "numbers"
  var small: Int8
  var large: UInt64
  var signed: Int64
  var float: Float
  var double: Double
}

private struct Days: TrackingSchema, Equatable {
  static let eventName = "days"
  var days: [Date]
}

private struct Text: TrackingSchema, Equatable {
  static let eventName = "text"
  var text: String
  var names: [String: String]
}

private enum Payment: TrackingSchema, Equatable {
  static let eventName = "payment"
  case card(last4: String)
  case cash
}

private class Base: Codable {
  let base: Int

  init(base: Int) { self.base = base }
}

private final class Derived: Base, TrackingSchema, @unchecked Sendable {
  static let eventName = "derived"
  let own: String

  init(base: Int, own: String) {
    self.own = own
    super.init(base: base)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: TrackingParam.self)
    own = try container.decode(String.self, forKey: "own")
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: TrackingParam.self)
    try container.encode(own, forKey: "own")
    try super.encode(to: container.superEncoder())
  }
}
