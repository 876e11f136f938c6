/// Refuses requests whose body couldn't be read and that nothing has answered without reading it.
final class UnreadBody: RequestHandler {
  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    switch exchange.body.unread {
    case .coded(let refusal) where !exchange.isPreflight: .reply(exchange.refuse(refusal))
    case .ofNoFormat(let refusal, let error): .reply(exchange.refuse(refusal, at: error, asEvents: true))
    case .coded, nil: .pass
    }
  }
}
