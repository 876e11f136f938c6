import StubModel
import TrackingModel

final class StartupRequests: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.setup.hasFormats && exchange.context.stubs.startupResponse(to: exchange.requestHead()) != nil
      ? .wanted(.request) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    // A request that a format should have read isn't a startup request.
    if case .ofNoFormat = exchange.body.unread { return .pass }
    guard exchange.setup.hasFormats, let result = exchange.context.stubs.startupResponse(to: exchange.request()) else {
      return .pass
    }
    var planned = PlannedResponse(result)
    planned.inject(exchange.context.stubs.takeFault(at: .response))
    exchange.record(planned, RecordedResponse(status: planned.statusSent, fault: planned.fault))
    return .respond(planned)
  }
}
