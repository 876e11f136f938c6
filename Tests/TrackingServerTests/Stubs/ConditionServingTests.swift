import TestSupport
@testable import TrackingServer

/// Conditions on the parts of requests, over HTTP.
final class ConditionServingTests: ServerTestCase {
  /// A matcher, the values of a field that it accepts, and values that it doesn't.
  private let rows: [(matcher: ValueMatcher, accepted: [[String]], refused: [[String]])] = [
    ("b", [["b"], ["a", "b"]], [[], ["bb"]]),
    (2, [["2"], ["2.0"]], [["two"], []]),
    (.present, [["a"], [""]], [[]]),
    (.absent, [[]], [["a"], [""]]),
    (.not("b"), [["a"], []], [["b"], ["a", "b"]]),
    (.contains("b"), [["abc"]], [["ac"], []]),
    (.hasPrefix("a"), [["ab"]], [["ba"]]),
    (.hasSuffix("z"), [["az"]], [["za"]]),
    (.matches("[0-9]{2}"), [["42"], ["x", "17"]], [["421"], []]),
    (.one(of: ["a", "b", .absent]), [["a"], ["b"], []], [["c"]]),
    (.all(of: [.hasPrefix("a"), .hasSuffix("z")]), [["az"]], [["ab"], ["ab", "yz"]]),
    (.greater(than: 1), [["2"], ["1.5"]], [["1"], ["x"]]),
    (.satisfying("an x") { $0 == "x" }, [["x"]], [["y"]]),
  ]

  /// Sends a request for each value of each row, and expects 200 for accepted values and 404 for others.
  private func check(
    _ stub: (String, ValueMatcher) -> StubEndpoint, _ request: (String, [String]) -> String,
    line: UInt = #line, _ isPossible: ([String]) -> Bool = { _ in true }
  ) throws {
    try withServer { server in
      for (index, row) in rows.enumerated() { try server.stub(stub("/\(index)", row.matcher)) }
      let client = try RawClient(server)
      for (index, row) in rows.enumerated() {
        for (status, lists) in [(200, row.accepted), (404, row.refused)] {
          for values in lists where isPossible(values) {
            let response = try client.exchange(request("/\(index)", values))
            XCTAssertEqual(response.status, status, "\(row.matcher), \(values): \(response.content)", line: line)
          }
        }
      }
      XCTAssertEqual(server.journal.rejections, [], line: line)
    }
  }

  private func pairs(_ values: [String], _ separator: String) -> String {
    (["y=0"] + values.map { "x=\($0)" }).joined(separator: separator)
  }

  func testHeaderFields() throws {
    try check(
      { StubEndpoint(.request(.get, .template($0), headers: ["X-Key": $1]), .ok) },
      { path, values in RawClient.get(path, values.map { "x-key: \($0)" }) }
    ) { $0.count < 2 }  // Lines of one name are one value.
  }

  func testQueryItems() throws {
    try check(
      { StubEndpoint(.request(.get, .template($0), query: ["x": $1]), .ok) },
      { RawClient.get("\($0)?\(self.pairs($1, "&"))") })
  }

  func testCookies() throws {
    try check(
      { StubEndpoint(.request(.get, .template($0), cookies: ["x": $1]), .ok) },
      { RawClient.get($0, ["Cookie: \(self.pairs($1, "; "))"]) })
  }

  func testFormFields() throws {
    try check(
      { StubEndpoint(.request(.post, .template($0), body: .formSubset(["x": $1])), .ok) },
      { path, values in
        RawClient.request(
          "POST \(path) HTTP/1.1", ["Host: localhost", "Content-Type: application/x-www-form-urlencoded"],
          self.pairs(values, "&"))
      })
  }

  func testTextsAndJSON() throws {
    let isText = { (values: [String]) in values.count == 1 }
    try check(
      { StubEndpoint(.request(.post, .template($0), body: .text($1)), .ok) },
      { RawClient.request("POST \($0) HTTP/1.1", ["Host: localhost"], $1[0]) }, isText)
    try withServer { server in
      try server.stub(
        StubEndpoint(
          .request(
            .post, "/json", body: .json(["n": .greater(than: 1), "tags": .each(.hasPrefix("t")), "x": .absent])), .ok),
        StubEndpoint(.request(.post, "/subset", body: .jsonSubset(["a": ["b": .one(of: [1, 2])]])), .ok))
      let client = try RawClient(server)
      for (path, body, status) in [
        ("/json", #"{"n": 2, "tags": ["t1", "t2"]}"#, 200), ("/json", #"{"tags": ["t1", "s"], "n": 2}"#, 404),
        ("/json", #"{"n": 2, "tags": [], "more": 1}"#, 404), ("/json", #"{"n": 1, "tags": []}"#, 404),
        ("/subset", #"{"a": {"b": 2, "c": 3}, "d": 4}"#, 200), ("/subset", #"{"a": {"b": 3}}"#, 404),
        ("/subset", #"{"a": {"b": 2}"#, 404),
      ] {
        let request = RawClient.request("POST \(path) HTTP/1.1", ["Host: localhost"], body)
        XCTAssertEqual(try client.exchange(request).status, status, body)
      }
    }
  }

  func testHostsPartsAndCode() throws {
    let configuration = TrackingServer.Configuration(allowedHosts: ["a.example", "b.example", "other.test"])
    try withServer(configuration) { server in
      try server.stub(
        StubEndpoint(.request(.get, "/", host: .hasSuffix(".EXAMPLE")), .status(201)),
        StubEndpoint(.request(.get, "/", host: "a.example"), .status(202)),
        StubEndpoint(
          .request(
            .post, "/cover",
            body: .multipart(["title": .text(.contains("Wal")), "cover": .file(named: .hasSuffix(".png"))])),
          .status(203)),
        StubEndpoint(
          .request(
            .put, "/:name",
            where: .satisfying("as long as its name") {
              $0.body.count == $0.pathParams["name"]?.count
            }), .status(204)))
      let client = try RawClient(server)
      for (host, status) in [("B.example:80", 201), ("a.example", 202), ("other.test", 404)] {
        XCTAssertEqual(try client.exchange("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").status, status, host)
      }
      for (name, status) in [("cover.png", 203), ("cover.jpg", 404)] {
        let body = [
          "--x", "Content-Disposition: form-data; name=\"title\"", "", "Walden", "--x",
          "Content-Disposition: form-data; name=\"cover\"; filename=\"\(name)\"", "Content-Type: image/png", "", "PNG",
          "--x--", "",
        ].joined(separator: "\r\n")
        let fields = ["Host: localhost", "Content-Type: multipart/form-data; boundary=x"]
        XCTAssertEqual(
          try client.exchange(RawClient.request("POST /cover HTTP/1.1", fields, body)).status, status, name)
      }
      for (body, status) in [("abc", 204), ("abcd", 404)] {
        let request = RawClient.request("PUT /xyz HTTP/1.1", ["Host: localhost"], body)
        XCTAssertEqual(try client.exchange(request).status, status, body)
      }
    }
  }
}
