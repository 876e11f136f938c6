import Foundation
import TrackingModel

/// Wakes a thread that waits in `poll`; any thread may call `wake`, even after `close`.
package final class WakePipe: Sendable {
  private struct State {
    var ends: (read: Int32, write: Int32)?
    var isAwake = false
  }

  private let state: Locked<State>

  package let readDescriptor: Int32

  package init() throws(SocketError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SocketError.call("pipe", errno: errno) }
    readDescriptor = ends[0]
    state = Locked(State(ends: (ends[0], ends[1])))
    try ends[0].closeInChildrenAndNeverBlock()
    try ends[1].closeInChildrenAndNeverBlock()
  }

  deinit {
    close()
  }

  /// Makes the descriptor readable until it is drained.
  package func wake() {
    state.withLock { state in
      guard let ends = state.ends, !state.isAwake else { return }
      state.isAwake = true
      var byte: UInt8 = 1
      _ = Foundation.write(ends.write, &byte, 1)
    }
  }

  /// Resets the descriptor; call it before looking for the reason of the wake-up.
  package func drain() {
    state.withLock { state in
      guard let ends = state.ends, state.isAwake else { return }
      state.isAwake = false
      var byte: UInt8 = 0
      _ = Foundation.read(ends.read, &byte, 1)
    }
  }

  /// Later calls of `wake` do nothing.
  package func close() {
    state.withLock { state in
      guard let ends = state.ends else { return }
      state.ends = nil
      _ = Foundation.close(ends.read)
      _ = Foundation.close(ends.write)
    }
  }
}
