import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording

/// Requests that a backend doesn't respond to while it is recorded.
final class RecordingGapTests: RecordingTestCase {
  func testARetryThatSucceedsIsRecordedAndTheFirstTryIsTold() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { client in
      let statuses = [try await client.get("/flaky").status, try await client.get("/flaky").status]
      XCTAssertEqual(statuses, [502, 200])
    }
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.line), ["GET /flaky"])
  }

  func testAnErrorAfterASuccessIsAGap() async throws {
    let backend = try backend()
    let reporter = RecordingReporter()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])), reporter)
    let client = Client(verifier.baseURL)
    let statuses = [
      try await client.get("/flaky").status, try await client.get("/flaky").status,
      try await client.get("/flaky").status,
    ]
    XCTAssertEqual(statuses, [502, 200, 502])
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.unusableRecording])
    // The response in between is recorded all the same.
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.line), ["GET /flaky"])
  }

  func testAnotherBodyIsAnotherRequest() async throws {
    let down = try XCTUnwrap(URL(string: "http://127.0.0.1:1"))
    let up = try backend()
    let reporter = RecordingReporter()
    let verifier = verifier(
      source("rewrite", .folder(at: folder, upstreams: ["/cart": down, "/echo": up.url])), reporter)
    let client = Client(verifier.baseURL)
    try await client.send("POST", "/cart", #"{"id": 1}"#)
    try await client.send("POST", "/cart", #"{"id": 2}"#)
    try await client.send("POST", "/echo", #"{"id": 1}"#)
    verifier.stop()
    XCTAssertTrue(reporter.messages.first?.contains("1 more request got no response") == true, "\(reporter.messages)")
  }

  func testTheHeadOfALargeFileIsRecorded() async throws {
    let backend = try backend()
    let setup = RecordingSetup(["/*": backend.url])
    let folder = folder
    let verifier = verifier(
      RecordingSource { _, test in
        try Recorder(
          setup, folder: folder, test: test, environment: ["TRACKING_RECORD": "rewrite"], mostBytes: 1_048_576)
      })
    let curl = try Tool("curl")
    func length(_ base: URL) throws -> [Substring] {
      try curl.output("-s", "-I", "\(base)/huge").split(separator: "\n").filter { $0.hasPrefix("Content-Length") }
    }
    XCTAssertEqual(try length(verifier.baseURL), ["Content-Length: 3000000"])
    verifier.stop()
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.line), ["HEAD /huge"])
    backend.stop()
    let replaying = self.verifier(source(nil, .folder(at: folder)))
    XCTAssertEqual(try length(replaying.baseURL), ["Content-Length: 3000000"])
    // The connection isn't left waiting for a body.
    let client = Client(replaying.baseURL)
    let statuses = [try await client.send("HEAD", "/huge").status, try await client.send("HEAD", "/huge").status]
    XCTAssertEqual(statuses, [200, 200])
  }
}
