import Foundation
import RecordingTools
import StubRecording
import TrackingServer
import XCTest

/// A recording held against the backend that it was made of, and against a part of it that has changed.
final class DriftOfBackendTests: XCTestCase {
  private var folder = URL(fileURLWithPath: "/")

  override func setUp() {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("drift-\(UUID().uuidString)")
    addTeardownBlock { [folder] in try? FileManager.default.removeItem(at: folder) }
  }

  /// Starts the backend of the recorder's tests.
  private func backend() throws -> (url: URL, stop: () -> Void) {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardizedFileURL
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", root.appendingPathComponent("Tests/StubRecordingTests/Support/Backend.py").path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    func stop() {
      guard process.isRunning else { return }
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .newlines)) else { throw XCTSkip("there is no python3") }
    return (try XCTUnwrap(URL(string: "http://127.0.0.1:\(port)")), stop)
  }

  private func recorded() async throws -> (url: URL, stop: () -> Void) {
    let backend = try backend()
    let server = TrackingServer()
    let source = RecordingSource.folder(at: folder, upstreams: ["/*": backend.url])
    let recording = try server.use(source, environment: ["TRACKING_RECORD": "rewrite"])
    try server.start()
    // URL loading on Linux refuses addresses of IPv6.
    let base = URL(string: "http://localhost:\(try XCTUnwrap(server.endpoint?.url.port))")
    func send(_ target: String, _ method: String = "GET", _ body: String? = nil, _ field: (String, String)? = nil)
      async throws
    {
      var request = URLRequest(url: try XCTUnwrap(URL(string: target, relativeTo: base)))
      request.httpMethod = method
      request.httpBody = body.map { Data($0.utf8) }
      if let field { request.setValue(field.1, forHTTPHeaderField: field.0) }
      _ = try await URLSession(configuration: .ephemeral).data(for: request)
    }
    for target in ["/books?page=2", "/text", "/picture.png", "/cart", "/order", "/order"] { try await send(target) }
    try await send("/cached", "GET", nil, ("If-None-Match", "\"v1\""))
    try await send("/cart", "POST", #"{"id": 42}"#, ("Content-Type", "application/json"))
    try await send("/cart")
    server.stop()
    try recording.finish()
    return backend
  }

  func testABackendThatHasNotChangedHasNoFindings() async throws {
    let backend = try await recorded()
    defer { backend.stop() }
    let drift = try await Drift(of: BackendRecording(contentsOf: folder), against: backend.url)
    XCTAssertEqual(drift.findings, [])
    XCTAssertEqual(drift.skipped, [])
    // Neither the POST nor the 304, and each GET once.
    XCTAssertEqual(drift.asked, 5)
  }

  func testWhatHasChangedIsFoundAndOnlyUnsafeRunsSendTheRest() async throws {
    let backend = try await recorded()
    defer { backend.stop() }
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
      "error: GET /text: status changed from 404 to 200",
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
    defer { backend.stop() }
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
    defer { backend.stop() }
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
