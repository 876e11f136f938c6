import StubModel
import TrackingSockets

/// An answer, and how it is given: at once or later, in one piece or several, whole or not.
struct Answer {
  var response: Response
  /// How long it waits.
  var delay = Duration.zero
  /// How its content is spread over time.
  var dribble: StubResult.Dribble?
  /// What goes wrong; not before the request has been read.
  var fault: Fault?

  init(_ response: Response) {
    self.response = response
  }

  /// The answer of a stub.
  init(_ prepared: PreparedResult, content: [UInt8]) {
    let result = prepared.result
    response = Response(status: result.status)
    for field in result.headers.fields { response.fields += "\(field.name): \(field.value)\r\n" }
    response.isDated = result.headers["Date"] != nil
    // RFC 9110 15.3.5 and 15.4.5: these have no content.
    response.content = result.status == 204 || result.status == 304 ? nil : content
    delay = .clamping(seconds: result.delay)
    dribble = result.dribble
    fault = result.fault ?? result.errorCode.map { Fault(at: .response, $0 == .timedOut ? .stall : .reset) }
  }

  /// Another response, given in the same way.
  init(_ response: Response, as answer: Answer) {
    self = answer
    self.response = response
  }

  /// Whether a submission that is so answered was accepted.
  ///
  /// An answer that is lost on its way takes nothing back.
  var accepts: Bool { (200..<300).contains(response.status) && fault?.position.isBeforeTheRequestIsRead != true }

  /// Whether its sender learns that a submission was accepted.
  var acknowledges: Bool { accepts && (fault == nil || fault?.position == .afterResponse) }

  /// The status, if the answer gets as far.
  var statusSent: Int? { fault?.isBeforeTheAnswer == true ? nil : response.status }

  /// Whether it is given as any server would.
  var isPlain: Bool { delay == .zero && dribble == nil && fault == nil }
}

extension Answer {
  /// What is done to give it, one after the other.
  enum Step {
    /// Nothing, for a time.
    case pause(Duration)
    /// These bytes are sent.
    case send(ArraySlice<UInt8>)
    /// The exchange ends in this way.
    case fail(Fault.Effect)
  }

  /// How it is given, from when the request was read.
  func steps(date: DateField, context: ResponseContext) -> ArraySlice<Step> {
    var steps: [Step] = delay > .zero ? [.pause(delay)] : []
    if let fault, fault.isBeforeTheAnswer { return steps + [.fail(fault.effect)] }
    var head: [UInt8] = []
    response.writeHead(to: &head, date: date, context: context)
    steps.append(.send(head[...]))
    // RFC 9110 9.3.2: the answer to HEAD ends with its head.
    let content = context.isHead ? [] : response.content ?? []
    guard let fault else { return (steps + self.steps(ofContent: content[...]))[...] }
    let sent = fault.position == .responseBody ? content.prefix(content.count / 2) : content[...]
    return (steps + self.steps(ofContent: sent) + Self.steps(of: fault, missing: content.count - sent.count))[...]
  }

  private static func steps(of fault: Fault, missing: Int) -> [Step] {
    guard fault.effect == .garbage, missing > 0 else { return [.fail(fault.effect)] }
    // As many bytes as are missing would be a whole body, if a strange one, and no error.
    return [.send(Fault.garbage.prefix(missing - 1)), .fail(.close)]
  }

  private func steps(ofContent content: ArraySlice<UInt8>) -> [Step] {
    let pieces = dribble?.pieces(ofBytes: content.count) ?? []
    guard let dribble, pieces.count > 1 else { return content.isEmpty ? [] : [.send(content)] }
    let pause = Step.pause(.clamping(seconds: dribble.duration) / (pieces.count - 1))
    return pieces.enumerated().flatMap { index, piece in
      (index == 0 ? [] : [pause]) + [.send(content[piece])]
    }
  }
}

extension Fault {
  /// No HTTP in any reading, and no line that ends.
  static let garbage = Array("\u{15}\u{3}\u{1} this is no HTTP \u{0}\u{7F}".utf8)

  /// Whether the answer does not even begin.
  var isBeforeTheAnswer: Bool {
    switch position {
    case .accept, .requestHead, .requestBody, .response: true
    case .responseBody, .afterResponse: false
    }
  }
}
