import TrackerDouble
import TrackingModel
import XCTest

@testable import TrackingVerifier

/// What a verifier takes from the test process, it gives back.
final class ResourceTests: XCTestCase {
  func testAThousandStartsAndStopsLeaveNoDescriptorAndNoThread() throws {
    cycle(count: 10)
    let before = try Resources.now()
    cycle(count: 1_000)
    // A thread has signalled its end before the system takes it away.
    try Resources.wait(for: before)
  }

  func testAThousandLifeCyclesRetainNoObject() throws {
    let remains = cycle(count: 1_000)
    XCTAssertEqual(remains.count, 7_000)
    // The double's thread lets go of what it holds when it ends, and a server's thread has signalled its end before that.
    let deadline = ContinuousClock.now + .seconds(30)
    while remains.contains(where: { $0.object != nil }), ContinuousClock.now < deadline {
      sched_yield()
    }
    XCTAssertEqual(remains.compactMap { $0.object.map { "\(type(of: $0))" } }, [])
  }

  @discardableResult
  private func cycle(count: Int) -> [Remains] {
    (0..<count).flatMap { _ in
      let testCase = XCTestCase.shortLived()
      let verifier = TrackingVerifier(with: testCase)
      verifier.start()
      let tracker = TrackerDouble(endpoint: verifier.endpoint)
      let expectation = verifier.expectation(for: .named("button_tapped"), count: .exactly(1))
      tracker.trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
      return [testCase, verifier, verifier.server, verifier.journal, verifier.claims, tracker, expectation].map(
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

/// What the process holds of the system.
private struct Resources: Equatable {
  var descriptors: Int
  var threads: Int

  static func now() throws -> Resources {
    let fileManager = FileManager.default
    try XCTSkipUnless(fileManager.fileExists(atPath: "/proc/self/fd"), "counted where the system has /proc")
    return Resources(
      descriptors: try fileManager.contentsOfDirectory(atPath: "/proc/self/fd").count,
      threads: try fileManager.contentsOfDirectory(atPath: "/proc/self/task").count)
  }

  /// Waits until the process holds no more than it did.
  static func wait(for expected: Resources) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    var now = try Self.now()
    while now.descriptors > expected.descriptors || now.threads > expected.threads, ContinuousClock.now < deadline {
      sched_yield()
      now = try Self.now()
    }
    XCTAssertLessThanOrEqual(now.descriptors, expected.descriptors)
    XCTAssertLessThanOrEqual(now.threads, expected.threads)
  }
}
