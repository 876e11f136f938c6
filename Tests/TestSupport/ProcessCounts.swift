import TrackingModel
import Foundation
import XCTest

/// The open descriptors and the threads of this process; code under test must release all that it opens.
package struct ProcessCounts: Equatable, Sendable {
  package var descriptors: Int
  package var threads: Int

  package static var now: ProcessCounts {
    ProcessCounts(descriptors: openDescriptors, threads: runningThreads)
  }

  package static var openDescriptors: Int {
    dispatchIsReady
    return (0..<Int32(clamping: DescriptorLimit.current)).count { fcntl($0, F_GETFD) != -1 }
  }

  /// Makes the dispatch library open its own descriptors before the first count.
  ///
  /// It opens one with the first timer of each clock, on its own thread, and under load that could happen between two counts.
  private static let dispatchIsReady: Void = {
    let timers = DispatchGroup()
    for _ in 1...2 { timers.enter() }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { timers.leave() }
    DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) { timers.leave() }
    timers.wait()
  }()

  /// Waits until the process has no more descriptors and threads than these; fails the test if that takes 30 seconds.
  ///
  /// A thread signals its end before the system removes it, so the counts may still be higher for a moment.
  package func waitUntilRestored(file: StaticString = #filePath, line: UInt = #line) {
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let now = Self.now
      if now.descriptors <= descriptors && now.threads <= threads { return }
      guard ContinuousClock.now < deadline else {
        return XCTFail("\(now) is more than \(self)", file: file, line: line)
      }
      poll(nil, 0, 1)
    }
  }
}
