import Foundation
import TrackingSockets

/// The thread on which a running server lives, from its start to its end.
final class ServerThread: Sendable {
  /// Bytes of stack: the JSON reader calls itself once for each level of nesting, and debug builds spend freely.
  private static let stackSize = 16 * 1_024 * 1_024

  /// The address to hand over.
  let address: LoopbackAddress

  private let wakePipe: WakePipe
  private let stopRequested = Locked(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts a thread that serves the listener's sockets and owns them from now on.
  init(
    listener: LoopbackListener, configuration: TrackingServer.Configuration, session: String, journal: Journal
  ) throws(SocketError) {
    address = listener.address
    wakePipe = try WakePipe()
    let thread = Thread { [wakePipe, stopRequested, hasEnded] in
      let loop = PollLoop(
        listener: listener, wakePipe: wakePipe, configuration: configuration, session: session, journal: journal,
        shouldStop: { stopRequested.withLock { $0 } })
      loop.run()
      hasEnded.signal()
    }
    thread.name = "TrackingServer \(address)"
    thread.stackSize = Self.stackSize
    thread.qualityOfService = .userInitiated
    thread.start()
  }

  /// Ends the thread and returns when every descriptor is closed; never called twice, and never from the thread itself.
  func stop() {
    stopRequested.withLock { $0 = true }
    wakePipe.wake()
    hasEnded.wait()
  }
}
