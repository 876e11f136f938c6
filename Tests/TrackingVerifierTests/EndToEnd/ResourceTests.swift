import TrackerDouble
import TrackingModel
import TrackingVerifier
import XCTest

/// What a verifier takes from the test process, it gives back.
final class ResourceTests: XCTestCase {
  func testAThousandStartsAndStopsLeaveNoDescriptorAndNoThread() throws {
    try cycle(count: 10)
    let before = try Resources.now()
    try cycle(count: 1_000)
    // A thread has signalled its end before the system takes it away.
    try Resources.wait(for: before)
  }

  private func cycle(count: Int) throws {
    for _ in 0..<count {
      let verifier = TrackingVerifier(with: XCTestCase.shortLived())
      verifier.start()
      let tracker = TrackerDouble(endpoint: verifier.endpoint)
      tracker.trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
    }
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
