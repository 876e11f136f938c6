import Foundation
import StubRecording
import XCTest

@testable import RecordingTools

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

  /// The recording of one mapping's request and response.
  private func read(_ request: String, _ response: String = #"{"status":200}"#) throws -> WireMockMappings {
    try write(#"{"request":\#(request),"response":\#(response)}"#, to: "mappings/m.json")
    return try WireMockMappings(contentsOf: folder, of: "http://a.example")
  }

  private func exchange(
    _ request: String, _ response: String = #"{"status":200}"#, notes: [String] = []
  ) throws -> RecordedExchange {
    let mappings = try read(request, response)
    XCTAssertEqual(mappings.notes, notes, request)
    return try XCTUnwrap(mappings.recording.exchanges.first)
  }

  private func line(_ request: String, notes: [String] = []) throws -> String {
    try exchange(request, notes: notes).request.line
  }

  private func note(_ request: String, _ response: String = #"{"status":200}"#) throws -> String {
    let mappings = try read(request, response)
    XCTAssertEqual(mappings.recording.exchanges, [], request)
    XCTAssertEqual(mappings.notes.count, 1)
    return mappings.notes.first ?? ""
  }

  // MARK: Requests

  func testURLsArePathsWithTheirQueries() throws {
    XCTAssertEqual(try line(#"{"method":"GET","url":"/a*/:b?x=1&y=%2F"}"#), "GET /a*/:b?x=1&y=%2F")
    XCTAssertEqual(
      try line(
        #"{"method":"GET","urlPath":"/a","queryParameters":{"q":{"equalTo":"x y"},"n":{"hasExactly":[{"equalTo":"1"},{"equalTo":"2"}]}}}"#
      ),
      "GET /a?n=1&n=2&q=x%20y")
    let templates = try read(
      #"{"method":"GET","urlPathTemplate":"/a/{id}/b/{name}","pathParameters":{"name":{"equalTo":"x y"}}}"#)
    XCTAssertEqual(templates.recording.exchanges.map(\.request.line), ["GET /a/id/b/x%20y"])
    XCTAssertEqual(templates.recording.paths, ["/a/:id/b/x%20y"])
    XCTAssertEqual(
      templates.notes, ["1 mapping answers any query, and in the recording only requests without one"])
  }

  func testAMappingForAnyMethodIsTakenForOne() throws {
    XCTAssertEqual(
      try line(#"{"url":"/a"}"#, notes: ["m.json:1: request: it answers any method; taken as GET"]), "GET /a")
    XCTAssertEqual(
      try line(
        #"{"method":"ANY","url":"/a","bodyPatterns":[{"equalTo":"x"}]}"#,
        notes: ["m.json:1: request.method: it answers any method; taken as POST"]), "POST /a")
  }

  func testBodyPatternsAreTheBody() throws {
    func body(_ patterns: String) throws -> String {
      let exchange = try exchange(#"{"method":"POST","url":"/a","bodyPatterns":\#(patterns)}"#)
      return
        "\(exchange.request.headers["Content-Type"] ?? "none") \(String(decoding: exchange.request.body, as: UTF8.self))"
    }
    XCTAssertEqual(try body(#"[{"equalToJson":{"a":[1]}}]"#), #"application/json {"a": [1]}"#)
    XCTAssertEqual(try body(#"[{"equalToJson":"{\"a\": 1}"}]"#), #"application/json {"a": 1}"#)
    XCTAssertEqual(try body(#"[{"equalTo":"x"}]"#), "none x")
    XCTAssertEqual(
      try exchange(#"{"method":"POST","url":"/a","bodyPatterns":[{"binaryEqualTo":"AP8="}]}"#).request.body,
      Data([0, 255]))
    XCTAssertEqual(
      try exchange(#"{"method":"POST","url":"/a","formParameters":{"q":{"equalTo":"1 2"}}}"#).request.body,
      Data("q=1%202".utf8))
  }

  // MARK: Answers

  func testAnswersAreTakenWithTheirFiles() throws {
    try write("file content", to: "__files/a.txt")
    let response = #"""
      {"status":201,"statusMessage":"Made","headers":{"Set-Cookie":["a=1","b=2"],"X":"1"},"bodyFileName":"a.txt",
       "fixedDelayMilliseconds":1500}
      """#
    XCTAssertEqual(
      try exchange(
        #"{"method":"GET","url":"/a"}"#, response,
        notes: [
          "m.json:2: response.fixedDelayMilliseconds: left out; the rest was taken",
          "m.json:1: response.statusMessage: left out; the rest was taken",
        ]
      ).answer,
      .init(
        status: 201, headers: ["Set-Cookie": "a=1", "Set-Cookie": "b=2", "X": "1"], body: Data("file content".utf8)))
    func content(_ response: String) throws -> Data {
      try exchange(#"{"method":"GET","url":"/a"}"#, response).answer.body
    }
    XCTAssertEqual(try content(#"{"body":"é"}"#), Data("é".utf8))
    XCTAssertEqual(try content(#"{"base64Body":"AP8="}"#), Data([0, 255]))
    XCTAssertEqual(try content(#"{"jsonBody":{"a":[null]}}"#), Data(#"{"a": [null]}"#.utf8))
  }

  func testAScenarioOfOneRequestIsASequenceOfAnswers() throws {
    func mapping(_ path: String, _ required: String, _ next: String?, _ status: Int) -> String {
      let next = next.map { #","newScenarioState":"\#($0)""# } ?? ""
      return #"""
        {"scenarioName":"s \#(path)","requiredScenarioState":"\#(required)"\#(next),
         "request":{"method":"GET","url":"\#(path)"},"response":{"status":\#(status)}}
        """#
    }
    try write(
      #"{"mappings":[\#(mapping("/a", "two", nil, 201)),\#(mapping("/a", "Started", "one", 503)),\#(mapping("/a", "one", "two", 500))]}"#,
      to: "mappings/a.json")
    try write(mapping("/toggle", "Started", "on", 200), to: "mappings/b.json")
    try write(mapping("/toggle", "on", "Started", 201), to: "mappings/sub/c.json")
    let mappings = try WireMockMappings(contentsOf: folder)
    XCTAssertEqual(
      mappings.recording.exchanges.map { "\($0.request.line) \($0.answer.status)" },
      ["GET /a 503", "GET /a 500", "GET /a 201"])
    let reason = "left out: its scenario \"s /toggle\" isn't a sequence of answers to one request"
    XCTAssertEqual(mappings.notes, ["b.json:1: \(reason)", "sub/c.json:1: \(reason)"])
  }

  func testOfSeveralMappingsForARequestTheOneWithTheHighestPriorityIsTaken() throws {
    for (name, priority) in [("a", "null"), ("b", "1"), ("c", "10")] {
      try write(
        #"{"priority":\#(priority),"request":{"method":"GET","url":"/x"},"response":{"body":"\#(name)"}}"#,
        to: "mappings/\(name).json")
    }
    let mappings = try WireMockMappings(contentsOf: folder)
    XCTAssertEqual(mappings.recording.exchanges.map { String(decoding: $0.answer.body, as: UTF8.self) }, ["b"])
    XCTAssertEqual(
      mappings.notes,
      [
        "a.json:1: left out: another mapping answers the same request",
        "c.json:1: left out: another mapping answers the same request",
      ])
  }

  // MARK: Unsupported mappings

  func testWhatARecordingCantSayIsLeftOutWithTheReason() throws {
    for (request, reason) in [
      (
        #"{"url":"/a","bodyPatterns":[{"matchesXPath":"//a"}]}"#, "request.bodyPatterns[0] isn't a single value"
      ),
      (
        #"{"url":"/a","bodyPatterns":[{"equalToJson":[1,2],"ignoreArrayOrder":true}]}"#,
        "request.bodyPatterns[0].ignoreArrayOrder has no counterpart: a recording compares the whole body"
      ),
      (
        #"{"url":"/a","bodyPatterns":[{"equalToJson":1},{"contains":"1"}]}"#,
        "request.bodyPatterns[0] is one of several body patterns"
      ),
      (#"{"url":"/a","headers":{"A":{"equalTo":"1"}}}"#, "request.headers has no counterpart"),
      (#"{"urlPathPattern":"/a.*"}"#, "request.urlPathPattern has no counterpart"),
      (
        #"{"urlPath":"/a","queryParameters":{"q":{"contains":"x"}}}"#,
        "request.queryParameters.q isn't a single value"
      ),
      (
        #"{"urlPathTemplate":"/{a}","pathParameters":{"a":{"matches":"x"}}}"#,
        "request.pathParameters.a isn't a single value"
      ),
      (#"{"url":"/a","customMatcher":{"name":"m"}}"#, "request.customMatcher has no counterpart"),
      ("{}", "request has no path of a single request"),
    ] {
      XCTAssertEqual(try note(request), "m.json:1: left out: \(reason)")
    }
    for (response, reason) in [
      (#"{"proxyBaseUrl":"http://a.example"}"#, "response.proxyBaseUrl has no counterpart"),
      (
        #"{"body":"{{request.path}}","transformers":["response-template"]}"#,
        "response.transformers[0] computes the answer (response-template)"
      ),
      (#"{"fault":"EMPTY_RESPONSE"}"#, "response.fault has no counterpart"),
      (#"{"bodyFileName":"none.txt"}"#, "response.bodyFileName names a file that can't be read: none.txt"),
      (
        #"{"bodyFileName":"../mappings/m.json"}"#,
        "response.bodyFileName names a file outside of the folder __files"
      ),
    ] {
      XCTAssertEqual(try note(#"{"method":"GET","url":"/a"}"#, response), "m.json:1: left out: \(reason)")
    }
  }

  func testABadFileIsRefusedWithThePlace() throws {
    for (text, message) in [
      ("{", "m.json:1: expected a key in quotes, found the end of the text"),
      ("{}", "m.json:1: the member \"request\" is missing"),
      (#"{"request":7}"#, "m.json:1: request: expected an object, found a number"),
      (
        #"{"mappings":[{"request":{"url":"/a","method":1}}]}"#,
        "m.json:1: mappings[0].request.method: expected a string, found a number"
      ),
      (
        #"{"request":{"url":"/a","bodyPatterns":[{"equalToJson":"{"}]}}"#,
        "m.json:1: request.bodyPatterns[0].equalToJson: it isn't JSON: line 1, column 2: expected a key in quotes, found the end of the text"
      ),
    ] {
      try write(text, to: "mappings/m.json")
      XCTAssertThrowsError(try WireMockMappings(contentsOf: folder), text) { XCTAssertEqual("\($0)", message) }
    }
    let empty = folder.appendingPathComponent("mappings/sub")
    XCTAssertThrowsError(try WireMockMappings(contentsOf: empty)) {
      XCTAssertEqual("\($0)", "\(empty.path) has no folder \"mappings\"")
    }
  }
}
