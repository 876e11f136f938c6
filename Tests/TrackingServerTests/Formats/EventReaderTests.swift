import TestSupport
@testable import TrackingServer

final class EventReaderTests: XCTestCase {
  func testAnEventHasANameAndParamsInAnyOrder() {
    let event = TrackingEvent(
      name: "a", params: ["screen": "main", "count": 2, "items": [["id": "42", "gift": true]]])
    let params = #"{"screen":"main","count":2,"items":[{"id":"42","gift":true}]}"#
    XCTAssertEqual(intake(#"{"name":"a","params":\#(params)}"#).events, [event])
    XCTAssertEqual(intake(#" { "params" : \#(params) , "name" : "a" } "#).events, [event])
  }

  func testParamsMayBeMissingOrEmpty() {
    let event = TrackingEvent(name: "a", params: [:])
    XCTAssertEqual(intake(#"{"name":"a"}"#).events, [event])
    XCTAssertEqual(intake(#"{"name":"a","params":{}}"#).events, [event])
  }

  func testANameMayBeEmptyAndEscaped() {
    XCTAssertEqual(intake(#"{"name":""}"#).events?.map(\.name), [""])
    XCTAssertEqual(intake(#"{"n\u0061me":"\ud83d\ude00"}"#).events?.map(\.name), ["😀"])
  }

  func testACallSiteIsTheFileAndTheLineBehindTheLastColon() {
    func site(_ text: String) -> String {
      let site = intake(#"{"name":"a","at":\#(text)}"#).events?.first?.callSite
      return site.map { "\($0.fileID) \($0.line.map(String.init) ?? "-")" } ?? "none"
    }
    XCTAssertEqual(site(#""Shop/CheckoutModel.swift:41""#), "Shop/CheckoutModel.swift 41")
    XCTAssertEqual(site(#""cart.py:31""#), "cart.py 31")
    XCTAssertEqual(site(#""C:\\shop\\cart.cs:7""#), #"C:\shop\cart.cs 7"#)
    XCTAssertEqual(site(#""a:1:2""#), "a:1 2")
    XCTAssertEqual(site(#""cart.py""#), "cart.py -")
    XCTAssertEqual(site(#""cart.py:""#), "cart.py: -")
    XCTAssertEqual(site(#""cart.py:3a""#), "cart.py:3a -")
    XCTAssertEqual(site(#""cart.py:-3""#), "cart.py:-3 -")
    XCTAssertEqual(site(#""cart.py:\u0663""#), "cart.py:\u{663} -", "a digit that isn't ASCII")
    XCTAssertEqual(site(#""cart.py:99999999999999999999""#), "cart.py:99999999999999999999 -")
    XCTAssertEqual(site(#"":31""#), ":31 -")
    XCTAssertEqual(site(#""\n\":3""#), "\n\" 3")
    XCTAssertEqual(site("\"\""), "none")
    let longest = String(repeating: "x", count: 510)
    XCTAssertEqual(site("\"\(longest):1\""), "\(longest) 1")
  }

  func testEventsOfDifferentCallSitesAreEqual() {
    let events = intake(#"[{"name":"a","at":"b:1"},{"at":"b:2","name":"a","params":{}},{"name":"a"}]"#).events ?? []
    XCTAssertEqual(events.map(\.callSite?.line), [1, 2, nil])
    XCTAssertEqual(Set(events).count, 1)
  }

  func testWhatIsNoCallSiteIsRefusedWithItsPlace() {
    check(#"{"name":"a","at":null}"#, "at@17: an event's call site must be a string, found \"n\"")
    check(#"[{"name":"a"},{"name":"a","at": 41}]"#, "[1].at@32: an event's call site must be a string, found \"4\"")
    check(#"{"name":"a","at":["b:1"]}"#, "at@17: an event's call site must be a string, found \"[\"")
    check(#"{"name":"a","at":"b","at":"b"}"#, "at@21: this key appears twice")
    // Bytes of UTF-8, not characters.
    for (character, count) in [("x", 513), ("x", 1 << 20), ("é", 257)] {
      let text = String(repeating: character, count: count)
      check(#"{"name":"a","at":"\#(text)"}"#, "at@17: an event's call site has at most 512 bytes")
    }
  }

  func testManyCallSitesArePlainEvents() {
    let items = (1...5_000).map { #"{"name":"a","at":"made up/\#($0).swift:1"}"# }
    let events = intake("[\(items.joined(separator: ","))]").events
    XCTAssertEqual(events?.map(\.callSite?.fileID), (1...5_000).map { "made up/\($0).swift" })
  }

  func testAnArrayIsItsEventsInTheirOrder() {
    XCTAssertEqual(intake(#"[{"name":"a"},{"name":"b"},{"name":"a"}]"#).events?.map(\.name), ["a", "b", "a"])
    XCTAssertEqual(intake("[]").events, [])
    XCTAssertEqual(intake(" [ ] ").events, [])
  }

  func testWhatIsNoEventIsRefused() {
    check("", "@0: expected an event or an array of events, found the end of the text")
    check("null", "@0: expected an event or an array of events, found \"n\"")
    check("\"a\"", "@0: expected an event or an array of events, found \"\"\"")
    check(" 1", "@1: expected an event or an array of events, found \"1\"")
    check("\u{FEFF}{}", "@0: expected an event or an array of events, found a byte order mark")
    check("{}", "name@0: the event has no name")
    check(#" {"params":{}}"#, "name@1: the event has no name")
    check(#"{"name":1}"#, "name@8: an event's name must be a string, found \"1\"")
    check(#"{"name": null}"#, "name@9: an event's name must be a string, found \"n\"")
    check(#"{"name":"#, "name@8: an event's name must be a string, found the end of the text")
    check(#"{"name":"a","params":[]}"#, "params@21: an event's params must be an object, found \"[\"")
    check(#"{"name":"a","params":null}"#, "params@21: an event's params must be an object, found \"n\"")
    check(#"{"name":"a","params":"p"}"#, "params@21: an event's params must be an object, found \"\"\"")
  }

  func testAnotherMemberWouldBeLostAndIsRefused() {
    check(#"{"name":"a","value":1}"#, "value@20: an event has only name, params and at")
    check(#"{"Name":"a"}"#, "Name@8: an event has only name, params and at")
    check(#"{"name":"a","":1}"#, "@15: an event has only name, params and at")
  }

  func testAMemberThatStandsTwiceIsRefused() {
    check(#"{"name":"a","name":"a"}"#, "name@12: this key appears twice")
    check(#"{"name":"a","params":{},"params":{}}"#, "params@24: this key appears twice")
    check(#"{"name":"a","params":{"p":1,"p":1}}"#, "params.p@28: this key appears twice")
  }

  func testAFaultInAParamIsNamedByItsPath() {
    check(#"{"name":"a","params":{"price":9.}}"#, "params.price@32: expected a digit after the point, found \"}\"")
    check(
      #"{"name":"a","params":{"items":[{"id":1},{"id":01}]}}"#, "params.items[1].id@46: a number must not start with 0")
  }

  func testAnArrayWithOneBadEventIsRefusedWhole() {
    check(#"[{"name":"a"},{"name":2},{"name":"c"}]"#, "[1].name@22: an event's name must be a string, found \"2\"")
    check(#"[{"name":"a"},{}]"#, "[1].name@14: the event has no name")
    check(#"[{"name":"a"},[]]"#, "[1]@14: expected an object, found \"[\"")
    check(#"[{"name":"a"},null]"#, "[1]@14: expected an object, found \"n\"")
    check(#"[{"name":"a"},]"#, "[1]@14: expected an object, found \"]\"")
    check(#"[{"name":"a"}"#, "@13: expected \",\" or \"]\", found the end of the text")
    check(#"[{"name":"a"}] x"#, "@15: expected the end of the text, found \"x\"")
    check(#"{"name":"a"}{"name":"b"}"#, "@12: expected the end of the text, found \"{\"")
  }

  func testNamesThatDifferInNormalizationOnlyAreTwoNames() {
    let events = intake(
      "[{\"name\":\"\u{E9}\"},{\"name\":\"e\u{301}\"},{\"name\":\"a\",\"params\":{\"\u{E9}\":1,\"e\u{301}\":2}}]"
    ).events
    XCTAssertEqual(events.map { Set($0.map(\.self)).count }, 3)
    XCTAssertEqual(events?.last?.params, ["\u{E9}": 1, "e\u{301}": 2])
    XCTAssertEqual(events?.last?.params.count, 2)
  }

  func testParamsThatAreNestedTooDeepAreRefused() {
    let params = #"{"p":"# + String(repeating: "[", count: 100_000)
    XCTAssertTrue(intake(#"{"name":"a","params":"# + params).error!.hasSuffix("nested deeper than 512"))
  }

  private func check(_ text: String, _ error: String, file: StaticString = #filePath, line: UInt = #line) {
    let result = intake(text)
    XCTAssertNil(result.events, text, file: file, line: line)
    XCTAssertEqual(result.error, error, text, file: file, line: line)
  }
}
