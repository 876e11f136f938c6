import TestSupport

/// The file of `tracking serve --write-env`, which belongs to one running server.
final class WriteEnvTests: ToolTestCase {
  /// Starts a server with the file `serve.env`, and returns it with its URL once the file is written.
  private func serve() throws -> (process: Process, url: String) {
    let process = try tracking(["serve", "--json", "--write-env", path("serve.env")])
    return (process, try XCTUnwrap(started().environment?["TRACKING_URL"]))
  }

  private var isThere: Bool { FileManager.default.fileExists(atPath: path("serve.env")) }

  private func end(_ process: Process, by signal: Int32) {
    kill(process.processIdentifier, signal)
    finish(process)
  }

  func testTheFileOfARunningServerIsRefused() throws {
    let first = try serve()
    let written = try text("serve.env")
    let (status, out, error) = try result("serve", "--write-env", path("serve.env"))
    XCTAssertEqual(status, 2)
    XCTAssertEqual(out, "")
    XCTAssertEqual(
      error,
      """
      tracking serve: --write-env serve.env: the running `tracking serve` at \
      \(first.url.replacing("[::1]", with: "localhost")) has written it; end that one, or name another file

      """)
    XCTAssertEqual(try text("serve.env"), written)
    XCTAssertEqual(stop(first.process), 0)
    XCTAssertFalse(isThere)
  }

  func testAServerRemovesItsFileHoweverItIsToldToEnd() throws {
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      let server = try serve()
      XCTAssertTrue(isThere)
      end(server.process, by: signal)
      XCTAssertFalse(isThere, "signal \(signal)")
    }
  }

  func testTheNextServerTakesTheFileOfOneThatWasKilled() throws {
    let killed = try serve()
    let left = try text("serve.env")
    end(killed.process, by: SIGKILL)
    XCTAssertEqual(try text("serve.env"), left)
    let next = try serve()
    XCTAssertTrue(try text("serve.env").contains("export TRACKING_URL='\(next.url)'\n"))
    // It is the file of a running server again.
    XCTAssertEqual(try run("serve", "--write-env", path("serve.env")), 2)
    XCTAssertTrue(try text("serve.env").contains("export TRACKING_URL='\(next.url)'\n"))
    end(next.process, by: SIGTERM)
    XCTAssertFalse(isThere)
  }

  func testAServerLeavesTheFileThatHasTakenThePlaceOfItsOwn() throws {
    // As the articles' script does, which waits for its server's file.
    let first = try serve()
    try FileManager.default.removeItem(atPath: path("serve.env"))
    let second = try serve()
    end(first.process, by: SIGTERM)
    XCTAssertTrue(try text("serve.env").contains("export TRACKING_URL='\(second.url)'\n"))
    try FileManager.default.removeItem(atPath: path("serve.env"))
    try write("alias a=b", to: "serve.env")
    end(second.process, by: SIGINT)
    XCTAssertEqual(try text("serve.env"), "alias a=b")
  }

  func testOfServersThatStartAtOnceOneHasTheFile() throws {
    end(try serve().process, by: SIGKILL)
    let servers = try (0..<4).map { _ in try tracking(["serve", "--write-env", path("serve.env")]) }
    try wait(for: "the end of three of four servers") { servers.count(where: \.isRunning) == 1 }
    let running = try XCTUnwrap(servers.first(where: \.isRunning))
    XCTAssertEqual(servers.filter { $0 !== running }.map(\.terminationStatus), [2, 2, 2])
    try wait(for: "the file of the fourth") { isThere }
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(), ["err", "out", "serve.env"])
    XCTAssertEqual(stop(running), 0)
    XCTAssertFalse(isThere)
  }

  func testAPlaceThatIsNoFileIsRefused() throws {
    XCTAssertEqual(mkfifo(path("pipe"), 0o600), 0)
    XCTAssertEqual(mkdir(path("folder"), 0o700), 0)
    for (name, reason) in [
      ("pipe", "there is another file, which `tracking serve` hasn't written"), ("folder", "Is a directory"),
    ] {
      let (status, _, error) = try result("serve", "--write-env", path(name))
      XCTAssertEqual(status, 2)
      XCTAssertEqual(error, "tracking serve: --write-env \(name): \(reason)\n")
    }
  }
}
