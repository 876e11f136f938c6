import Foundation
import StubModel
import TrackingModel
import TrackingSockets

/// One client's connection: bytes in, requests, answers, bytes out.
///
/// Used by the server thread alone.
struct Connection: ~Copyable {
  /// What a connection is doing.
  ///
  /// Indirect are the phases with a time: the system may change how large an instant is, so that a phase that held one would be copied by calls
  /// into its library, at every turn of every connection.
  enum Phase {
    /// Requests are read and answered.
    case serving
    /// The answer to a request, which stays in the parser, is being made elsewhere.
    case parked(ParkedRequest)
    /// An answer is sent step by step.
    case delivering(Delivery)
    /// When everything is sent, the exchange ends in this way.
    case failing(Fault.Effect)
    /// The connection is reset as soon as the client has received what was sent, or at a time.
    indirect case resetting(until: ContinuousClock.Instant)
    /// Nothing will be sent any more, and what arrives is dropped, until the client gives up.
    case stalled
    /// The last answer is on its way; then the socket is closed, after a while of listening if the client may still be sending.
    case closing(lingers: Bool)
    /// RFC 9112 9.6: closing at once, with bytes unread, would reset the connection and might destroy the answer before the client has read it.
    case lingering
  }

  /// What a request that is parked waits for.
  final class ParkedRequest {
    let token: Int
    /// The place of the handler that parked it.
    let place: Int
    var cancel: (() -> Void)?
    var timeout: Continuation?

    init(token: Int, place: Int) {
      self.token = token
      self.place = place
    }
  }

  /// Longer than any test: nobody looks at a connection without a deadline.
  static let noDeadline = Duration.seconds(604_800)
  /// Bytes taken from the socket in one turn, so that a client with much to say does not keep the others waiting.
  private static let mostReceived = 256 * 1_024
  /// Requests answered in one turn, for the same reason: as many small ones as are received in one take a debug build longer than others like
  /// to wait.
  static let mostAnswered = 64
  /// Bytes of answers after which no further request is answered before the client has taken them: a request of a few bytes may ask for a
  /// stub's largest file.
  static let mostPending = 256 * 1_024

  let socket: Socket
  /// When something must have happened.
  var deadline: ContinuousClock.Instant
  var phase = Phase.serving
  var outbox = Outbox()
  var exchange: Exchange
  let idleTime: Duration
  let requestTime: Duration
  var isRequestUnderWay = false
  /// Whether the client has ended its side while its answer is pending: it may be gone, and its place is free.
  private var hasLeft = false

  private let limits: TrackingServer.Limits
  /// Counts what the connection has waited for, so that a message for something else is noticed.
  private var token = 0
  /// Whether the client may have sent something that was not read while it waited for the answer to its last request.
  private var hasLookedAway = false
  /// Whether the client has sent something, or its end, while its answer is pending.
  private var hasSeenInput = false
  /// Whether the turn has ended before everything that was received has been looked at.
  private var hasMoreRequests = false
  /// Whether what is set up was looked at in this turn.
  private var isSetupFresh = false
  /// How the request that is being read will be broken off, when so many bytes of its body are there.
  private var bodyFault: (fault: EarlyFault, count: Int)?

  init(socket: Socket, number: Int, context: ServerContext, now: ContinuousClock.Instant) {
    self.socket = socket
    limits = context.configuration.limits
    exchange = Exchange(context: context, connection: number)
    idleTime = .clamping(seconds: limits.idleTimeout)
    requestTime = .clamping(seconds: limits.requestTimeout)
    deadline = now + idleTime
  }

  var number: Int { exchange.connection }

  /// What to poll for.
  var interest: Int16 {
    // A client that does not read its answers is not read from either.
    guard outbox.isEmpty else { return Int16(POLLOUT) }
    switch phase {
    // A client that leaves is noticed. One that has ended its side may still wait for its answer, and would be told again and again.
    case .parked, .delivering: return hasSeenInput ? 0 : Int16(POLLIN)
    case .resetting: return 0
    case .serving, .failing, .stalled, .closing, .lingering: return Int16(POLLIN)
    }
  }

  /// Whether there is something to answer that need not be waited for.
  var isBehind: Bool {
    guard case .serving = phase else { return false }
    return hasMoreRequests && outbox.isEmpty
  }

  /// Whether messages may arrive for it.
  var awaitsMessage: Bool {
    switch phase {
    case .parked: true
    case .delivering(let delivery): delivery.waiting != nil
    default: false
    }
  }

  /// Receives what has arrived and answers the requests that are whole; the answers wait for `flush`.
  ///
  /// - Returns: `false` when the connection is closed.
  mutating func receive(date: DateField, now: ContinuousClock.Instant) -> Bool {
    // A client that has not read its answers is not read from.
    guard outbox.isEmpty else { return true }
    switch phase {
    case .serving: return receiveRequests(date: date, now: now)
    case .parked, .delivering: return watch()
    case .failing: return true
    case .resetting, .closing: return false
    case .stalled, .lingering: return discard()
    }
  }

  /// Does what is due, ends the connection, or says what was missing.
  ///
  /// - Returns: `false` when the connection is closed.
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
    // Poll may not have told yet: many connections are accepted in one turn.
    case .parked, .delivering: return hasLeft || !hasSeenInput && !watch() || hasLeft
    default: return false
    }
  }

  /// Continues with what a message was promised for; the answer waits for `flush`.
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

  /// Answers that there are too many connections, and ends this one.
  mutating func refuseAsTooMany(date: DateField, now: ContinuousClock.Instant) -> Bool {
    let reason = "more than \(limits.connections) connections are open; raise limits.connections or close some"
    end(with: exchange.refuseUnread(Refusal(status: 503, reason: reason)), date: date)
    return flush(now)
  }

  /// Lets the connection end in this way when everything is sent.
  mutating func fail(_ effect: Fault.Effect) {
    phase = .failing(effect)
  }

  /// Sends as much of the answers as the client takes, and says what is next.
  ///
  /// - Returns: `false` when the connection is closed.
  mutating func flush(_ now: ContinuousClock.Instant) -> Bool {
    switch outbox.send(on: socket) {
    case .all: return hasSentAll(now)
    case .part:
      deadline = now + requestTime
      return true
    case .ended: return false
    }
  }

  /// Lets go of what the connection waits for, and closes its socket.
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

// MARK: - Requests

extension Connection {
  private mutating func receiveRequests(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard !hasMoreRequests else {
      answerRequests(date: date, now: now)
      return true
    }
    var transfer = Socket.Transfer.wouldBlock
    let socket = socket
    _ = exchange.parser.receive { space in
      transfer = socket.receive(into: UnsafeMutableRawBufferPointer(rebasing: space.prefix(Self.mostReceived)))
      return if case .bytes(let count) = transfer { count } else { 0 }
    }
    switch transfer {
    case .bytes: break
    case .wouldBlock: return true
    // RFC 9112 8: a request that breaks off was never made.
    case .closed, .failed:
      exchange.context.journal.recordEnd(ofConnection: number)
      return false
    }
    answerRequests(date: date, now: now)
    return true
  }

  private mutating func answerRequests(date: DateField, now: ContinuousClock.Instant) {
    hasMoreRequests = false
    isSetupFresh = false
    let last = exchange.number + Self.mostAnswered
    while case .serving = phase {
      guard exchange.number < last, outbox.count < Self.mostPending else {
        hasMoreRequests = !exchange.parser.isIdle
        return
      }
      let event = exchange.parser.next()
      if let bodyFault, Self.isTime(for: bodyFault.count, event, exchange.parser.receivedBodyCount) {
        return breakOff(with: bodyFault.fault)
      }
      switch event {
      case .needsMore: return
      case .head: lookAhead(date: date)
      case .request:
        if !isSetupFresh { exchange.setup = exchange.context.stubs.setup }
        isSetupFresh = false
        act(on: exchange.run(), date: date, now: now)
      case .refused(let refusal): end(with: exchange.refuseUnread(refusal), date: date)
      }
    }
  }

  /// Whether a request is to be broken off: so much of its body is there, or nothing more of it will be read because it is too large.
  private static func isTime(for count: Int, _ event: RequestParser.Event, _ received: Int) -> Bool {
    switch event {
    case .head: false
    case .request: true
    case .needsMore: received >= count
    case .refused(let refusal): refusal.status == 413
    }
  }

  /// Breaks a request off that is not to be read, or tells a client that waits with its body whether to send it.
  private mutating func lookAhead(date: DateField) {
    let waits = exchange.head.expectsContinue && !exchange.parser.hasReceivedBody
    exchange.setup = exchange.context.stubs.setup
    isSetupFresh = true
    guard waits || exchange.setup.hasEarlyFaults else { return }
    switch exchange.preview() {
    case .breakOff(let early):
      guard early.fault.position == .requestBody, exchange.head.framing != .none else { return breakOff(with: early) }
      let length = if case .length(let length) = exchange.head.framing { length } else { 1 }
      bodyFault = (early, length / 2 + length % 2)
    case .refuse(let refusal):
      guard waits else { return }
      var response = exchange.refuse(refusal).response
      exchange.addSenderFields(to: &response)
      // RFC 9110 10.1.1: the client may send its body nevertheless, or not; nobody can know where the next request begins.
      response.closes = true
      return end(with: response, date: date, context: exchange.responseContext)
    case .pass, .wanted: break
    }
    // What is too large is refused next.
    guard waits, !exchange.parser.announcesTooMuch else { return }
    appendContinue()
  }

  private mutating func breakOff(with early: EarlyFault) {
    exchange.record(brokenOffBy: early)
    fail(early.fault.effect)
  }

  private mutating func resume(
    _ parked: ParkedRequest, _ continuation: Continuation, date: DateField, now: ContinuousClock.Instant
  ) {
    phase = .serving
    exchange.place = parked.place
    act(on: continuation(&exchange), date: date, now: now)
    answerRequests(date: date, now: now)
  }

  private mutating func act(
    on outcome: consuming Outcome, date: DateField, now: ContinuousClock.Instant
  ) {
    switch consume outcome {
    case .pass: act(on: exchange.run(from: exchange.place + 1), date: date, now: now)
    case .reply(let reply): answer(with: reply, date: date, now: now)
    case .work(let job):
      let (parked, resume) = park(now)
      guard !exchange.context.workers.run({ resume(job()) }) else { return }
      parked.cancel = nil
      phase = .serving
      answer(with: exchange.refuseForWantOfThreads(), date: date, now: now)
    case .task(let job):
      let (parked, resume) = park(now)
      let task = Task.detached(priority: .userInitiated) { resume(await job()) }
      parked.cancel = { task.cancel() }
    case .park(let parking):
      let (parked, resume) = park(now)
      parked.cancel = parking.start(resume)
      guard let (time, continuation) = parking.timeout else { return }
      parked.timeout = continuation
      deadline = now + time
    }
  }

  /// Lets the request wait.
  ///
  /// - Returns: What it waits for, and what continues with it, from any thread.
  private mutating func park(
    _ now: ContinuousClock.Instant
  ) -> (ParkedRequest, @Sendable (@escaping Continuation) -> Void) {
    token += 1
    let parked = ParkedRequest(token: token, place: exchange.place)
    let (mailbox, number, token) = (exchange.context.mailbox, number, token)
    phase = .parked(parked)
    hasLookedAway = true
    deadline = now + Self.noDeadline
    return (
      parked,
      { continuation in
        mailbox.send(Mailbox.Message(connection: number, token: token, continuation: continuation))
      }
    )
  }
}

// MARK: - Answers

extension Connection {
  private mutating func answer(with reply: consuming Reply, date: DateField, now: ContinuousClock.Instant) {
    exchange.addSenderFields(to: &reply.response)
    let context = exchange.responseContext
    exchange.finish()
    isRequestUnderWay = false
    let isLast = reply.response.isLast(context)
    guard let plan = reply.plan else {
      write(reply.response, date: date, context: context)
      return finishAnswer(isLast: isLast)
    }
    plan.stream?.addListener()
    send(Delivery(reply.response, plan, context: context, isLast: isLast), date: date, now: now)
  }

  private mutating func write(_ response: Response, date: DateField, context: ResponseContext) {
    outbox.append { response.writeHead(to: &$0, date: date, context: context) }
    // RFC 9110 9.3.2: the answer to HEAD ends with its head.
    if let content = response.content, !context.isHead, !content.isEmpty {
      outbox.append(content, owner: response.contentOwner)
    }
  }

  /// Continues with an answer as far as its next pause.
  private mutating func send(_ delivery: Delivery, date: DateField, now: ContinuousClock.Instant) {
    let wasPaused = if case .delivering = phase { true } else { false }
    while true {
      delivery.resumesAt = nil
      switch delivery.next(date: date, now: now) {
      case .send(let bytes, let owner): outbox.append(bytes, owner: owner)
      case .wait(let time): return pause(delivery, until: time)
      case .pass(let gate):
        let (token, resume) = promise()
        guard let ticket = gate.pass(resume) else { continue }
        delivery.waiting = (token, { gate.cancel(ticket) })
        return pause(delivery, until: now + Self.noDeadline)
      case .listen(let stream, let count):
        // What the client has not taken stays in the stream, where it is shared.
        guard outbox.count < Self.mostPending else { return pause(delivery, until: now) }
        let (token, resume) = promise()
        switch stream.news(after: count, orWake: resume) {
        case .pieces(let pieces):
          var sent = 0
          for piece in pieces where sent == 0 || outbox.count < Self.mostPending {
            outbox.append(delivery.framed(piece)[...])
            sent += 1
          }
          delivery.sent(pieces: sent)
        case .end(.finished): outbox.append(delivery.endStream()[...])
        case .end(.failed(let effect)):
          stream.removeListener()
          return fail(effect)
        case .none(let ticket):
          delivery.waiting = (token, { stream.cancel(ticket) })
          return pause(delivery, until: now + Self.noDeadline)
        }
      case .fail(let effect):
        delivery.stream?.removeListener()
        return fail(effect)
      case .end:
        delivery.stream?.removeListener()
        finishAnswer(isLast: delivery.isLast)
        // What arrived meanwhile has waited in the parser.
        if wasPaused { answerRequests(date: date, now: now) }
        return
      }
    }
  }

  private mutating func pause(_ delivery: Delivery, until time: ContinuousClock.Instant) {
    delivery.resumesAt = time
    deadline = time
    phase = .delivering(delivery)
    hasLookedAway = true
  }

  private mutating func promise() -> (Int, @Sendable () -> Void) {
    token += 1
    let (mailbox, number, token) = (exchange.context.mailbox, number, token)
    return (token, { mailbox.send(Mailbox.Message(connection: number, token: token, continuation: nil)) })
  }

  private mutating func finishAnswer(isLast: Bool) {
    phase = isLast ? .closing(lingers: !exchange.parser.isIdle || hasLookedAway) : .serving
    hasSeenInput = false
    hasLeft = false
  }

  private mutating func end(
    with response: Response, date: DateField, context: ResponseContext = ResponseContext()
  ) {
    write(response, date: date, context: context)
    phase = .closing(lingers: true)
  }

  /// Notices that a client leaves while its answer is pending.
  ///
  /// A client that has ended its side may have gone, or may wait for its answer. Before an answer begins, an interim response finds out at
  /// once: whoever waits drops it (RFC 9110 15.2), and the system of whoever has gone resets the connection. Otherwise TCP's keep-alive finds
  /// out, and until then the client's place is free for others.
  private mutating func watch() -> Bool {
    // Nothing is polled for then, and only a failure is reported.
    guard !hasSeenInput else { return false }
    switch socket.peek() {
    case .wouldBlock: return true
    case .failed: return false
    case .bytes: hasSeenInput = true
    case .closed:
      hasSeenInput = true
      hasLeft = true
      socket.probePeer()
      if takesInterimResponse { appendContinue() }
    }
    return true
  }

  /// Whether nothing of the answer has been sent, and the client's version of HTTP has interim responses.
  private var takesInterimResponse: Bool {
    switch phase {
    case .parked: exchange.head.version != .http10
    case .delivering(let delivery): delivery.mayFollowInterimResponse
    default: false
    }
  }

  private mutating func appendContinue() {
    outbox.append { bytes in Response.goOn.withUTF8Buffer { bytes.append(contentsOf: $0) } }
  }
}
