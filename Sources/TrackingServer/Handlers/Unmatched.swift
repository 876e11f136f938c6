import StubModel
import TrackingModel

/// Responds to requests that no other handler serves: 404 with the nearest stub, 405, 501, or the response to `OPTIONS`.
final class Unmatched: RequestHandler {
  /// The largest body that is compared with the formats of known vendors.
  private static let fewBytes = 64 * 1_024
  /// The maximum number of SDK paths in a refusal.
  private static let mostPaths = 12

  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.head.method == .post && exchange.isForEventPath || exchange.head.method == .options
      ? .pass : .unserved(Self.refusal(exchange))
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard exchange.head.method != .options else {
      return .respond(
        exchange.respond(
          RequestSender.preflightResponse(exchange.parser.head, isForEvents: exchange.isForEventPath)))
    }
    let request = exchange.request()
    let neighbours = exchange.context.stubs.neighbours(of: ParsedRequest(request))
    guard neighbours.haveCode else {
      return Self.respond(&exchange, request, neighbours.nearest(to: ParsedRequest(request)))
    }
    exchange.recordArrival()
    return .work {
      let nearest = neighbours.nearest(to: ParsedRequest(request))
      return { Self.respond(&$0, request, nearest) }
    }
  }

  private static func respond(
    _ exchange: inout Exchange, _ request: ReceivedRequest, _ nearest: StubTable.NearMiss?
  ) -> RequestOutcome {
    let vendor =
      request.body.count <= fewBytes ? KnownVendors.hint(for: request, exchange.context.journal.vocabulary) : nil
    let isCheck = exchange.context.journal.vocabulary.hint(onCheckSentTo: request.path) != nil
    let hint = vendor ?? (isCheck ? nil : sdkPaths(exchange, near: request.path))
    let refusal =
      nearest == nil
      ? refusal(exchange)
      : HTTPError(status: 404, reason: "no stub matches \(request.method) \(HTTPError.quoted(request.target))")
    return .respond(exchange.respondUnmatched(refusal, nearest, hint: hint))
  }

  /// The paths of the accepted SDKs, or of many the nearest one, if the path resembles one or ends in one.
  private static func sdkPaths(_ exchange: borrowing Exchange, near path: String) -> String? {
    guard exchange.setup.hasFormats, exchange.head.method == .post else { return nil }
    let patterns = exchange.context.stubs.acceptedFormats.flatMap(\.endpoints).flatMap(\.conditions)
    let paths = patterns.map { "\($0.path)" }.filter { $0.utf8.count > 2 }
    let ending = paths.first {
      path.utf8.count > $0.utf8.count && path.utf8.reversed().starts(with: $0.utf8.reversed())
    }
    let nearest = ending ?? EditDistance.nearest(to: path, among: paths)
    guard let shown = paths.count <= mostPaths ? paths.joined(separator: ", ") : nearest, !shown.isEmpty else {
      return nil
    }
    return "an accepted SDK posts to \(shown)"
  }

  /// Refuses a request that no stub resembles.
  private static func refusal(_ exchange: borrowing Exchange) -> HTTPError {
    guard exchange.isForEventPath else {
      let path = exchange.head.path
      let events = exchange.context.configuration.eventPath.map { "; events are posted to \($0)" } ?? ""
      let checks = exchange.context.journal.vocabulary.hint(onCheckSentTo: path) ?? ""
      return HTTPError(status: 404, reason: "nothing is served at \(HTTPError.quoted(path))\(events)\(checks)")
    }
    let method = exchange.head.methodName
    switch exchange.head.method {
    case .other:
      // RFC 9110 9.1: a method that the server does not know at all.
      return HTTPError(
        status: 501, reason: "the method \(HTTPError.quoted(method)) isn't supported; events are sent by POST")
    case .get, .head, .put, .patch, .delete, .connect, .trace:
      return HTTPError(status: 405, reason: "events are sent by POST, not by \(method)")
    // `EventEndpoint` responds to every submission.
    case .post, .options: return HTTPError(status: 404, reason: "nothing is served here")
    }
  }
}
