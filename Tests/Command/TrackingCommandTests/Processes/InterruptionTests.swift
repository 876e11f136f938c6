import TestSupport
import TestAppLauncher

/// Ctrl-C, SIGTERM and a closed terminal: the first ends a command in order, a second one at once.
final class InterruptionTests: ToolTestCase {
  /// Starts `serve --save` and waits until it serves.
  private func server(saving name: String) throws -> (process: Process, url: String) {
    let process = try tracking(["serve", "--json", "--save", path(name)])
    return (process, try XCTUnwrap(started().environment?["TRACKING_URL"]))
  }

  private func isServed(_ url: String) async -> Bool {
    await (try? get(url.replacing("[::1]", with: "localhost"))) != nil
  }

  func testEachSignalEndsInOrderAndSavesTheSession() async throws {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let (process, url) = try server(saving: "session.json")
      let status = try await post(#"{"name":"tapped"}"#, to: url)
      XCTAssertEqual(status, 204)
      kill(process.processIdentifier, number)
      finish(process)
      XCTAssertEqual(process.terminationReason, .exit)
      XCTAssertEqual(process.terminationStatus, 0)
      XCTAssertTrue(try text("session.json").contains(#""name":"tapped""#))
      try FileManager.default.removeItem(atPath: path("session.json"))
    }
  }

  func testASecondSignalEndsServeWhileItSaves() async throws {
    // Opening a pipe without a reader takes until there is one.
    XCTAssertEqual(mkfifo(path("session.json"), 0o600), 0)
    for second in [SIGINT, SIGTERM] {
      let (process, url) = try server(saving: "session.json")
      kill(process.processIdentifier, SIGINT)
      while await isServed(url) {}
      XCTAssertTrue(process.isRunning)
      kill(process.processIdentifier, second)
      finish(process)
      // A shell reports it as 130 or 143.
      XCTAssertEqual(process.terminationReason, .uncaughtSignal)
      XCTAssertEqual(process.terminationStatus, second)
    }
  }

  func testTwoSignalsAtOnceEndReplay() async throws {
    try await recordBooks()
    let replay = try tracking(["replay", path("checkout"), "--json"])
    _ = try started()
    kill(replay.processIdentifier, SIGINT)
    kill(replay.processIdentifier, SIGINT)
    finish(replay)
    // Nothing is written, so the first may have ended it before the second arrived.
    XCTAssertTrue([0, SIGINT].contains(replay.terminationStatus), "\(replay.terminationStatus)")
  }

  func testWhatNohupStartsOutlivesItsTerminal() async throws {
    let command = TestApp("tracking").executable.path
    let process = try launch(
      try Self.program("sh"), ["-c", "trap '' HUP; exec \"\(command)\" serve --json"])
    let url = try XCTUnwrap(started().environment?["TRACKING_URL"])
    kill(process.processIdentifier, SIGHUP)
    let status = try await post(#"{"name":"tapped"}"#, to: url)
    XCTAssertEqual(status, 204)
    _ = try line(in: "out", after: #"{"findings":[],"kind":"event","#)
    XCTAssertEqual(stop(process), 0)
  }

  /// Starts `serve --save` with a pipe as its standard output.
  private func server(writingTo pipe: Pipe) throws -> (process: Process, url: String) {
    let process = try tracking(["serve", "--json", "--save", path("session.json")], output: pipe.fileHandleForWriting)
    try pipe.fileHandleForWriting.close()
    var line = Data()
    while line.last != 0x0A { line += try XCTUnwrap(pipe.fileHandleForReading.read(upToCount: 1)) }
    let started = try JSONDecoder().decode(Started.self, from: line)
    return (process, try XCTUnwrap(started.environment?["TRACKING_URL"]))
  }

  func testAReaderThatHasSeenEnoughEndsTheServerAndTheSessionIsSaved() async throws {
    let pipe = Pipe()
    let (process, url) = try server(writingTo: pipe)
    try pipe.fileHandleForReading.close()
    let status = try await post(#"{"name":"tapped"}"#, to: url)
    XCTAssertEqual(status, 204)
    finish(process)
    XCTAssertEqual(process.terminationReason, .exit)
    XCTAssertEqual(process.terminationStatus, 0)
    XCTAssertTrue(try text("session.json").contains(#""name":"tapped""#))
    let error = try text("err")
    XCTAssertTrue(error.hasSuffix("tracking serve: ended, because nothing reads standard output any longer\n"), error)
  }

  func testAReaderThatReadsNothingDoesNotKeepTheServerFromEnding() async throws {
    let pipe = Pipe()
    let (process, url) = try server(writingTo: pipe)
    // More than any system's pipe holds.
    let events = (0..<3_000).map {
      #"{"name":"tapped","params":{"index":\#($0),"text":"\#(String(repeating: "x", count: 40))"}}"#
    }
    let status = try await post("[\(events.joined(separator: ","))]", to: url)
    XCTAssertEqual(status, 204)
    XCTAssertEqual(stop(process), 0)
    XCTAssertTrue(try text("session.json").contains(#""index":2999"#))
  }
}
