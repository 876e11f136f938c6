@testable import StubRecording
import TestSupport
import TrackingServer
import TrackingVerifier

/// A backend is recorded through a verifier by a client on a socket, and replayed without the backend.
final class RecordAndReplayTests: RecordingTestCase {
  /// Sends an app's requests to the backend, in order.
  private func journey(_ client: Client) async throws -> [Seen] {

    var seen: [Seen] = []
    seen.append(try await client.get("/books", ["Accept": "application/json"]))
    seen.append(try await client.get("/books?page=2"))
    seen.append(try await client.get("/login"))
    for path in ["/gzip", "/deflate", "/picture.png", "/long", "/text", "/nothing", "/unknown"] {
      seen.append(try await client.get(path))
    }
    seen.append(try await client.send("HEAD", "/picture.png"))
    // The client follows the absolute redirect.
    seen.append(try await client.get("/moved"))
    seen.append(try await client.get("/cached"))
    seen.append(try await client.get("/cached", ["If-None-Match": "\"v1\""]))
    for _ in 0..<3 { seen.append(try await client.get("/order")) }
    let json = ["Content-Type": "application/json"]
    seen.append(try await client.get("/cart"))
    seen.append(try await client.send("POST", "/cart", #"{"id": 42}"#, json))
    seen.append(try await client.get("/cart"))
    seen.append(try await client.send("POST", "/cart", #"{"id": 7}"#, json))
    seen.append(try await client.get("/cart"))
    seen.append(try await client.send("DELETE", "/cart"))
    seen.append(try await client.get("/cart"))
    seen.append(
      try await client.send("POST", "/form", "a=1&b=2", ["Content-Type": "application/x-www-form-urlencoded"]))
    return seen
  }

  func testAReplayRespondsAsTheBackendDid() async throws {
    let backend = try backend()
    var live: [Seen] = []
    try await recording(of: backend.url, redaction: .off) { live = try await journey($0) }
    backend.stop()
    let recording = try BackendRecording(contentsOf: folder)
    let moved = recording.exchanges.first { $0.request.path == "/moved" }?.response
    XCTAssertEqual(moved?.status, 302)
    XCTAssertEqual(moved?.headers["Location"], "{base}/books?page=1")
    XCTAssertEqual(moved?.body, Data(), "the redirect was followed")
    XCTAssertEqual(
      recording.exchanges.filter { $0.request.path == "/cart" && $0.request.method == "GET" }.map(\.epoch),
      [0, 1, 2, 3])
    let reporter = RecordingReporter()
    let verifier = verifier(source(nil, .folder(at: folder, upstreams: ["/*": backend.url])), reporter)
    let replayed = try await journey(Client(verifier.baseURL))
    for (live, replayed) in zip(live, replayed) { XCTAssertEqual(replayed, live) }
    XCTAssertEqual(replayed.count, live.count)
    XCTAssertEqual(replayed.map(\.status).filter { $0 == 404 }.count, 1, "the backend's own")
    XCTAssertEqual(verifier.unmatchedRequests, [])
    verifier.stop()
    XCTAssertEqual(reporter.sentences, [])
    // The backend's state, as the client saw it.
    XCTAssertEqual(
      live.map(\.body).filter { $0.hasPrefix(#"{"items""#) }.map { $0.prefix { $0 != "]" } },
      [#"{"items":["#, #"{"items":[42"#, #"{"items":[42,7"#, #"{"items":["#])
    XCTAssertEqual(live.map(\.body).filter { $0.hasPrefix(#"{"state""#) }.count, 3)
  }

  func testASecondRecordingChangesNoFile() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { _ = try await journey($0) }
    let first = try files()
    _ = try await Client(backend.url).get("/reset")
    try await recording(of: backend.url) { _ = try await journey($0) }
    let second = try files()
    XCTAssertEqual(Set(second.keys), Set(first.keys))
    for (name, data) in first {
      XCTAssertEqual(
        second[name].map { String(decoding: $0, as: UTF8.self) }, String(decoding: data, as: UTF8.self), name)
    }
  }

  func testTheFilesAreMadeForReview() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { client in
      _ = try await client.get(
        "/books?page=1", ["Accept": "application/json", "Accept-Language": "en", "X-Device": "phone"])
      _ = try await client.get("/text")
      _ = try await client.get("/picture.png")
    }
    XCTAssertEqual(
      try files().keys.sorted().map { $0.replacing(/bodies\/[0-9a-f]+-[0-9a-f]+/, with: "bodies/HASH") },
      ["bodies/HASH.png", "recording.json"])
    let text = try text("recording.json").replacing(backend.url.absoluteString, with: "UPSTREAM")
      .replacing(/Python\/[^"]+/, with: "Python").replacing(/BaseHTTP\/[0-9.]+/, with: "BaseHTTP")
    let start = """
      {
        "format": 3,
        "upstreams": {
          "/*": "UPSTREAM"
        },
        "exchanges": [
          {
            "epoch": 0,
            "request": {
              "method": "GET",
              "path": "/books",
              "query": "page=1",
              "headers": {
                "Accept": "application/json",
                "Accept-Language": "en"
              }
            },
            "response": {
              "status": 200,
              "headers": {
                "Content-Type": "application/json",
                "Link": "<{base}/books?page=2>; rel=next",
                "Server": "BaseHTTP Python"
              },
              "json": {
                "books": [
                  {
                    "id": 42,
                    "price": 9.5,
                    "url": "{base}/books/42",
                    "tags": []
                  }
                ],
                "next": null,
                "query": "page=1"
              }
            }
          },

      """
    assertText(String(text.prefix(start.count)), start)
    XCTAssertTrue(text.contains("\"text\": [\n          \"one\\n\",\n          \"two\\n\"\n        ]"), text)
  }
}
