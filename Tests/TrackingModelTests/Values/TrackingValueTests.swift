import TestSupport

final class TrackingValueTests: XCTestCase {
  func testAValueIsReadAsItsKindAlone() {
    let values: [TrackingValue] = [
      12, .double(12), .unsigned(12), .unsigned(.max), 1.5, .double(.infinity), "12", true, ["a"], ["a": 1], nil,
    ]
    XCTAssertEqual(values.map(\.intValue), [12, 12, 12, nil, nil, nil, nil, nil, nil, nil, nil])
    XCTAssertEqual(
      values.map(\.doubleValue), [12, 12, 12, 18_446_744_073_709_551_616, 1.5, .infinity, nil, nil, nil, nil, nil])
    XCTAssertEqual(values.compactMap(\.stringValue), ["12"])
    XCTAssertEqual(values.compactMap(\.boolValue), [true])
    XCTAssertEqual(values.compactMap(\.arrayValue), [["a"]])
    XCTAssertEqual(values.compactMap(\.objectValue), [["a": 1]])
  }

  func testOneNumberIsEqualInEveryFormAndHashesAlike() {
    let families: [[TrackingValue]] = [
      [.int(3), .double(3), .unsigned(3)],
      [.int(0), .double(0), .double(-0.0), .unsigned(0)],
      [.int(-7), .double(-7)],
      [.int(.max), .unsigned(UInt64(Int.max))],
      [.int(.min), .double(-0x1p63)],
      [.unsigned(1 << 63), .double(0x1p63)],
      [.unsigned(10_000_000_000_000_000_000), .double(1e19)],
      [.double(.nan), .double(.signalingNaN), .double(-.nan), .string("NaN")],
      [.double(.infinity), .string("Infinity")],
      [.double(-.infinity), .string("-Infinity")],
      [.array([.int(3), .object(["a": .unsigned(1)])]), .array([.double(3), .object(["a": .double(1)])])],
    ]
    for (index, family) in families.enumerated() {
      for left in family {
        for right in family {
          XCTAssertEqual(left, right)
          XCTAssertEqual(left.hashValue, right.hashValue, "\(left)")
        }
        for other in families[(index + 1)...].joined() {
          XCTAssertNotEqual(left, other)
        }
      }
      XCTAssertEqual(Set(family).count, 1)
    }
  }

  func testValuesOfDifferentKindsAreNotEqual() {
    let values: [TrackingValue] = [
      .null, true, false, 1, 0, 1.5, .unsigned(.max), "", "1", "true", "null", [], [nil], [[]], [:], ["": nil],
      ["a": 1],
    ]
    for (left, right) in values.indices.flatMap({ left in values.indices.map { (left, $0) } }) {
      XCTAssertEqual(values[left] == values[right], left == right, "\(values[left]) == \(values[right])")
    }
    XCTAssertEqual(Set(values).count, values.count)
  }

  func testNearNumbersAreNotEqual() {
    let exact: TrackingValue = 9_007_199_254_740_993  // 2^53 + 1, which no double is
    XCTAssertNotEqual(exact, .double(9_007_199_254_740_992))
    XCTAssertNotEqual(TrackingValue.int(.max), .double(0x1p63))
    XCTAssertNotEqual(TrackingValue.unsigned(.max), .double(0x1p64))
    XCTAssertNotEqual(TrackingValue.double(0.1 + 0.2), 0.3)
    XCTAssertNotEqual(TrackingValue.double(.leastNonzeroMagnitude), 0)
  }

  func testTheCanonicalFormIsTheNarrowestCaseAtEveryDepth() {
    let value: TrackingValue = .array([.double(3), .object(["a": .unsigned(4), "b": .double(.nan)]), .double(-0.0)])
    guard case .array(let values) = value.canonical, values.count == 3,
      case .int(3) = values[0],
      case .object(let members) = values[1], case .int(4)? = members["a"], case .string("NaN")? = members["b"],
      case .int(0) = values[2]
    else { return XCTFail("\(value.canonical)") }
    guard case .unsigned(0x8000_0000_0000_0000) = TrackingValue.double(0x1p63).canonical,
      case .double(0x1p64) = TrackingValue.double(0x1p64).canonical,
      case .double(1.5) = TrackingValue.double(1.5).canonical
    else { return XCTFail("a number has the wrong case") }
  }

  func testAValueTakesThreeWords() {
    // 24 bytes: a string's 16 leave no bit to tell the cases apart. More would mean that a case has grown.
    XCTAssertEqual(MemoryLayout<TrackingValue>.stride, 24)
  }

  /// A verifier reads values that are 512 levels deep.
  func testAValueOfGreatDepthIsComparedHashedAndWrittenOnASmallStack() {
    runOnASmallStack {
      let value = Self.nested(depth: 512)
      let other = Self.nested(depth: 512)
      XCTAssertEqual(value, other)
      XCTAssertEqual(value.hashValue, other.hashValue)
      XCTAssertEqual(value.canonical, other)
      XCTAssertTrue(value.description.hasSuffix("]}]}]}"))
      var writer = JSONWriter()
      writer.write(value)
      XCTAssertEqual(writer.bytes.count, 256 * 8 + 1)
    }
  }

  private static func nested(depth: Int) -> TrackingValue {
    var value: TrackingValue = 1
    for _ in 0..<(depth / 2) {
      value = .object(["a": .array([value])])
    }
    return value
  }
}
