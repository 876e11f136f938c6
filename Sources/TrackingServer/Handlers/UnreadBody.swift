/// Refuses requests whose body couldn't be read and that that got no response without it.
final class UnreadBody: RequestHandler {
  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    switch exchange.body.unread {
    case .coded where exchange.isPreflight: .pass
    case .coded(let refusal) where exchange.isSubmission: .respond(exchange.refuse(refusal))
    // No stub with a condition on the body could be compared.
    case .coded(let refusal):
      .respond(exchange.respond(HTTPResponse(refusal), RecordedResponse(isUnmatched: true, problem: refusal.reason)))
    case .ofNoFormat(let refusal, let error): .respond(exchange.refuse(refusal, at: error, asEvents: true))
    case nil: .pass
    }
  }
}
