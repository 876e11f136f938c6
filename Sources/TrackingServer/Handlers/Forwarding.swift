import StubModel

/// Lets a recorded or real backend respond to requests that neither a stub nor the server itself serves.
final class Forwarding: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.context.backend.withLock { $0 != nil } && !exchange.isPreflight ? .wanted(.request) : .pass
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard let backend = exchange.context.backend.withLock({ $0 }), !exchange.isPreflight else { return .pass }
    return Self.outcome(backend.respond(to: exchange.request()), &exchange)
  }

  private static func outcome(_ response: BackendOutcome, _ exchange: inout Exchange) -> RequestOutcome {
    switch response {
    case .pass: return .pass
    case .result(let result, let stub): return .respond(exchange.respond(with: result, by: stub))
    case .task(let job):
      exchange.recordArrival()
      return .task {
        let response = await job()
        return { outcome(response, &$0) }
      }
    case .failure(let reason):
      return .respond(exchange.respond(.json(502, ["error": .string(reason)]), RecordedResponse(problem: reason)))
    case .missing(let nearest):
      let request = exchange.request()
      let reason = "the recording has no response to \(request.method) \(HTTPError.quoted(request.target))"
      return .respond(exchange.respondUnmatched(HTTPError(status: 404, reason: reason), nearest))
    }
  }
}
