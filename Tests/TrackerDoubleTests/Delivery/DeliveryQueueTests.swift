import TestSupport
@testable import TrackerDouble

final class DeliveryQueueTests: XCTestCase {
  private let event = TrackingEvent(name: "event", params: [:])

  func testAClosedQueueStillHasWork() {
    let queue = DeliveryQueue(limit: 1)
    XCTAssertTrue(queue.append(event), "the first")
    XCTAssertFalse(queue.append(event))
    queue.close()
    XCTAssertTrue(queue.waitForWork())
    XCTAssertEqual(queue.takeIncoming().map(\.number), [1])
    XCTAssertTrue(queue.waitForWork(), "the loss is to be reported")
    XCTAssertEqual(queue.takeLosses().count, 1)
    XCTAssertFalse(queue.waitForWork())
  }

  func testAPauseInThePastDoesNotSleep() {
    let queue = DeliveryQueue(limit: 1)
    let awake = Recorder<Void>()
    let thread = Thread {
      queue.pause(until: .now - .seconds(1))
      queue.pause(until: .now)
      awake.append(())
    }
    thread.start()
    awake.wait { $0.count == 1 }
  }

  func testTrackingDoesNotEndAPause() {
    let queue = DeliveryQueue(limit: 10)
    let end = ContinuousClock.now + .milliseconds(20)
    let thread = Thread { [event] in
      for _ in 1...10 { _ = queue.append(event) }
    }
    thread.start()
    queue.pause(until: end)
    XCTAssertGreaterThanOrEqual(ContinuousClock.now, end)
  }

  func testAFlushWaitsOnlyForEventsTrackedBeforeIt() {
    // Nothing tells when the flush has begun, and one that begins after the second event must wait for it too. So one
    // success in many attempts is enough; a flush that waits for all events never succeeds.
    let succeeds = (1...100).contains { attempt in
      let queue = DeliveryQueue(limit: 2)
      _ = queue.append(event)
      let (isRunning, seconds) = (Gate(), Recorder<Duration>())
      let thread = Thread {
        isRunning.open()
        seconds.append(ContinuousClock().measure { _ = queue.flush(timeout: 0.5) })
      }
      thread.start()
      isRunning.pass()
      for _ in 0..<(attempt * 100) { sched_yield() }
      _ = queue.append(event)
      queue.release(through: 1)
      return seconds.wait { $0.count == 1 }[0] < .seconds(0.4)
    }
    XCTAssertTrue(succeeds)
  }

  func testCountsAddUpThroughEveryStep() {
    let queue = DeliveryQueue(limit: 3)
    for _ in 1...5 { _ = queue.append(event) }
    XCTAssertEqual(queue.counts.description, "5 tracked: 0 delivered, 3 pending, 2 failed")
    let taken = queue.takeIncoming()
    queue.settleDelivered(taken[..<1])
    XCTAssertEqual(queue.counts.description, "5 tracked: 1 delivered, 2 pending, 2 failed")
    queue.countFailed(taken[1...])
    XCTAssertEqual(queue.counts.description, "5 tracked: 1 delivered, 0 pending, 4 failed")
    XCTAssertFalse(queue.flush(timeout: 0), "counted but not yet reported")
    queue.release(through: 3)
    XCTAssertFalse(queue.flush(timeout: 1), "not delivered")
  }
}
