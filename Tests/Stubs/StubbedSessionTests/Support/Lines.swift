import Foundation
import TrackingLaunch

@testable import StubbedSession

/// The lines that a session logs, for a test to look at.
///
/// The lock makes it `Sendable`.
final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  var all: [String] { lock.withLock { lines } }

  var log: AppLog {
    AppLog(of: "StubbedSession") { line in self.lock.withLock { self.lines.append(line) } }
  }
}
