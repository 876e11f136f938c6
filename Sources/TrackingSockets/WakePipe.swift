import Foundation

/// Wakes a thread that waits in `poll`.
///
/// `wake` may be called by any thread, also after `close`. `@unchecked Sendable`: `lock` guards the descriptors and the flag.
package final class WakePipe: @unchecked Sendable {
  private let lock = NSLock()
  private var ends: (read: Int32, write: Int32)?
  private var isAwake = false

  /// The descriptor to poll for reading.
  package let readDescriptor: Int32

  package init() throws(SocketError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError.call("pipe", errno: errno) }
    readDescriptor = ends[0]
    self.ends = (ends[0], ends[1])
    try ends[0].closeInChildrenAndNeverBlock()
    try ends[1].closeInChildrenAndNeverBlock()
  }

  deinit {
    close()
  }

  /// Makes the descriptor readable until it is drained.
  package func wake() {
    lock.lock()
    defer { lock.unlock() }
    guard let ends, !isAwake else { return }
    isAwake = true
    var byte: UInt8 = 1
    _ = Foundation.write(ends.write, &byte, 1)
  }

  /// Resets the descriptor; call it before looking for the reason of the wake-up.
  package func drain() {
    lock.lock()
    defer { lock.unlock() }
    guard let ends, isAwake else { return }
    isAwake = false
    var byte: UInt8 = 0
    _ = Foundation.read(ends.read, &byte, 1)
  }

  /// Closes the descriptors; later calls of `wake` do nothing.
  package func close() {
    lock.lock()
    defer { lock.unlock() }
    guard let ends else { return }
    self.ends = nil
    _ = Foundation.close(ends.read)
    _ = Foundation.close(ends.write)
  }
}
