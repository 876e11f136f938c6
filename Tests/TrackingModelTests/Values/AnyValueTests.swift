import Foundation
import TestSupport

/// Events and values made of `Any`, as an app's own tracking protocol has them.
final class AnyValueTests: XCTestCase {
  private enum Screen: String { case cart = "cart_screen" }
  private enum Level: Int { case high = 2 }
  private enum Bare { case run }
  private final class View {}
  private struct Price: TrackingValueConvertible { var trackingValue: TrackingValue { ["amount": 9.5] } }

  private func params(_ parameters: [String: Any]) -> [TrackingParam: TrackingValue] {
    TrackingEvent(name: "tapped", parameters: parameters).params
  }

  private func value(_ value: Any) -> TrackingValue? {
    XCTAssertEqual(params(["p": value]), TrackingValue(any: value).map { ["p": $0] })
    return TrackingValue(any: value)
  }

  func testValuesAreThoseOfConvertibleTypes() throws {
    let date = Date(timeIntervalSince1970: 1_764_324_000.25)
    let id = UUID()
    let url = try XCTUnwrap(URL(string: "https://shop.example/a?b=1"))
    XCTAssertEqual(
      params([
        "text": "a", "part": "xa".dropFirst(), "yes": true, "count": 3, "large": UInt64.max, "price": 9.5,
        "float": Float(0.1),
        "decimal": Decimal(1.5), "date": date, "id": id, "url": url, "data": Data("a".utf8), "price_object": Price(),
        "value": TrackingValue.array([1]),
      ]),
      [
        "text": "a", "part": "a", "yes": true, "count": 3, "large": .unsigned(.max), "price": 9.5, "float": 0.1,
        "decimal": 1.5, "date": "2025-11-28T10:00:00.250Z", "id": .string(id.uuidString),
        "url": "https://shop.example/a?b=1",
        "data": "YQ==", "price_object": ["amount": 9.5], "value": [1],
      ])
  }

  func testANumberObjectIsABooleanOnlyIfItWasMadeOfOne() throws {
    XCTAssertEqual([value(NSNumber(value: true)), value(NSNumber(value: false))], [true, false])
    XCTAssertEqual([value(NSNumber(value: 1)), value(NSNumber(value: 0)), value(NSNumber(value: Int8(1)))], [1, 0, 1])
    XCTAssertEqual([value(NSNumber(value: 1.0)), value(NSNumber(value: 0.5))], [1, 0.5])
    XCTAssertEqual(value(NSNumber(value: Float(0.1))), 0.1)
    XCTAssertEqual(
      [value(NSNumber(value: UInt64.max)), value(NSNumber(value: Int64.min))], [.unsigned(.max), .int(.min)])
    XCTAssertEqual(value(NSDecimalNumber(string: "0.12345678901234567890123")), "0.12345678901234567890123")
    let json = try JSONSerialization.jsonObject(with: Data(#"{"a": true, "b": 1, "c": [null, 0, false, 1.5]}"#.utf8))
    XCTAssertEqual(value(json), ["a": true, "b": 1, "c": [nil, 0, false, 1.5]])
  }

  func testFoundationsObjectsAreTheValuesThatTheyBox() throws {
    let url = try XCTUnwrap(URL(string: "https://shop.example"))
    XCTAssertEqual(
      [value("a" as NSString), value(NSNull()), value(url as NSURL)], ["a", .null, "https://shop.example"])
    XCTAssertEqual(value(Date(timeIntervalSince1970: 0) as NSDate), "1970-01-01T00:00:00.000Z")
    XCTAssertEqual(value(Data("a".utf8) as NSData), "YQ==")
    XCTAssertEqual(value(UUID() as NSUUID)?.stringValue?.count, 36)
    XCTAssertEqual(value([1, "a", NSNull()] as NSArray), [1, "a", nil])
    XCTAssertEqual(value(["a": true] as NSDictionary), ["a": true])
    XCTAssertEqual(value(Set([2, 1, 3]) as NSSet), [1, 2, 3])
  }

  func testAnOptionalInsideIsItsValueOrNull() {
    let (some, none): (Int?, Int?) = (1, nil)
    XCTAssertEqual([value(some as Any), value(none as Any)], [1, .null])
    XCTAssertEqual(
      [value(Int??.some(nil) as Any), value(View?.none as Any), value(Screen?.some(.cart) as Any)],
      [.null, .null, "cart_screen"])
    XCTAssertEqual(value([1, nil, "a"] as [Any?]), [1, nil, "a"])
    XCTAssertEqual(value(["a": nil, "b": Level.high] as [String: Any?]), ["a": nil, "b": 2])
  }

  func testCollectionsAndEnumsNest() {
    XCTAssertEqual(
      value(
        ["items": [["id": "42", "level": Level.high], ["gift": true]], "seen": Set([Screen.cart])] as [String: Any]),
      ["items": [["id": "42", "level": 2], ["gift": true]], "seen": ["cart_screen"]])
    XCTAssertEqual(value([Screen.cart: 1]), ["cart_screen": 1])
    XCTAssertEqual(value(["a".dropFirst(0): 1]), ["a": 1])
    XCTAssertEqual(value([TrackingParam.screen: "home"]), ["screen": "home"])
  }

  func testWhatIsNoValueIsLeftOutAndNamedWithItsPath() {
    XCTAssertEqual(
      params(["id": 7, "order": ["view": View(), "total": 9.5] as [String: Any]]),
      ["id": 7, "order": ["total": 9.5], "tracking_encoding_error": "order.view: View isn't a value"])
    XCTAssertEqual(
      params(["items": [1, View(), ["kind": Bare.run]] as [Any], "view": Optional(View()) as Any]),
      [
        "items": [1, [:]],
        "tracking_encoding_error":
          "items[1]: View isn't a value; items[2].kind: Bare isn't a value; view: View isn't a value",
      ])
    XCTAssertEqual(params(["done": {} as () -> Void])[.encodingError], "done: () -> () isn't a value")
    XCTAssertNil(TrackingValue(any: View()))
    XCTAssertNil(TrackingValue(any: [1, View()] as [Any]))
  }

  func testAKeyThatIsNotTextIsLeftOutAndNamed() {
    XCTAssertEqual(
      params(["map": [AnyHashable("a"): 1, AnyHashable(2): 3]]),
      ["map": ["a": 1], "tracking_encoding_error": "map: the key 2 isn't text"])
    XCTAssertEqual(params(["map": [1: "a"]]), ["map": [:], "tracking_encoding_error": "map: the key 1 isn't text"])
    XCTAssertEqual(
      params(["map": ["in": [5: 1] as NSDictionary]])[.encodingError],
      "map.in: the key 5 isn't text")
  }

  func testAnErrorNamesFivePlaces() {
    XCTAssertEqual(
      params(["v": (1...7).map { _ in View() }])[.encodingError],
      "v[0]: View isn't a value; v[1]: View isn't a value; v[2]: View isn't a value; v[3]: View isn't a value; v[4]: View isn't a value; 2 more"
    )
  }

  func testAValueIsNotReadDeeperThanAHundredLevels() {
    func nested(_ levels: Int) -> Any { (0..<levels).reduce(1 as Any) { value, _ in [value] } }
    XCTAssertNotNil(TrackingValue(any: nested(99)))
    XCTAssertNil(TrackingValue(any: nested(100)))
    XCTAssertEqual(
      params(["v": nested(120)])[.encodingError]?.stringValue?.hasSuffix("[0]: nested deeper than 100"), true)
  }

  /// A class of Foundation, such as `NSMutableDictionary`, can contain itself; Foundation itself can't read one that does on Linux.
  func testAnObjectThatContainsItselfIsLeftOutWhereItComesAgain() {
    final class Pair: RawRepresentable {
      var rawValue: [Any] = []
      init() {}
      init?(rawValue: [Any]) { nil }
    }
    let parent = Pair()
    defer { parent.rawValue = [] }
    parent.rawValue = ["parent", parent, [parent, "child"]]
    XCTAssertEqual(
      params(["tree": parent]),
      [
        "tree": ["parent", ["child"]],
        "tracking_encoding_error": "tree[1]: contains itself; tree[2][0]: contains itself",
      ])
    let shared = Pair()
    shared.rawValue = [1]
    XCTAssertEqual(params(["a": [shared, shared], "b": shared]), ["a": [[1], [1]], "b": [1]])
  }

  func testNoParametersAreNoParams() {
    XCTAssertEqual(TrackingEvent(name: "tapped", parameters: nil), TrackingEvent(name: "tapped"))
    XCTAssertEqual(TrackingEvent(name: "tapped", parameters: [:]), TrackingEvent(name: "tapped"))
  }
}
