import TrackingModel
import StubModel

/// Answers the requests under `/-tracking/` with the page that is hosted there, and those under `/-tracking/v1/` by a command.
///
/// They are not recorded.
final class PageServing: RequestHandler {
  private let slot: PageSlot
  private let commands: CommandSlot

  init(slot: PageSlot, commands: CommandSlot) {
    (self.slot, self.commands) = (slot, commands)
  }

  func preview(_ exchange: inout Exchange) -> Preview {
    isForPage(exchange) ? .wanted(.own) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard isForPage(exchange) else { return .pass }
    // Preflight requests are answered as for all other paths.
    if exchange.head.path(hasPrefix: "/-tracking/v1/"), !exchange.isPreflight,
      let answer = commands.withLock({ $0 })
    {
      let request = exchange.request()
      return Self.outcome(.work { PageOutcome(answer(request)) })
    }
    guard let page = slot.withLock({ $0 }) else { return .pass }
    return Self.outcome(page.answer(exchange.request()))
  }

  private func isForPage(_ exchange: borrowing Exchange) -> Bool {
    exchange.head.path(hasPrefix: "/-tracking/")
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

extension PageOutcome {
  fileprivate init(_ answer: CommandAnswer) {
    switch answer {
    case .json(let body, let status, let field):
      var response = HTTPResponse(status: status, type: "application/json", content: Array(body))
      response.addField("Cache-Control", "no-store")
      if let field { response.addField(field.name, field.value) }
      self = .response(response)
    case .wait(let time, let wake, let then):
      self = .wait(max(.zero, time - .now), until: { wake($0) }, then: { PageOutcome(then()) })
    }
  }
}
