import StubModel
import TrackingModel

/// Answers the requests that no other handler has answered: 404 with the nearest stub, 405, 501, or the answer to `OPTIONS`.
final class Unmatched: RequestHandler {
  /// The largest body that is compared with the formats of known vendors.
  private static let fewBytes = 64 * 1_024

  func preview(_ exchange: inout Exchange) -> Preview {
    Self.refusal(exchange).map { .unserved($0) } ?? .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard exchange.head.method != .options else {
      return .reply(
        exchange.reply(
          RequestSender.preflightResponse(exchange.parser.head, isForEvents: exchange.isForEventPath)))
    }
    if let refusal = exchange.body.refusal { return .reply(exchange.refuse(refusal)) }
    let request = exchange.request()
    let neighbours = exchange.context.stubs.neighbours(of: RequestReading(request))
    guard neighbours.haveCode else {
      return Self.answer(&exchange, request, neighbours.nearest(to: RequestReading(request)))
    }
    exchange.recordArrival()
    return .work {
      let nearest = neighbours.nearest(to: RequestReading(request))
      return { Self.answer(&$0, request, nearest) }
    }
  }

  private static func answer(
    _ exchange: inout Exchange, _ request: HTTPRequest, _ nearest: StubTable.NearMiss?
  ) -> Outcome {
    let hint = request.body.count <= fewBytes ? KnownVendors.hint(for: request) : nil
    let reply =
      if let nearest { reply(to: request, nearest, hint: hint) } else {
        Reply(HTTPResponse(refusal(exchange, hint: hint)))
      }
    return .reply(Self.record(reply, nearest, hint: hint, &exchange))
  }

  /// 404 with the nearest stub and the differences.
  static func reply(
    to request: HTTPRequest, _ nearest: StubTable.NearMiss, subject: String = "no stub answers", hint: String? = nil
  ) -> Reply {
    Reply(
      .json(
        404,
        [
          "error": .string(
            "\(subject) \(request.method) \(Refusal.quoted(request.target))\(hint.map { "; \($0)" } ?? "")"),
          "nearest": .string("\(nearest.endpoint)"),
          "differs": .array(nearest.differences.map { .string(Refusal.quoted($0)) }),
        ]))
  }

  private static func refusal(_ exchange: borrowing Exchange, hint: String?) -> Refusal {
    let refusal = refusal(exchange) ?? Refusal(status: 404, reason: "nothing is served here")
    return hint.map { Refusal(status: refusal.status, reason: "\(refusal.reason); \($0)") } ?? refusal
  }

  private static func refusal(_ exchange: borrowing Exchange) -> Refusal? {
    guard exchange.isForEventPath || exchange.head.method == .options else {
      let events = exchange.context.configuration.eventPath.map { "; events are posted to \($0)" } ?? ""
      return Refusal(status: 404, reason: "nothing is served at \(Refusal.quoted(exchange.head.path))\(events)")
    }
    let method = exchange.head.methodName
    switch exchange.head.method {
    case .post, .options: return nil
    case .other:
      // RFC 9110 9.1: a method that the server does not know at all.
      return Refusal(
        status: 501, reason: "the method \(Refusal.quoted(method)) is not known here; events are sent by POST")
    case .get, .head, .put, .patch, .delete, .connect, .trace:
      return Refusal(status: 405, reason: "events are sent by POST, not by \(method)")
    }
  }

  /// Records a request that neither a stub nor the server serves, and returns its answer.
  static func record(
    _ reply: consuming Reply, _ nearest: StubTable.NearMiss?, hint: String? = nil, _ exchange: inout Exchange
  ) -> Reply {
    var reply = reply
    reply.inject(exchange.context.stubs.takeFault(at: [.response, .responseBody, .afterResponse]))
    exchange.record(
      reply,
      RecordedAnswer(
        status: reply.statusSent, fault: reply.fault, isUnmatched: true,
        nearestStub: nearest.map { "\($0.endpoint): \(Refusal.quoted($0.differences.joined(separator: "; ")))" },
        comparison: nearest?.comparison.lines(width: 92) ?? [], problem: hint))
    return reply
  }
}
