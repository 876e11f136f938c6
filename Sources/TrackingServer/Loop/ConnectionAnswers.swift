import Foundation
import StubModel
import TrackingSockets

// Sending answers, step by step where they have a plan.

extension Connection {
  mutating func answer(with reply: consuming Reply, date: DateField, now: ContinuousClock.Instant) {
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

  private mutating func write(_ response: HTTPResponse, date: DateField, context: ResponseContext) {
    outbox.append { response.writeHead(to: &$0, date: date, context: context) }
    // RFC 9110 9.3.2: the answer to HEAD ends with its head.
    if let content = response.content, !context.isHead, !content.isEmpty {
      outbox.append(content, owner: response.contentOwner)
    }
  }

  /// Sends an answer up to its next pause.
  mutating func send(_ delivery: Delivery, date: DateField, now: ContinuousClock.Instant) {
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
        // Unsent pieces stay in the stream, where all its listeners share them.
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
        // Requests that arrived meanwhile are in the parser.
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
    watch = ClientWatch()
  }

  mutating func end(
    with response: HTTPResponse, date: DateField, context: ResponseContext = ResponseContext()
  ) {
    write(response, date: date, context: context)
    phase = .closing(lingers: true)
  }

  /// Appends an interim response.
  mutating func appendContinue() {
    outbox.append { bytes in HTTPResponse.continueLine.withUTF8Buffer { bytes.append(contentsOf: $0) } }
  }
}
