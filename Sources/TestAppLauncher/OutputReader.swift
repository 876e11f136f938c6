import Foundation

/// Reads what a program writes to one of its streams, on a thread of its own, so that the program never blocks on a full pipe.
///
/// `@unchecked Sendable`: `change` guards the other properties.
final class OutputReader: @unchecked Sendable {
  /// Signalled whenever one of the properties below changes.
  private let change = NSCondition()
  private var bytes = Data()
  private var isAtEnd = false

  /// Reads until the program closes its end.
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

  var text: String {
    change.withLock { String(decoding: bytes, as: UTF8.self) }
  }

  /// Returns `false` after the timeout, in seconds, or when the stream has ended without meeting the condition.
  func wait(timeout: TimeInterval, until isMet: (String) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: timeout)
    return change.withLock {
      while !isMet(String(decoding: bytes, as: UTF8.self)) {
        guard !isAtEnd, change.wait(until: deadline) else { return false }
      }
      return true
    }
  }

  /// Returns `false` when the stream has not ended after the timeout, in seconds.
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

/// How a program ended, once it has.
///
/// `@unchecked Sendable`: `change` guards the other properties.
final class ExitStatus: @unchecked Sendable {
  private let change = NSCondition()
  private var status: Int32?
  private var actions: [@Sendable () -> Void] = []

  var value: Int32? { change.withLock { status } }

  /// Forgets the status of an earlier process.
  func reset() {
    change.withLock { status = nil }
  }

  func set(_ status: Int32) {
    let actions = change.withLock {
      self.status = status
      change.broadcast()
      defer { self.actions = [] }
      return self.actions
    }
    for action in actions { action() }
  }

  /// Calls a closure once there is a status, on the thread that sets it, or at once where there is one.
  func whenSet(_ action: @escaping @Sendable () -> Void) {
    let isSet = change.withLock {
      if status == nil { actions.append(action) }
      return status != nil
    }
    if isSet { action() }
  }

  /// The status; `nil` when there is none after the timeout, in seconds.
  func wait(timeout: TimeInterval) -> Int32? {
    let deadline = Date(timeIntervalSinceNow: timeout)
    return change.withLock {
      while status == nil {
        guard change.wait(until: deadline) else { break }
      }
      return status
    }
  }
}
