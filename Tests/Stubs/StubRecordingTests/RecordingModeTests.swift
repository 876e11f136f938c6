import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording

/// The modes of `TRACKING_RECORD`, and the files that each writes.
final class RecordingModeTests: RecordingTestCase {
  private func failure(_ mode: String?, ci: String? = nil, upstream: String = "http://127.0.0.1:1") throws -> String {
    let reporter = RecordingReporter()
    let url = try XCTUnwrap(URL(string: upstream))
    let verifier = TrackingVerifier(
      with: self,
      configuration: .init(
        recording: source(mode, .folder(at: folder, upstreams: ["/*": url]), ci: ci), reporter: reporter))
    verifier.start()
    XCTAssertEqual(reporter.kinds, [.unusableRecording])
    return try XCTUnwrap(reporter.messages.first).withPathsInFull
      .replacing(folder.path(percentEncoded: false), with: "FOLDER")
  }

  func testAReplayWithoutARecordingSaysHowToMakeOne() throws {
    assertText(
      try failure(nil),
      """
      The recording can't be used: there is no recording at FOLDER Record it with TRACKING_RECORD=once (xcodebuild: \
      TEST_RUNNER_TRACKING_RECORD=once), against the \
      real backend.
      """)
  }

  func testAReplayOnAMachineWithoutTheSourceSaysToUseABundle() throws {
    let elsewhere = RecordingSource.folder(
      "checkout", upstream: URL(filePath: "/"), file: "/nowhere/Tests/CartTests.swift")
    XCTAssertThrowsError(try elsewhere.open([:], nil)) { error in
      assertText(
        "\(error)",
        """
        there is no recording at /nowhere/Tests/Recordings/checkout/. Its folder isn't on this machine: add Recordings to \
        the resources of the test target, and say in: .bundle(.module).
        """)
    }
  }

  func testAnUnknownModeIsNamed() throws {
    assertText(
      try failure("append"),
      """
      The recording can't be used: TRACKING_RECORD is "append", which isn't a mode: use replay, once or rewrite.
      """)
  }

  func testEachModeIsAValueOfTheVariable() {
    XCTAssertEqual(TestVariable.record.values, RecordingMode.allCases.map(\.rawValue))
  }

  func testOnCINothingIsRecorded() throws {
    for mode in ["once", "rewrite"] {
      assertText(
        try failure(mode, ci: "true"),
        """
        The recording can't be used: TRACKING_RECORD is "\(mode)", and CI is set: on CI recordings are only replayed \
        Record on your machine, look through the files and commit them.
        """)
    }
    XCTAssertNoThrow(try RecordingMode(environment: ["CI": "true", "TRACKING_RECORD": "replay"]))
    for none in ["", "0", "false", "FALSE"] {
      XCTAssertNoThrow(try RecordingMode(environment: ["CI": none, "TRACKING_RECORD": "rewrite"]), none)
    }
  }

  func testAnUpstreamIsAnOrigin() throws {
    assertText(
      try failure("once", upstream: "http://127.0.0.1:1/v2"),
      """
      The recording can't be used: the upstream http://127.0.0.1:1/v2 is more than scheme, host and port The app's own \
      path and query are sent to it.
      """)
    assertText(
      try failure("once", upstream: "http://anna:s3cretpass@127.0.0.1:1"),
      """
      The recording can't be used: the upstream http://anna:%5Bredacted%20password%201%5D@127.0.0.1:1 is more than scheme, \
      host and port The app's own path and query are sent to it.
      """)
    XCTAssertEqual(
      try failure("once", upstream: "ftp://127.0.0.1"),
      "The recording can't be used: the upstream ftp://127.0.0.1 isn't an http or https URL.")
    for port in ["99999", "65536", "0", "99999999999999999999"] {
      XCTAssertEqual(
        try failure("once", upstream: "http://127.0.0.1:\(port)"),
        "The recording can't be used: the port of the upstream http://127.0.0.1:\(port) isn't 1 to 65535.")
    }
  }

  /// Naming a short text is an error: such texts are parts of ordinary words, so they aren't looked for.
  func testAValueThatIsTooShortToBeLookedForIsRefused() throws {
    let refusal = """
      redacting(values:) has a value of 6 characters, but values of fewer than 8 aren't looked for, because they are \
      also parts of other texts: name the field that holds it instead, with redacting("…").
      """
    let redaction = SecretRedaction().redacting(values: ["long-enough", "sécret"])
    let reporter = RecordingReporter()
    let verifier = verifier(
      source(
        "rewrite", .folder(at: folder, upstreams: ["/*": URL(filePath: "/")], redaction: redaction)),
      reporter)
    verifier.stop()
    XCTAssertEqual(
      reporter.sentences,
      ["The recording can't be used: \(refusal.replacing(", but values", with: " Values", maxReplacements: 1))"])
    XCTAssertThrowsError(try BackendRecording().write(to: folder, redaction: redaction)) {
      XCTAssertEqual("\($0)", refusal)
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
  }

  func testAFolderWithOtherFilesIsNotWrittenTo() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
    assertText(
      try failure("rewrite"),
      """
      The recording can't be used: FOLDER has files and no recording.json It isn't a recording: choose another \
      folder.
      """)
    XCTAssertEqual(try files(), ["notes.txt": Data("mine".utf8)])
  }

  func testAReplayIsStrictAndNamesTheNearestResponse() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { _ = try await $0.get("/books?page=2") }
    // The backend is still there, and gets no request.
    let verifier = verifier(source(nil, .folder(at: folder, upstreams: ["/*": backend.url])))
    let response = try await Client(verifier.baseURL).get("/books?page=3")
    XCTAssertEqual(response.status, 404)
    assertText(
      response.body,
      """
      {"differs":["page in the query is \\"3\\", not \\"2\\""],"error":"the recording has no response to GET \
      /books?page=3","nearest":"GET /books with the query page=2"}
      """)
    XCTAssertEqual(verifier.unmatchedRequests.map(\.target), ["/books?page=3"])
  }

  func testOnceRecordsWhenThereIsNothingAndReplaysAfterwards() async throws {
    let backend = try backend()
    try await recording(of: backend.url, mode: "once") { _ = try await $0.get("/text") }
    let first = try files()
    try await recording(of: backend.url, mode: "once") { client in
      let (known, unknown) = (try await client.get("/text"), try await client.get("/gzip"))
      XCTAssertEqual([known.status, unknown.status], [200, 404])
    }
    XCTAssertEqual(try files(), first)
  }

  func testARecordingIsKeptWhenTheBackendIsDown() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { _ = try await $0.get("/text") }
    let first = try files()
    backend.stop()
    let reporter = RecordingReporter()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])), reporter)
    let response = try await Client(verifier.baseURL).get("/text")
    XCTAssertEqual(response.status, 502)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.unusableRecording])
    assertText(
      reporter.sentences.first?.replacing(folder.path(percentEncoded: false), with: "FOLDER")
        .replacing(backend.url.absoluteString, with: "UPSTREAM"),
      """
      The recording failed: GET /text got no usable response from UPSTREAM: it can't be reached Is it running? The \
      files at FOLDER are unchanged.
      """)
    XCTAssertEqual(try files(), first)
  }

  func testARecordingIsKeptWhenTheTestFails() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { client in
      _ = try await client.get("/text")
      _ = try await client.get("/gzip")
    }
    let first = try files()
    let reporter = RecordingReporter()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])), reporter)
    _ = try await Client(verifier.baseURL).get("/text")
    await verifier.wait(for: .named("purchase"), timeout: 0)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertEqual(try files(), first)
  }

  func testASecretInAPathIsAnySegment() async throws {
    let backend = try backend()
    let redaction = SecretRedaction().redacting(values: ["secret-path-1"])
    try await recording(of: backend.url, redaction: redaction) {
      _ = try await $0.send("POST", "/reset/secret-path-1/now")
    }
    XCTAssertFalse(try files().keys.contains { $0.contains("secret-path-1") })
    let verifier = verifier(source(nil, .folder(at: folder, upstreams: ["/*": backend.url])))
    let client = Client(verifier.baseURL)
    let statuses = [
      try await client.send("POST", "/reset/another/now").status,
      try await client.send("POST", "/reset/another").status,
    ]
    XCTAssertEqual(statuses, [200, 404])
  }

  func testASecretInTheRecordingsOwnTextsDoesntStopTheWriting() async throws {
    let backend = try backend()
    let reporter = RecordingReporter()
    // The URL of the backend is in recording.json, and can't be replaced there.
    let redaction = SecretRedaction().redacting(values: [backend.url.absoluteString])
    let verifier = verifier(
      source("once", .folder(at: folder, upstreams: ["/*": backend.url], redaction: redaction)), reporter)
    _ = try await Client(verifier.baseURL).get("/gzip")
    verifier.stop()
    XCTAssertEqual(reporter.sentences, [])
    XCTAssertEqual(try files().keys.sorted(), ["recording.json"])
  }

  /// An app that makes up an id and a time for each request.
  func testIgnoredNamesAreOpenInQueriesFormsAndJSON() async throws {
    let backend = try backend()
    func flow(_ client: Client, _ run: Int) async throws -> [Int] {
      let json = ["Content-Type": "application/json"]
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      return [
        try await client.get("/books?page=1&time=\(run)").status,
        try await client.send("POST", "/echo", #"{"meta": [{"id": "run-\#(run)"}], "item": 42, "time": \#(run)}"#, json)
          .status,
        try await client.send("POST", "/echo", #"{"meta": [], "item": 43, "time": \#(run)}"#, json).status,
        try await client.send("POST", "/form", "a=1&time=\(run)", form).status,
      ]
    }
    let recorder = verifier(
      source("once", .folder(at: folder, upstreams: ["/*": backend.url], ignoring: ["id", "time"])))
    let live = try await flow(Client(recorder.baseURL), 1)
    XCTAssertEqual(live, [200, 200, 200, 200])
    recorder.stop()
    let recording = try BackendRecording(contentsOf: folder)
    XCTAssertEqual(
      recording.exchanges.map { "\($0.request.line) \(String(decoding: $0.request.body, as: UTF8.self))" },
      [
        "GET /books?page=1&time={any} ", #"POST /echo {"meta":[{"id":"{any}"}],"item":42,"time":"{any}"}"#,
        #"POST /echo {"meta":[],"item":43,"time":"{any}"}"#, "POST /form a=1&time={any}",
      ])
    let verifier = verifier(source(nil, .folder(at: folder)))
    let replayed = try await flow(Client(verifier.baseURL), 2)
    XCTAssertEqual(replayed, [200, 200, 200, 200])
    // Other items are still compared.
    let other = try await Client(verifier.baseURL).get("/books?page=2&time=3")
    XCTAssertEqual(other.status, 404)
  }

  // MARK: One test

  private func refusal(_ mode: String, of test: String) throws -> String? {
    let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1"))
    do {
      _ = try RecordingSource.folder(at: folder, upstreams: ["/*": url]).open(["TRACKING_RECORD": mode], test)
      return nil
    } catch {
      return "\(error)".replacing(folder.path(percentEncoded: false), with: "FOLDER")
    }
  }

  func testARecorderWithoutATestIsToldWhatToDoWithoutOne() throws {
    let lock = try FolderLock(folder, for: "")
    defer { lock.release() }
    XCTAssertThrowsError(try FolderLock(folder, for: "")) { error in
      XCTAssertEqual(
        "\(error)".replacing(folder.path(percentEncoded: false), with: "FOLDER"),
        "another recorder is recording into FOLDER: end it, or name another folder.")
    }
  }

  func testARecordingBelongsToOneTestAndOthersMayReplayIt() async throws {
    let backend = try backend()
    let advice =
      "Each recording belongs to one test: leave its name out, which is then the test's, or record one test with --filter; then several tests may replay it."
    let recorder = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])))
    _ = try await Client(recorder.baseURL).get("/text")
    let during = "another test is recording into FOLDER. \(advice)"
    XCTAssertEqual(try refusal("rewrite", of: "Other.test"), during)
    recorder.stop()
    let afterwards = "FOLDER was recorded by another test already. \(advice)"
    XCTAssertEqual(try refusal("rewrite", of: "Other.test"), afterwards)
    XCTAssertEqual(try refusal("once", of: "Other.test"), afterwards)
    XCTAssertNil(try refusal("replay", of: "Other.test"))
    // The test itself may, as one that is repeated does.
    try await recording(of: backend.url) { _ = try await $0.get("/gzip") }
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.path), ["/gzip"])
  }

  func testARecordingWithoutANameHasTheTests() throws {
    let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1"))
    let source = RecordingSource.folder(upstream: url, in: .url(folder.deletingLastPathComponent()))
    for (test, name) in [("CartTests.testBuying", "CartTests.testBuying"), ("Cart.buys-a/b", "Cart.buys-a-b")] {
      XCTAssertThrowsError(try source.open([:], test)) {
        XCTAssertTrue("\($0)".contains("/Recordings/Recordings/\(name)/. "), "\($0)")
      }
    }
    XCTAssertThrowsError(try source.open([:], nil)) {
      XCTAssertEqual("\($0)", "the recording needs a name, because no test is running: .folder(\"checkout\", …)")
    }
  }
}
