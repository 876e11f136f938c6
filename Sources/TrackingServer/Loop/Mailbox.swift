import TrackingModel
import TrackingSockets

/// Messages from other threads to connections; the server's thread takes them when woken.
final class Mailbox: Sendable {
  struct Message: Sendable {
    let connection: Int
    /// Identifies the wait for which the message was promised; late messages are ignored.
    let token: Int
    /// Continues a parked request; `nil` for a response that waits for a gate or a stream.
    let continuation: Continuation?

    init(_ connection: Int, _ token: Int, _ continuation: Continuation? = nil) {
      (self.connection, self.token, self.continuation) = (connection, token, continuation)
    }
  }

  private struct State: Sendable {
    var messages: [Message] = []
    /// Functions to call when the open connections have been ended, each for one `refuseOpenConnections`.
    var refusals: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let state = Locked(State())
  private let wakePipe: WakePipe

  init(wakePipe: WakePipe) {
    self.wakePipe = wakePipe
  }

  func send(_ message: Message) {
    state.withLock { $0.messages.append(message) }
    wakePipe.wake()
  }

  /// Requests the end of all open connections, because a fault was injected into new ones.
  ///
  /// - Parameter done: Called when they have been ended, on the server's thread, or at once if that has ended.
  func refuseOpenConnections(_ done: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.refusals.append(done) }
      return state.isClosed
    }
    if isClosed { done() } else { wakePipe.wake() }
  }

  /// Ends open connections by a closure if `refuseOpenConnections` was called.
  func takeRefusals(_ end: () -> Void) {
    let refusals = state.withLock { exchange(&$0.refusals, with: []) }
    guard !refusals.isEmpty else { return }
    end()
    for done in refusals { done() }
  }

  /// Notes that all connections have been closed.
  func close() {
    state.withLock { $0.isClosed = true }
    takeRefusals {}
  }

  func takeAll() -> [Message] {
    state.withLock { exchange(&$0.messages, with: []) }
  }
}

extension Mailbox {
  /// Creates the functions that send messages to one connection.
  struct Promises {
    private let mailbox: Mailbox
    let connection: Int
    private var token = 0

    init(of connection: Int, in mailbox: Mailbox) {
      self.connection = connection
      self.mailbox = mailbox
    }

    /// Returns a function that any thread may call to wake a response that waits for a gate or a stream.
    mutating func wake() -> (token: Int, wake: @Sendable () -> Void) {
      token += 1
      return (token, { [mailbox, connection, token] in mailbox.send(Message(connection, token)) })
    }

    /// Returns a function that any thread may call to continue a parked request.
    mutating func resume() -> (token: Int, resume: @Sendable (@escaping Continuation) -> Void) {
      token += 1
      return (token, { [mailbox, connection, token] in mailbox.send(Message(connection, token, $0)) })
    }
  }
}
