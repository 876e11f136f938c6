import Dispatch
import TestSupport

@testable import TrackingServer

/// Pages that work and wait, and clients that leave meanwhile.
final class PageServingTests: ServerTestCase {
  /// A page that works, waits, and works and waits again; the test lets each work continue.
  private final class Page: HostedPage {
    private let started = DispatchSemaphore(value: 0)
    private let mayContinue = DispatchSemaphore(value: 0)
    let wake = Locked<(@Sendable () -> Void)?>(nil)
    let ended = Locked(0)
    let abandoned = Locked(0)
    /// Whether the next work makes the response.
    let isOver = Locked(false)

    func respond(to request: ReceivedRequest) -> PageOutcome { .work { [self] in outcome() } }

    private func outcome() -> PageOutcome {
      started.signal()
      XCTAssertEqual(mayContinue.wait(timeout: .now() + RawClient.patience), .success)
      guard !isOver.withLock({ $0 }) else { return .response(HTTPResponse(status: 200, content: [])) }
      return .wait(.seconds(3_600)) { [self] wake in
        self.wake.withLock { $0 = wake }
        return { [self] in ended.withLock { $0 += 1 } }
      } then: { [self] in
        outcome()
      } abandon: { [self] in
        abandoned.withLock { $0 += 1 }
      }
    }

    func waitForWork() { XCTAssertEqual(started.wait(timeout: .now() + RawClient.patience), .success) }

    func finishWork() { mayContinue.signal() }

    /// Ends the current wait.
    func wakeUp() { wake.withLock { exchange(&$0, with: nil) }?() }
  }

  private let page = Page()
  private let request = RawClient.get("/-tracking/")

  /// Runs `body` with a server of the page, and a client for which the page works.
  private func withWork(
    _ configuration: TrackingServer.Configuration = .init(), _ body: (TrackingServer, RawClient) throws -> Void
  ) throws {
    try withServer(configuration) { server in
      server.page.withLock { $0 = page }
      let client = try RawClient(server)
      try client.send(request)
      page.waitForWork()
      try body(server, client)
    }
  }

  private func waitUntilThePageWaits() {
    eventually("a wait") { page.wake.withLock { $0 != nil } }
  }

  func testAClientThatLeavesDuringThePagesFirstWorkAbandonsTheWait() throws {
    try withWork { server, client in
      client.reset()
      try settle(server)
      XCTAssertEqual(page.abandoned.withLock { $0 }, 0)
      page.finishWork()
      eventually("abandoned") { page.abandoned.withLock { $0 } == 1 }
      XCTAssertEqual(page.ended.withLock { $0 }, 0)
    }
  }

  func testAClientThatLeavesDuringTheWorkAfterAWaitAbandonsTheNextWait() throws {
    try withWork { server, client in
      page.finishWork()
      waitUntilThePageWaits()
      page.wakeUp()
      page.waitForWork()
      XCTAssertEqual(page.ended.withLock { $0 }, 1)
      client.reset()
      try settle(server)
      page.finishWork()
      eventually("abandoned") { page.abandoned.withLock { $0 } == 1 }
      XCTAssertEqual(page.ended.withLock { $0 }, 1)
    }
  }

  func testAClientThatLeavesDuringAWaitEndsAndAbandonsIt() throws {
    try withWork { server, client in
      page.finishWork()
      waitUntilThePageWaits()
      client.reset()
      eventually("abandoned") { page.abandoned.withLock { $0 } == 1 }
      XCTAssertEqual(page.ended.withLock { $0 }, 1)
    }
  }

  func testAWaitWhoseWorkFindsNoThreadIsAbandoned() throws {
    var limits = TrackingServer.Limits()
    limits.workers = 1
    try withWork(.init(limits: limits)) { server, client in
      page.finishWork()
      waitUntilThePageWaits()
      var other = try RawClient(server)
      // The thread may still be ending its first work.
      eventually("the thread is taken") {
        guard (try? other.send(request)) != nil, (try? settle(server)) != nil, !other.hearsNothing else { return true }
        other = (try? RawClient(server)) ?? other
        return false
      }
      page.waitForWork()
      page.wakeUp()
      XCTAssertEqual(try client.response().status, 503)
      XCTAssertEqual(page.abandoned.withLock { $0 }, 1)
      page.finishWork()
    }
  }

  func testAWaitThatLeadsToAResponseIsNotAbandoned() throws {
    try withWork { server, client in
      page.finishWork()
      waitUntilThePageWaits()
      page.isOver.withLock { $0 = true }
      page.wakeUp()
      page.waitForWork()
      page.finishWork()
      XCTAssertEqual(try client.response().status, 200)
      client.close()
      try settle(server)
    }
    XCTAssertEqual(page.ended.withLock { $0 }, 1)
    XCTAssertEqual(page.abandoned.withLock { $0 }, 0)
  }
}
