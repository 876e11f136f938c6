import StubModel

/// Lets a recorded or real backend answer the requests that neither a stub nor the server itself answers.
final class Forwarding: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.context.backend.current != nil && !exchange.isPreflight ? .wanted(.request) : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard let backend = exchange.context.backend.current, !exchange.isPreflight else { return .pass }
    // A body that can't be read can't be compared, and must not be sent on with the fields of another.
    if let refusal = exchange.body.refusal { return .reply(exchange.refuse(refusal)) }
    return Self.outcome(backend.answer(exchange.request()), &exchange)
  }

  private static func outcome(_ answer: BackendOutcome, _ exchange: inout Exchange) -> Outcome {
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
      return .reply(exchange.reply(.json(502, ["error": .string(reason)]), RecordedAnswer(problem: reason)))
    case .missing(let nearest):
      let request = exchange.request()
      let subject = "the recording has no answer to"
      let reply =
        if let nearest { Unmatched.reply(to: request, nearest, subject: subject) } else {
          Reply(.json(404, ["error": .string("\(subject) \(request.method) \(Refusal.quoted(request.target))")]))
        }
      return .reply(Unmatched.record(reply, nearest, &exchange))
    }
  }
}
