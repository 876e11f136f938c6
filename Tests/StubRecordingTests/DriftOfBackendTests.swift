import Foundation
import StubModel
import TestSupport
import XCTest

@testable import StubRecording

/// A recording held against the backend that it was made of, and against a part of it that has changed.
final class DriftOfBackendTests: RecordingTestCase {
  private func recorded() async throws -> (url: URL, stop: () -> Void) {
    let backend = try backend()
    try await recording(of: backend.url) { client in
      for target in ["/books?page=2", "/text", "/picture.png", "/cart", "/order", "/order"] {
        _ = try await client.get(target)
      }
      _ = try await client.get("/cached", ["If-None-Match": "\"v1\""])
      _ = try await client.send("POST", "/cart", #"{"id": 42}"#, ["Content-Type": "application/json"])
      _ = try await client.get("/cart")
    }
    return backend
  }

  func testABackendThatHasNotChangedHasNoFindings() async throws {
    let backend = try await recorded()
    let drift = try await Drift(of: BackendRecording(contentsOf: folder), against: backend.url)
    XCTAssertEqual(drift.findings, [])
    XCTAssertEqual(drift.skipped, [])
    // Neither the POST nor the 304, and each GET once.
    XCTAssertEqual(drift.asked, 5)
  }

  func testWhatHasChangedIsFoundAndOnlyUnsafeRunsSendTheRest() async throws {
    let backend = try await recorded()
    var recording = try BackendRecording(contentsOf: folder)
    for index in recording.exchanges.indices {
      switch recording.exchanges[index].request.line {
      case "GET /books?page=2":
        recording.exchanges[index].answer.body = Data(
          #"{"books":[{"id":"42","price":1,"isbn":"1"}],"next":null,"query":""}"#.utf8)
      case "GET /text": recording.exchanges[index].answer.status = 404
      case "POST /cart": recording.exchanges[index].answer.body = Data(#"{"count":"1"}"#.utf8)
      default: break
      }
    }
    let drift = try await Drift(of: recording, against: backend.url)
    let safe = [
      "error: GET /books?page=2: books[].id was a string, and is a whole number",
      "warning: GET /books?page=2: books[].isbn is gone",
      "warning: GET /books?page=2: books[].price was always a whole number, and is a number with a fraction",
      "note: GET /books?page=2: books[].tags is new", "note: GET /books?page=2: books[].url is new",
      "error: GET /text: was answered with 404, and is with 200",
    ]
    XCTAssertEqual(drift.findings.map(\.description), safe)
    XCTAssertEqual(drift.worst, .error)
    let unsafe = try await Drift(of: recording, against: backend.url, unsafe: true)
    XCTAssertEqual(
      Set(unsafe.findings.map(\.description)).subtracting(safe),
      ["error: POST /cart: count was a string, and is a whole number"])
  }

  func testRedactedRequestsAreOnlySentWithAValueForTheirHeader() async throws {
    let backend = try backend()
    let request = RecordedExchange.Request(
      method: "GET", origin: "\(backend.url)", path: "/text", headers: ["Authorization": "Bearer [redacted token 1]"])
    var withQuery = request
    withQuery.headers = [:]
    withQuery.query = "access_token=%5Bredacted%20token%201%5D"
    let answer = RecordedExchange.Answer(headers: ["Content-Type": "text/plain"], body: Data("a".utf8))
    let recording = BackendRecording(
      upstreams: ["/*": "\(backend.url)"],
      exchanges: [request, withQuery].map { RecordedExchange(request: $0, answer: answer) })
    let bare = try await Drift(of: recording, against: backend.url)
    XCTAssertEqual(bare.asked, 0)
    XCTAssertEqual(
      bare.skipped,
      [
        "GET /text: its header field Authorization is redacted; give one with --header",
        "GET /text?access_token=%5Bredacted%20token%201%5D: its query has a redacted value",
      ])
    let given = try await Drift(of: recording, against: backend.url, headers: ["Authorization": "Bearer x"])
    XCTAssertEqual(given.asked, 1)
    XCTAssertEqual(given.findings, [])
  }

  func testABackendThatCantBeAskedIsAnErrorWithTheReason() async throws {
    let backend = try await recorded()
    let recording = try BackendRecording(contentsOf: folder)
    for (url, reason) in [
      ("ftp://a.example", "ftp://a.example isn't the URL of a backend: write scheme, host and port"),
      ("http://127.0.0.1:1/api", "http://127.0.0.1:1/api isn't the URL of a backend: write scheme, host and port"),
    ] {
      await XCTAssertThrowsAsync(reason) { try await Drift(of: recording, against: XCTUnwrap(URL(string: url))) }
    }
    backend.stop()
    do {
      _ = try await Drift(of: recording, against: backend.url)
      XCTFail("a backend that isn't there has answered")
    } catch {
      XCTAssertTrue("\(error)".hasPrefix("GET /"), "\(error)")
      XCTAssertTrue("\(error)".contains(" was not answered by \(backend.url): "), "\(error)")
    }
  }

  private func XCTAssertThrowsAsync(_ reason: String, _ body: () async throws -> Drift) async {
    do {
      _ = try await body()
      XCTFail("nothing was thrown: \(reason)")
    } catch {
      XCTAssertEqual("\(error)", reason)
    }
  }
}
