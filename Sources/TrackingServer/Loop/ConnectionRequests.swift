import Foundation
import StubModel
import TrackingSockets

// Receiving and answering requests.

extension Connection {
  mutating func receiveRequests(date: DateField, now: ContinuousClock.Instant) -> Bool {
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
    // RFC 9112 8: an incomplete request doesn't count.
    case .closed, .failed:
      exchange.context.journal.recordEnd(ofConnection: number)
      return false
    }
    answerRequests(date: date, now: now)
    return true
  }

  mutating func answerRequests(date: DateField, now: ContinuousClock.Instant) {
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

  /// Whether to break a request off: enough of its body has arrived, or it is too large to be read.
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
    if let peer = exchange.peer, let gate = exchange.context.deviceGate {
      switch exchange.parser.withHead({ gate.verdict(on: &$0, from: peer) }) {
      case .admit: break
      case .ignore: return fail(.close)
      case .refuse(let refusal):
        var response = exchange.reply(to: refusal).response
        response.closes = true
        return end(with: response, date: date, context: exchange.responseContext)
      }
    }
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
      // RFC 9110 10.1.1: the client may still send its body or not, so the beginning of the next request is unknown.
      response.closes = true
      return end(with: response, date: date, context: exchange.responseContext)
    case .pass, .wanted: break
    }
    // A body that is too large is refused next.
    guard waits, !exchange.parser.announcesTooMuch else { return }
    appendContinue()
  }

  private mutating func breakOff(with early: EarlyFault) {
    exchange.record(brokenOffBy: early)
    fail(early.fault.effect)
  }

  mutating func resume(
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

  /// Parks the current request.
  ///
  /// - Returns: The parked request, and a function that continues with it, from any thread.
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
