import Foundation

struct ResponsePlan: Equatable, Sendable {
  enum Event: Equatable, Sendable {
    case head(status: Int, headers: [String: String])
    case body(Data)
    case end
    case failure(URLError.Code)
  }

  struct Step: Equatable, Sendable {
    /// Seconds after the previous step.
    let delay: TimeInterval
    let event: Event
  }

  let steps: [Step]
}

extension ResponsePlan {
  /// `length` is the body's length in bytes, which a response to HEAD has without a body, `nil` for that of `body`; `timeout` is the seconds
  /// without a byte after which a session fails a task.
  init(
    _ result: StubResponse, body: Data, length: Int? = nil, method: ReceivedRequest.Method, timeout: TimeInterval
  ) {
    var steps = Self.steps(result, body: body, length: length ?? body.count, method: method, timeout: timeout)
    if let late = steps.firstIndex(where: { $0.delay >= timeout }) {
      steps = steps[..<late] + [Step(delay: timeout, event: .failure(.timedOut))]
    }
    self.steps = steps
  }

  private static func steps(
    _ result: StubResponse, body: Data, length: Int, method: ReceivedRequest.Method, timeout: TimeInterval
  ) -> [Step] {
    if let code = result.errorCode { return [Step(delay: result.delay, event: .failure(code))] }
    let head = Step(
      delay: result.delay, event: .head(status: result.status, headers: headers(result, length: length)))
    let body = method == .head || hasNoContent(result) ? Data() : body
    guard let fault = result.fault else { return [head] + pieces(body, of: result) + [end] }
    switch fault.position {
    case .accept, .requestHead, .requestBody, .response:
      return [Step(delay: fault.effect == .stall ? timeout : result.delay, event: .failure(fault.effect.errorCode))]
    case .responseBody:
      return [head] + pieces(body.prefix(body.count / 2), of: result)
        + [Step(delay: fault.effect == .stall ? timeout : 0, event: .failure(fault.effect.errorCode))]
    case .afterResponse:
      return [head] + pieces(body, of: result) + [end]
    }
  }

  private static let end = Step(delay: 0, event: .end)

  private static func headers(_ result: StubResponse, length: Int) -> [String: String] {
    var headers = hasNoContent(result) ? [:] : ["Content-Length": "\(length)"]
    for field in result.headers.lines { headers[field.name] = result.headers[field.name] }
    return headers
  }

  private static func pieces(_ body: Data, of result: StubResponse) -> [Step] {
    let dribble = result.dribble ?? StubResponse.Dribble(over: 0, pieces: 1)
    let pieces = dribble.pieces(ofBytes: body.count)
    let pause = pieces.count > 1 ? dribble.duration / Double(pieces.count - 1) : 0
    return pieces.enumerated().map { index, piece in
      let bytes = body[body.startIndex + piece.lowerBound..<body.startIndex + piece.upperBound]
      return Step(delay: index == 0 ? bodyDelay(of: result) : pause, event: .body(Data(bytes)))
    }
  }

  private static func bodyDelay(of result: StubResponse) -> TimeInterval {
    if case .delay(let seconds) = result.bodyStart { seconds } else { 0 }
  }

  /// RFC 9110 6.4.1: no content comes with 204 and 304.
  private static func hasNoContent(_ result: StubResponse) -> Bool {
    result.status == 204 || result.status == 304
  }
}
