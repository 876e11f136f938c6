import TestSupport
@testable import TrackingCommand
import TrackingJSON
import TrackingServer

/// Stubs in JSON and in Swift.
final class ScenarioFileTests: XCTestCase {
  private func stubs(_ json: String) throws -> [StubEndpoint] {
    try ScenarioFile(JSONNode(Array(json.utf8)), hasFolder: true).stubs
  }

  private func mistake(_ json: String) -> String? {
    do {
      _ = try stubs(json)
      return nil
    } catch let error as JSONError {
      return "\(error.path): \(error.reason)"
    } catch {
      return "\(error)"
    }
  }

  func testAStubOfJSONIsTheOneOfSwift() throws {
    for (json, stub) in [
      (
        #"{"request": "GET /a", "responses": [{"status": 503, "delay": 0.5}, {"file": "a.json"}]}"#,
        StubEndpoint(.get, "/a", [.status(503).delayed(by: 0.5), .file("a.json")])
      ),
      (
        #"{"request": "GET /a", "responses": [{"fault": {"at": "response", "effect": "reset"}}, {"text": "b"}], "times": 3}"#,
        StubEndpoint(.get, "/a", [.fault(HTTPFault(.reset, at: .response)), .text("b")], times: 3)
      ),
      (
        #"{"request": "POST /a", "requestHeaders": {"Accept": "text/html", "X-Id": "7"}, "status": 201}"#,
        StubEndpoint(.request(.post, "/a", headers: ["Accept": "text/html", "X-Id": "7"]), .status(201))
      ),
      (#"{"request": "/a b"}"#, StubEndpoint(.any, "/a b", .status(200))),
      (
        #"{"request": "/a", "headers": {"Set-Cookie": ["a=1", "b=2"], "Via": "c"}}"#,
        StubEndpoint(
          .any, "/a",
          .ok.adding(header: "Set-Cookie", "a=1").adding(header: "Set-Cookie", "b=2").adding(header: "Via", "c"))
      ),
    ] { XCTAssertEqual(try stubs("[\(json)]"), [stub], json) }
  }

  func testABodyOfJSONKeepsItsNumbersAndTheOrderOfItsMembers() throws {
    let body =
      #"{"total":9999999999999999.999999999999,"id":18446744073709551616,"rate":1.50,"b":[1e400,-0],"a":"\u00e9"}"#
    let stub = try XCTUnwrap(stubs(#"[{"request": "/a", "json": \#(body)}]"#).first)
    XCTAssertEqual(stub.results, [.text(body.replacing(#"\u00e9"#, with: "é"), type: "application/json")])
    XCTAssertEqual(
      try stubs(#"[{"request": "/a", "json": null}]"#)[0].results, [.text("null", type: "application/json")])
  }

  func testAMistakeInAResponseIsNamedWithItsPlace() {
    for (json, reason) in [
      (#""responses": []"#, "[0].responses: expected at least one response"),
      (#""responses": {"status": 200}"#, "[0].responses: expected an array, found an object"),
      (#""responses": [{}, {"stauts": 200}]"#, #"[0].responses[1]: "stauts" is unknown here; the nearest is status"#),
      (#""responses": [{}, {"status": 99}]"#, "[0].responses[1].status: expected a status from 200 to 599, found 99"),
      (
        #""responses": [{}], "status": 200"#,
        "[0].status: is there besides responses; write it in each of them"
      ),
      (#""responses": [{}], "json": null"#, "[0].json: is there besides responses; write it in each of them"),
      (#""responses": null"#, "[0].responses: leave the member out instead of null"),
      (#""response": {}"#, #"[0]: "response" is unknown here; the nearest is responses"#),
      (#""headers": {"A": ["b", 1]}"#, "[0].headers.A[1]: expected a string, found a number"),
      (#""headers": {"A": 1}"#, "[0].headers.A: expected a string, found 1"),
      (#""requestHeaders": {"A": true}"#, "[0].requestHeaders.A: expected a string, found a boolean"),
    ] { XCTAssertEqual(mistake(#"[{"request": "GET /a", \#(json)}]"#), reason, json) }
  }

  func testAStubThatNeverRespondsIsRefusedWithBothPlaces() {
    let reason =
      #"[0]: never responds, because [1] matches the same requests and comes first, as the later one does; "#
      + #"write one stub with "responses", or put the one with "times" last"#
    for (first, second) in [
      (#""GET /a", "times": 1"#, #""GET /a""#),
      (#""GET /a""#, #""GET /a", "responses": [{}, {"status": 503}]"#),
      (#""get /a""#, #""GET /a""#),
      (#""/a/:id""#, #""/a/:name""#),
      (#""/a/*""#, #""/a/*""#),
      (#""/a?b=1""#, #""/a", "query": {"b": "1"}"#),
      (#""/a", "query": {"ä b": 1}"#, #""/a", "query": {"ä b": 1}"#),
      (#""/a", "query": {"b": 1.5, "c": true}"#, #""/a", "query": {"b": 1.50, "c": true}"#),
      (#""POST /a", "body": {"sku": "lamp"}, "times": 2"#, #""POST /a", "body": {}"#),
      (#""/a", "requestHeaders": {"Accept": "b"}"#, #""/a", "requestHeaders": {"accept": "b"}"#),
      // The file isn't read before the order is right.
      (#""/a", "file": "none""#, #""/a", "file": "none""#),
    ] { XCTAssertEqual(mistake(#"[{"request": \#(first)}, {"request": \#(second)}]"#), reason, "\(first), \(second)") }
  }

  func testAStubThatRespondsToSomeRequestsIsNotRefused() {
    for (first, second) in [
      (#""GET /a""#, #""GET /a", "times": 1"#),
      (#""GET /a", "times": 1"#, #""/a""#),
      (#""/a""#, #""GET /a""#),
      (#""/a/*""#, #""/a/:id""#),
      (#""/a/:id""#, #""/a/*""#),
      (#""/a/:id/c""#, #""/a/b/:id""#),
      (#""/a""#, #""/a?b=1""#),
      (#""/a?b=1""#, #""/a?b=2""#),
      // `b=1.0` and `b=1` are equal numbers.
      (#""/a", "query": {"b": 1}"#, #""/a", "query": {"b": "1"}"#),
      (#""POST /a", "body": {}"#, #""POST /a", "body": {"sku": "lamp"}"#),
      (#""POST /a", "body": {"sku": "lamp"}"#, #""POST /a", "body": {"sku": "rug"}"#),
      (#""/a", "requestHeaders": {"Accept": "b"}"#, #""/a", "requestHeaders": {"Accept": "c"}"#),
      (#""HEAD /a""#, #""GET /a""#),
      // Each of two hides a part of what the first matches.
      (#""/a/*""#, #""/a/:id"}, {"request": "/a/:id/:name""#),
    ] { XCTAssertNil(mistake(#"[{"request": \#(first)}, {"request": \#(second)}]"#), "\(first), \(second)") }
  }

  func testTheOrderOfManyStubsIsChecked() throws {
    let list = (0..<2_000).map { #"{"request": "GET /a/\#($0)"}"# }.joined(separator: ",")
    XCTAssertEqual(try stubs("[\(list)]").count, 2_000)
    XCTAssertEqual(
      mistake("[\(list), {\"request\": \"GET /a/1999\"}]")?.prefix(40), "[1999]: never responds, because [2000] m")
  }
}
