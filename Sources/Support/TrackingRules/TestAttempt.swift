import Foundation

/// One of several executions of a test in a process, which a runner repeats or retries.
package struct TestAttempt: Hashable, Sendable {
  /// The test with its module, and with its argument if it has one.
  package let test: String
  /// The beginning of the execution in microseconds since 1970.
  package let began: Int

  package init(of test: String, began: Date) {
    self.init(of: test, began: Int(began.timeIntervalSince1970 * 1_000_000))
  }

  package init(of test: String, began: Int) {
    self.test = test
    self.began = began
  }
}
