import TestSupport

@testable import TrackingJSON

final class JSONNodeTests: XCTestCase {
  private func reason(_ text: String, _ read: (JSONNode) throws -> Void) -> String {
    do {
      try read(JSONNode(text.utf8))
    } catch {
      guard let error = error as? JSONError else { return "\(error)" }
      return "\(error.path): \(error.reason) at \(error.offset)"
    }
    return "none"
  }

  func testAMistakeHasItsPlace() {
    let text = #"[{"name": 1, "none": null, "of": [true]}]"#
    XCTAssertEqual(
      reason(text) { _ = try $0.elements()[0].member("name").string() },
      "[0].name: expected a string, found a number at 10")
    XCTAssertEqual(reason(text) { _ = try $0["name"] }, ": expected an object, found an array at 0")
    XCTAssertEqual(
      reason(text) { _ = try $0.elements()[0].member("none") }, #"[0]: the member "none" is missing at 1"#)
    XCTAssertEqual(
      reason(text) { _ = try $0.elements()[0].member("of").elements()[0].integer() },
      "[0].of[0]: expected an integer, found a boolean at 34")
    XCTAssertEqual(reason("\u{FEFF}[") { _ in }, "[0]: expected a value, found the end of the text at 4")
    XCTAssertEqual(reason(#"{"a": 1, "a": 2}"#) { _ in }, "a: this key appears twice at 9")
  }

  func testNumbersAreKeptAsTheyAreWritten() throws {
    let text = #"{"b":9999999999999999.999999999999,"a":[1.50,1e999]}"#
    let node = try JSONNode(text.utf8)
    XCTAssertEqual(node.tree.text(.compact), text)
    XCTAssertEqual(try node.member("a").elements()[0].number(), 1.5)
    XCTAssertEqual(try node.members().map(\.name), ["b", "a"])
    XCTAssertEqual(
      reason(text) { _ = try $0.value() }, "a[1]: a double cannot hold the number 1e999 at 45")
  }
}
