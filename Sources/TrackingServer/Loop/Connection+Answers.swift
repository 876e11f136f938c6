import Foundation
import StubModel
import TrackingSockets

// How a connection gives its answers: at once, after work, or step by step.

extension Connection {
  mutating func give(_ reply: Router.Reply, date: DateField, now: ContinuousClock.Instant) {
    switch reply {
    case .work(let conclude):
      phase = .working
      hasLookedAway = true
      deadline = now + Self.noDeadline
      work.run(conclude, for: number)
    case .answer(let answer):
      let context = context
      exchange += 1
      parser.finish()
      isRequestUnderWay = false
      let isLast = answer.response.closes || !context.keepsAlive
      if answer.isPlain {
        answer.response.write(to: &outbox.bytes, date: date, context: context)
        finishAnswer(isLast: isLast)
      } else {
        give(answer.steps(date: date, context: context), isLast: isLast, date: date, now: now)
      }
    }
  }

  /// Goes on with an answer as far as its next pause.
  mutating func give(
    _ steps: ArraySlice<Answer.Step>, isLast: Bool, date: DateField, now: ContinuousClock.Instant
  ) {
    for (index, step) in zip(steps.indices, steps) {
      switch step {
      case .send(let bytes): outbox.bytes.append(contentsOf: bytes)
      case .fail(let effect): return fail(effect)
      case .pause(let time):
        deadline = now + time
        phase = .answering(steps[(index + 1)...], isLast: isLast, resumesAt: deadline)
        hasLookedAway = true
        return
      }
    }
    let wasPaused = if case .answering = phase { true } else { false }
    finishAnswer(isLast: isLast)
    // What came meanwhile has waited in the parser.
    if wasPaused { answerRequests(date: date, now: now) }
  }

  private mutating func finishAnswer(isLast: Bool) {
    phase = isLast ? .closing(lingers: !parser.isIdle || hasLookedAway) : .serving
  }

  mutating func end(with response: Response, date: DateField, context: ResponseContext = ResponseContext()) {
    response.write(to: &outbox.bytes, date: date, context: context)
    phase = .closing(lingers: true)
  }

  var context: ResponseContext {
    ResponseContext(
      isHead: parser.head.method == .head, isHTTP10: parser.head.version == .http10, keepsAlive: parser.head.keepsAlive)
  }
}
