import TestSupport

final class TrackingValueLiteralsTests: XCTestCase {
  func testEachLiteralIsItsCase() {
    let number = 4
    guard case .null = nil as TrackingValue,
      case .bool(true) = true as TrackingValue,
      case .int(.min) = -9_223_372_036_854_775_808 as TrackingValue,
      case .int(.max) = 9_223_372_036_854_775_807 as TrackingValue,
      case .double(1.0) = 1.0 as TrackingValue,
      case .double(-2.5e-3) = -2.5e-3 as TrackingValue,
      case .string("text") = "text" as TrackingValue,
      case .string("text 4") = "text \(number)" as TrackingValue,
      case .array(let empty) = [] as TrackingValue, empty.isEmpty,
      case .object(let none) = [:] as TrackingValue, none.isEmpty
    else { return XCTFail("a literal has the wrong case") }
  }

  func testLiteralsNestAndMixWithoutACast() {
    let value: TrackingValue = ["a": [1, 2.5, "x", nil, true, ["b": [[], [:]]]]]
    let inner: [TrackingValue] = [
      .int(1), .double(2.5), .string("x"), .null, .bool(true), .object(["b": .array([.array([]), .object([:])])]),
    ]
    XCTAssertEqual(value, .object(["a": .array(inner)]))
  }

  func testTheLastValueOfARepeatedNameCounts() {
    XCTAssertEqual(["a": 1, "b": 2, "a": 3] as TrackingValue, .object(["a": 3, "b": 2]))
  }
}
