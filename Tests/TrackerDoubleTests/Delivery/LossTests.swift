import TestSupport

@testable import TrackerDouble
@testable import TrackingSockets

final class LossTests: DoubleTestCase {
  func testEventsThatDoNotFitTheQueueLeaveAGapInTheNumbers() throws {
    let gate = Gate()
    let peer = try peer(respond: { request in
      if request.number == 1 { gate.pass() }
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer) { $0.queueLimit = 5 }
    tracker.track(1...1)
    peer.requests.wait { $0.count == 1 }
    tracker.track(2...8)
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 8, delivered: 0, failed: 3))
    gate.open()
    XCTAssertFalse(tracker.flush(timeout: long))
    failures.wait { $0.count == 1 }
    tracker.track(9...10)
    XCTAssertFalse(tracker.flush(timeout: long), "what was lost stays lost")

    let numbers = peer.requests.all.flatMap { $0.numbered.map(\.number) }
    XCTAssertEqual(numbers, [1, 2, 3, 4, 5, 9, 10])
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 10, delivered: 7, failed: 3))
    XCTAssertEqual(
      failures.all.map(\.description),
      [
        "3 tracked events were not delivered (\"event 6\", \"event 7\", \"event 8\"): the queue of 5 events was full"
      ])
  }

  func testAnArrayHoldsConsecutiveNumbersOnly() throws {
    let gates = [Gate(), Gate()]
    let peer = try peer(respond: { request in
      if request.number <= 2 { gates[request.number - 1].pass() }
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer) {
      $0.queueLimit = 4
      $0.batchLimit = 2
    }
    // While 1 is in flight, 2, 3 and 4 wait and 5 is lost. While 2 and 3 are in flight, 6 fits behind the hole and 7 is lost.
    tracker.track(1...1)
    peer.requests.wait { $0.count == 1 }
    tracker.track(2...5)
    gates[0].open()
    peer.requests.wait { $0.count == 2 }
    tracker.track(6...7)
    gates[1].open()
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.sequence), [1, 2, 4, 6])
    for request in peer.requests.all {
      XCTAssertEqual(request.numbered.map { "event \($0.number)" }, request.numbered.map(\.name))
    }
    XCTAssertEqual(peer.recorded, names(1...4) + names(6...6))
  }

  func testAFloodOfLossesIsReportedTogether() throws {
    let tracker = tracker(for: endpoint(port: try freePort())) {
      $0.queueLimit = 10
      $0.deadline = 0.2
    }
    tracker.track(1...20_000)
    XCTAssertFalse(tracker.flush(timeout: long))
    failures.wait { $0.map(\.count).reduce(0, +) == 20_000 }
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 20_000, delivered: 0, failed: 20_000))
    XCTAssertLessThan(lines.all.count, 100)
    XCTAssertLessThanOrEqual(failures.all.map(\.events.count).max() ?? 0, 100, "memory stays bounded")
  }

  func testAQueueWithoutRoomLosesEveryEvent() throws {
    let tracker = tracker(for: endpoint(port: try freePort())) { $0.queueLimit = 0 }
    tracker.track(1...3)
    XCTAssertFalse(tracker.flush(timeout: long))
    failures.wait { $0.map(\.count).reduce(0, +) == 3 }
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 3, delivered: 0, failed: 3))
  }

  func testAtTheDeadlineEventsFailTogetherWithTheLastReason() throws {
    let port = try freePort()
    let tracker = tracker(for: endpoint(port: port)) { $0.deadline = 0.3 }
    tracker.track(1...300)
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 300, delivered: 0, failed: 300))
    XCTAssertEqual(failures.all.flatMap { $0.events.map(\.name) }, names(1...300))
    XCTAssertLessThan(failures.all.count, 150, "not one by one")
    for failure in failures.all {
      XCTAssertEqual(
        failure.reason,
        "gave up at the deadline of 0.3 seconds: connect on \(SocketAddress(.preferred, port: port)) failed: Connection refused (errno \(ECONNREFUSED))"
      )
    }
    // Later events are delivered as if none had failed.
    let peer = try peer(port: port)
    tracker.track(301...302)
    _ = tracker.flush(timeout: long)
    XCTAssertEqual(peer.recorded, names(301...302))
  }

  func testAPeerThatNeverRespondsIsGivenUpAtTheDeadline() throws {
    let gate = Gate()
    let peer = try peer(respond: { _ in
      gate.pass()
      return .close
    })
    let tracker = tracker(for: peer) { $0.deadline = 0.1 }
    tracker.track(1...1)
    XCTAssertFalse(tracker.flush(timeout: long))
    gate.open()
    XCTAssertEqual(failures.all.map(\.reason), ["gave up at the deadline of 0.1 seconds: no response arrived in time"])
  }

  func testTheCallbackMayUseTheDouble() throws {
    let holder = Recorder<TrackerDouble>()
    let seen = Recorder<String>()
    let peer = try peer(respond: { request in
      .response(request.events[0].name.hasPrefix("event") ? Responses.status("404 Not Found") : Responses.noContent)
    })
    let double = tracker(for: peer) {
      $0.onFailure = { failure in
        guard let tracker = holder.all.first else { return }
        let counts = tracker.delivery
        let isFlushed = tracker.flush(timeout: 3_600)
        tracker.trackEvent(TrackingEvent(name: "lost \(failure.events[0].name)", params: [:]))
        seen.append("\(counts.failed) failed, flushed: \(isFlushed)")
      }
    }
    holder.append(double)
    double.track(1...1)
    seen.wait { $0 == ["1 failed, flushed: false"] }
    _ = double.flush(timeout: long)
    XCTAssertEqual(peer.recorded, ["lost event 1"])
  }

  func testANameCannotBreakTheLineOfAFailure() {
    let failure = DeliveryFailure(
      events: [TrackingEvent(name: "a\r\n\u{2028}::error::b")], count: 1, reason: "the deadline")
    XCTAssertEqual("\(failure)", #"1 tracked event was not delivered ("a\r\n\u{2028}::error::b"): the deadline"#)
  }
}
