import TrackingModel
import Foundation
import TrackingSockets

final class ServerThread: Sendable {
  /// The stack size in bytes: the JSON reader recurses for each level of nesting, and debug builds have large frames.
  private static let stackSize = 16 * 1_024 * 1_024

  let address: SocketAddress

  private let wakePipe: WakePipe
  private let stopRequested: Locked<Bool>
  private let thread: JoinableThread

  /// Starts a thread that runs `serve`, which must return once `shouldStop` returns true; a stop wakes it through the pipe.
  init(
    address: SocketAddress, wakePipe: WakePipe, _ serve: @escaping @Sendable (_ shouldStop: () -> Bool) -> Void
  ) throws(SocketError) {
    let stopRequested = Locked(false)
    self.address = address
    thread = try JoinableThread(name: "TrackingServer", stackSize: Self.stackSize) {
      serve { stopRequested.withLock { $0 } }
    }
    self.wakePipe = wakePipe
    self.stopRequested = stopRequested
  }

  var isCurrent: Bool { thread.isCurrent }

  var isStopping: Bool { stopRequested.withLock { $0 } }

  /// Requests the thread's end, without waiting.
  func requestStop() {
    stopRequested.withLock { $0 = true }
    wakePipe.wake()
  }

  /// Ends the thread, and returns when every descriptor is closed and the thread has ended.
  ///
  /// Call it once. On the thread itself it returns at once, and the thread ends after its current turn.
  func stop() {
    requestStop()
    if isCurrent { thread.detach() } else { thread.join() }
  }
}
