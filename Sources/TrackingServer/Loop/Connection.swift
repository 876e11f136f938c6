import Foundation
import StubModel
import TrackingModel
import TrackingSockets

/// A client's connection: receives bytes, runs requests through the handlers, sends answers.
///
/// Only the server's thread uses it.
struct Connection: ~Copyable {
  /// The current activity of a connection.
  ///
  /// Phases with a time are indirect: the size of an instant is resilient, so a phase that contained one would be copied by calls into the
  /// standard library, at each turn of each connection.
  enum Phase {
    /// Requests are read and answered.
    case serving
    /// A request, which stays in the parser, waits for its answer from elsewhere.
    case parked(ParkedRequest)
    /// An answer is sent step by step.
    case delivering(Delivery)
    /// The exchange ends in this way as soon as everything is sent.
    case failing(HTTPFault.Effect)
    /// The connection is reset as soon as the client has received everything, or at a deadline.
    indirect case resetting(until: ContinuousClock.Instant)
    /// Nothing more is sent and received bytes are dropped until the client gives up.
    case stalled
    /// The last answer is being sent; then the socket is closed, after a pause if the client may still be sending.
    case closing(lingers: Bool)
    /// RFC 9112 9.6: closing at once, with bytes unread, would reset the connection and might destroy the answer before the client has read it.
    case lingering
  }

  /// A request that waits for its answer from elsewhere.
  final class ParkedRequest {
    let token: Int
    /// The index of the handler that parked it.
    let place: Int
    var cancel: (() -> Void)?
    var timeout: Continuation?

    init(token: Int, place: Int) {
      self.token = token
      self.place = place
    }
  }

  /// Longer than any test: a connection without a deadline.
  static let noDeadline = Duration.seconds(604_800)
  /// The most bytes received in one turn, so that a busy client doesn't delay the others.
  static let mostReceived = 256 * 1_024
  /// The most requests answered in one turn, for the same reason: a debug build takes long for all the small requests that fit into one read.
  static let mostAnswered = 64
  /// The most unsent bytes of answers with which the next request is answered: a request of a few bytes may ask for a stub's largest file.
  static let mostPending = 256 * 1_024

  let socket: Socket
  /// When the current phase times out.
  var deadline: ContinuousClock.Instant
  var phase = Phase.serving
  var outbox = Outbox()
  var exchange: Exchange
  let idleTime: Duration
  let requestTime: Duration
  var isRequestUnderWay = false

  let limits: TrackingServer.Limits
  /// Numbers everything that the connection waits for, so that late messages are recognized.
  var token = 0
  /// Whether the client may have sent something that hasn't been read.
  var hasLookedAway = false
  /// Watches the client while its answer is pending.
  var watch = ClientWatch()
  /// Whether the turn ended before all received requests were answered.
  var hasMoreRequests = false
  /// Whether the exchange's setup was read in this turn.
  var isSetupFresh = false
  /// The fault that breaks the current request off, and after how many bytes of its body.
  var bodyFault: (fault: EarlyFault, count: Int)?

  /// - Parameter peer: The address of the device that it came from; `nil` on loopback.
  init(
    socket: Socket, number: Int, context: ServerContext, peer: IPv4Address? = nil, now: ContinuousClock.Instant
  ) {
    self.socket = socket
    limits = context.configuration.limits
    exchange = Exchange(context: context, connection: number, peer: peer)
    idleTime = .clamping(seconds: limits.idleTimeout)
    requestTime = .clamping(seconds: limits.requestTimeout)
    deadline = now + idleTime
  }

  var number: Int { exchange.connection }

  /// The events to poll for.
  var interest: Int16 {
    // Nothing is received from a client that doesn't read its answers.
    guard outbox.isEmpty else { return Int16(POLLOUT) }
    switch phase {
    // Notices a client that leaves, once: the end of its side stays readable.
    case .parked, .delivering: return watch.isOver ? 0 : Int16(POLLIN)
    case .resetting: return 0
    case .serving, .failing, .stalled, .closing, .lingering: return Int16(POLLIN)
    }
  }

  /// Whether there are received requests to answer.
  var isBehind: Bool {
    guard case .serving = phase else { return false }
    return hasMoreRequests && outbox.isEmpty
  }

  /// Whether it waits for a message.
  var awaitsMessage: Bool {
    switch phase {
    case .parked: true
    case .delivering(let delivery): delivery.waiting != nil
    default: false
    }
  }

  /// Receives bytes and answers complete requests; `flush` sends the answers.
  ///
  /// - Returns: `false` if the connection is to be closed.
  mutating func receive(date: DateField, now: ContinuousClock.Instant) -> Bool {
    // Nothing is received from a client that doesn't read its answers.
    guard outbox.isEmpty else { return true }
    switch phase {
    case .serving: return receiveRequests(date: date, now: now)
    case .parked, .delivering: return lookAtClient()
    case .failing: return true
    case .resetting, .closing: return false
    case .stalled, .lingering: return discard()
    }
  }

  /// Continues or ends the current phase at its deadline.
  ///
  /// - Returns: `false` if the connection is to be closed.
  mutating func expire(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard outbox.isEmpty else { return false }
    switch phase {
    case .serving where !exchange.parser.isIdle:
      let reason = "the request did not arrive whole within \(TrackingValue.double(limits.requestTimeout)) s"
      end(with: exchange.refuseUnread(Refusal(status: 408, reason: reason)), date: date)
    case .delivering(let delivery) where delivery.waiting == nil:
      send(delivery, date: date, now: now)
    case .parked(let parked):
      guard let timeout = parked.timeout else { break }
      parked.cancel?()
      resume(parked, timeout, date: date, now: now)
    case .delivering, .stalled, .failing, .resetting:
      deadline = now + Self.noDeadline
    case .serving, .closing, .lingering:
      return false
    }
    return flush(now)
  }

  /// Whether the client has ended its side while its answer is pending.
  mutating func checkWhetherItHasLeft() -> Bool {
    switch phase {
    // `poll` may not have reported it yet: many connections are accepted in one turn.
    case .parked, .delivering: return watch.hasLeft || !watch.isOver && !lookAtClient() || watch.hasLeft
    default: return false
    }
  }

  /// Continues with whatever waited for a message; `flush` sends the answer.
  mutating func take(_ message: Mailbox.Message, date: DateField, now: ContinuousClock.Instant) {
    switch phase {
    case .parked(let parked) where parked.token == message.token:
      guard let continuation = message.continuation else { return }
      resume(parked, continuation, date: date, now: now)
    case .delivering(let delivery) where delivery.waiting?.token == message.token:
      delivery.waiting = nil
      send(delivery, date: date, now: now)
    default:
      return
    }
  }

  /// Refuses the connection because there are too many.
  mutating func refuseAsTooMany(date: DateField, now: ContinuousClock.Instant) -> Bool {
    let reason = "more than \(limits.connections) connections are open; raise limits.connections or close some"
    end(with: exchange.refuseUnread(Refusal(status: 503, reason: reason)), date: date)
    return flush(now)
  }

  /// Ends the connection in this way as soon as everything is sent.
  mutating func fail(_ effect: HTTPFault.Effect) {
    phase = .failing(effect)
  }

  /// Sends as much of the answers as the client takes.
  ///
  /// - Returns: `false` if the connection is to be closed.
  mutating func flush(_ now: ContinuousClock.Instant) -> Bool {
    switch outbox.send(on: socket) {
    case .all: return hasSentAll(now)
    case .part:
      deadline = now + requestTime
      return true
    case .ended: return false
    }
  }

  /// Looks whether the client leaves while its answer is pending.
  ///
  /// - Returns: `false` if it has gone.
  private mutating func lookAtClient() -> Bool {
    switch watch.look(at: socket) {
    case .waits: return true
    case .hasGone: return false
    case .hasEndedItsSide:
      if takesInterimResponse { appendContinue() }
      return true
    }
  }

  /// Whether nothing of the answer has been sent, and the client's version of HTTP has interim responses.
  private var takesInterimResponse: Bool {
    switch phase {
    case .parked: exchange.head.version != .http10
    case .delivering(let delivery): delivery.mayFollowInterimResponse
    default: false
    }
  }

  /// Cancels whatever the connection waits for, and closes its socket.
  mutating func close() {
    switch phase {
    case .parked(let parked): parked.cancel?()
    case .delivering(let delivery):
      delivery.waiting?.cancel()
      delivery.stream?.removeListener()
    default: break
    }
    phase = .lingering
    socket.close()
  }
}
