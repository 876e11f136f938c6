import StubModel

/// The handlers of a server, in the order in which they are tried.
struct HandlerChain: Sendable {
  let handlers: [any RequestHandler]

  /// Passes a request whose body hasn't arrived to the handlers.
  ///
  /// The first handler that wants the body or refuses it decides, as it will when the body is there. Only then does an injected fault break the
  /// request off, so that no fault is spent on a refused request.
  func preview(_ exchange: inout Exchange) -> Preview {
    for handler in handlers {
      let preview = handler.preview(&exchange)
      switch preview {
      case .pass: continue
      case .wanted(let kind): return Self.takeEarlyFault(for: kind, exchange).map { .breakOff($0) } ?? preview
      case .unserved(let refusal):
        return Self.takeEarlyFault(for: .request, exchange).map { .breakOff($0) } ?? .refuse(refusal)
      case .refuse, .breakOff: return preview
      }
    }
    return .pass
  }

  /// Passes a complete request to the handlers.
  ///
  /// - Parameter place: The index of the first handler to try; afterwards, of the last one tried.
  func handle(_ exchange: inout Exchange, from place: inout Int) -> RequestOutcome {
    while place < handlers.count {
      let outcome = handlers[place].handle(&exchange)
      switch consume outcome {
      case .pass: place += 1
      case let outcome: return outcome
      }
    }
    return .respond(PlannedResponse(HTTPResponse(HTTPError(status: 404, reason: "nothing is served here"))))
  }

  /// Takes the injected fault that breaks a request off before its body has been read; it counts as used.
  private static func takeEarlyFault(for kind: Preview.Kind, _ exchange: borrowing Exchange) -> EarlyFault? {
    let stubs = exchange.context.stubs
    guard exchange.setup.hasEarlyFaults else { return nil }
    switch kind {
    case .events: return stubs.takeEarlyEventFault().map { EarlyFault(fault: $0) }
    case .own: return nil
    case .request:
      guard !exchange.isPreflight else { return nil }
      if let fault = stubs.takeFault(at: .request) { return EarlyFault(fault: fault) }
      guard let selection = stubs.takeEarlyFault(exchange.requestHead()), let fault = selection.result?.result.fault
      else { return nil }
      return EarlyFault(fault: fault, selection: selection)
    }
  }
}
