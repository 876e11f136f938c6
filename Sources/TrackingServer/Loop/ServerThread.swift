import Foundation
import TrackingSockets

/// The thread on which a running server lives, from its start to its end.
final class ServerThread: Sendable {
  /// Bytes of stack: the JSON reader calls itself once for each level of nesting, and debug builds spend freely.
  private static let stackSize = 16 * 1_024 * 1_024

  /// The address to hand over.
  let address: LoopbackAddress

  private let wakePipe: WakePipe
  private let stopRequested: Locked<Bool>
  private let thread: JoinableThread

  /// Starts a thread that serves the listener's sockets and owns them from now on.
  init(
    listener: LoopbackListener, configuration: TrackingServer.Configuration, session: String, journal: Journal,
    stubs: StubStore, page: PageSlot
  ) throws(SocketError) {
    let wakePipe = try WakePipe()
    let stopRequested = Locked(false)
    address = listener.address
    thread = try JoinableThread(name: "TrackingServer", stackSize: Self.stackSize) {
      var loop = PollLoop(
        listener: listener, wakePipe: wakePipe, configuration: configuration, session: session, journal: journal,
        stubs: stubs, page: page, shouldStop: { stopRequested.withLock { $0 } })
      loop.run()
    }
    self.wakePipe = wakePipe
    self.stopRequested = stopRequested
  }

  /// Whether the caller runs on this thread.
  var isCurrent: Bool { thread.isCurrent }

  /// Whether the thread was asked to end.
  var isStopping: Bool { stopRequested.withLock { $0 } }

  /// Asks the thread to end, and does not wait.
  func requestStop() {
    stopRequested.withLock { $0 = true }
    wakePipe.wake()
  }

  /// Ends the thread and returns when every descriptor is closed and the thread is gone; to be called once.
  ///
  /// On the thread itself it returns at once, and the thread ends when it comes back to its loop.
  func stop() {
    requestStop()
    if isCurrent { thread.detach() } else { thread.join() }
  }
}
