import TestSupport
import TestAppLauncher

/// `record` and `replay` as processes, with a backend of Python's standard library.
final class RecordingVerbTests: ToolTestCase {
  private func assert(_ name: String, contains part: String, line: UInt = #line) throws {
    let text = try text(name)
    XCTAssertTrue(text.contains(part), text, line: line)
  }

  func testABackendIsRecordedAndReplayed() async throws {
    let backend = try backend()
    let recorder = try tracking(["record", backend.url, path("checkout"), "--json"])
    defer { end(recorder) }
    let live = try await get("\(try XCTUnwrap(started().url))/books?page=1")
    XCTAssertTrue(live.body.contains("backend-token-1"), live.body)
    let request =
      #"{"isMatched":true,"kind":"request","method":"GET","number":1,"status":200,"target":"/books?page=1"}"#
    XCTAssertEqual(try line(in: "out", after: request), "")
    XCTAssertEqual(stop(recorder), 0)
    XCTAssertEqual(try text("out").split(separator: "\n").last, #"{"isWritten":true,"kind":"ended","requests":1}"#)
    let file = try text("checkout/recording.json")
    XCTAssertFalse(file.contains("backend-token-1"), file)
    XCTAssertTrue(file.contains("[redacted token 1]"), file)

    end(backend.process)
    let replay = try tracking(["replay", path("checkout")])
    defer { end(replay) }
    let url = try line(in: "err", after: "The app's backend is now ")
    let replayed = try await get("\(url)/books?page=1")
    XCTAssertEqual(replayed.status, 200)
    XCTAssertTrue(replayed.body.contains("[redacted token 1]"), replayed.body)
    let unknown = try await get("\(url)/unknown?password=p-1")
    XCTAssertEqual(unknown.status, 404)
    XCTAssertEqual(try line(in: "out", after: "404 "), "GET /unknown?password=%5Bredacted%20password%201%5D")
    XCTAssertEqual(stop(replay), 1)
    _ = try line(in: "err", after: "2 requests, 1 not recorded")
  }

  func testACookieWhoseNameDemandsSecureIsAWarning() async throws {
    let recorder = try tracking(["record", try backend().url, path("checkout")])
    defer { end(recorder) }
    let url = try line(in: "err", after: "The app's backend is now ")
    _ = try await get("\(url)/session")
    XCTAssertEqual(stop(recorder), 0)
    XCTAssertEqual(
      try line(in: "err", after: "StubRecording: the cookie "),
      "__Host-sid of GET /session loses the Secure attribute that its name requires, so web views refuse it; URLSession takes it"
    )
  }

  /// Two recorders at the same time, because each takes more than a second: one in a terminal, and one whose standard error is a file.
  func testWritingThatTakesLongerThanASecondIsShownOrNamedOnceInALogAndASecondCtrlCEndsIt() async throws {
    func words(_ folder: String) -> String { "Removing secrets and writing \(path(folder)) …" }
    let backend = try backend()
    let terminal = try PseudoTerminal()
    let shown = try await savingRecorder(backend.url, in: "shown", error: terminal.inside)
    let logged = try await savingRecorder(backend.url, in: "logged")
    var screen = ""
    try wait(for: words("shown")) {
      screen += terminal.read()
      return screen.contains("\r\u{1B}[K\(words("shown")) 1 s")
    }
    kill(shown.processIdentifier, SIGINT)
    try wait(for: words("logged")) { try text("err").contains("\(words("logged"))\n") }
    kill(logged.processIdentifier, SIGINT)
    for (recorder, folder) in [(shown, "shown"), (logged, "logged")] {
      finish(recorder)
      XCTAssertEqual(recorder.terminationReason, .uncaughtSignal)
      XCTAssertEqual(recorder.terminationStatus, SIGINT)
      XCTAssertFalse(FileManager.default.fileExists(atPath: path("\(folder)/recording.json")))
    }
    XCTAssertTrue((screen + terminal.read()).hasSuffix("\r\u{1B}[K"))
    XCTAssertEqual(try text("err").ranges(of: words("logged")).count, 1)
  }

  /// The log of a build keeps everything that is printed.
  func testNoSecretIsPrinted() async throws {
    let backend = try backend()
    let recorder = try tracking(["record", backend.url, path("checkout"), "--redact", "customer"])
    defer { end(recorder) }
    let url = try line(in: "err", after: "The app's backend is now ")
    _ = try await get("\(url)/login")
    _ = try await get("\(url)/users/backend-token-1?api_key=k-1&customer=c-1&page=2")
    end(backend.process)
    _ = try? await get("\(url)/off?password=p-1")
    XCTAssertEqual(
      try line(in: "out", after: "200 GET /users/"),
      "[redacted token 1]?api_key=%5Bredacted%20key%201%5D&customer=%5Bredacted%20secret%201%5D&page=2")
    XCTAssertEqual(try line(in: "out", after: "502 GET /off"), "?password=%5Bredacted%20password%201%5D")
    XCTAssertEqual(stop(recorder), 1)
    for secret in ["backend-token-1", "k-1", "c-1", "p-1"] {
      let printed = try text("out") + text("err")
      XCTAssertFalse(printed.contains(secret), printed)
    }
  }

  func testServeRecordsABackendBesideTheEvents() async throws {
    let backend = try backend()
    try write(#"[{"request": "/stubbed", "json": {"by": "scenario"}}]"#, to: "scenario.json")
    let server = try tracking([
      "serve", "--record", backend.url, "--recording", path("checkout"), "--scenario", path("scenario.json"), "--json",
      "--redact", "customer", "--redact", "X-Tenant", "--not-secret", "X-Api-Key", "--save", path("session.json"),
    ])
    defer { end(server) }
    let port = try XCTUnwrap(URL(string: try XCTUnwrap(started().environment?["TRACKING_URL"]))?.port)
    let stubbed = try await get("http://localhost:\(port)/stubbed")
    XCTAssertEqual(stubbed.body, #"{"by":"scenario"}"#)
    let books = try await get("http://localhost:\(port)/books?page=1&customer=c-1")
    XCTAssertTrue(books.body.contains("backend-token-1"), books.body)
    XCTAssertEqual(
      try line(in: "out", after: #"{"isMatched":true,"kind":"request","method":"GET","number":2,"status":200,"#),
      #""target":"/books?page=1&customer=%5Bredacted%20secret%201%5D"}"#)
    _ = try await post("", to: "http://localhost:\(port)/stubbed", ["X-Tenant": "tenant-77", "X-Api-Key": "key-77"])
    XCTAssertEqual(stop(server), 0)
    let session = try text("session.json")
    XCTAssertFalse(session.contains("tenant-77"), session)
    XCTAssertTrue(session.contains("key-77"), session)
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: path("checkout")).sorted(),
      ["recording.json"])
    XCTAssertTrue(try text("checkout/recording.json").contains("[redacted token 1]"))
    XCTAssertEqual(try run("serve", "--recording", path("checkout")), 2)
    XCTAssertEqual(try run("serve", "--record", backend.url, environment: ["CI": "true"]), 2)
    try assert("err", contains: "CI")
  }

  /// JSON-RPC, SOAP and others have one path, and browsers send `Origin` with each POST.
  func testARequestToTheRootAndAPagesOwnOriginReachTheBackend() async throws {
    let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../..").standardizedFileURL
    let program = root.appendingPathComponent("Tests/Stubs/StubRecordingTests/Support/OddBackend.py").path
    _ = try launch(try Tool.python().executable, Tool.pythonArguments + [program])
    let backend = "http://127.0.0.1:\(try line(in: "out", after: ""))"
    let recorder = try tracking([
      "record", backend, path("rpc"), "--json", "--allow-origin", "http://localhost:3000",
    ])
    defer { end(recorder) }
    let url = try XCTUnwrap(started().url)
    func call(_ method: String, origin: String) async throws -> String {
      var request = URLRequest(url: try XCTUnwrap(URL(string: url)))
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"jsonrpc":"2.0","method":"\#(method)"}"#.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.setValue(origin, forHTTPHeaderField: "Origin")
      let (data, response) = try await URLSession.shared.data(for: request)
      return "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))"
    }
    let own = try await call("list", origin: url)
    XCTAssertEqual(own, #"200 {"method": "list", "path": "/"}"#)
    let allowed = try await call("next", origin: "http://localhost:3000")
    XCTAssertEqual(allowed, #"200 {"method": "next", "path": "/"}"#)
    let foreign = try await call("more", origin: "https://shop.example")
    XCTAssertTrue(foreign.hasPrefix("403 "), foreign)
    XCTAssertEqual(
      try line(in: "out", after: #"{"isMatched":true,"kind":"request","method":"POST","number":3,"#),
      #""problem":"the origin \"https://shop.example\" isn't allowed; allow it with --allow-origin","status":403,"target":"/"}"#
    )
    XCTAssertEqual(stop(recorder), 0)
    XCTAssertTrue(FileManager.default.fileExists(atPath: path("rpc/recording.json")))
  }

  func testARecordingOfNothingWritesNothing() throws {
    let recorder = try tracking(["record", "http://127.0.0.1:1", path("checkout")])
    defer { end(recorder) }
    _ = try line(in: "err", after: "Ctrl-C ends it.")
    XCTAssertEqual(stop(recorder), 0)
    XCTAssertFalse(FileManager.default.fileExists(atPath: path("checkout")))
  }

  func testBadInputIsStatusTwoWithItsReason() throws {
    XCTAssertEqual(try run("record", "nowhere", path("checkout")), 2)
    XCTAssertEqual(
      try text("err"),
      "tracking record: nowhere isn't the URL of a backend: write scheme, host and port, as http://localhost:8080\n")
    XCTAssertEqual(try run("record", "http://localhost:", path("checkout")), 2)
    XCTAssertEqual(try run("record", "http://127.0.0.1:1", path("checkout"), environment: ["CI": "true"]), 2)
    try assert("err", contains: "CI is set")
    XCTAssertEqual(try run("replay", path("none")), 2)
    try assert("err", contains: "none isn't a recording: it has no recording.json; `tracking record URL ")
    try write("", to: "file")
    XCTAssertEqual(try run("record", "http://127.0.0.1:1", path("file")), 2)
    try assert("err", contains: "file is a file; name a folder")
  }
}
