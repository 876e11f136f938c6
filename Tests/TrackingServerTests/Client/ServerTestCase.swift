import TestSupport

@testable import TrackingServer

/// The base class of tests of a running server.
class ServerTestCase: XCTestCase {
  /// Runs `body` with a started server, and stops the server behind it.
  func withServer(
    _ configuration: TrackingServer.Configuration = .init(), _ body: (TrackingServer) throws -> Void
  ) throws {
    let server = TrackingServer(configuration: configuration)
    try server.start()
    defer { server.stop() }
    try body(server)
  }

  /// Opens a connection that the server doesn't serve; returns the state in which the server leaves it.
  func endOfNewConnection(_ server: TrackingServer) throws -> RawClient.End {
    do {
      return try RawClient(server).readToEnd().end
    } catch RawClient.Failure.cannotConnect(ECONNRESET) {
      return .reset
    }
  }

  /// Waits until the server has looked at whatever was sent to it before.
  func settle(_ server: TrackingServer) throws {
    // The server's thread looks at all connections in each turn, so two exchanges of another one leave a whole turn between them.
    let other = try RawClient(server)
    for _ in 0..<2 { XCTAssertEqual(try other.post("[]").status, 204) }
  }

  /// Waits until a condition holds that isn't signalled: a count of the system, or an action of another thread.
  func eventually(
    _ what: @autoclosure () -> String, file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool
  ) {
    let deadline = RawClient.deadline
    while !condition() {
      guard ContinuousClock.now < deadline else { return XCTFail("never: \(what())", file: file, line: line) }
      poll(nil, 0, 1)
    }
  }

  /// Runs `body` and makes sure that the process has no more descriptors and threads afterwards.
  func leavingNothingBehind(file: StaticString = #filePath, line: UInt = #line, _ body: () throws -> Void) rethrows {
    let before = ProcessCounts.now
    try body()
    before.waitUntilRestored(file: file, line: line)
  }

  /// Runs `body` on several threads at once, each with its index, and returns when all have ended.
  func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
    let threads = try (0..<count).map { index in
      try JoinableThread(name: "test \(index)", stackSize: 1 << 20) {
        do { try body(index) } catch { XCTFail("\(error)") }
      }
    }
    for thread in threads { thread.join() }
  }
}
