import TrackingModel
import StubModel

/// Answers the requests under `/-tracking/` with the pages that are hosted there.
///
/// They are not recorded.
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
    // The other paths are the inspector's. Preflight requests are answered as for all other paths.
    let isInspector = exchange.head.path(equals: "/-tracking/") || exchange.head.path(equals: "/-tracking/feed")
    let asks = !isInspector && !exchange.isPreflight
    guard let page = (asks ? checks.withLock { $0 } : nil) ?? slot.withLock({ $0 }) else { return .pass }
    exchange.context.journal.notePage(ofConnection: exchange.connection)
    return Self.outcome(page.answer(exchange.request()))
  }

  private static func outcome(_ answer: PageOutcome) -> RequestOutcome {
    switch answer {
    case .response(let response): return .reply(Reply(response))
    case .work(let make):
      return .work {
        let answer = make()
        return { _ in outcome(answer) }
      }
    case .wait(let time, let until, let then):
      return .park(
        Parking(timeout: (time, { _ in outcome(.work(then)) })) { resume in
          until { resume { _ in outcome(.work(then)) } }
        })
    }
  }
}
