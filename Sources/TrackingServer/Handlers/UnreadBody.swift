/// Refuses requests with an unreadable body that no other handler has served.
final class UnreadBody: RequestHandler {
  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    switch exchange.body.unread {
    case .coded where exchange.isPreflight: .pass
    case .coded(let refusal) where exchange.isSubmission: .respond(exchange.refuse(refusal))
    // Stubs with a condition on the body couldn't be compared.
    case .coded(let refusal):
      .respond(exchange.respond(HTTPResponse(refusal), RecordedResponse(isUnmatched: true, problem: refusal.reason)))
    case .ofNoFormat(let refusal, let error): .respond(exchange.refuse(refusal, at: error))
    case nil: .pass
    }
  }
}
