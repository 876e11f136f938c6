import Foundation

/// One execution of a test that a runner repeats or retries in a process.
package struct TestAttempt: Hashable, Sendable {
  /// The test with its module, and with its argument if it has one.
  package let test: String
  /// In microseconds since 1970.
  package let began: Int

  package init(of test: String, began: Date) {
    self.init(of: test, began: Int(began.timeIntervalSince1970 * 1_000_000))
  }

  package init(of test: String, began: Int) {
    self.test = test
    self.began = began
  }
}
