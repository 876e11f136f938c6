import TrackingModel
import StubModel

/// A response and its delivery plan.
package struct PlannedResponse: ~Copyable {
  /// The delivery plan of a response that isn't sent at once and complete (a class, because few responses have one).
  final class Plan {
    /// The time before the first byte is sent.
    var delay = Duration.zero
    var gate: StubGate?
    /// The delay or gate between the head and the body.
    var bodyStart: StubResponse.BodyStart?
    var dribble: StubResponse.Dribble?
    var stream: StubStream?
    /// The injected fault, at `response` or later.
    var fault: HTTPFault?
    /// Called when the response begins, after the gate.
    var begins: (() -> Void)?
  }

  var response: HTTPResponse
  private(set) var plan: Plan?

  init(_ response: HTTPResponse) {
    self.response = response
  }

  init(_ prepared: PreparedResponse) {
    let result = prepared.result
    response = HTTPResponse(status: result.status)
    response.reason = result.reason
    for field in result.headers.lines { response.fields += "\(field.name): \(field.value)\r\n" }
    response.isDated = result.headers["Date"] != nil
    // RFC 9110 15.3.5 and 15.4.5: these have no content.
    response.content = result.status == 204 || result.status == 304 ? nil : .bytes(prepared.bytes[...])
    // A recorded response to HEAD has a length but no content.
    if result.isRecorded, result.headers["Content-Length"] != nil { response.content = nil }
    let plan = Plan()
    if case .stream(let stream) = prepared.content {
      plan.stream = stream.object
      response.isStream = true
      response.content = nil
    }
    plan.delay = .clamping(seconds: result.delay)
    plan.gate = result.gate
    plan.bodyStart = result.bodyStart
    plan.dribble = result.dribble
    plan.fault = result.fault ?? result.errorCode.map { HTTPFault($0 == .timedOut ? .stall : .reset, at: .response) }
    self.plan = plan.isPlain ? nil : plan
  }

  var fault: HTTPFault? { plan?.fault }

  /// Injects a fault, unless the response has one.
  mutating func inject(_ fault: HTTPFault?) {
    guard let fault, self.fault == nil else { return }
    if plan == nil { plan = Plan() }
    plan?.fault = fault
  }

  /// Whether a submission with this response is accepted, even if a fault cuts the response off.
  var accepts: Bool { (200..<300).contains(response.status) && fault?.position.isBeforeTheRequestIsRead != true }

  /// Whether a submission's sender learns that it is accepted.
  var acknowledges: Bool { accepts && (fault == nil || fault?.position == .afterResponse) }

  /// The status, unless a fault comes before it.
  var statusSent: Int? { fault?.isBeforeTheResponse == true ? nil : response.status }
}

extension PlannedResponse.Plan {
  fileprivate var isPlain: Bool {
    delay == .zero && dribble == nil && fault == nil && gate == nil && bodyStart == nil && stream == nil
  }
}

extension HTTPFault {
  /// Bytes that no parser accepts as HTTP, without a line end.
  static let garbage = Array("\u{15}\u{3}\u{1} this is no HTTP \u{0}\u{7F}".utf8)

  var isBeforeTheResponse: Bool {
    switch position {
    case .accept, .requestHead, .requestBody, .response: true
    case .responseBody, .afterResponse: false
    }
  }
}
