import TrackingModel
import StubModel

/// An answer and its delivery plan.
package struct Reply: ~Copyable {
  /// The delivery plan of an answer that isn't sent at once and complete.
  ///
  /// An object, because few answers have one.
  final class Plan {
    /// The time before the first byte is sent.
    var delay = Duration.zero
    /// The gate that holds the answer back.
    var gate: StubGate?
    /// The delay or gate between the head and the body.
    var bodyStart: StubResult.BodyStart?
    /// The pieces of the body and their times.
    var dribble: StubResult.Dribble?
    /// The stream that is the body.
    var stream: StubStream?
    /// The injected fault, at `response` or later.
    var fault: HTTPFault?
    /// Called when the answer begins, after the gate.
    var begins: (() -> Void)?
  }

  var response: HTTPResponse
  private(set) var plan: Plan?

  init(_ response: HTTPResponse) {
    self.response = response
  }

  /// The answer of a stub.
  init(_ prepared: PreparedResult) {
    let result = prepared.result
    response = HTTPResponse(status: result.status)
    response.reason = result.reason
    for field in result.headers.fields { response.fields += "\(field.name): \(field.value)\r\n" }
    response.isDated = result.headers["Date"] != nil
    // RFC 9110 15.3.5 and 15.4.5: these have no content.
    response.content = result.status == 204 || result.status == 304 ? nil : prepared.bytes[...]
    // A recorded answer to HEAD has its length, and no content.
    if result.isRecorded, result.headers["Content-Length"] != nil { response.content = nil }
    let plan = Plan()
    if case .stream(let stream) = prepared.content {
      plan.stream = stream
      response.isStream = true
      response.content = nil
    }
    plan.delay = .clamping(seconds: result.delay)
    plan.gate = result.gate
    plan.bodyStart = result.bodyStart
    plan.dribble = result.dribble
    plan.fault = result.fault ?? result.errorCode.map { HTTPFault(at: .response, $0 == .timedOut ? .stall : .reset) }
    self.plan = plan.isPlain ? nil : plan
  }

  var fault: HTTPFault? { plan?.fault }

  /// Injects a fault, unless the answer has one.
  mutating func inject(_ fault: HTTPFault?) {
    guard let fault, self.fault == nil else { return }
    if plan == nil { plan = Plan() }
    plan?.fault = fault
  }

  /// Whether a submission with this answer is accepted.
  ///
  /// It stays accepted if a fault cuts the answer off.
  var accepts: Bool { (200..<300).contains(response.status) && fault?.position.isBeforeTheRequestIsRead != true }

  /// Whether the sender of a submission learns that it is accepted.
  var acknowledges: Bool { accepts && (fault == nil || fault?.position == .afterResponse) }

  /// The status, unless a fault comes before it.
  var statusSent: Int? { fault?.isBeforeTheAnswer == true ? nil : response.status }
}

extension Reply.Plan {
  fileprivate var isPlain: Bool {
    delay == .zero && dribble == nil && fault == nil && gate == nil && bodyStart == nil && stream == nil
  }
}

extension HTTPFault {
  /// Bytes that no parser accepts as HTTP, without the end of a line.
  static let garbage = Array("\u{15}\u{3}\u{1} this is no HTTP \u{0}\u{7F}".utf8)

  /// Whether nothing of the answer is sent.
  var isBeforeTheAnswer: Bool {
    switch position.place {
    case .accept, .requestHead, .requestBody, .response: true
    case .responseBody, .afterResponse: false
    }
  }
}

/// An answer that is being sent step by step.
final class Delivery {
  /// A step of the delivery.
  enum Step {
    case send(ArraySlice<UInt8>, owner: (any AnyObject & Sendable)?)
    case wait(until: ContinuousClock.Instant)
    case pass(StubGate)
    case listen(StubStream, after: Int)
    case fail(HTTPFault.Effect)
    case end
  }

  private enum Stage {
    case delay, gate, head, bodyStart, body, end
  }

  /// Whether the connection ends after the answer.
  let isLast: Bool
  private let response: HTTPResponse
  private let plan: Reply.Plan
  private let context: ResponseContext
  private var stage = Stage.delay
  /// The beginning of the stage; the times of a body's pieces are relative to it, so that delays don't add up.
  private var start: ContinuousClock.Instant?
  private var sentPieces = 0
  private lazy var pieces = plan.dribble?.pieces(ofBytes: content.count) ?? []
  private var hasEndedStream = false
  private var hasSentGarbage = false

  /// The time of the next step; `nil` if it doesn't wait for a time.
  var resumesAt: ContinuousClock.Instant?
  /// The message that it waits for, and a function that cancels it.
  var waiting: (token: Int, cancel: () -> Void)?

  init(_ response: HTTPResponse, _ plan: Reply.Plan, context: ResponseContext, isLast: Bool) {
    self.response = response
    self.plan = plan
    self.context = context
    self.isLast = isLast
  }

  /// The next step, which must be done before the following one is asked for.
  func next(date: DateField, now: ContinuousClock.Instant) -> Step {
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
        if let fault = plan.fault, fault.isBeforeTheAnswer { return .fail(fault.effect) }
        enter(.bodyStart)
        var head: [UInt8] = []
        response.writeHead(to: &head, date: date, context: context)
        return .send(head[...], owner: nil)
      case .bodyStart:
        switch plan.bodyStart {
        case .delay(let seconds):
          if let step = pause(.clamping(seconds: seconds), now) { return step }
          enter(.body)
        case .gate(let gate):
          enter(.body)
          return .pass(gate)
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

  /// Notes the number of further pieces of a stream that have been sent.
  func sent(pieces: Int) { sentPieces += pieces }

  /// The bytes of a stream's piece as they are sent (RFC 9112 7.1).
  func framed(_ piece: [UInt8]) -> [UInt8] {
    guard response.isChunked(context) else { return piece }
    return Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8)
  }

  /// Notes the end of a stream.
  ///
  /// - Returns: The bytes that end the body.
  func endStream() -> [UInt8] {
    hasEndedStream = true
    return response.isChunked(context) ? Array("0\r\n\r\n".utf8) : []
  }

  /// The stream that it sends.
  var stream: StubStream? { plan.stream }

  /// Whether nothing of it has been sent, and the client's version of HTTP has interim responses.
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

  /// The part of the content that comes before the fault.
  private var content: ArraySlice<UInt8> {
    // RFC 9110 9.3.2: the answer to HEAD ends with its head.
    guard !context.isHead, let content = response.content else { return [] }
    return plan.fault?.position == .responseBody ? content.prefix(content.count / 2) : content
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
      return .send(content, owner: response.contentOwner)
    }
    guard sentPieces < pieces.count else { return nil }
    let start = start ?? now
    self.start = start
    let interval = Duration.clamping(seconds: dribble.duration) / (pieces.count - 1)
    var last = sentPieces
    while last < pieces.count, start + interval * last <= now { last += 1 }
    guard last > sentPieces else { return .wait(until: start + interval * sentPieces) }
    defer { sentPieces = last }
    let bytes = pieces[sentPieces].lowerBound..<pieces[last - 1].upperBound
    return .send(content.dropFirst(bytes.lowerBound).prefix(bytes.count), owner: response.contentOwner)
  }

  private func endStep() -> Step {
    guard let fault = plan.fault else { return .end }
    let missing = context.isHead ? 0 : (response.content?.count ?? 0) - content.count
    guard fault.effect == .garbage, missing > 0 else { return .fail(fault.effect) }
    // As many bytes as are missing would complete the body, and clients would report no error.
    hasSentGarbage = true
    return .send(HTTPFault.garbage.prefix(missing - 1), owner: nil)
  }
}
