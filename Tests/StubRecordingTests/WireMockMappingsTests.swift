import Foundation
import StubModel
import XCTest

@testable import StubRecording

final class WireMockMappingsTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "/")

  override func setUpWithError() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("wiremock-\(UUID().uuidString)")
    for name in ["mappings/sub", "__files"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
    }
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// The stubs of one mapping's request and response.
  private func read(_ request: String, _ response: String = #"{"status":200}"#) throws -> WireMockMappings {
    try write(#"{"request":\#(request),"response":\#(response)}"#, to: "mappings/m.json")
    return try WireMockMappings(folder: folder)
  }

  private func endpoint(_ request: String, _ response: String = #"{"status":200}"#) throws -> StubEndpoint {
    let mappings = try read(request, response)
    XCTAssertEqual(mappings.notes, [], request)
    return try XCTUnwrap(mappings.endpoints.first)
  }

  private func note(_ request: String, _ response: String = #"{"status":200}"#) throws -> String {
    let mappings = try read(request, response)
    XCTAssertEqual(mappings.endpoints, [], request)
    XCTAssertEqual(mappings.notes.count, 1)
    return mappings.notes.first ?? ""
  }

  // MARK: Requests

  func testURLsArePathsWithTheirQueries() throws {
    XCTAssertEqual(
      try endpoint(#"{"method":"GET","url":"/a*/:b?x=1&y=%2F"}"#),
      StubEndpoint(.get, "/a%2A/%3Ab", query: .exactItems(["x": "1", "y": "/"]), .ok))
    XCTAssertEqual(
      try endpoint(#"{"method":"ANY","url":"/a"}"#), StubEndpoint("/a", query: .exact([:] as [String: String]), .ok))
    XCTAssertEqual(
      try endpoint(#"{"urlPath":"/a","queryParameters":{"q":{"contains":"x"},"n":{"absent":true}}}"#),
      StubEndpoint("/a", query: ["q": .contains("x"), "n": .absent], .ok))
    XCTAssertEqual(try endpoint(#"{"urlPathPattern":"/a/[0-9]+"}"#), StubEndpoint(.regex("/a/[0-9]+"), .ok))
    XCTAssertEqual(try endpoint(#"{"urlPattern":"/a/.*"}"#), StubEndpoint(.regex("/a/.*"), .ok))
    XCTAssertEqual(try endpoint(#"{"urlPattern":"/a\\?.*"}"#), StubEndpoint(.regex("/a"), .ok))
    XCTAssertEqual(
      try endpoint(#"{"urlPathTemplate":"/a/{id}/b/{name}","pathParameters":{"name":{"equalTo":"x y"}}}"#),
      StubEndpoint("/a/:id/b/x%20y", .ok))
    XCTAssertEqual(try endpoint("{}"), StubEndpoint("/*", .ok))
  }

  func testMatchersOfFieldsAreConditions() throws {
    let request = #"""
      {"urlPath":"/a","headers":{"A":{"equalTo":"1"},"B":{"matches":"[a-z]+"},"C":{"doesNotMatch":"x"},
       "D":{"doesNotContain":"x"},"E":{"or":[{"equalTo":"1"},{"absent":true}]},"F":{"and":[{"contains":"a"},{"contains":"b"}]},
       "G":{"not":{"equalTo":"1"}},"H":{"equalTo":"A.b","caseInsensitive":true}},
       "cookies":{"sid":{"matches":".+"}},"host":{"equalTo":"api.example"},"port":8080,"scheme":"http",
       "basicAuthCredentials":{"username":"anna","password":"pw"}}
      """#
    let endpoint = try endpoint(request)
    XCTAssertEqual(
      endpoint.headers,
      [
        "A": "1", "B": .matches("[a-z]+"), "C": .not(.matches("x")), "D": .not(.contains("x")),
        "E": .one(of: ["1", .absent]), "F": .all(of: [.contains("a"), .contains("b")]), "G": .not("1"),
        "H": .matches("(?i)A\\.b"), "Authorization": "Basic YW5uYTpwdw==",
      ])
    XCTAssertEqual(endpoint.cookies, ["sid": .matches(".+")])
    XCTAssertEqual(endpoint.host, "api.example")
    XCTAssertEqual(endpoint.port, 8080)
    XCTAssertEqual(endpoint.scheme, "http")
  }

  func testBodyPatternsAreAConditionOnTheBody() throws {
    func body(_ patterns: String) throws -> BodyCondition {
      try endpoint(#"{"urlPath":"/a","bodyPatterns":\#(patterns)}"#).body
    }
    XCTAssertEqual(try body(#"[{"equalToJson":{"a":[1]}}]"#), .json(["a": [1]] as TrackingValue))
    XCTAssertEqual(
      try body(#"[{"equalToJson":"{\"a\": 1}","ignoreExtraElements":true,"ignoreArrayOrder":true}]"#),
      .jsonSubset(["a": 1] as TrackingValue))
    XCTAssertEqual(try body(#"[{"equalTo":"x"}]"#), .text("x" as ValueMatcher))
    XCTAssertEqual(
      try body(#"[{"contains":"x"},{"matches":".*y"}]"#), .text(.all(of: [.contains("x"), .matches(".*y")])))
    XCTAssertEqual(try body(#"[{"binaryEqualTo":"AP8="}]"#), .exact(Data([0, 255])))
    XCTAssertEqual(
      try body(#"[{"matchesJsonPath":"$.user.name"},{"matchesJsonPath":{"expression":"$.items[0].n","equalTo":"5"}}]"#),
      .json(.object(["user.name": .any, "items[0].n": .one(of: ["5", 5])])))
    XCTAssertEqual(
      try endpoint(#"{"urlPath":"/a","formParameters":{"q":{"equalTo":"1"}}}"#).body, .formSubset(["q": "1"]))
  }

  // MARK: Answers

  func testAnswersAreTakenWithTheirFilesDelaysAndFaults() throws {
    try write("file content", to: "__files/a.txt")
    let response = #"""
      {"status":201,"statusMessage":"Made","headers":{"Set-Cookie":["a=1","b=2"],"X":"1"},"bodyFileName":"a.txt",
       "fixedDelayMilliseconds":1500,"chunkedDribbleDelay":{"numberOfChunks":4,"totalDuration":2000}}
      """#
    XCTAssertEqual(
      try endpoint(#"{"urlPath":"/a"}"#, response).results,
      [
        StubResult(
          status: 201, headers: ["Set-Cookie": "a=1", "Set-Cookie": "b=2", "X": "1"],
          content: .data(Data("file content".utf8), type: nil), delay: 1.5
        ).with(status: 201, reason: "Made").dribbled(over: 2, pieces: 4)
      ])
    func content(_ response: String) throws -> StubResult.Content {
      try endpoint(#"{"urlPath":"/a"}"#, response).results[0].content
    }
    XCTAssertEqual(try content(#"{"body":"é"}"#), .data(Data("é".utf8), type: nil))
    XCTAssertEqual(try content(#"{"base64Body":"AP8="}"#), .data(Data([0, 255]), type: nil))
    XCTAssertEqual(try content(#"{"jsonBody":{"a":[null]}}"#), .data(Data(#"{"a": [null]}"#.utf8), type: nil))
    XCTAssertEqual(
      try endpoint(#"{"urlPath":"/a"}"#, #"{"fault":"CONNECTION_RESET_BY_PEER"}"#).results,
      [.fault(HTTPFault(at: .response, .reset))])
  }

  func testAScenarioOfOneRequestIsAStubWithSeveralAnswers() throws {
    func mapping(_ path: String, _ required: String, _ next: String?, _ status: Int) -> String {
      let next = next.map { #","newScenarioState":"\#($0)""# } ?? ""
      return #"""
        {"scenarioName":"s \#(path)","requiredScenarioState":"\#(required)"\#(next),"request":{"urlPath":"\#(path)"},
         "response":{"status":\#(status)}}
        """#
    }
    try write(
      #"{"mappings":[\#(mapping("/a", "two", nil, 201)),\#(mapping("/a", "Started", "one", 503)),\#(mapping("/a", "one", "two", 500))]}"#,
      to: "mappings/a.json")
    try write(mapping("/toggle", "Started", "on", 200), to: "mappings/b.json")
    try write(mapping("/toggle", "on", "Started", 201), to: "mappings/sub/c.json")
    let mappings = try WireMockMappings(folder: folder)
    XCTAssertEqual(mappings.endpoints, [StubEndpoint("/a", [.status(503), .status(500), .status(201)])])
    let reason = "left out: its scenario \"s /toggle\" isn't a sequence of answers to one request"
    XCTAssertEqual(mappings.notes, ["b.json: \(reason)", "sub/c.json: \(reason)"])
  }

  func testStubsAreInTheOrderOfPriorities() throws {
    for (name, priority) in [("a", "1"), ("b", "10"), ("c", "null"), ("d", "1")] {
      try write(
        #"{"priority":\#(priority),"name":"\#(name)","request":{"urlPath":"/\#(name)"}}"#, to: "mappings/\(name).json")
    }
    let mappings = try WireMockMappings(folder: folder)
    XCTAssertEqual(mappings.endpoints.map(\.name), ["b", "c", "a", "d"])
    XCTAssertEqual(mappings.notes[0], "a.json: priority: only decides between stubs with equally specific conditions")
  }

  // MARK: What can't be taken

  func testWhatStubsCantSayIsLeftOutWithTheReason() throws {
    for (request, reason) in [
      (
        #"{"urlPath":"/a","bodyPatterns":[{"matchesXPath":"//a"}]}"#,
        "request.bodyPatterns[0].matchesXPath has no counterpart"
      ),
      (
        #"{"urlPath":"/a","bodyPatterns":[{"matchesJsonPath":"$..a"}]}"#,
        "request.bodyPatterns[0].matchesJsonPath isn't the path of a single member"
      ),
      (
        #"{"urlPath":"/a","bodyPatterns":[{"equalToJson":{"a":"${json-unit.ignore}"}}]}"#,
        "request.bodyPatterns[0].equalToJson has placeholders of JsonUnit"
      ),
      (
        #"{"urlPath":"/a","bodyPatterns":[{"equalToJson":[1,2],"ignoreArrayOrder":true}]}"#,
        "request.bodyPatterns[0].ignoreArrayOrder has no counterpart: arrays are compared in order"
      ),
      (
        #"{"urlPath":"/a","bodyPatterns":[{"equalToJson":1},{"contains":"1"}]}"#,
        "request.bodyPatterns[0] is one of several body patterns of different kinds"
      ),
      (#"{"urlPath":"/a","headers":{"A":{"before":"now"}}}"#, "request.headers.A.before has no counterpart"),
      (
        #"{"urlPath":"/a","headers":{"A":{"matches":"("}}}"#,
        "request.headers.A.matches isn't a regular expression of Swift's"
      ),
      (
        #"{"urlPath":"/a","headers":{"A":{"contains":"x","caseInsensitive":true}}}"#,
        "request.headers.A ignores case, which only equalTo can"
      ),
      (#"{"urlPathPattern":"("}"#, "request.urlPathPattern isn't a regular expression here"),
      (
        #"{"urlPattern":"/a\\?b=[0-9]"}"#,
        "request.urlPattern has a regular expression for the query; conditions on single items can be taken"
      ),
      (
        #"{"urlPathTemplate":"/{a}","pathParameters":{"a":{"matches":"x"}}}"#,
        "request.pathParameters.a isn't a single value; a stub's path takes no other condition"
      ),
      (#"{"urlPath":"/a","customMatcher":{"name":"m"}}"#, "request.customMatcher has no counterpart"),
      (#"{"urlPath":"/a","multipartPatterns":[]}"#, "request.multipartPatterns has no counterpart"),
    ] {
      XCTAssertEqual(try note(request), "m.json: left out: \(reason)")
    }
    for (response, reason) in [
      (#"{"proxyBaseUrl":"http://a.example"}"#, "response.proxyBaseUrl has no counterpart"),
      (
        #"{"body":"{{request.path}}","transformers":["response-template"]}"#,
        "response.transformers[0] computes the answer (response-template); write a closure"
      ),
      (#"{"fault":"SLOW"}"#, "response.fault isn't known"),
      (
        #"{"bodyFileName":"none.txt"}"#,
        "response.bodyFileName names a file that can't be used: the stub file \(folder.path)/__files/none.txt doesn't exist"
      ),
      (
        #"{"bodyFileName":"../mappings/m.json"}"#,
        "response.bodyFileName names a file that can't be used: the stub file \(folder.path)/__files/../mappings/m.json is outside of its folder"
      ),
    ] {
      XCTAssertEqual(try note(#"{"urlPath":"/a"}"#, response), "m.json: left out: \(reason)")
    }
  }

  func testWhatIsTakenInPartIsNamed() throws {
    try write(
      #"{"request":{"urlPath":"/a"},"response":{"delayDistribution":{"type":"uniform"}},"postServeActions":[{"name":"webhook"}]}"#,
      to: "mappings/m.json")
    let mappings = try WireMockMappings(folder: folder)
    XCTAssertEqual(mappings.endpoints, [StubEndpoint("/a", .ok)])
    XCTAssertEqual(
      mappings.notes,
      [
        "m.json: postServeActions: left out; the rest was taken",
        "m.json: response.delayDistribution: left out; the rest was taken",
      ])
  }

  func testABadFileIsRefusedWithThePlace() throws {
    for (text, message) in [
      ("{", "m.json: line 1, column 2: expected a key in quotes, found the end of the text"),
      ("{}", "m.json: the member \"request\" is missing"),
      (#"{"request":7}"#, "m.json: request: expected an object, found a number"),
      (
        #"{"mappings":[{"request":{"method":1}}]}"#,
        "m.json: mappings[0].request.method: expected a string, found a number"
      ),
      (
        #"{"request":{"bodyPatterns":[{"equalToJson":"{"}]}}"#,
        "m.json: request.bodyPatterns[0].equalToJson: it isn't JSON: line 1, column 2: expected a key in quotes, found the end of the text"
      ),
    ] {
      try write(text, to: "mappings/m.json")
      XCTAssertThrowsError(try WireMockMappings(folder: folder), text) { XCTAssertEqual("\($0)", message) }
    }
    let empty = folder.appendingPathComponent("mappings/sub")
    XCTAssertThrowsError(try WireMockMappings(folder: empty)) {
      XCTAssertEqual("\($0)", "\(empty.path) has no folder \"mappings\"")
    }
  }

  func testMappingsOfSingleRequestsBecomeARecording() throws {
    try write(
      #"""
      {"mappings": [
        {"request": {"method": "GET", "url": "/a?x=1&y=%2F"}, "response": {"body": "a", "headers": {"Content-Type": "text/plain"}}},
        {"request": {"method": "POST", "url": "/b", "bodyPatterns": [{"equalToJson": {"n": 1}}]}, "response": {"status": 201}},
        {"request": {"method": "GET", "urlPathTemplate": "/c/{id}"}, "response": {"jsonBody": {"id": 1}, "fixedDelayMilliseconds": 5}},
        {"request": {"method": "ANY", "url": "/d"}, "response": {}},
        {"request": {"method": "GET", "urlPathPattern": "/e.*"}, "response": {}},
        {"request": {"method": "GET", "url": "/f", "headers": {"A": {"equalTo": "1"}}}, "response": {}},
        {"request": {"method": "GET", "urlPath": "/g", "queryParameters": {"q": {"contains": "x"}}}, "response": {}},
        {"request": {"method": "POST", "url": "/h", "bodyPatterns": [{"contains": "x"}]}, "response": {}},
        {"request": {"method": "GET", "url": "/i"}, "response": {"fault": "EMPTY_RESPONSE"}}
      ]}
      """#, to: "mappings/all.json")
    let (recording, notes) = try WireMockMappings(folder: folder).recording(of: "http://a.example")
    XCTAssertEqual(
      notes,
      [
        "GET /c/:id: taken without delays and reason phrases, which a recording doesn't have",
        "* /d without a query: left out: it is for any method",
        "GET //e.*/: left out: its path isn't that of one request",
        "GET /f without a query with A: 1: left out: a recording compares no header fields, cookies and hosts",
        "GET /g with q=(a text that contains \"x\") in the query: left out: its query isn't that of one request",
        "POST /h without a query with the body a text that contains \"x\": left out: its body isn't that of one request",
        "GET /i without a query: left out: it answers with a fault",
        "2 stubs answer any query, and in the recording only requests without one",
      ])
    XCTAssertEqual(recording.upstreams, ["/*": "http://a.example"])
    XCTAssertEqual(recording.paths, ["/c/:id"])
    XCTAssertEqual(
      recording.exchanges.map { "\($0.request.line) \(String(decoding: $0.request.body, as: UTF8.self))" },
      ["GET /a?x=1&y=%2F ", #"POST /b {"n": 1}"#, "GET /c/id "])
    XCTAssertEqual(
      recording.exchanges.map { "\($0.answer.status) \(String(decoding: $0.answer.body, as: UTF8.self))" },
      ["200 a", "201 ", #"200 {"id": 1}"#])
    // It can be written, read and replayed like any other.
    let url = folder.appendingPathComponent("recording")
    try recording.write(to: url)
    XCTAssertEqual(try BackendRecording(contentsOf: url).stubs.map(\.path), ["/a", "/b", "/c/:id"])
  }

  // MARK: Out

  func testPlainStubsAreWrittenAndReadAgain() throws {
    let endpoints = [
      StubEndpoint(.get, "/a", query: .exact([:] as [String: String]), .json(["a": 1])),
      StubEndpoint(
        .post, "/a/:id/b", query: ["q": "1", "n": .absent], headers: ["A": .matches("x+")],
        cookies: ["c": .contains("y")],
        body: .jsonSubset(["a": [1]] as TrackingValue), .status(201).with(header: "X", "1")),
      StubEndpoint(
        "/b", body: .text(.all(of: [.contains("x"), .not("y")])), [.status(503), .text("é").delayed(by: 0.5)]),
      StubEndpoint(
        .put, .regex("/c/[0-9]+"), body: .exact(Data([0, 255])), .data(Data([1, 255]), type: "image/png"), name: "c"),
      StubEndpoint(.delete, "/d", body: .formSubset(["f": "1"]), .fault(HTTPFault(at: .response, .garbage))),
    ]
    let (data, notes) = WireMockMappings.file(of: endpoints)
    XCTAssertEqual(notes, [])
    try data.write(to: folder.appendingPathComponent("mappings/all.json"))
    let read = try WireMockMappings(folder: folder)
    XCTAssertEqual(read.notes, [])
    // The type of a content is a header field there.
    let expected = endpoints.map { endpoint in
      var endpoint = endpoint
      for index in endpoint.results.indices {
        guard case .data(let data, let type?) = endpoint.results[index].content else { continue }
        endpoint.results[index].content = .data(data, type: nil)
        endpoint.results[index].headers.set("Content-Type", type)
      }
      return endpoint
    }
    XCTAssertEqual(read.endpoints.count, expected.count)
    for (read, expected) in zip(read.endpoints, expected) { XCTAssertEqual(read, expected) }
  }

  func testWhatMappingsCantSayIsNamed() {
    let (data, notes) = WireMockMappings.file(of: [
      StubEndpoint(.get, "/a", answer: { _ in .ok }), StubEndpoint(.get, "/b", .ok, times: .once),
      StubEndpoint(.get, "/c", .file("c.png")), StubEndpoint(.get, "/d", .error(.timedOut)),
      StubEndpoint(.get, "/e", query: ["n": .greater(than: 1)], .ok),
      StubEndpoint(.get, "/f", query: .exact(["a": "1"]), .ok),
      StubEndpoint(.post, "/g", body: .json(["id": .any, "n": 1] as ValueMatcher), .ok),
    ])
    XCTAssertEqual(
      notes,
      [
        "GET /a: left out: its answer is a closure", "GET /b: left out: it answers a limited number of times",
        "GET /c: left out: its answer is a file", "GET /d: left out: it answers with an error of the app's URL loading",
        "GET /e with n=(greater than 1) in the query: left out: its condition \"greater than 1\" has no counterpart",
        "GET /f with the query a=1: it accepts other query items there",
      ])
    XCTAssertTrue(String(decoding: data, as: UTF8.self).contains(#""id" : "${json-unit.ignore-element}""#))
  }
}
