import TrackerDouble
import TestSupport
import TrackingSockets

@testable import TrackingVerifier

/// A verifier releases all the resources that it takes from the test process.
final class ResourceTests: XCTestCase {
  func testLifeCyclesRetainNoObject() throws {
    let remains = cycle(count: 100)
    // The double's thread lets go of what it holds when it ends, and a server's thread has signalled its end before that.
    let deadline = ContinuousClock.now + .seconds(30)
    while remains.contains(where: { $0.object != nil }), ContinuousClock.now < deadline {
      sched_yield()
    }
    XCTAssertEqual(remains.compactMap { $0.object.map { "\(type(of: $0))" } }, [])
  }

  func testStubsFaultsAndClosuresThatArePendingLeaveNothingBehind() throws {
    try cycleOfBackends(count: 5)
    let before = ProcessCounts.now
    try cycleOfBackends(count: 25)
    before.waitUntilRestored()
    XCTAssertEqual(Held.count.withLock { $0 }, 0)
  }

  /// Each stops with a response delayed, a body dribbled, a request stalled and a closure at work.
  private func cycleOfBackends(count: Int) throws {
    for _ in 0..<count {
      let reporter = RecordingReporter()
      let verifier = TrackingVerifier(with: XCTestCase.idle(), configuration: .init(reporter: reporter))
      verifier.start()
      let held = Held()
      let (isAtWork, isStopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      verifier.stub(.get, "/closure") { [held] _ in
        isAtWork.signal()
        isStopped.wait()
        return .text("\(held)")
      }
      verifier.stub(.get, "/delayed", .ok.delayed(by: 600))
      verifier.stub(.get, "/dribbled", .text("Walden").dribbled(over: 600))
      verifier.stub(.get, "/stalled", .fault(HTTPFault(.stall, at: .response)))
      verifier.inject(HTTPFault(.close, at: .accept), times: 1_000)
      verifier.removeFaults()
      verifier.inject(HTTPFault(.close, at: .afterResponse), times: 1_000)
      _ = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/a", .text(String(repeating: "a", count: 50_000)))])
      let clients = try ["/closure", "/delayed", "/dribbled", "/stalled"].map {
        try BareClient(requesting: $0, of: verifier.baseURL)
      }
      verifier.wait(for: .request(.get, "/*"), count: .atLeast(3), timeout: 30)
      isAtWork.wait()
      verifier.stop()
      isStopped.signal()
      withExtendedLifetime(clients) {}
      XCTAssertEqual(reporter.messages, [])
    }
    // A closure that was running when the verifier stopped continues on a queue of the system.
    let deadline = ContinuousClock.now + .seconds(30)
    while Held.count.withLock({ $0 }) > 0, ContinuousClock.now < deadline { sched_yield() }
  }

  @discardableResult
  private func cycle(count: Int) -> [Remains] {
    (0..<count).flatMap { _ in
      let testCase = XCTestCase.idle()
      let verifier = TrackingVerifier(with: testCase)
      verifier.start()
      let tracker = TrackerDouble(endpoint: verifier.endpoint)
      let expectation = verifier.expectation(for: .named("button_tapped"), count: 1)
      tracker.trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
      return [testCase, verifier, verifier.server, verifier.journal, verifier.ledger, tracker, expectation].map(
        Remains.init)
    }
  }
}

/// An object that may be gone.
private struct Remains {
  weak var object: AnyObject?

  init(_ object: AnyObject) {
    self.object = object
  }
}

/// Something that a stub's closure holds, counted while it lives.
private final class Held: Sendable {
  static let count = Locked(0)

  init() {
    Self.count.withLock { $0 += 1 }
  }

  deinit {
    Self.count.withLock { $0 -= 1 }
  }
}

/// A socket that sends a request and does not read.
private final class BareClient {
  private let socket: Socket

  init(requesting target: String, of baseURL: URL) throws {
    let port = try XCTUnwrap(baseURL.port.flatMap(UInt16.init(exactly:)))
    socket = try Socket.connecting(to: SocketAddress(.ipv4, port: port))
    let deadline = ContinuousClock.now + .seconds(30)
    XCTAssertTrue(socket.wait(for: Int32(POLLOUT), until: deadline))
    let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    _ = request.withUnsafeBytes { socket.send($0) }
  }

  deinit {
    socket.close()
  }
}
