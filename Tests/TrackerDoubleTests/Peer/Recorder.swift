import TestSupport

/// Keeps what happened on other threads, and lets a test wait until it is what the test expects.
///
/// `@unchecked Sendable`: `condition` guards `values`.
final class Recorder<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var values: [Value] = []

  var all: [Value] {
    condition.lock()
    defer { condition.unlock() }
    return values
  }

  func append(_ value: Value) {
    condition.lock()
    values.append(value)
    condition.broadcast()
    condition.unlock()
  }

  /// Waits until the values are as expected; fails the test when they never are.
  @discardableResult
  func wait(
    file: StaticString = #filePath, line: UInt = #line, until isChecked: ([Value]) -> Bool
  ) -> [Value] {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: 30)
    while !isChecked(values) {
      guard condition.wait(until: end) else {
        XCTFail("not as expected after 30 s: \(values.suffix(10))", file: file, line: line)
        break
      }
    }
    return values
  }
}

/// Lets threads pass once it is open.
final class Gate: Sendable {
  private let recorder = Recorder<Void>()

  func open() {
    recorder.append(())
  }

  func pass() {
    recorder.wait { !$0.isEmpty }
  }
}
