import Foundation
import StubModel
import TrackingSockets

// The next phase after everything is sent, and the ways in which a connection ends.

extension Connection {
  /// How long a refused client may keep sending before its connection is closed.
  private static let lingerTime = Duration.seconds(2)
  /// The interval of checks whether a client has received everything, which no event reports.
  private static let acknowledgementTime = Duration.milliseconds(2)

  /// - Returns: `false` if the connection is to be closed.
  mutating func hasSentAll(_ now: ContinuousClock.Instant) -> Bool {
    switch phase {
    case .serving:
      updateDeadline(now)
      return true
    case .parked, .stalled, .lingering:
      return true
    case .resetting(let time):
      return reset(by: time, now)
    case .delivering(let delivery):
      deadline = delivery.resumesAt ?? now + Self.noDeadline
      return true
    case .failing(let effect):
      return take(effect, now)
    case .closing(lingers: false):
      return false
    case .closing(lingers: true):
      return linger(now)
    }
  }

  private mutating func updateDeadline(_ now: ContinuousClock.Instant) {
    if exchange.parser.isIdle {
      isRequestUnderWay = false
      deadline = now + idleTime
    } else if !isRequestUnderWay {
      // Set once: a byte now and then must not keep a request alive.
      isRequestUnderWay = true
      deadline = now + requestTime
    }
  }

  private mutating func take(_ effect: HTTPFault.Effect, _ now: ContinuousClock.Instant) -> Bool {
    switch effect {
    case .close:
      return linger(now)
    case .reset:
      return reset(by: now + requestTime, now)
    case .garbage:
      outbox.append(HTTPFault.garbage[...])
      phase = .closing(lingers: true)
      return flush(now)
    case .halfClose, .stall:
      if effect == .halfClose { socket.shutdownWriting() }
      phase = .stalled
      deadline = now + Self.noDeadline
      return discard()
    }
  }

  private mutating func reset(by time: ContinuousClock.Instant, _ now: ContinuousClock.Instant) -> Bool {
    // A reset drops bytes that haven't reached the client, so more than the requested part would be lost.
    guard socket.unacknowledgedCount == 0 || now >= time else {
      phase = .resetting(until: time)
      deadline = now + Self.acknowledgementTime
      return true
    }
    socket.resetOnClose()
    return false
  }

  private mutating func linger(_ now: ContinuousClock.Instant) -> Bool {
    socket.shutdownWriting()
    phase = .lingering
    deadline = now + Self.lingerTime
    return discard()
  }

  /// Drops received bytes until the client closes.
  func discard() -> Bool {
    var transfer = Socket.Transfer.wouldBlock
    withUnsafeTemporaryAllocation(byteCount: 16 * 1_024, alignment: 1) { transfer = socket.receive(into: $0) }
    switch transfer {
    case .bytes, .wouldBlock: return true
    case .closed, .failed: return false
    }
  }
}
