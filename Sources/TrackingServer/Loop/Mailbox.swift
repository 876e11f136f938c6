import TrackingModel
import TrackingSockets

/// Messages of other threads for connections, which the server's thread takes when it is woken.
final class Mailbox: Sendable {
  struct Message: Sendable {
    /// The number of the connection.
    let connection: Int
    /// The number of the thing that the connection waited for when the message was promised: it ignores late messages.
    let token: Int
    /// Continues with a parked request; `nil` for a response that waits for a gate or a stream.
    let continuation: Continuation?

    init(_ connection: Int, _ token: Int, _ continuation: Continuation? = nil) {
      (self.connection, self.token, self.continuation) = (connection, token, continuation)
    }
  }

  private struct State: Sendable {
    var messages: [Message] = []
    var refusesConnections = false
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

  /// Asks the server's thread to end the connections that are open, because a fault was injected into new ones.
  func refuseOpenConnections() {
    state.withLock { $0.refusesConnections = true }
    wakePipe.wake()
  }

  /// Whether open connections are to be ended; asked once for each call of `refuseOpenConnections`.
  func takeRefusal() -> Bool {
    state.withLock { exchange(&$0.refusesConnections, with: false) }
  }

  /// All messages since the last call.
  func takeAll() -> [Message] {
    state.withLock { exchange(&$0.messages, with: []) }
  }
}

extension Mailbox {
  /// Makes the functions that send messages to one connection.
  struct Promises {
    private let mailbox: Mailbox
    /// The number of the connection.
    let connection: Int
    private var token = 0

    init(of connection: Int, in mailbox: Mailbox) {
      self.connection = connection
      self.mailbox = mailbox
    }

    /// A function that any thread may call to wake a response that waits for a gate or a stream.
    mutating func wake() -> (token: Int, wake: @Sendable () -> Void) {
      token += 1
      return (token, { [mailbox, connection, token] in mailbox.send(Message(connection, token)) })
    }

    /// A function that any thread may call to continue with a parked request.
    mutating func resume() -> (token: Int, resume: @Sendable (@escaping Continuation) -> Void) {
      token += 1
      return (token, { [mailbox, connection, token] in mailbox.send(Message(connection, token, $0)) })
    }
  }
}
