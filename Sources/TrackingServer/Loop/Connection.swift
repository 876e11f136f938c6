import Foundation
import StubModel
import TrackingModel
import TrackingSockets

/// One client's connection: bytes in, requests, answers, bytes out.
///
/// Used by the server thread alone.
struct Connection: ~Copyable {
  private enum Phase {
    /// Requests are read and answered.
    case serving
    /// Work is being done for the answer to a request, which stays in the parser.
    case working
    /// An answer is given step by step; the next step is due at a time.
    case answering(ArraySlice<Answer.Step>, isLast: Bool, resumesAt: ContinuousClock.Instant)
    /// When all is sent, the exchange ends in this way.
    case failing(Fault.Effect)
    /// Nothing will be sent any more, and what comes is dropped, until the client gives up.
    case stalled
    /// The last answer is on its way; then the socket is closed, after a while of listening if the client may still be sending.
    case closing(lingers: Bool)
    /// RFC 9112 9.6: closing at once, with bytes unread, would reset the connection and might destroy the answer before the client has read it.
    case lingering
  }

  /// For how long a client that was refused may go on sending before its connection is closed all the same.
  private static let lingerTime = Duration.seconds(2)
  /// Longer than any test: what nobody waits for is not looked at.
  private static let noDeadline = Duration.seconds(604_800)
  /// Bytes taken from the socket in one turn, so that a client with much to say does not keep the others waiting.
  private static let mostReceived = 256 * 1_024
  /// Bytes of output room that a connection keeps between answers.
  private static let keptOutput = 16 * 1_024

  let socket: Socket
  let number: Int
  /// When something must have happened.
  private(set) var deadline: ContinuousClock.Instant

  private let limits: TrackingServer.Limits
  private let idleTime: Duration
  private let requestTime: Duration
  private let work: WorkQueue
  private var exchange = 0
  private var router: Router
  private var parser: RequestParser
  private var phase = Phase.serving
  private var output: [UInt8] = []
  private var sent = 0
  private var isRequestUnderWay = false
  /// How the request that is being read will be broken off, when so many bytes of its body are there.
  private var bodyFault: (effect: Fault.Effect, count: Int)?

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
    guard sent == output.count else { return Int16(POLLOUT) }
    switch phase {
    // That the client is gone is told without being asked for.
    case .working, .answering: return 0
    case .serving, .failing, .stalled, .closing, .lingering: return Int16(POLLIN)
    }
  }

  /// Receives what has arrived and answers the requests that are whole; the answers wait for `flush`.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func receive(date: DateField, now: ContinuousClock.Instant) -> Bool {
    // A client that has not read its answers is not read from.
    guard sent == output.count else { return true }
    switch phase {
    case .serving: return receiveRequests(date: date, now: now)
    case .failing: return true
    case .working, .answering, .closing: return false
    case .stalled, .lingering: return discard()
    }
  }

  /// Goes on with what is due, ends the connection, or says what was missing.
  ///
  /// - Returns: `false` when the connection has come to its end.
  mutating func expire(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard sent == output.count else { return false }
    switch phase {
    case .serving where !parser.isIdle:
      let reason = "the request did not arrive whole within \(TrackingValue.double(limits.requestTimeout)) s"
      end(with: router.refuse(Refusal(status: 408, reason: reason)), date: date)
    case .answering(let steps, let isLast, _):
      give(steps, isLast: isLast, date: date, now: now)
    case .working, .stalled, .failing:
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
    while sent < output.count {
      let transfer = output.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      switch transfer {
      case .bytes(let count): sent += count
      case .wouldBlock:
        deadline = now + requestTime
        return true
      case .closed, .failed: return false
      }
    }
    output.removeAll(keepingCapacity: output.capacity <= Self.keptOutput)
    sent = 0
    return hasSentAll(now)
  }
}

// MARK: - Requests

extension Connection {
  private mutating func receiveRequests(date: DateField, now: ContinuousClock.Instant) -> Bool {
    var transfer = Socket.Transfer.wouldBlock
    _ = parser.receive { space in
      transfer = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(Self.mostReceived)))
      return if case .bytes(let count) = transfer { count } else { 0 }
    }
    switch transfer {
    case .bytes: break
    case .wouldBlock: return true
    // RFC 9112 8: a request that breaks off was never made.
    case .closed, .failed: return false
    }
    answerRequests(date: date, now: now)
    return true
  }

  private mutating func answerRequests(date: DateField, now: ContinuousClock.Instant) {
    while case .serving = phase {
      let event = parser.next()
      if let bodyFault, event != .head, parser.receivedBodyCount >= bodyFault.count {
        fail(bodyFault.effect)
        return
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
    if let fault = router.earlyFault(of: parser.head, exchange: exchange + 1) {
      guard fault.position == .requestBody, parser.head.framing != .none else { return fail(fault.effect) }
      let length = if case .length(let length) = parser.head.framing { length } else { 1 }
      bodyFault = (fault.effect, (length + 1) / 2)
    }
    guard parser.head.expectsContinue, !parser.hasReceivedBody else { return }
    guard let refusal = router.refusal(of: parser.head) else {
      Response.goOn.withUTF8Buffer { output.append(contentsOf: $0) }
      return
    }
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    var response = router.refuse(parser.head, with: refusal, body: nothing, exchange: exchange + 1).response
    // RFC 9110 10.1.1: the client may send its body nevertheless, or not; nobody can know where the next request begins.
    response.closes = true
    end(with: response, date: date, context: context)
  }

  private mutating func answer(date: DateField, now: ContinuousClock.Instant) {
    let exchange = exchange + 1
    give(parser.withBody { router.reply(to: parser.head, body: $0, exchange: exchange) }, date: date, now: now)
  }

  private mutating func give(_ reply: Router.Reply, date: DateField, now: ContinuousClock.Instant) {
    switch reply {
    case .work(let conclude):
      phase = .working
      deadline = now + Self.noDeadline
      work.run(conclude, for: number)
    case .answer(let answer):
      let context = context
      exchange += 1
      parser.finish()
      isRequestUnderWay = false
      let isLast = answer.response.closes || !context.keepsAlive
      if answer.isPlain {
        answer.response.write(to: &output, date: date, context: context)
        finishAnswer(isLast: isLast)
      } else {
        give(answer.steps(date: date, context: context), isLast: isLast, date: date, now: now)
      }
    }
  }

  /// Goes on with an answer as far as its next pause.
  private mutating func give(
    _ steps: ArraySlice<Answer.Step>, isLast: Bool, date: DateField, now: ContinuousClock.Instant
  ) {
    for (index, step) in zip(steps.indices, steps) {
      switch step {
      case .send(let bytes): output.append(contentsOf: bytes)
      case .fail(let effect): return fail(effect)
      case .pause(let time):
        deadline = now + time
        phase = .answering(steps[(index + 1)...], isLast: isLast, resumesAt: deadline)
        return
      }
    }
    let wasPaused = if case .answering = phase { true } else { false }
    finishAnswer(isLast: isLast)
    // What came meanwhile has waited in the parser.
    if wasPaused { answerRequests(date: date, now: now) }
  }

  private mutating func finishAnswer(isLast: Bool) {
    phase = isLast ? .closing(lingers: !parser.isIdle) : .serving
  }

  private mutating func end(with response: Response, date: DateField, context: ResponseContext = ResponseContext()) {
    response.write(to: &output, date: date, context: context)
    phase = .closing(lingers: true)
  }

  private var context: ResponseContext {
    ResponseContext(
      isHead: parser.head.method == .head, isHTTP10: parser.head.version == .http10, keepsAlive: parser.head.keepsAlive)
  }
}

// MARK: - When all is sent

extension Connection {
  private mutating func hasSentAll(_ now: ContinuousClock.Instant) -> Bool {
    switch phase {
    case .serving:
      updateDeadline(now)
      return true
    case .working, .stalled, .lingering:
      return true
    case .answering(_, _, let resumesAt):
      deadline = resumesAt
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
    if parser.isIdle {
      isRequestUnderWay = false
      deadline = now + idleTime
    } else if !isRequestUnderWay {
      // Set once: a request may not stay alive by a byte now and then.
      isRequestUnderWay = true
      deadline = now + requestTime
    }
  }

  private mutating func take(_ effect: Fault.Effect, _ now: ContinuousClock.Instant) -> Bool {
    switch effect {
    case .close:
      return linger(now)
    case .reset:
      socket.resetOnClose()
      return false
    case .garbage:
      // No HTTP in any reading, and no line that ends.
      output = Array("\u{15}\u{3}\u{1} this is no HTTP \u{0}\u{7F}".utf8)
      phase = .closing(lingers: true)
      return flush(now)
    case .halfClose, .stall:
      if effect == .halfClose { socket.shutdownWriting() }
      phase = .stalled
      deadline = now + Self.noDeadline
      return discard()
    }
  }

  private mutating func linger(_ now: ContinuousClock.Instant) -> Bool {
    socket.shutdownWriting()
    phase = .lingering
    deadline = now + Self.lingerTime
    return discard()
  }

  /// Drops what a client goes on sending, until it closes.
  private func discard() -> Bool {
    var transfer = Socket.Transfer.wouldBlock
    withUnsafeTemporaryAllocation(byteCount: 16 * 1_024, alignment: 1) { transfer = socket.receive(into: $0) }
    switch transfer {
    case .bytes, .wouldBlock: return true
    case .closed, .failed: return false
    }
  }
}
