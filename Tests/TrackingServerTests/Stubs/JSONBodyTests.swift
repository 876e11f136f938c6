import TestSupport
@testable import TrackingServer

/// The JSON of bodies that stubs compare.
final class JSONBodyTests: ServerTestCase {
  private func nested(_ depth: Int) -> String {
    String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
  }

  func testStubsReadBodiesToTheDepthOfTheServersLimit() throws {
    try withServer(.init(limits: .init(jsonDepth: 100))) { server in
      try server.stub(StubEndpoint(.request(.post, "/deep", body: .jsonSubset([])), .text("array")))
      let deepest = try TrackingValue(decoding: nested(100))
      try server.stub(StubEndpoint(.request(.post, "/deep", body: .json(.equal(to: deepest))), .text("100")))
      try server.stub(.post, "/typed") { .text("\(try $0.json(TrackingValue.self) == deepest)") }
      let client = try RawClient(server)
      func post(_ path: String, _ depth: Int) throws -> RawResponse {
        try client.exchange(RawClient.request("POST \(path) HTTP/1.1", ["Host: localhost"], nested(depth)))
      }
      XCTAssertEqual(try post("/deep", 100).content, "100")
      XCTAssertEqual(try post("/typed", 100).content, "true")
      let tooDeep = try post("/deep", 101)
      XCTAssertEqual(tooDeep.status, 404)
      XCTAssertTrue(
        tooDeep.content.contains("the body can't be read as JSON: nested deeper than 100, at "), tooDeep.content)
      XCTAssertEqual(try post("/typed", 101).status, 500)
    }
  }

  func testALargeBodyIsMatchedByWhatItSays() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.request(.post, "/numbers", body: .jsonSubset(["last": 999])), .text("thousands")),
        StubEndpoint(.request(.post, "/numbers", body: .json(["last": 1_000])), .text("exact")),
        StubEndpoint(.post, "/numbers", .text("any")))
      let numbers = (0..<300_000).map(String.init).joined(separator: ",")
      let client = try RawClient(server)
      for (last, response) in [(999, "thousands"), (1_000, "any")] {
        let body = #"{"numbers":[\#(numbers)],"last":\#(last)}"#
        XCTAssertEqual(
          try client.exchange(RawClient.request("POST /numbers HTTP/1.1", ["Host: localhost"], body)).content, response)
      }
    }
  }
}

extension TrackingValue {
  fileprivate init(decoding text: String) throws {
    self = try JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))
  }
}
