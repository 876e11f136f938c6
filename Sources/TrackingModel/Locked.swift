import Foundation

/// A value that threads share, behind a lock.
///
/// `@unchecked Sendable`: `lock` guards `value`.
package final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: consuming sending Value) {
    self.value = value
  }

  /// Runs `body` with the lock held; `body` must be short and must not take the lock again.
  package func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
