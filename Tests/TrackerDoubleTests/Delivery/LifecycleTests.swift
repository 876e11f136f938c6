import TestSupport

@testable import TrackerDouble
@testable import TrackingSockets

final class LifecycleTests: DoubleTestCase {
  /// The delivery threads of doubles that other tests of this process still hold.
  private var otherThreads: Set<String> = []

  override func setUpWithError() throws {
    try super.setUpWithError()
    otherThreads = try deliveryThreads()
  }

  func testAReleasedDoubleStillDeliversItsEvents() throws {
    let gate = Gate()
    let peer = try peer(respond: { request in
      if request.number == 1 { gate.pass() }
      return .response(request.number == 2 ? Responses.status("500 Not Yet") : Responses.noContent)
    })
    weak var given: TrackerDouble?
    do {
      let tracker = tracker(for: peer)
      given = tracker
      tracker.track(1...250)
    }
    XCTAssertNil(given, "its thread does not hold it")
    gate.open()
    peer.requests.wait { $0.contains { $0.sequence + $0.events.count == 251 } }
    waitForThreads(toBe: 0)
    XCTAssertEqual(peer.recorded, names(1...250))
  }

  func testAReleasedDoubleWithoutAServerEndsAtTheDeadline() throws {
    do {
      let tracker = tracker(for: endpoint(port: try freePort())) { $0.deadline = 0.05 }
      tracker.track(1...3)
    }
    failures.wait { $0.map(\.count).reduce(0, +) == 3 }
    waitForThreads(toBe: 0)
  }

  func testTheCallbackMayHoldTheLastReference() throws {
    let holder = Locked<TrackerDouble?>(nil)
    let peer = try peer(respond: { _ in .response(Responses.status("404 Not Found")) })
    holder.withLock { held in
      held = tracker(for: peer) {
        $0.onFailure = { [failures] failure in
          let last = holder.withLock { held in
            defer { held = nil }
            return held
          }
          XCTAssertNotNil(last)
          failures.append(failure)
        }
      }
      held?.track(1...1)
    }
    failures.wait { $0.count == 1 }
    waitForThreads(toBe: 0)
  }

  func testADoubleThatTracksNothingHasNoThread() throws {
    let tracker = tracker(for: endpoint(port: try freePort()))
    XCTAssertEqual(try? threads(), 0)
    XCTAssertEqual(tracker.delivery, DeliveryCounts())
  }

  func testDoublesLeaveNoThreadAndNoDescriptorBehind() throws {
    let peer = try peer()
    let before = ProcessCounts.openDescriptors
    for _ in 1...200 {
      let tracker = tracker(for: peer)
      tracker.track(1...2)
      XCTAssertTrue(tracker.flush(timeout: long))
    }
    waitForThreads(toBe: 0)
    // The peer has a descriptor for each connection until it has seen its end.
    wait("descriptors") { ProcessCounts.openDescriptors <= before }
    XCTAssertEqual(peer.requests.all.map(\.events.count).reduce(0, +), 400)
  }

  func testReleasedIdleDoublesEndAtOnce() throws {
    let peer = try peer()
    var trackers = (1...20).map { _ in tracker(for: peer) }
    for tracker in trackers {
      tracker.track(1...1)
      XCTAssertTrue(tracker.flush(timeout: long))
    }
    if FileManager.default.fileExists(atPath: threadDirectory) {
      XCTAssertEqual(try threads(), 20)
    }
    trackers = []
    waitForThreads(toBe: 0)
  }

  // MARK: - Details

  /// The directory in which Linux lists the threads of a process.
  private let threadDirectory = "/proc/self/task"

  /// The number of delivery threads of this test; 0 if the system doesn't list threads.
  private func threads() throws -> Int {
    try deliveryThreads().subtracting(otherThreads).count
  }

  private func deliveryThreads() throws -> Set<String> {
    guard FileManager.default.fileExists(atPath: threadDirectory) else { return [] }
    let threads = try FileManager.default.contentsOfDirectory(atPath: threadDirectory).filter {
      (try? String(contentsOfFile: "\(threadDirectory)/\($0)/comm", encoding: .utf8)) == "TrackerDouble\n"
    }
    return Set(threads)
  }

  private func waitForThreads(toBe count: Int, line: UInt = #line) {
    wait("threads", line: line) { try threads() == count }
  }

  /// Polls, because nothing reports the end of a thread or a descriptor.
  private func wait(_ what: String, line: UInt = #line, until isTrue: () throws -> Bool) {
    let end = ContinuousClock.now + .seconds(30)
    while (try? isTrue()) != true {
      guard ContinuousClock.now < end else { return XCTFail("\(what) never came back", line: line) }
      sched_yield()
    }
  }
}
