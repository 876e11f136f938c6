import Foundation
import StubModel
import TrackingSockets

/// The end of a connection, from the last response or an injected fault until its socket can be closed.
struct ConnectionEnding {
  /// The next step after everything is sent.
  enum Step {
    case close
    case send
    /// The connection stays open until this time; `nil` for its current deadline.
    case wait(until: ContinuousClock.Instant?)
    case waitForClient
  }

  // A stage with a time is indirect: the size of an instant is resilient, so a stage that contained one would be copied by calls into the
  // standard library, at each turn of each connection.
  private enum Stage {
    /// The fault takes effect as soon as everything is sent.
    case failing(HTTPFault.Effect)
    case closing(lingers: Bool)
    /// The connection is reset as soon as the client has received everything, or at a deadline.
    indirect case resetting(until: ContinuousClock.Instant)
    /// Nothing more is sent and received bytes are dropped until the client gives up.
    case stalled
    /// RFC 9112 9.6: closing at once, with bytes unread, would reset the connection and might destroy the response before the client has read it.
    case lingering
  }

  /// The interval of checks whether a client has received everything, which no event reports.
  private static let acknowledgementTime = Duration.milliseconds(2)

  private var stage: Stage
  /// The time for which a refused client may continue to send before its connection is closed.
  private let lingerTime: Duration

  init(_ effect: HTTPFault.Effect, _ limits: TrackingServer.Limits) {
    stage = .failing(effect)
    lingerTime = .clamping(seconds: limits.lingerTime)
  }

  /// - Parameter lingers: Whether the client may still be sending, so that the socket isn't closed at once.
  init(lingers: Bool, _ limits: TrackingServer.Limits) {
    stage = .closing(lingers: lingers)
    lingerTime = .clamping(seconds: limits.lingerTime)
  }

  var interest: Int16 {
    switch stage {
    case .resetting: 0
    case .failing, .closing, .stalled, .lingering: Int16(POLLIN)
    }
  }

  var outlivesDeadline: Bool {
    switch stage {
    case .failing, .resetting, .stalled: true
    case .closing, .lingering: false
    }
  }

  /// Drops received bytes; returns `false` if the connection is to be closed.
  func receive(from socket: Socket) -> Bool {
    switch stage {
    case .failing: true
    case .resetting, .closing: false
    case .stalled, .lingering: Self.discard(from: socket)
    }
  }

  /// Continues after everything is sent.
  ///
  /// - Parameter patience: The time that a client has to receive what was sent before a reset.
  mutating func proceed(
    _ socket: Socket, _ outbox: inout Outbox, patience: Duration, now: ContinuousClock.Instant
  ) -> Step {
    switch stage {
    case .failing(let effect): take(effect, socket, &outbox, patience: patience, now)
    case .closing(lingers: false): .close
    case .closing(lingers: true): linger(socket, now)
    case .resetting(let time): reset(socket, by: time, now)
    case .stalled, .lingering: .wait(until: nil)
    }
  }

  private mutating func take(
    _ effect: HTTPFault.Effect, _ socket: Socket, _ outbox: inout Outbox, patience: Duration,
    _ now: ContinuousClock.Instant
  ) -> Step {
    switch effect {
    case .close: return linger(socket, now)
    case .reset: return reset(socket, by: now + patience, now)
    case .garbage:
      outbox.append(.bytes(HTTPFault.garbage[...]))
      stage = .closing(lingers: true)
      return .send
    case .halfClose, .stall:
      if effect == .halfClose { socket.shutdownWriting() }
      stage = .stalled
      return Self.discard(from: socket) ? .waitForClient : .close
    }
  }

  private mutating func reset(
    _ socket: Socket, by time: ContinuousClock.Instant, _ now: ContinuousClock.Instant
  ) -> Step {
    // A reset drops bytes that haven't reached the client, so more than the requested part would be lost.
    guard socket.unacknowledgedCount == 0 || now >= time else {
      stage = .resetting(until: time)
      return .wait(until: now + Self.acknowledgementTime)
    }
    socket.resetOnClose()
    return .close
  }

  private mutating func linger(_ socket: Socket, _ now: ContinuousClock.Instant) -> Step {
    socket.shutdownWriting()
    stage = .lingering
    return Self.discard(from: socket) ? .wait(until: now + lingerTime) : .close
  }

  /// Returns `false` if the client has closed the connection.
  private static func discard(from socket: Socket) -> Bool {
    var transfer = Socket.Transfer.wouldBlock
    withUnsafeTemporaryAllocation(byteCount: 16 * 1_024, alignment: 1) { transfer = socket.receive(into: $0) }
    switch transfer {
    case .bytes, .wouldBlock: return true
    case .closed, .failed: return false
    }
  }
}
