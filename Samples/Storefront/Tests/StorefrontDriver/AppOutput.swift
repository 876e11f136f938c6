import Foundation

/// What an app prints to one of its streams: read by a thread of its own as it comes, awaited by the test.
final class AppOutput: @unchecked Sendable {
  // Guards both properties below, and is signalled whenever they change.
  private let change = NSCondition()
  private var bytes = Data()
  private var isAtEnd = false

  /// Reads until the app closes its end.
  init(of stream: FileHandle) {
    Thread.detachNewThread { [self] in
      while true {
        let data = stream.availableData
        guard !data.isEmpty else { break }
        update { bytes += data }
      }
      update { isAtEnd = true }
      try? stream.close()
    }
  }

  /// What was printed so far.
  var text: String {
    change.withLock { String(decoding: bytes, as: UTF8.self) }
  }

  /// Waits until what was printed meets a condition; returns false when it takes longer, or when no more will come.
  func wait(timeout: TimeInterval, until isMet: (String) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: timeout)
    return change.withLock {
      while !isMet(String(decoding: bytes, as: UTF8.self)) {
        guard !isAtEnd, change.wait(until: deadline) else { return false }
      }
      return true
    }
  }

  /// Waits until no more will come; returns false when it takes longer.
  func waitForEnd(timeout: TimeInterval) -> Bool {
    let deadline = Date(timeIntervalSinceNow: timeout)
    return change.withLock {
      while !isAtEnd {
        guard change.wait(until: deadline) else { return false }
      }
      return true
    }
  }

  private func update(_ properties: () -> Void) {
    change.withLock {
      properties()
      change.broadcast()
    }
  }
}
