import Foundation
import StubRecording
import XCTest

@testable import RecordingTools

final class DriftTests: XCTestCase {
  private func answer(
    _ body: String = "", type: String? = "application/json", status: Int = 200
  ) -> RecordedExchange.Answer {
    var headers = HeaderFields()
    if let type { headers.set("Content-Type", type) }
    return RecordedExchange.Answer(status: status, headers: headers, body: Data(body.utf8))
  }

  private func drift(_ recorded: RecordedExchange.Answer, _ fresh: RecordedExchange.Answer) -> [String] {
    Drift.findings(of: "GET /a", recorded: recorded, fresh: fresh).map(\.description)
  }

  private func drift(_ recorded: String, _ fresh: String) -> [String] {
    drift(answer(recorded), answer(fresh))
  }

  func testOtherValuesAreNoDrift() {
    XCTAssertEqual(
      drift(
        #"{"books":[{"id":1,"title":"a","tags":[]},{"id":2,"title":"b","tags":["x"]}],"next":null}"#,
        #"{"next":"page-2","books":[{"title":"c","id":7,"tags":["y","z"]}]}"#), [])
    XCTAssertEqual(drift(#"{"price":9.5}"#, #"{"price":9}"#), [])
    XCTAssertEqual(drift("[]", "[1]"), [])
    XCTAssertEqual(drift("[1]", "[]"), [])
  }

  func testWhatIsNewGoneOrOfAnotherTypeIsFoundAtItsPlace() {
    XCTAssertEqual(
      drift(
        #"{"books":[{"id":1,"price":9,"isbn":"1"}],"total":1,"author":{"name":"a"}}"#,
        #"{"books":[{"id":"1","price":9,"year":1854}],"author":"a","count":1}"#),
      [
        "error: GET /a: author was an object, and is a string",
        "error: GET /a: books[].id was a whole number, and is a string",
        "warning: GET /a: books[].isbn is gone", "note: GET /a: books[].year is new",
        "warning: GET /a: total is gone", "note: GET /a: count is new",
      ])
  }

  func testAMemberThatIsSometimesMissingOrNullIsAWarning() {
    XCTAssertEqual(
      drift(#"[{"a":1,"b":1},{"a":1}]"#, #"[{"a":1},{"b":1}]"#), ["warning: GET /a: [].a is missing in some elements"])
    XCTAssertEqual(
      drift(#"[{"a":1}]"#, #"[{"a":null},{"a":2}]"#), ["warning: GET /a: [].a was never null, and is sometimes null"])
    XCTAssertEqual(drift(#"{"a":"x"}"#, #"{"a":null}"#), ["warning: GET /a: a was never null, and is null"])
    XCTAssertEqual(drift(#"[{"a":null},{"a":1}]"#, #"[{"a":null}]"#), [])
  }

  func testAWholeNumberThatHasAFractionNowIsAWarning() {
    XCTAssertEqual(
      drift(#"{"price":9}"#, #"{"price":9.5}"#),
      ["warning: GET /a: price was always a whole number, and is a number with a fraction"])
    XCTAssertEqual(drift("[9,9.5]", "[9.25]"), [])
    XCTAssertEqual(drift(#"[1,"a"]"#, "[true]"), ["error: GET /a: [] was a string or a whole number, and is a boolean"])
  }

  func testStatusAndTypeAreComparedBeforeTheContent() {
    XCTAssertEqual(
      drift(answer("{}"), answer("{}", status: 404)), ["error: GET /a: status changed from 200 to 404"])
    XCTAssertEqual(
      drift(answer("{}"), answer("<html>", type: "text/html; charset=utf-8")),
      ["error: GET /a: was application/json, and is text/html"])
    XCTAssertEqual(drift(answer("{}"), answer("{}", type: "Application/JSON; charset=utf-8")), [])
    XCTAssertEqual(
      drift(answer("{}"), answer("{}", type: nil)), ["error: GET /a: was application/json, and is of no type"])
    XCTAssertEqual(drift(answer("{}"), answer("nothing")), ["error: GET /a: isn't JSON any more"])
    XCTAssertEqual(drift(answer("a", type: "text/plain"), answer("b", type: "text/plain")), [])
    XCTAssertEqual(
      drift(answer("a", type: "text/plain"), answer("", type: "text/plain")),
      ["warning: GET /a: has no content any more"])
  }

  func testAnOldRecordingIsFoundWithoutANetwork() {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    func recording(_ ages: TimeInterval...) -> BackendRecording {
      BackendRecording(
        exchanges: ages.map { age in
          RecordedExchange(
            request: .init(method: "GET", origin: "http://a.example", path: "/\(Int(age))"), answer: .init(),
            date: now.addingTimeInterval(-age))
        })
    }
    let day = 86_400.0
    XCTAssertNil(Drift.age(of: recording(day, 90 * day), atMost: 90 * day, now: now))
    XCTAssertNil(Drift.age(of: recording(), atMost: 0, now: now))
    XCTAssertEqual(
      Drift.age(of: recording(day, 91 * day), atMost: 90 * day, now: now)?.description,
      "error: GET /\(Int(91 * day)): was recorded 91 days ago, which is longer than 90 days")
    XCTAssertEqual(
      Drift.age(of: recording(day), atMost: day / 2, now: now)?.reason,
      "was recorded 1 day ago, which is longer than 12 hours")
  }
}
