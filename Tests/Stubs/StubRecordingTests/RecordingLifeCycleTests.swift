import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording

/// Odd orders, odd responses, and many of everything.
final class RecordingLifeCycleTests: RecordingTestCase {
  private func lines() throws -> [String] {
    try BackendRecording(contentsOf: folder).exchanges.map { "\($0.epoch ?? -1) \($0.request.line)" }
  }

  // MARK: The life of a recording

  func testAResetBeginsTheFlowAnew() async throws {
    let backend = try backend()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])))
    let client = Client(verifier.baseURL)
    for _ in 0..<2 {
      _ = try await client.get("/text")
      try await client.send("POST", "/echo", "1")
      _ = try await client.get("/gzip")
      verifier.reset()
    }
    _ = try await client.get("/deflate")
    verifier.stop()
    XCTAssertEqual(
      try lines(),
      [
        "0 GET /deflate", "0 POST /echo", "0 POST /echo", "0 GET /text", "0 GET /text", "1 GET /gzip", "1 GET /gzip",
      ])
  }

  func testAResponseFromBeforeAResetChangesNothingAfterIt() async throws {
    let (gate, slow) = (StubGate(), verifier(nil))
    slow.stub(.post, "/slow", .status(201).held(by: gate))
    slow.stub(.get, "/text", .ok)
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": slow.baseURL])))
    let client = Client(verifier.baseURL)
    let response = Task { try await client.send("POST", "/slow").status }
    let arrived = await slow.wait(for: .request(.post, "/slow"), timeout: 30)
    XCTAssertNotNil(arrived)
    verifier.reset()
    gate.open()
    let status = try await response.value
    XCTAssertEqual(status, 201)
    _ = try await client.get("/text")
    verifier.stop()
    XCTAssertEqual(try lines(), ["0 POST /slow", "0 GET /text"])
  }

  func testWhatHadNoResponseWhenTheTestEndedIsLeftOut() async throws {
    let (gate, slow) = (StubGate(), verifier(nil))
    slow.stub(.get, "/slow", .ok.held(by: gate))
    slow.stub(.get, "/text", .ok)
    let reporter = RecordingReporter()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": slow.baseURL])), reporter)
    let client = Client(verifier.baseURL)
    _ = try await client.get("/text")
    let response = Task { try await client.get("/slow") }
    let arrived = await slow.wait(for: .request(.get, "/slow"), timeout: 30)
    XCTAssertNotNil(arrived)
    verifier.stop()
    _ = await response.result
    gate.open()
    XCTAssertEqual(reporter.sentences, [])
    XCTAssertEqual(try lines(), ["0 GET /text"])
  }

  func testTwoVerifiersRecordTwoFolders() async throws {
    let backend = try backend()
    let other = folder.deletingLastPathComponent().appending(path: "other", directoryHint: .isDirectory)
    let verifiers = [folder, other].map {
      verifier(source("rewrite", .folder(at: $0, upstreams: ["/*": backend.url])))
    }
    for (verifier, path) in zip(verifiers, ["/text", "/gzip"]) { _ = try await Client(verifier.baseURL).get(path) }
    verifiers.forEach { $0.stop() }
    XCTAssertEqual(try lines(), ["0 GET /text"])
    XCTAssertEqual(try BackendRecording(contentsOf: other).exchanges.map(\.request.path), ["/gzip"])
  }

  func testAFolderThatCannotBeMadeIsRefusedAtTheStart() throws {
    let file = folder.deletingLastPathComponent().appending(path: "file")
    try Data().write(to: file)
    let reporter = RecordingReporter()
    let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1"))
    let inFile = file.appending(path: "checkout", directoryHint: .isDirectory)
    _ = verifier(source("rewrite", .folder(at: inFile, upstreams: ["/*": url])), reporter)
    XCTAssertEqual(reporter.kinds, [.unusableRecording])
    let sentence = try XCTUnwrap(reporter.sentences.first)
    XCTAssertTrue(sentence.hasPrefix("The recording can't be used: /"), sentence)
    XCTAssertTrue(sentence.contains(" can't be made: Not a directory "), sentence)
    XCTAssertTrue(sentence.hasSuffix("In full: \(inFile.path(percentEncoded: false))"), sentence)
  }

  func testARecordingOfNothingLeavesNoFolder() throws {
    let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1"))
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": url])))
    verifier.stop()
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
  }

  // MARK: Odd responses

  private func reason(_ target: String, of url: URL, timeout: Double = 60) async -> String {
    do {
      let request = ReceivedRequest(method: "GET", path: target)
      return
        "\(try await UpstreamClient(mostBytes: 1_000, timeout: timeout).send(request, to: url.absoluteString).status)"
    } catch {
      return error.reason
    }
  }

  func testBadResponsesHaveReasons() async throws {
    let backend = try backend()
    let (gate, slow) = (StubGate(), verifier(nil))
    slow.stub(.get, "/slow", .ok.held(by: gate))
    let reasons = [
      await reason("/garbage", of: backend.url), await reason("/gone", of: backend.url),
      await reason("/cut", of: backend.url), await reason("/slow", of: slow.baseURL, timeout: 0.2),
    ]
    gate.open()
    let broken = "the connection was closed before the response was complete, or the response isn't HTTP"
    XCTAssertEqual(
      reasons.map { $0.replacing(#/ \(URL error -[0-9]+\)/#, with: "") },
      ["the peer doesn't use HTTP/1.1", broken, broken, "it didn't respond in time"])
  }

  func testEmptyAndLargeResponsesAreReplayed() async throws {
    let backend = try backend()
    let large = 3 << 18
    func lengths(_ client: Client) async throws -> [Int] {
      [
        try await client.get("/bytes/0").body.utf8.count, try await client.get("/bytes/\(large)").body.utf8.count,
      ]
    }
    try await recording(of: backend.url) { _ = try await lengths($0) }
    backend.stop()
    let verifier = verifier(source(nil, .folder(at: folder)))
    let sizes = try await lengths(Client(verifier.baseURL))
    // In base64.
    XCTAssertEqual(sizes, [0, large / 3 * 4])
    verifier.stop()
  }

  // MARK: Odd requests

  func testUnusualMethodsPathsAndQueriesAreReplayed() async throws {
    let (backend, curl) = (try backend(), try Tool("curl"))
    let long = String(repeating: "q", count: 6_000)
    func responses(_ base: URL) throws -> [String] {
      func send(_ target: String, _ method: String = "GET") throws -> String {
        try curl.output("-s", "--path-as-is", "-g", "-w", " %{http_code}", "-X", method, "\(base)\(target)")
      }
      return [
        try send("/same/purge", "PURGE"), try send("/same/purge", "purge"), try send("/same/options", "OPTIONS"),
        try curl.output("-s", "-w", " %{http_code}", "-X", "SEARCH", "-d", "words", "\(base)/same/search"),
        try send("/same/%FF%FE"), try send("/same/a//b"), try send("/same/?\(long)=1"),
        try send("/same/\(long)"), try send("/same/Case"), try send("/same/case"), try send("/same/%2e"),
        try send("/same/?a=1&a=2&=&b"), try send("/same/é"),
      ]
    }
    var live: [String] = []
    try await recording(of: backend.url) { live = try responses($0.base) }
    backend.stop()
    let verifier = verifier(source(nil, .folder(at: folder)))
    let replayed = try responses(verifier.baseURL)
    func compact(_ text: String) -> String { text.replacing(" ", with: "") }
    for (live, replayed) in zip(live, replayed) { XCTAssertEqual(compact(replayed), compact(live)) }
    XCTAssertEqual(live.filter { !$0.hasSuffix(" 200") }, [])
    verifier.stop()
  }
}
