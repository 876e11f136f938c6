import TestSupport

final class TrackingValueConvertibleTests: XCTestCase {
  func testEveryIntegerTypeKeepsBothItsEnds() {
    XCTAssertEqual(
      values(Int8.min, Int16.min, Int32.min, Int64.min, Int.min),
      [-128, -32_768, -2_147_483_648, .int(.min), .int(.min)])
    XCTAssertEqual(
      values(Int8.max, Int16.max, Int32.max, Int64.max, Int.max), [127, 32_767, 2_147_483_647, .int(.max), .int(.max)])
    XCTAssertEqual(
      values(UInt8.max, UInt16.max, UInt32.max, UInt64.max, UInt.max),
      [255, 65_535, 4_294_967_295, .unsigned(.max), .unsigned(.max)])
    XCTAssertEqual(values(UInt8(0), UInt64(0), UInt(7)), [0, 0, 7])
  }

  func testTextIsAString() {
    XCTAssertEqual(values("text", "text".dropFirst()), ["text", "ext"])
  }

  func testBooleansAreNotNumbers() {
    XCTAssertEqual(values(true, false), [true, false])
    XCTAssertNotEqual(values(true), [1])
  }

  func testFloatsGoByTheirShortestDecimal() {
    XCTAssertEqual(values(Float(0.1), Float(16_777_216), Float(-2.5), Float(3.4e38)), [0.1, 16_777_216, -2.5, 3.4e38])
    XCTAssertEqual(Float(0.1).trackingValue.description, "0.1")
    XCTAssertEqual(values(Float.nan, Float.infinity, -Float.infinity), ["NaN", "Infinity", "-Infinity"])
    XCTAssertEqual(Float.leastNonzeroMagnitude.trackingValue, 1e-45)
    XCTAssertEqual(Float.greatestFiniteMagnitude.trackingValue, 3.4028235e+38)
    for bits in stride(from: UInt32(0), to: .max, by: 9_999_991) {
      let float = Float(bitPattern: bits)
      guard float.isFinite, case .double(let double) = float.trackingValue else { continue }
      XCTAssertEqual(Float(double), float)
    }
  }

  func testDoublesAreNumbersAndNaNAndInfinitiesAreTheirNames() {
    XCTAssertEqual(values(0.1, CGFloat(2.5), -0.0, 3.0), [0.1, 2.5, 0, 3])
    XCTAssertEqual(values(Double.nan, CGFloat.infinity, -Double.infinity), ["NaN", "Infinity", "-Infinity"])
  }

  func testADecimalWithTooManyDigitsForANumberIsText() throws {
    for text in ["0.1234567890123456789", "12345678901234567890.5", "-36893488147419103233", "1.00000000000000000001"] {
      guard case .string(text) = try XCTUnwrap(Decimal(string: text)).trackingValue else {
        return XCTFail("\(text): \(try XCTUnwrap(Decimal(string: text)).trackingValue)")
      }
    }
    for (text, double) in [("0.1", 0.1), ("0.30000000000000004", 0.30000000000000004), ("1e22", 1e22), ("-2.5", -2.5)] {
      guard case .double(double) = try XCTUnwrap(Decimal(string: text)).trackingValue else { return XCTFail(text) }
    }
  }

  func testDecimalsAreNumbers() throws {
    let price = try XCTUnwrap(Decimal(string: "19.99"))
    let large = try XCTUnwrap(Decimal(string: "18446744073709551615"))
    let low = try XCTUnwrap(Decimal(string: "-9223372036854775808"))
    XCTAssertEqual(
      values(price, large, low, Decimal(1_000), Decimal(0)), [19.99, .unsigned(.max), .int(.min), 1_000, 0])
    XCTAssertEqual(values(Decimal.nan), ["NaN"])
  }

  func testFoundationsValuesAreStrings() throws {
    let uuid = try XCTUnwrap(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
    let url = try XCTUnwrap(URL(string: "https://example.com/a?b=c#d"))
    XCTAssertEqual(
      values(Date(timeIntervalSince1970: 1_795_255_200.25), uuid, url, Data([0, 255, 1])),
      ["2026-11-21T10:00:00.250Z", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "https://example.com/a?b=c#d", "AP8B"])
  }

  func testADateWithoutATextIsItsSeconds() {
    XCTAssertEqual(values(Date(timeIntervalSince1970: 1e300)), [1e300])
    XCTAssertEqual(
      values(Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: .nan)), ["Infinity", "NaN"])
  }

  func testOptionalsAreTheirValueOrNull() {
    let nested: Int?? = .some(nil)
    XCTAssertEqual(values(Int?.none, Int?(3), nested, Int??(4)), [nil, 3, nil, 4])
  }

  func testCollectionsAreConvertedByElement() {
    XCTAssertEqual(values([1, 2], [[1], []], [String?.none, "a"]), [[1, 2], [[1], []], [nil, "a"]])
    XCTAssertEqual(values(["a": 1], ["b": ["c": Kind.sale]]), [["a": 1], ["b": ["c": "on_sale"]]])
    XCTAssertEqual(values([TrackingParam.screen: 1], [7: "seven"]), [["screen": 1], ["7": "seven"]])
    XCTAssertEqual(values([String: Int](), [Int]()), [[:], []])
  }

  func testASetIsTheSameListOnEveryRun() {
    XCTAssertEqual(values(Set(["c", "a", "b", "d", "e"])), [["a", "b", "c", "d", "e"]])
  }

  func testAnEnumIsItsRawValue() {
    XCTAssertEqual(values(Kind.sale, Level.high, Kind?.none), ["on_sale", 3, nil])
  }

  func testAValueIsItself() {
    XCTAssertEqual(values(TrackingValue.unsigned(4), TrackingValue.null), [4, nil])
    XCTAssertEqual(TrackingValue(Kind.sale), "on_sale")
  }

  func testATypeOfTheUsersMayBeAnyValue() {
    XCTAssertEqual(values(Money(amount: 5, currency: "EUR")), [["amount": 5, "currency": "EUR"]])
  }

  private func values(_ values: any TrackingValueConvertible...) -> [TrackingValue] {
    values.map(\.trackingValue)
  }
}

private enum Kind: String, TrackingValueConvertible { case sale = "on_sale" }
private enum Level: Int, TrackingValueConvertible { case high = 3 }

private struct Money: TrackingValueConvertible {
  var amount: Int
  var currency: String
  var trackingValue: TrackingValue { ["amount": .init(amount), "currency": .init(currency)] }
}
