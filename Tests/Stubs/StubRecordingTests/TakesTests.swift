import Foundation
import TestSupport
import TrackingServer
import TrackingVerifier
import XCTest

@testable import StubRecording

/// The differences between two recordings of the same flow.
final class TakesTests: RecordingTestCase {
  private func take(_ environment: [String: String], _ upstream: URL, _ ask: (Client) async throws -> Void) async throws
  {
    let source = RecordingSource.folder(at: folder, upstreams: ["/*": upstream])
    let reporter = RecordingReporter()
    let verifier = verifier(RecordingSource { _ in try source.open(environment) }, reporter)
    try await ask(Client(verifier.baseURL))
    verifier.stop()
    XCTAssertEqual(reporter.sentences, [])
  }

  /// An app that makes up an id and a time for each run.
  private func flow(_ client: Client, _ run: Int) async throws -> [Int] {
    let json = ["Content-Type": "application/json"]
    return [
      try await client.get("/books?page=1&time=\(run)").status,
      try await client.send("POST", "/echo", #"{"id": "run-\#(run)", "item": 42, "at": \#(run)}"#, json).status,
      try await client.send("POST", "/echo", #"{"id": "run-\#(run)", "item": 43, "at": \#(run)}"#, json).status,
      try await client.send("POST", "/orders/\(run)/lines", "a=1&t=\(run)").status,
    ]
  }

  func testWhatDiffersIsOpenInRequestsAndListedInAnswers() async throws {
    let backend = try backend()
    try await take(["TRACKING_RECORD": "rewrite"], backend.url) { _ = try await flow($0, 1) }
    RecordingRun.forget(folder)
    try await take(["TRACKING_RECORD": "rewrite", "TRACKING_TAKE": "2"], backend.url) { _ = try await flow($0, 2) }
    let recording = try BackendRecording(contentsOf: folder)
    XCTAssertEqual(
      recording.exchanges.map { "\($0.request.line) \(String(decoding: $0.request.body, as: UTF8.self))" },
      [
        "GET /books?page=1&time={any} ", #"POST /echo {"at":"{any}","id":"{any}","item":42}"#,
        #"POST /echo {"at":"{any}","id":"{any}","item":43}"#, "POST /orders/1/lines a=1&t={any}",
      ])
    XCTAssertEqual(recording.paths, ["/orders/:any/lines"])
    XCTAssertEqual(
      recording.volatile,
      ["GET /books: body query", "POST /echo: body echo", "POST /orders/1/lines: body echo"])
    let verifier = verifier(source(nil, .folder(at: folder, upstreams: ["/*": backend.url])))
    let statuses = try await flow(Client(verifier.baseURL), 3)
    XCTAssertEqual(statuses, [200, 200, 200, 200])
    // The part of the query that didn't differ is still compared.
    let other = try await Client(verifier.baseURL).get("/books?page=2&time=3")
    XCTAssertEqual(other.status, 404)
  }

  func testRequestsThatArriveInAnotherOrderAreComparedWithTheirOwn() {
    func exchange(_ query: String) -> RecordedExchange {
      RecordedExchange(
        request: .init(method: "GET", origin: "http://api.example", path: "/books", query: query),
        answer: .init(body: Data(query.utf8)))
    }
    let first = BackendRecording(exchanges: ["page=1&t=1", "page=2", "page=3"].map(exchange))
    let takes = Takes(first, ["page=3", "page=2", "page=1&t=2"].map(exchange))
    XCTAssertEqual(takes.recording.exchanges.map(\.request.query), ["page=1&t={any}", "page=2", "page=3"])
    XCTAssertEqual(takes.recording.volatile, ["GET /books: body"])
  }

  func testASecondTakeNeedsAFirst() async throws {
    let backend = try backend()
    let reporter = RecordingReporter()
    let source = RecordingSource.folder(at: folder, upstreams: ["/*": backend.url])
    let verifier = verifier(
      RecordingSource { _ in try source.open(["TRACKING_RECORD": "rewrite", "TRACKING_TAKE": "2"]) },
      reporter)
    _ = try await Client(verifier.baseURL).get("/text")
    verifier.stop()
    XCTAssertEqual(
      reporter.sentences.map { $0.replacing(folder.path(percentEncoded: false), with: "FOLDER") },
      [
        "The recording failed: there is no first take at FOLDER that a second could be compared with."
      ])
    XCTAssertThrowsError(try RecordingMode.isSecondTake(["TRACKING_TAKE": "two"])) { error in
      XCTAssertEqual(
        "\(error)", "TRACKING_TAKE is \"two\": use 2 for the second take of a recording, or leave it out.")
    }
  }
}
