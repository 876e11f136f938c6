import TestSupport

final class TrackingValueDescriptionTests: XCTestCase {
  func testAValueIsPrintedAsJSONInTheOrderOfItsNames() {
    let value: TrackingValue = ["b": 1.0, "a": [nil, true, -2.5, "q\"\\\n"], "": [:], "c\"": []]
    XCTAssertEqual(value.description, #"{"": {}, "a": [null, true, -2.5, "q\"\\\n"], "b": 1, "c\"": []}"#)
    for _ in 0..<20 {
      // Dictionaries of other capacities have other orders.
      var members: [String: TrackingValue] = [:]
      members.reserveCapacity(.random(in: 0...500))
      for name in ["d", "b", "a", "c"].shuffled() { members[name] = 1 }
      XCTAssertEqual(TrackingValue.object(members).description, #"{"a": 1, "b": 1, "c": 1, "d": 1}"#)
    }
  }

  func testEqualNumbersArePrintedAlike() {
    XCTAssertEqual(TrackingValue.double(3).description, "3")
    XCTAssertEqual(TrackingValue.unsigned(3).description, "3")
    XCTAssertEqual(TrackingValue.double(-0.0).description, "0")
    XCTAssertEqual(TrackingValue.double(0.1).description, "0.1")
    XCTAssertEqual(TrackingValue.double(.nan).description, #""NaN""#)
  }

  func testAKindIsNamedInWords() {
    let values: [TrackingValue] = [nil, true, 1, .unsigned(.max), 1.5, "a", [], [:], .double(.nan)]
    XCTAssertEqual(
      values.map(\.kind),
      [
        "null", "a boolean", "a number", "a number", "a number", "a string", "an array", "an object", "a string",
      ])
  }
}
