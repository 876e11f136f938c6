import TestSupport

/// Every value goes through JSON and comes back equal, written by Foundation's encoder and by the writer of the wire.
final class TrackingValueCodableTests: XCTestCase {
  func testStringsOfEveryPlaneSurvive() throws {
    for plane in 0...16 as ClosedRange<UInt32> {
      let scalars =
        (0..<0x400).compactMap { Unicode.Scalar(plane << 16 + $0 * 64) }
        + [Unicode.Scalar(plane << 16 + 0xFFFD)].compactMap(\.self)
      try assertSurvives(.string(String(String.UnicodeScalarView(scalars))))
    }
    let ascii = String(String.UnicodeScalarView((0...0x7F).compactMap(Unicode.Scalar.init)))
    for text in [
      ascii, "", "\u{0}", "a\u{0}b", "\u{2028}\u{2029}", "\u{FEFF}", "\u{FFFF}", "\u{10FFFF}", "👩‍👩‍👧‍👦🏳️‍🌈", "e\u{301}", "\r\n",
      #"\u0041"#, "NaN", "null", "2026-11-21T10:00:00.000Z",
    ] {
      try assertSurvives(.string(text))
    }
  }

  func testAStringComesBackScalarByScalar() throws {
    // String equality would take composed for decomposed.
    let text = "e\u{301} \u{E9} \r\n \u{212B} \u{0}"
    guard case .string(let back) = try throughWriter(.string(text)) else { return XCTFail("no string") }
    XCTAssertEqual(Array(back.unicodeScalars), Array(text.unicodeScalars))
  }

  func testIntegersToBothEndsSurvive() throws {
    for value in [
      0, 1, -1, .max, .min, .max - 1, .min + 1, 9_007_199_254_740_991, 9_007_199_254_740_993, -9_007_199_254_740_993,
    ] {
      try assertSurvives(.int(value))
    }
    for value in [0, .max, .max - 1, 1 << 63, 1 << 63 + 1] as [UInt64] {
      try assertSurvives(.unsigned(value))
    }
  }

  func testDoublesSurviveToTheLastBit() throws {
    let special: [Double] = [
      0, -0.0, 0.1, 0.1 + 0.2, 1.0 / 3, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 1e15, 1e16, 1e17, 1e21,
      1e22, 1e23, 1e-5, 1e-7, 0x1p53, 0x1p63, 0x1p64, -0x1p63, -0x1p63 - 2048, 0x1p64.nextDown, 123456789.125,
    ]
    for value in special {
      try assertSurvives(.double(value))
    }
    var generator = RandomCases.generator(seed: 7)
    for _ in 0..<RandomCases.count(2_000) {
      let value = Double(bitPattern: generator.next())
      try assertSurvives(.double(value))
    }
  }

  func testNaNAndInfinitiesSurviveAsTheirNames() throws {
    XCTAssertEqual(try throughWriter(.double(.nan)), "NaN")
    XCTAssertEqual(try throughCodable(.double(.infinity)), "Infinity")
    for value in [Double.nan, .infinity, -.infinity, .signalingNaN] {
      try assertSurvives(.double(value))
    }
  }

  func testBooleansAndNullStayWhatTheyAre() throws {
    for value in [nil, true, false, [nil], ["a": nil], [true, 1, false, 0], ["a": true, "b": 1]] as [TrackingValue] {
      try assertSurvives(value)
    }
    XCTAssertNotEqual(try throughCodable([true]), [1])
  }

  func testContainersOfEveryShapeSurvive() throws {
    for value in [
      [], [:], [[]], [[:]], ["": [:]], ["": ["": ["": nil]]], ["a.b": 1, "a": ["b": 2]], ["0": [0]],
      ["\u{0}": 1, "\n": 2, "\"": 3, "\u{2028}": 4, "😀": 5], [1, "a", nil, [2, ["b": [3]]]],
    ] as [TrackingValue] {
      try assertSurvives(value)
    }
  }

  func testDeepNestingSurvives() throws {
    var value: TrackingValue = ["leaf": 1]
    for level in 0..<250 {
      value = level.isMultiple(of: 2) ? [value, level.trackingValue] : ["a": value, "b": nil]
    }
    try assertSurvives(value)
  }

  func testWideContainersSurvive() throws {
    let names = (0..<10_000).map { "name \($0)" }
    try assertSurvives(.array((0..<10_000).map(TrackingValue.int)))
    try assertSurvives(.object(Dictionary(uniqueKeysWithValues: names.map { ($0, .string($0)) })))
  }

  func testFoundationsEncoderWritesTheCanonicalFormInOrder() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let value: TrackingValue = ["b": 3.0, "a": [.unsigned(4), .double(.nan), -0.0], "c": .unsigned(.max)]
    XCTAssertEqual(
      String(decoding: try encoder.encode(value), as: UTF8.self), #"{"a":[4,"NaN",0],"b":3,"c":18446744073709551615}"#)
  }

  func testOtherSpellingsOfANumberAreThatNumber() throws {
    for (json, value) in [
      ("3.0", 3), ("3e0", 3), ("30e-1", 3), ("-0", 0), ("-0.0", 0), ("1E+2", 100), ("0.1e1", 1),
      ("1e19", .unsigned(10_000_000_000_000_000_000)),
      ("9223372036854775808", .unsigned(1 << 63)), ("18446744073709551616", .double(0x1p64)), ("25e-1", 2.5),
    ] as [(String, TrackingValue)] {
      XCTAssertEqual(try JSONDecoder().decode([TrackingValue].self, from: Data("[\(json)]".utf8)), [value], json)
    }
  }

  func testANumberThatNoDoubleHoldsIsAnError() {
    XCTAssertThrowsError(try JSONDecoder().decode([TrackingValue].self, from: Data("[1e999]".utf8)))
  }

  func testAValueSurvivesAPropertyListToo() throws {
    let value: TrackingValue = ["a": [1, 2.5, "x", true, ["b": false]], "max": .unsigned(.max), "min": .int(.min)]
    let list = try PropertyListEncoder().encode(value)
    XCTAssertEqual(try PropertyListDecoder().decode(TrackingValue.self, from: list), value)
  }

  // MARK: -

  private func assertSurvives(_ value: TrackingValue, line: UInt = #line) throws {
    for back in [try throughCodable(value), try throughWriter(value)] {
      XCTAssertEqual(back, value, line: line)
      XCTAssertEqual(back.hashValue, value.hashValue, line: line)
    }
    if case .double(let number) = value.canonical, case .double(let back) = try throughWriter(value) {
      XCTAssertEqual(back.bitPattern, number.bitPattern, line: line)
    }
  }

  private func throughCodable(_ value: TrackingValue) throws -> TrackingValue {
    try JSONDecoder().decode([TrackingValue].self, from: JSONEncoder().encode([value]))[0]
  }

  private func throughWriter(_ value: TrackingValue) throws -> TrackingValue {
    var writer = JSONWriter()
    writer.write([value])
    return try JSONDecoder().decode([TrackingValue].self, from: Data(writer.bytes))[0]
  }
}
