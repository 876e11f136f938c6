import TrackingModel
import StubModel

/// Responds to requests under `/-tracking/` with the pages hosted there; they aren't recorded.
final class PageServing: RequestHandler {
  private let slot: PageSlot
  private let checks: PageSlot

  init(slot: PageSlot, checks: PageSlot) {
    (self.slot, self.checks) = (slot, checks)
  }

  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.isForPage ? .wanted(.own) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard exchange.isForPage else { return .pass }
    // All paths other than the inspector's are those of checks.
    let isInspector = exchange.head.path(equals: "/-tracking/") || exchange.head.path(equals: "/-tracking/feed")
    let checks = isInspector ? nil : checks.withLock { $0 }
    guard let page = checks ?? slot.withLock({ $0 }) else { return .pass }
    // Pages of allowed origins may call the checks, which have a token.
    if checks != nil, exchange.isPreflight {
      return .respond(PlannedResponse(RequestSender.preflightResponse(exchange.parser.head, isForEvents: false)))
    }
    exchange.context.journal.notePage(ofConnection: exchange.connection)
    return Self.outcome(page.respond(to: exchange.request()))
  }

  private static func outcome(_ served: PageOutcome) -> RequestOutcome {
    switch served {
    case .response(let response): return .respond(PlannedResponse(response))
    case .work(let make): return work(make)
    case .wait(let time, let until, let then, let abandon):
      let next: Continuation = { _ in work(then, abandon) }
      return .park(Parking(timeout: (time, next), abandon: abandon) { resume in until { resume(next) } })
    }
  }

  /// Makes an outcome on a worker thread.
  ///
  /// - Parameter abandon: Ends the wait that the work continues. If the client leaves while the work runs, a wait that it returns is abandoned.
  private static func work(
    _ make: @escaping @Sendable () -> PageOutcome, _ abandon: (@Sendable () -> Void)? = nil
  ) -> RequestOutcome {
    let client = Locked((hasLeft: false, abandon: abandon))
    return .work {
      client.withLock { $0.abandon = nil }
      let served = make()
      let abandon = if case .wait(_, _, _, let abandon) = served { abandon } else { nil as (@Sendable () -> Void)? }
      let hasLeft = client.withLock { state in
        state.abandon = abandon
        return state.hasLeft
      }
      if hasLeft { abandon?() }
      return { _ in outcome(served) }
    } abandon: {
      let abandon = client.withLock { state in
        state.hasLeft = true
        return state.abandon
      }
      abandon?()
    }
  }
}
