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
    case .work(let make):
      return .work {
        let served = make()
        return { _ in outcome(served) }
      }
    case .wait(let time, let until, let then):
      return .park(
        Parking(timeout: (time, { _ in outcome(.work(then)) })) { resume in
          until { resume { _ in outcome(.work(then)) } }
        })
    }
  }
}
