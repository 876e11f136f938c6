import Foundation
import TrackingModel

/// Reads one of a program's output streams on a separate thread, so that the program never blocks on a full pipe.
///
/// `@unchecked Sendable`: `change` guards the other properties.
final class OutputReader: @unchecked Sendable {
  /// Signalled whenever one of the properties below changes.
  private let change = NSCondition()
  private var bytes = Data()
  private var hasEnded = false
  /// Open while `hasEnded` is false.
  private let stream: FileHandle

  init(of stream: FileHandle) {
    self.stream = stream
    Thread.detachNewThread { [self] in
      while true {
        let data = stream.availableData
        guard !data.isEmpty else { break }
        update { bytes += data }
      }
      update { hasEnded = true }
      LaunchedPrograms.noteEnd()
      try? stream.close()
    }
  }

  var text: String {
    change.withLock { String(decoding: bytes, as: UTF8.self) }
  }

  /// Whether the program, and each process that inherited the stream, has closed its end.
  var isAtEnd: Bool {
    change.withLock { hasEnded }
  }

  /// Whether the ended program's output is read, but a process that it started still has the stream open.
  var isHeldOpen: Bool {
    change.withLock {
      var entry = pollfd(fd: hasEnded ? -1 : stream.fileDescriptor, events: Int16(POLLIN), revents: 0)
      return !hasEnded && poll(&entry, 1, 0) == 0
    }
  }

  /// Returns `false` after the timeout, in seconds, or when the stream has ended without meeting the condition.
  ///
  /// The condition runs with no lock held: it may read the output, and the program can write meanwhile.
  func wait(timeout: TimeInterval, until isMet: (String) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .clamping(seconds: timeout)
    while true {
      let (seen, isLast) = change.withLock { (bytes, hasEnded) }
      if isMet(String(decoding: seen, as: UTF8.self)) { return true }
      let hasNews = change.withLock {
        change.wait(until: deadline) { bytes.count > seen.count || hasEnded } && !isLast && .now < deadline
      }
      guard hasNews else { return false }
    }
  }

  /// Returns `false` if the stream hasn't ended at the deadline.
  func waitForEnd(by deadline: ContinuousClock.Instant) -> Bool {
    change.withLock { change.wait(until: deadline) { hasEnded } }
  }

  private func update(_ properties: () -> Void) {
    change.withLock {
      properties()
      change.broadcast()
    }
  }
}
