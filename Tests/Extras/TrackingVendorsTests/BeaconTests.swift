import TestSupport
@testable import VendorFormats

/// The forms of beacons.
final class BeaconTests: XCTestCase {
  private func params(
    _ body: String, type: String? = "text/plain", query: String? = nil
  ) throws -> [[TrackingParam: TrackingValue]]? {
    try AcceptedFormat.beacons(at: "/").submission(in: request(body, type: type, query: query))?.items.map(
      \.event.params)
  }

  private func request(_ body: String, type: String? = "text/plain", query: String? = nil) -> ReceivedRequest {
    ReceivedRequest(
      method: "POST", path: "/", queryText: query,
      headers: MessageHeaders(fields: type.map { [("content-type", $0)] } ?? []), body: Data(body.utf8))
  }

  func testLinesAreKeysAndValues() throws {
    let rows: [(body: String, beacons: [[TrackingParam: TrackingValue]]?)] = [
      ("a\t1", [["a": "1"]]),
      ("a\t1\n", [["a": "1"]]),
      ("a\t1\nb\t2", [["a": "1", "b": "2"]]),
      ("a\t1\r\nb\t2\r\n", [["a": "1", "b": "2"]]),
      ("a\t1\n\nb\t2", [["a": "1"], ["b": "2"]]),
      ("a\t1\r\n\r\nb\t2\r\n\r\n", [["a": "1"], ["b": "2"]]),
      ("\n\n\na\t1\n\n\n\nb\t2\n\n", [["a": "1"], ["b": "2"]]),
      ("a\t", [["a": ""]]),
      ("a\tx\ty", [["a": "x\ty"]]),
      ("\tx", [["": "x"]]),
      ("a\t1\na\t2\nb\t3", [["a": ["1", "2"], "b": "3"]]),
      // Ends of lines elsewhere are part of a value here.
      ("a\t1\u{2028}2\u{0B}3\u{85}4\r5", [["a": "1\u{2028}2\u{0B}3\u{85}4\r5"]]),
      ("k\u{e9}y\t\u{1F600}", [["k\u{e9}y": "\u{1F600}"]]),
      ("\n\r\n", nil),
      ("", nil),
    ]
    for row in rows { XCTAssertEqual(try params(row.body), row.beacons, row.body.debugDescription) }
  }

  func testFormsAndQueriesAreOneBeaconEach() throws {
    let form = "Application/X-WWW-Form-Urlencoded; charset=utf-8"
    XCTAssertEqual(try params("a=1&b=x%0Ay&c", type: form), [["a": "1", "b": "x\ny", "c": ""]])
    XCTAssertEqual(try params("a=1&a=2", type: form), [["a": ["1", "2"]]])
    XCTAssertEqual(try params("a\t1", type: form), [["a": "1"]])
    XCTAssertEqual(try params("", query: "a=1&b=2"), [["a": "1", "b": "2"]])
    // Of both, the body counts.
    XCTAssertEqual(try params("a\t1", query: "b=2"), [["a": "1"]])
  }

  func testJSONIsLeftAlone() throws {
    for type in ["application/json", "application/json; charset=utf-8", "application/vnd.api+json", nil] {
      XCTAssertNil(try params(#" {"name":"a"}"#, type: type, query: "a=1"))
    }
  }

  func testALineWithoutATabIsAMistake() {
    XCTAssertThrowsError(try params("a\t1\n\nb=2")) {
      XCTAssertEqual("\($0)", "line 3: expected a tab between a key and a value, found \"b=2\"")
    }
  }

  func testAKeyMayNameTheEvent() throws {
    let format = AcceptedFormat.beacons(at: "/", nameKey: "t")
    let items = try format.submission(in: request("t\tload\n\nt\tclick\nt\ttap\n\nx\ty"))?.items
    XCTAssertEqual(items?.map(\.event.name), ["load", "click", "beacon"])
  }
}
