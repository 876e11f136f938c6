import Foundation

/// The status with which a program ended, for threads that wait for it.
///
/// `@unchecked Sendable`: `change` guards the other properties.
final class ExitStatus: @unchecked Sendable {
  struct Value {
    let status: Int32
    let isSignal: Bool
  }

  /// Signalled when the status is set.
  private let change = NSCondition()
  private var status: Value?
  private var launch = 0
  private var actions: [@Sendable () -> Void] = []

  var value: Value? { change.withLock { status } }

  /// Removes the status of an earlier process, whose end may not be reported yet; returns the number of the next launch.
  func reset() -> Int {
    change.withLock {
      status = nil
      launch += 1
      return launch
    }
  }

  /// Sets the status, unless there has been another launch.
  func set(_ status: Value, ofLaunch number: Int) {
    let actions = change.withLock { () -> [@Sendable () -> Void] in
      guard number == launch else { return [] }
      self.status = status
      change.broadcast()
      defer { self.actions = [] }
      return self.actions
    }
    for action in actions { action() }
  }

  /// Calls a closure when a status is set, on the thread that sets it, or at once if one is set.
  func whenSet(_ action: @escaping @Sendable () -> Void) {
    let isSet = change.withLock {
      if status == nil { actions.append(action) }
      return status != nil
    }
    if isSet { action() }
  }

  /// Returns `nil` if there is no status after the timeout, in seconds.
  func wait(timeout: TimeInterval) -> Value? {
    let deadline = ContinuousClock.now + .clamping(seconds: timeout)
    return change.withLock {
      _ = change.wait(until: deadline) { status != nil }
      return status
    }
  }
}

extension NSCondition {
  /// Waits until the properties that the condition guards meet `isMet`, with the lock held; returns `false` at the deadline.
  ///
  /// Foundation's wait ends by the wall clock, which can be set.
  func wait(until deadline: ContinuousClock.Instant, for isMet: () -> Bool) -> Bool {
    while !isMet() {
      let rest = min(deadline - .now, .seconds(3_600))
      guard rest > .zero else { return false }
      _ = wait(until: Date(timeIntervalSinceNow: rest / .seconds(1)))
    }
    return true
  }
}
