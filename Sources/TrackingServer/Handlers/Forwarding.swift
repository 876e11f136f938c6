import StubModel

/// Lets a recorded or real backend answer the requests that neither a stub nor the server itself answers.
final class Forwarding: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.context.backend.withLock { $0 != nil } && !exchange.isPreflight ? .wanted(.request) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard let backend = exchange.context.backend.withLock({ $0 }), !exchange.isPreflight else { return .pass }
    return Self.outcome(backend.answer(exchange.request()), &exchange)
  }

  private static func outcome(_ answer: BackendOutcome, _ exchange: inout Exchange) -> RequestOutcome {
    switch answer {
    case .pass: return .pass
    case .result(let result, let stub): return .reply(exchange.reply(with: result, by: stub))
    case .task(let job):
      exchange.recordArrival()
      return .task {
        let answer = await job()
        return { outcome(answer, &$0) }
      }
    case .failure(let reason):
      return .reply(exchange.reply(.json(502, ["error": .string(reason)]), RecordedResponse(problem: reason)))
    case .missing(let nearest):
      let request = exchange.request()
      let reason = "the recording has no answer to \(request.method) \(Refusal.quoted(request.target))"
      return .reply(exchange.replyUnmatched(Refusal(status: 404, reason: reason), nearest))
    }
  }
}
