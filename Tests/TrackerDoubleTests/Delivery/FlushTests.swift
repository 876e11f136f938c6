import TestSupport

@testable import TrackerDouble

final class FlushTests: DoubleTestCase {
  func testAFlushWithoutEventsReturnsAtOnce() throws {
    let tracker = tracker(for: endpoint(port: try freePort()))
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertTrue(tracker.flush(timeout: 0))
  }

  func testAFlushIsFalseAtTheTimeoutAndTrueOnceAllAreAcknowledged() throws {
    let gate = Gate()
    let peer = try peer(respond: { _ in
      gate.pass()
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...3)
    for timeout in [0, -1, .nan, -.infinity, 0.01] {
      XCTAssertFalse(tracker.flush(timeout: timeout), "\(timeout)")
    }
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 3, delivered: 0, failed: 0))
    gate.open()
    XCTAssertTrue(tracker.flush(timeout: .infinity))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 3, delivered: 3, failed: 0))
  }

  func testAFlushReturnsWhenNothingIsPending() throws {
    let peer = try peer(respond: { _ in .response(Responses.status("404 Not Found")) })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    let begin = ContinuousClock.now
    XCTAssertFalse(tracker.flush(timeout: 60))
    XCTAssertLessThan(ContinuousClock.now - begin, .seconds(50))
    XCTAssertEqual(failures.all.count, 1, "who flushed has been told")
  }

  func testEarlierFailuresKeepAFlushFalse() throws {
    let peer = try peer(respond: { .response($0.number == 1 ? Responses.status("404 Not Found") : Responses.noContent) }
    )
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    XCTAssertFalse(tracker.flush(timeout: long))
    tracker.track(2...2)
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 2, delivered: 1, failed: 1))
  }

  func testManyThreadsMayFlushAtOnce() throws {
    let gate = Gate()
    let peer = try peer(respond: { _ in
      gate.pass()
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...200)
    let flushed = Recorder<Bool>()
    for _ in 1...8 {
      let thread = Thread { [long] in flushed.append(tracker.flush(timeout: long)) }
      thread.start()
    }
    gate.open()
    flushed.wait { $0.count == 8 }
    XCTAssertEqual(Set(flushed.all), [true])
  }

  func testAFlushCutsThePauseBetweenTwoAttemptsShort() throws {
    // After many failures the pause is half a second; a flush tries at once, so 200 of them take no 100 seconds.
    let responses = Locked200()
    let peer = try peer(respond: { _ in .response(responses.next()) })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    let begin = ContinuousClock.now
    while !tracker.flush(timeout: 0.001) {}
    XCTAssertLessThan(ContinuousClock.now - begin, .seconds(50))
    XCTAssertEqual(peer.requests.all.count, 200)
  }
}

/// 199 times an error, then success.
private final class Locked200: Sendable {
  private let recorder = Recorder<Void>()

  func next() -> String {
    recorder.append(())
    return recorder.all.count < 200 ? Responses.status("500 Not Yet") : Responses.noContent
  }
}
