import TestSupport

final class JSONWriterTests: XCTestCase {
  func testAnEventIsWrittenWithItsParamsInOrder() {
    let event = TrackingEvent(name: "tap", params: ["b": [1, 2.5], .screen: "main", "a": nil, "B": true])
    XCTAssertEqual(
      text { $0.write(event) }, #"{"name":"tap","params":{"B":true,"a":null,"b":[1,2.5],"screen":"main"}}"#)
    XCTAssertEqual(text { $0.write(TrackingEvent(name: "")) }, #"{"name":"","params":{}}"#)
  }

  func testACallSiteIsWrittenBehindTheParams() throws {
    let event = TrackingEvent(name: "tap").at(try XCTUnwrap(CallSite("Shop/\"A\"\n.swift:41")))
    let written = #"{"name":"tap","params":{},"at":"Shop/\"A\"\n.swift:41"}"#
    XCTAssertEqual(text { $0.write(event) }, written)
    XCTAssertEqual(text { $0.write([event, TrackingEvent(name: "a")]) }, #"[\#(written),{"name":"a","params":{}}]"#)
  }

  func testSeveralEventsAreAnArray() {
    XCTAssertEqual(text { $0.write([TrackingEvent]()) }, "[]")
    XCTAssertEqual(
      text { $0.write([TrackingEvent(name: "a"), TrackingEvent(name: "b")]) },
      #"[{"name":"a","params":{}},{"name":"b","params":{}}]"#)
  }

  func testNamesAreInOrderAtEveryDepthAndOnEveryRun() {
    let expected = #"{"a":{"x":1,"y":[{"p":1,"q":2}]},"b":2,"c":3}"#
    for _ in 0..<20 {
      XCTAssertEqual(
        text { $0.write(["c": 3, "a": ["y": [["q": 2, "p": 1]], "x": 1], "b": 2] as TrackingValue) }, expected)
    }
  }

  func testScalarsAreWrittenInTheirCanonicalForm() {
    let values: [(TrackingValue, String)] = [
      (nil, "null"), (true, "true"), (false, "false"), (0, "0"), (-1, "-1"), (.int(.min), "-9223372036854775808"),
      (.unsigned(.max), "18446744073709551615"), (3.0, "3"), (-0.0, "0"), (0.1, "0.1"), (1e300, "1e+300"),
      (5e-7, "5e-07"),
      (.double(.leastNonzeroMagnitude), "5e-324"), (.double(.greatestFiniteMagnitude), "1.7976931348623157e+308"),
      (.double(.nan), #""NaN""#), (.double(.infinity), #""Infinity""#), (.double(-.infinity), #""-Infinity""#),
      ("", #""""#), ([], "[]"), ([:], "{}"), ([[], [:]], "[[],{}]"), (["": [nil]], #"{"":[null]}"#),
    ]
    for (value, expected) in values {
      XCTAssertEqual(text { $0.write(value) }, expected)
    }
  }

  func testOnlyRequiredCharactersAreEscaped() {
    XCTAssertEqual(text { $0.write(string: "a\"b\\c/d") }, #""a\"b\\c/d""#)
    XCTAssertEqual(text { $0.write(string: "\n\r\t\u{8}\u{C}") }, #""\n\r\t\u0008\u000c""#)
    XCTAssertEqual(text { $0.write(string: "\u{0}\u{1}\u{1F} \u{7F}") }, "\"\\u0000\\u0001\\u001f \u{7F}\"")
    XCTAssertEqual(text { $0.write(string: "é\u{2028}😀") }, "\"é\u{2028}😀\"")
    XCTAssertEqual(text { $0.write(string: "\"\"") }, #""\"\"""#)
    XCTAssertEqual(text { $0.write(["\"\n": 1] as TrackingValue) }, #"{"\"\n":1}"#)
  }

  func testACharacterIsEscapedOrNotWhereverItIs() {
    func expected(_ scalar: Unicode.Scalar) -> String {
      switch scalar {
      case "\"": #"\""#
      case "\\": #"\\"#
      case "\n": #"\n"#
      case "\r": #"\r"#
      case "\t": #"\t"#
      case ..<" ": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    for value in Array(0...0x100) + [0x7FF, 0x2028, 0x10FFFF] {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      for before in 0...17 {
        for after in [0, 1, 6, 7, 8, 9] {
          let (start, end) = (String(repeating: "!", count: before), String(repeating: "]", count: after))
          XCTAssertEqual(
            text { $0.write(string: "\(start)\(scalar)\(end)") }, "\"\(start)\(expected(scalar))\(end)\"")
        }
      }
    }
  }

  func testNumbersHaveAllTheirDigits() {
    var number = 1
    while true {
      for near in [number - 1, number, -number] {
        XCTAssertEqual(text { $0.write(number: near) }, "\(near)")
        let thousandths = text { $0.write(thousandths: near) }
        XCTAssertEqual(Decimal(string: thousandths), Decimal(near) / 1_000)
      }
      let (next, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      if isTooLarge { break }
      number = next
    }
    XCTAssertEqual(text { $0.write(number: .min) }, "\(Int.min)")
  }

  func testADocumentIsWrittenPartByPart() {
    let document = text { writer in
      writer.object { writer in
        writer.members(["b": "{", "a": 1])
        writer.member("none", String?.none)
        writer.member("empty") { $0.object { _ in } }
        writer.member("lines") { writer in
          writer.lines { writer in
            for number in 1...2 {
              writer.beginLine()
              writer.object { $0.member("n", number) }
            }
          }
        }
        writer.member("no lines") { $0.lines { _ in } }
        writer.member("last", "{")
        writer.members(["z": [1]])
      }
      writer.endDocument()
    }
    XCTAssertEqual(
      document,
      """
      {"a":1,"b":"{","empty":{},"lines":[
      {"n":1},
      {"n":2}
      ],"no lines":[

      ],"last":"{","z":[1]}

      """)
  }

  func testForPeopleASpaceFollowsEachCommaAndColon() {
    var writer = JSONWriter(spacing: .readable)
    writer.write(TrackingEvent(name: "a,b", params: ["x": [1, 2], "y": [:]]))
    XCTAssertEqual(
      String(decoding: writer.bytes, as: UTF8.self), #"{"name": "a,b", "params": {"x": [1, 2], "y": {}}}"#)
  }

  func testOneWriterWritesSeveralValues() {
    XCTAssertEqual(
      text {
        $0.write([1] as TrackingValue)
        $0.write(2 as TrackingValue)
        $0.write(TrackingEvent(name: "e"))
      }, #"[1]2{"name":"e","params":{}}"#)
  }

  func testAnyDepthIsWrittenWithoutTheCallersStack() {
    var value: TrackingValue = 1
    for _ in 0..<2_000 { value = [value] }
    XCTAssertEqual(
      text { $0.write(value) }, String(repeating: "[", count: 2_000) + "1" + String(repeating: "]", count: 2_000))
  }

  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
