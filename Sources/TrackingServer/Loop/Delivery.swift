import StubModel
import TrackingModel

/// A response that is sent step by step.
final class Delivery {
  enum Progress {
    /// Paused until a time; with `nil`, until a message of a gate or a stream.
    case paused(until: ContinuousClock.Instant?)
    /// The connection ends with this effect.
    case failed(HTTPFault.Effect)
    case complete
  }

  private enum Step {
    case send(ResponseContent)
    case wait(until: ContinuousClock.Instant)
    case pass(StubGate)
    case listen(StubStream, after: Int)
    case fail(HTTPFault.Effect)
    case end
  }

  private enum Stage {
    case delay, gate, head, bodyStart, body, end
  }

  let isLast: Bool
  private let response: HTTPResponse
  private let plan: PlannedResponse.Plan
  private let context: HTTPResponse.Context
  private var stage = Stage.delay
  /// The beginning of the stage; the times of a body's pieces are relative to it, so that delays don't add up.
  private var start: ContinuousClock.Instant?
  private var sentPieces = 0
  private lazy var pieces = plan.dribble?.pieces(ofBytes: content.count) ?? []
  private var hasEndedStream = false
  private var hasSentGarbage = false

  /// The time of the next step; `nil` if it waits for a message.
  private(set) var resumesAt: ContinuousClock.Instant?
  /// The awaited message, and a function that cancels the wait.
  private var waiting: (token: Int, cancel: () -> Void)?

  init(_ response: HTTPResponse, _ plan: PlannedResponse.Plan, context: HTTPResponse.Context, isLast: Bool) {
    self.response = response
    self.plan = plan
    self.context = context
    self.isLast = isLast
    plan.stream?.addListener()
  }

  var awaitsMessage: Bool { waiting != nil }

  /// Notes a message; returns `false` if it isn't the awaited one.
  func take(_ message: Mailbox.Message) -> Bool {
    guard waiting?.token == message.token else { return false }
    waiting = nil
    return true
  }

  func cancel() {
    waiting?.cancel()
    plan.stream?.removeListener()
  }

  /// Appends to the unsent bytes up to the next pause.
  func proceed(
    into outbox: inout Outbox, _ promises: inout Mailbox.Promises, date: DateField, now: ContinuousClock.Instant
  ) -> Progress {
    resumesAt = nil
    while true {
      switch next(date: date, now: now) {
      case .send(let content): outbox.append(content)
      case .wait(let time): return pause(until: time)
      case .pass(let gate):
        let (token, wake) = promises.wake()
        guard let ticket = gate.pass(wake) else { continue }
        waiting = (token, { gate.cancel(ticket) })
        return pause(until: nil)
      case .listen(let stream, let count):
        // Unsent pieces stay in the stream, where all its listeners share them.
        guard !outbox.isFull else { return pause(until: now) }
        let (token, wake) = promises.wake()
        switch stream.news(after: count, orWake: wake) {
        case .pieces(let pieces):
          var sent = 0
          for piece in pieces where sent == 0 || !outbox.isFull {
            outbox.append(.bytes(framed(piece)[...]))
            sent += 1
          }
          sentPieces += sent
        case .end(.finished): outbox.append(.bytes(endStream()[...]))
        case .end(.failed(let effect)): return end(.failed(effect))
        case .none(let ticket):
          waiting = (token, { stream.cancel(ticket) })
          return pause(until: nil)
        }
      case .fail(let effect): return end(.failed(effect))
      case .end: return end(.complete)
      }
    }
  }

  private func pause(until time: ContinuousClock.Instant?) -> Progress {
    resumesAt = time
    return .paused(until: time)
  }

  private func end(_ progress: Progress) -> Progress {
    plan.stream?.removeListener()
    return progress
  }

  /// The next step, which must be done before the following one is taken.
  private func next(date: DateField, now: ContinuousClock.Instant) -> Step {
    while true {
      switch stage {
      case .delay:
        if let step = pause(plan.delay, now) { return step }
        enter(.gate)
      case .gate:
        enter(.head)
        if let gate = plan.gate { return .pass(gate) }
      case .head:
        plan.begins?()
        if let fault = plan.fault, fault.isBeforeTheResponse { return .fail(fault.effect) }
        enter(.bodyStart)
        var head: [UInt8] = []
        response.writeHead(to: &head, date: date, context: context)
        return .send(.bytes(head[...]))
      case .bodyStart:
        switch plan.bodyStart {
        case .delay(let seconds):
          if let step = pause(.clamping(seconds: seconds), now) { return step }
          enter(.body)
        case .gate(let gate):
          enter(.body)
          return .pass(gate.object)
        case nil: enter(.body)
        }
      case .body:
        if let step = bodyStep(now) { return step }
        enter(.end)
        return endStep()
      case .end:
        return hasSentGarbage ? .fail(.close) : .end
      }
    }
  }

  /// A stream's piece, framed for sending (RFC 9112 7.1).
  private func framed(_ piece: [UInt8]) -> [UInt8] {
    guard response.isChunked(context) else { return piece }
    return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }

  /// Notes the end of a stream; returns the bytes that end the body.
  private func endStream() -> [UInt8] {
    hasEndedStream = true
    return response.isChunked(context) ? Array("0\r\n\r\n".utf8) : []
  }

  /// Whether nothing has been sent, and the client's HTTP version has interim responses.
  var mayFollowInterimResponse: Bool {
    guard !context.isHTTP10 else { return false }
    return switch stage {
    case .delay, .gate, .head: true
    case .bodyStart, .body, .end: false
    }
  }

  private func enter(_ stage: Stage) {
    self.stage = stage
    start = nil
  }

  private func pause(_ duration: Duration, _ now: ContinuousClock.Instant) -> Step? {
    guard duration > .zero else { return nil }
    let due = (start ?? now) + duration
    if start == nil { start = now }
    return due > now ? .wait(until: due) : nil
  }

  /// The part of the content before the fault.
  private var content: ResponseContent {
    // RFC 9110 9.3.2: the response to HEAD ends with its head.
    guard !context.isHead, let content = response.content else { return .bytes([]) }
    return plan.fault?.position == .responseBody ? content.part(0..<content.count / 2) : content
  }

  private func bodyStep(_ now: ContinuousClock.Instant) -> Step? {
    if let stream = plan.stream {
      let isOver = hasEndedStream || context.isHead || plan.fault?.position == .responseBody
      return isOver ? nil : .listen(stream, after: sentPieces)
    }
    let content = content
    guard let dribble = plan.dribble, pieces.count > 1 else {
      guard sentPieces == 0, !content.isEmpty else { return nil }
      sentPieces = 1
      return .send(content)
    }
    guard sentPieces < pieces.count else { return nil }
    let start = start ?? now
    self.start = start
    let interval = Duration.clamping(seconds: dribble.duration) / (pieces.count - 1)
    var last = sentPieces
    while last < pieces.count, start + interval * last <= now { last += 1 }
    guard last > sentPieces else { return .wait(until: start + interval * sentPieces) }
    defer { sentPieces = last }
    return .send(content.part(pieces[sentPieces].lowerBound..<pieces[last - 1].upperBound))
  }

  private func endStep() -> Step {
    guard let fault = plan.fault else { return .end }
    let missing = context.isHead ? 0 : (response.content?.count ?? 0) - content.count
    guard fault.effect == .garbage, missing > 0 else { return .fail(fault.effect) }
    // As many bytes as are missing would complete the body, and clients would report no error.
    hasSentGarbage = true
    return .send(.bytes(HTTPFault.garbage.prefix(missing - 1)))
  }
}
