/// Refuses requests for other hosts, and from web pages that the test hasn't allowed.
final class SenderCheck: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.sender.refusal(exchange.parser.head).map { .refuse($0) } ?? .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard let refusal = exchange.sender.refusal(exchange.parser.head) else { return .pass }
    return .respond(exchange.refuse(refusal))
  }
}
