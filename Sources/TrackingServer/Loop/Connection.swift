import Foundation
import StubModel
import TrackingModel
import TrackingSockets

/// One client's connection: bytes in, requests, answers, bytes out.
///
/// Used by the server thread alone.
struct Connection: ~Copyable {
  /// Longer than any test: what nobody waits for is not looked at.
  static let noDeadline = Duration.seconds(604_800)
  /// Bytes taken from the socket in one turn, so that a client with much to say does not keep the others waiting.
  private static let mostReceived = 256 * 1_024
  /// Requests answered in one turn, for the same reason: as many small ones as are received in one take a debug build longer than others like
  /// to wait.
  static let mostAnswered = 64
  /// Bytes of answers after which no further request is answered before the client has taken them: a request of a few bytes may ask for a
  /// stub's largest file.
  private static let mostPending = 256 * 1_024

  let socket: Socket
  let number: Int
  /// When something must have happened.
  var deadline: ContinuousClock.Instant
  var phase = Phase.serving
  var outbox = Outbox()
  var parser: RequestParser
  let idleTime: Duration
  let requestTime: Duration
  var isRequestUnderWay = false

  let work: WorkQueue
  /// How many of its requests have been answered.
  var exchange = 0
  /// Whether the client may have sent something that was not read while it waited for the answer to its last request.
  var hasLookedAway = false

  private let limits: TrackingServer.Limits
  private var router: Router
  /// Whether the turn has ended before everything that was received has been looked at.
  private var hasMoreRequests = false
  /// How the request that is being read will be broken off, when so many bytes of its body are there.
  private var bodyFault: (fault: EarlyFault, count: Int)?

  init(
    socket: Socket, number: Int, router: Router, limits: TrackingServer.Limits, work: WorkQueue,
    now: ContinuousClock.Instant
  ) {
    self.socket = socket
    self.number = number
    self.router = router
    self.limits = limits
    self.work = work
    parser = RequestParser(limits: limits)
    idleTime = .clamping(seconds: limits.idleTimeout)
    requestTime = .clamping(seconds: limits.requestTimeout)
    deadline = now + idleTime
  }

  /// What to poll for.
  var interest: Int16 {
    // A client that does not read its answers is not read from either.
    guard outbox.isEmpty else { return Int16(POLLOUT) }
    switch phase {
    // A reset is told without being asked for. A client that has ended its side may still wait for its answer.
    case .working, .answering, .resetting: return 0
    case .serving, .failing, .stalled, .closing, .lingering: return Int16(POLLIN)
    }
  }

  /// Whether there is something to answer that need not be waited for.
  var isBehind: Bool {
    guard case .serving = phase else { return false }
    return hasMoreRequests && outbox.isEmpty
  }

  /// Receives what has arrived and answers the requests that are whole; the answers wait for `flush`.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func receive(date: DateField, now: ContinuousClock.Instant) -> Bool {
    // A client that has not read its answers is not read from.
    guard outbox.isEmpty else { return true }
    switch phase {
    case .serving: return receiveRequests(date: date, now: now)
    case .failing: return true
    case .working, .answering, .resetting, .closing: return false
    case .stalled, .lingering: return discard()
    }
  }

  /// Goes on with what is due, ends the connection, or says what was missing.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func expire(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard outbox.isEmpty else { return false }
    switch phase {
    case .serving where !parser.isIdle:
      let reason = "the request did not arrive whole within \(TrackingValue.double(limits.requestTimeout)) s"
      end(with: router.refuse(Refusal(status: 408, reason: reason)), date: date)
    case .answering(let steps, let isLast, _):
      give(steps, isLast: isLast, date: date, now: now)
    case .working, .stalled, .failing, .resetting:
      deadline = now + Self.noDeadline
    case .serving, .closing, .lingering:
      return false
    }
    return flush(now)
  }

  /// Answers that there are too many connections, and ends this one.
  mutating func refuseAsTooMany(date: DateField, now: ContinuousClock.Instant) -> Bool {
    let reason = "more than \(limits.connections) connections are open; raise limits.connections or close some"
    end(with: router.refuse(Refusal(status: 503, reason: reason)), date: date)
    return flush(now)
  }

  /// Lets the connection end in this way when all is sent.
  mutating func fail(_ effect: Fault.Effect) {
    phase = .failing(effect)
  }

  /// Answers the request for which work has been done; the answer waits for `flush`.
  mutating func conclude(_ conclusion: Conclusion, date: DateField, now: ContinuousClock.Instant) {
    guard case .working = phase else { return }
    phase = .serving
    let exchange = exchange + 1
    give(
      parser.withBody { router.conclude(conclusion, parser.head, body: $0, exchange: exchange) }, date: date, now: now)
    answerRequests(date: date, now: now)
  }

  /// Sends as much of the answers as the client takes, and says what is next.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func flush(_ now: ContinuousClock.Instant) -> Bool {
    switch outbox.send(on: socket) {
    case .all: return hasSentAll(now)
    case .part:
      deadline = now + requestTime
      return true
    case .ended: return false
    }
  }
}

// MARK: - Requests

extension Connection {
  private mutating func receiveRequests(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard !hasMoreRequests else {
      answerRequests(date: date, now: now)
      return true
    }
    var transfer = Socket.Transfer.wouldBlock
    _ = parser.receive { space in
      transfer = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(Self.mostReceived)))
      return if case .bytes(let count) = transfer { count } else { 0 }
    }
    switch transfer {
    case .bytes: break
    case .wouldBlock: return true
    // RFC 9112 8: a request that breaks off was never made.
    case .closed, .failed:
      router.journal.recordEnd(ofConnection: number)
      return false
    }
    answerRequests(date: date, now: now)
    return true
  }

  mutating func answerRequests(date: DateField, now: ContinuousClock.Instant) {
    hasMoreRequests = false
    let last = exchange + Self.mostAnswered
    while case .serving = phase {
      guard exchange < last, outbox.bytes.count < Self.mostPending else {
        hasMoreRequests = !parser.isIdle
        return
      }
      let event = parser.next()
      if let bodyFault, event == .request || event == .needsMore && parser.receivedBodyCount >= bodyFault.count {
        return breakOff(with: bodyFault.fault)
      }
      switch event {
      case .needsMore: return
      case .head: lookAhead(date: date)
      case .request: answer(date: date, now: now)
      case .refused(let refusal): end(with: router.refuse(refusal), date: date)
      }
    }
  }

  /// Breaks a request off that is not to be read, or tells a client that waits with its body whether to send it.
  private mutating func lookAhead(date: DateField) {
    if let early = router.earlyFault(of: parser.head) {
      guard early.fault.position == .requestBody, parser.head.framing != .none else { return breakOff(with: early) }
      let length = if case .length(let length) = parser.head.framing { length } else { 1 }
      bodyFault = (early, (length + 1) / 2)
    }
    guard parser.head.expectsContinue, !parser.hasReceivedBody else { return }
    guard let refusal = router.refusal(of: parser.head) else {
      Response.goOn.withUTF8Buffer { outbox.bytes.append(contentsOf: $0) }
      return
    }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var response = router.refuse(parser.head, with: refusal, body: nothing, exchange: exchange + 1).response
    // RFC 9110 10.1.1: the client may send its body nevertheless, or not; nobody can know where the next request begins.
    response.closes = true
    end(with: response, date: date, context: context)
  }

  private mutating func breakOff(with early: EarlyFault) {
    let exchange = exchange + 1
    parser.withReceivedBody { router.record(parser.head, body: $0, exchange: exchange, brokenOffBy: early) }
    fail(early.fault.effect)
  }

  private mutating func answer(date: DateField, now: ContinuousClock.Instant) {
    let exchange = exchange + 1
    give(parser.withBody { router.reply(to: parser.head, body: $0, exchange: exchange) }, date: date, now: now)
  }
}
