import Foundation
import StubModel
import TrackingModel
import TrackingSockets

/// A client's connection: receives bytes, runs requests through the handlers, sends responses.
///
/// Only the server's thread uses it.
struct Connection: ~Copyable {
  private enum Phase {
    case serving
    /// A request, which stays in the parser, waits for its response from elsewhere.
    case parked(ParkedRequest)
    case delivering(Delivery)
    /// The connection ends, after the last response or by a fault.
    case ending(ConnectionEnding)
  }

  private final class ParkedRequest {
    let token: Int
    /// The index of the handler that parked it.
    let place: Int
    /// Ends the wait, however it ends.
    var cancel: (() -> Void)?
    /// Called if the request never continues.
    var abandon: (() -> Void)?
    var timeout: Continuation?

    init(token: Int, place: Int) {
      self.token = token
      self.place = place
    }
  }

  /// Longer than any test, for a connection without a deadline.
  static let noDeadline = Duration.seconds(604_800)
  /// The maximum number of bytes received in one turn, so that a busy client doesn't delay the others.
  private static let mostReceived = 256 * 1_024
  /// The maximum number of responses in one turn, for the same reason: a debug build is slow with the many small requests that fit into one read.
  static let mostResponses = 64

  let socket: Socket
  /// The time at which the current phase times out.
  private(set) var deadline: ContinuousClock.Instant
  private var phase = Phase.serving
  private var outbox = Outbox()
  private var exchange: Exchange
  private let handlers: HandlerChain
  /// The index of the last handler tried.
  private var place = 0
  private var promises: Mailbox.Promises
  private let limits: TrackingServer.Limits
  private let idleTime: Duration
  private let requestTime: Duration
  private var isRequestUnderWay = false
  /// Whether there may be unread bytes from the client.
  private var hasLookedAway = false
  /// Whether the connection ends after the current response.
  private var isRefused = false
  private var watch = ClientWatch()
  /// Whether the turn ended before all received requests had responses.
  private var hasMoreRequests = false
  /// Whether the exchange's setup was read in this turn.
  private var isSetupFresh = false
  /// The fault that breaks off the current request, and the number of body bytes after which it does.
  private var bodyFault: (fault: EarlyFault, count: Int)?

  init(
    socket: Socket, number: Int, context: ServerContext, handlers: HandlerChain, mailbox: Mailbox,
    now: ContinuousClock.Instant
  ) {
    self.socket = socket
    self.handlers = handlers
    promises = Mailbox.Promises(of: number, in: mailbox)
    limits = context.configuration.limits
    exchange = Exchange(context: context, connection: number)
    idleTime = .clamping(seconds: limits.idleTimeout)
    requestTime = .clamping(seconds: limits.requestTimeout)
    deadline = now + idleTime
  }

  var number: Int { exchange.connection }

  var interest: Int16 {
    // Nothing is received from a client that doesn't read its responses.
    guard outbox.isEmpty else { return Int16(POLLOUT) }
    switch phase {
    // Notices a client that leaves, once: the end of its side stays readable.
    case .parked, .delivering: return watch.isOver ? 0 : Int16(POLLIN)
    case .serving: return Int16(POLLIN)
    case .ending(let ending): return ending.interest
    }
  }

  var isBehind: Bool {
    guard case .serving = phase else { return false }
    return hasMoreRequests && outbox.isEmpty
  }

  var awaitsMessage: Bool {
    switch phase {
    case .parked: true
    case .delivering(let delivery): delivery.awaitsMessage
    default: false
    }
  }

  /// Receives bytes and responds to complete requests; `flush` sends the responses.
  ///
  /// Returns `false` if the connection is to be closed.
  mutating func receive(date: DateField, now: ContinuousClock.Instant) -> Bool {
    // Nothing is received from a client that doesn't read its responses.
    guard outbox.isEmpty else { return true }
    switch phase {
    case .serving: return receiveRequests(date: date, now: now)
    case .parked, .delivering: return lookAtClient()
    case .ending(let ending): return ending.receive(from: socket)
    }
  }

  /// Continues or ends the current phase at its deadline; returns `false` if the connection is to be closed.
  mutating func expire(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard outbox.isEmpty else { return false }
    switch phase {
    case .serving where !exchange.parser.isIdle:
      let reason = "the request did not arrive completely within \(TrackingValue.double(limits.requestTimeout)) s"
      end(with: exchange.refuseUnread(HTTPError(status: 408, reason: reason)), date: date)
    case .delivering(let delivery) where !delivery.awaitsMessage:
      send(delivery, date: date, now: now)
    case .parked(let parked):
      guard let timeout = parked.timeout else { break }
      resume(parked, timeout, date: date, now: now)
    case .delivering:
      deadline = now + Self.noDeadline
    case .ending(let ending) where ending.outlivesDeadline:
      deadline = now + Self.noDeadline
    case .serving, .ending:
      return false
    }
    return flush(now)
  }

  /// Whether the client has closed its side while its response is pending.
  mutating func checkWhetherItHasLeft() -> Bool {
    switch phase {
    // `poll` may not have reported it yet: many connections are accepted in one turn.
    case .parked, .delivering: return watch.hasLeft || !watch.isOver && !lookAtClient() || watch.hasLeft
    default: return false
    }
  }

  /// Continues after a message for which the connection waited; `flush` sends the response.
  mutating func take(_ message: Mailbox.Message, date: DateField, now: ContinuousClock.Instant) {
    switch phase {
    case .parked(let parked) where parked.token == message.token:
      guard let continuation = message.continuation else { return }
      resume(parked, continuation, date: date, now: now)
    case .delivering(let delivery):
      guard delivery.take(message) else { return }
      send(delivery, date: date, now: now)
    default:
      return
    }
  }

  /// Refuses the connection because there are too many.
  mutating func refuseAsTooMany(date: DateField, now: ContinuousClock.Instant) -> Bool {
    let raising = exchange.context.journal.vocabulary == .calls ? "raise limits.connections or " : ""
    let reason = "more than \(limits.connections) connections are open; \(raising)close some"
    end(with: exchange.refuseUnread(HTTPError(status: 503, reason: reason)), date: date)
    return flush(now)
  }

  /// Ends the connection: at once with a reset if it is idle, else after its response.
  ///
  /// Returns `false` if the connection is to be closed.
  mutating func endsAfterItsResponses() -> Bool {
    guard case .serving = phase, exchange.parser.isIdle, outbox.isEmpty, socket.peek() == .wouldBlock else {
      isRefused = true
      return true
    }
    socket.resetOnClose()
    return false
  }

  /// Ends the connection with a fault's effect as soon as everything is sent.
  mutating func fail(_ effect: HTTPFault.Effect) {
    phase = .ending(ConnectionEnding(effect, exchange.context.configuration.limits))
  }

  /// Sends as much of the responses as the client accepts; returns `false` if the connection is to be closed.
  mutating func flush(_ now: ContinuousClock.Instant) -> Bool {
    switch outbox.send(on: socket) {
    case .all: return hasSentAll(now)
    case .part:
      deadline = now + requestTime
      return true
    case .ended: return false
    }
  }

  /// Returns `false` if the connection is to be closed.
  private mutating func hasSentAll(_ now: ContinuousClock.Instant) -> Bool {
    switch phase {
    case .serving where isRefused && exchange.parser.isIdle:
      // It was sending its last response when new connections were refused.
      phase = .ending(ConnectionEnding(lingers: true, exchange.context.configuration.limits))
      return hasSentAll(now)
    case .serving: updateDeadline(now)
    case .parked: break
    case .delivering(let delivery): deadline = delivery.resumesAt ?? now + Self.noDeadline
    case .ending(var ending):
      let step = ending.proceed(socket, &outbox, patience: requestTime, now: now)
      phase = .ending(ending)
      switch step {
      case .close: return false
      case .send: return flush(now)
      case .wait(let time): deadline = time ?? deadline
      case .waitForClient: deadline = now + Self.noDeadline
      }
    }
    return true
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

  /// Checks whether the client has left while its response is pending; returns `false` if so.
  private mutating func lookAtClient() -> Bool {
    switch watch.look(at: socket) {
    case .waits: return true
    case .hasGone: return false
    case .hasEndedItsSide:
      if takesInterimResponse { appendContinue() }
      return true
    }
  }

  /// Whether nothing of the response has been sent, and the client's HTTP version has interim responses.
  private var takesInterimResponse: Bool {
    switch phase {
    case .parked: exchange.head.version != .http10
    case .delivering(let delivery): delivery.mayFollowInterimResponse
    default: false
    }
  }

  /// Cancels pending work, and closes the socket.
  mutating func close() {
    switch phase {
    case .parked(let parked):
      parked.cancel?()
      parked.abandon?()
    case .delivering(let delivery): delivery.cancel()
    default: break
    }
    phase = .ending(ConnectionEnding(lingers: false, exchange.context.configuration.limits))
    socket.close()
    exchange.context.journal.recordClose()
  }
}

// MARK: - Receiving and responding to requests

extension Connection {
  private mutating func receiveRequests(date: DateField, now: ContinuousClock.Instant) -> Bool {
    guard !hasMoreRequests else {
      respondToRequests(date: date, now: now)
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
    // RFC 9112 8: an incomplete request doesn't count.
    case .closed, .failed:
      exchange.context.journal.recordEnd(ofConnection: number)
      return false
    }
    respondToRequests(date: date, now: now)
    return true
  }

  private mutating func respondToRequests(date: DateField, now: ContinuousClock.Instant) {
    hasMoreRequests = false
    isSetupFresh = false
    let last = exchange.number + Self.mostResponses
    while case .serving = phase {
      guard exchange.number < last, !outbox.isFull else {
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
        place = 0
        act(on: handlers.handle(&exchange, from: &place), date: date, now: now)
      case .refused(let refusal): end(with: exchange.refuseUnread(refusal), date: date)
      }
    }
  }

  /// Whether to break a request off: enough of its body has arrived, or the body is too large.
  private static func isTime(for count: Int, _ event: RequestParser.Event, _ received: Int) -> Bool {
    switch event {
    case .head: false
    case .request: true
    case .needsMore: received >= count
    case .refused(let refusal): refusal.status == 413
    }
  }

  /// Looks at a request's head: breaks the request off, or tells a client that waits with its body whether to send it.
  private mutating func lookAhead(date: DateField) {
    let waits = exchange.head.expectsContinue && !exchange.parser.hasReceivedBody
    exchange.setup = exchange.context.stubs.setup
    isSetupFresh = true
    guard waits || exchange.setup.hasEarlyFaults else { return }
    switch handlers.preview(&exchange) {
    case .breakOff(let early):
      guard early.fault.position == .requestBody, exchange.head.framing != .none else { return breakOff(with: early) }
      let length = if case .length(let length) = exchange.head.framing { length } else { 1 }
      bodyFault = (early, length / 2 + length % 2)
    case .refuse(let refusal):
      guard waits else { return }
      var response = exchange.refuse(refusal).response
      exchange.sender.addFields(to: &response, exchange.parser.head)
      // RFC 9110 10.1.1: the client may or may not send its body, so the beginning of the next request is unknown.
      response.closes = true
      return end(with: response, date: date, context: exchange.responseContext)
    case .pass, .wanted, .unserved: break
    }
    // A body that is too large is refused next.
    guard waits, !exchange.parser.announcesTooMuch else { return }
    appendContinue()
  }

  private mutating func breakOff(with early: EarlyFault) {
    exchange.record(brokenOffBy: early.fault, of: early.selection)
    fail(early.fault.effect)
  }

  private mutating func resume(
    _ parked: ParkedRequest, _ continuation: Continuation, date: DateField, now: ContinuousClock.Instant
  ) {
    parked.cancel?()
    phase = .serving
    place = parked.place
    act(on: continuation(&exchange), date: date, now: now)
    respondToRequests(date: date, now: now)
  }

  private mutating func act(
    on outcome: consuming RequestOutcome, date: DateField, now: ContinuousClock.Instant
  ) {
    switch consume outcome {
    case .pass:
      place += 1
      act(on: handlers.handle(&exchange, from: &place), date: date, now: now)
    case .respond(let planned): respond(with: planned, date: date, now: now)
    case .work(let job, let abandon):
      let (parked, resume) = park(now)
      parked.abandon = abandon
      guard !exchange.context.workers.run({ resume(job()) }) else { return }
      abandon?()
      phase = .serving
      respond(with: exchange.refuseForWantOfThreads(), date: date, now: now)
    case .task(let job):
      let (parked, resume) = park(now)
      let task = Task.detached(priority: .userInitiated) { resume(await job()) }
      parked.cancel = { task.cancel() }
    case .park(let parking):
      let (parked, resume) = park(now)
      parked.cancel = parking.start(resume)
      parked.abandon = parking.abandon
      guard let (time, continuation) = parking.timeout else { return }
      parked.timeout = continuation
      deadline = now + time
    }
  }

  /// Parks the current request; returns it, and a function that continues it from any thread.
  private mutating func park(
    _ now: ContinuousClock.Instant
  ) -> (ParkedRequest, @Sendable (@escaping Continuation) -> Void) {
    let (token, resume) = promises.resume()
    let parked = ParkedRequest(token: token, place: place)
    phase = .parked(parked)
    hasLookedAway = true
    deadline = now + Self.noDeadline
    return (parked, resume)
  }
}

// MARK: - Sending responses

extension Connection {
  private mutating func respond(with planned: consuming PlannedResponse, date: DateField, now: ContinuousClock.Instant)
  {
    exchange.sender.addFields(to: &planned.response, exchange.parser.head)
    if isRefused { planned.response.closes = true }
    let context = exchange.responseContext
    exchange.finish()
    isRequestUnderWay = false
    let isLast = planned.response.isLast(context)
    guard let plan = planned.plan else {
      write(planned.response, date: date, context: context)
      return finishResponse(isLast: isLast)
    }
    send(Delivery(planned.response, plan, context: context, isLast: isLast), date: date, now: now)
  }

  private mutating func write(_ response: HTTPResponse, date: DateField, context: HTTPResponse.Context) {
    outbox.append { response.writeHead(to: &$0, date: date, context: context) }
    // RFC 9110 9.3.2: the response to HEAD ends with its head.
    if let content = response.content, !context.isHead, !content.isEmpty {
      outbox.append(content)
    }
  }

  /// Sends a response up to its next pause.
  private mutating func send(_ delivery: Delivery, date: DateField, now: ContinuousClock.Instant) {
    let wasPaused = if case .delivering = phase { true } else { false }
    switch delivery.proceed(into: &outbox, &promises, date: date, now: now) {
    case .paused(let time):
      deadline = time ?? now + Self.noDeadline
      phase = .delivering(delivery)
      hasLookedAway = true
    case .failed(let effect): fail(effect)
    case .complete:
      finishResponse(isLast: delivery.isLast)
      // Requests that arrived meanwhile are in the parser.
      if wasPaused { respondToRequests(date: date, now: now) }
    }
  }

  private mutating func finishResponse(isLast: Bool) {
    phase =
      isLast || isRefused
      ? .ending(
        ConnectionEnding(lingers: !exchange.parser.isIdle || hasLookedAway, exchange.context.configuration.limits))
      : .serving
    watch = ClientWatch()
  }

  private mutating func end(
    with response: HTTPResponse, date: DateField, context: HTTPResponse.Context = HTTPResponse.Context()
  ) {
    write(response, date: date, context: context)
    phase = .ending(ConnectionEnding(lingers: true, exchange.context.configuration.limits))
  }

  private mutating func appendContinue() {
    outbox.append { bytes in HTTPResponse.continueLine.withUTF8Buffer { bytes.append(contentsOf: $0) } }
  }
}
