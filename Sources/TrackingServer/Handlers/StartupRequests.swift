import StubModel
import TrackingModel

/// Answers SDKs' startup requests.
final class StartupRequests: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.setup.hasFormats && exchange.context.stubs.answer(to: exchange.requestHead()) != nil
      ? .wanted(.request) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    // A request that a format should have read isn't a startup request.
    if case .ofNoFormat = exchange.body.unread { return .pass }
    guard exchange.setup.hasFormats, let result = exchange.context.stubs.answer(to: exchange.request()) else {
      return .pass
    }
    var reply = Reply(result)
    reply.inject(exchange.context.stubs.takeFault(at: [.response, .responseBody, .afterResponse]))
    exchange.record(reply, RecordedResponse(status: reply.statusSent, fault: reply.fault))
    return .reply(reply)
  }
}
