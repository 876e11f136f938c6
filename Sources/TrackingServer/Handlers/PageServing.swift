import TrackingModel
import StubModel
import TrackingSockets

/// What is hosted under `/-tracking/`; a server without an inspector has nothing there.
package final class PageSlot: Sendable {
  package let page = Locked<(any HostedPage)?>(nil)
}

/// Answers the requests under `/-tracking/` with the page that is hosted there.
///
/// They are not recorded.
final class PageServing: RequestHandler {
  private let slot: PageSlot

  init(slot: PageSlot) {
    self.slot = slot
  }

  func preview(_ exchange: inout Exchange) -> Preview {
    isForPage(exchange) ? .wanted : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard isForPage(exchange), let page = slot.page.withLock({ $0 }) else { return .pass }
    return Self.outcome(page.answer(exchange.request()))
  }

  private func isForPage(_ exchange: borrowing Exchange) -> Bool {
    exchange.head.path(hasPrefix: "/-tracking/")
  }

  private static func outcome(_ answer: PageAnswer) -> Outcome {
    switch answer {
    case .response(let response):
      var fields = ""
      for field in response.fields { fields += "\(field.name): \(field.value)\r\n" }
      return .reply(Reply(HTTPResponse(status: response.status, fields: fields, content: response.body[...])))
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
