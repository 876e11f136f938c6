import StubModel

/// Responds to some requests and passes the others on.
///
/// A server tries its handlers one after the other, on its thread, so a handler must not block: anything slow becomes work or is parked.
package protocol RequestHandler: AnyObject, Sendable {
  /// Looks at a request whose body hasn't arrived.
  ///
  /// Called only if the result matters: when the client waits with its body, or when the test breaks requests off.
  func preview(_ exchange: inout Exchange) -> Preview

  /// Responds to a complete request, starts something that leads to a response, or passes the request on.
  func handle(_ exchange: inout Exchange) -> RequestOutcome
}

extension RequestHandler {
  package func preview(_ exchange: inout Exchange) -> Preview { .pass }
}

/// A handler's decision on a request's head.
package enum Preview {
  /// The next handler decides.
  case pass
  /// The body is wanted.
  case wanted(Kind)
  /// The request will be refused whatever its body says.
  case refuse(Refusal)
  /// Nothing serves the request, which an injected fault may still break off.
  case unserved(Refusal)
  /// The request is broken off before its body has been read.
  case breakOff(EarlyFault)

  /// The kind of a request, for the faults that may break it off.
  package enum Kind {
    /// A submission of events, in any format.
    case events
    /// A request of the app to its backend.
    case request
    /// A request to the server itself: of the inspector's page, or of a stubbed session that reports.
    case own
  }
}

/// A fault that breaks a request off before its body has been read.
///
/// An object, because few requests have one.
package final class EarlyFault: Sendable {
  let fault: HTTPFault
  /// The stub that asks for it, and the values of its path's params.
  let selection: StubTable.Selection?

  init(fault: HTTPFault, selection: StubTable.Selection? = nil) {
    self.fault = fault
    self.selection = selection
  }
}

/// A handler's decision on a complete request.
package enum RequestOutcome: ~Copyable {
  /// The next handler decides.
  case pass
  /// This response.
  case respond(PlannedResponse)
  /// Runs a job on a worker thread, which may block; the continuation that it returns runs on the server's thread.
  case work(@Sendable () -> Continuation)
  /// The same for asynchronous code; the task is cancelled when the client leaves or the server stops.
  case task(@Sendable () async -> Continuation)
  /// Waits until it is resumed, without blocking a thread.
  case park(Parking)
}

/// Continues with a request on the server's thread; `.pass` leads to the handler after the one that returned the outcome.
package typealias Continuation = @Sendable (inout Exchange) -> RequestOutcome

/// A response that waits for something, such as a long poll.
package struct Parking {
  /// Starts to wait.
  ///
  /// Its argument resumes the exchange, from any thread; only the first call counts.
  ///
  /// - Returns: A function that ends the waiting, called when the client leaves, at the timeout, or when the server stops.
  let start: (_ resume: @escaping @Sendable (@escaping Continuation) -> Void) -> (@Sendable () -> Void)?
  /// The timeout, and how the exchange continues then.
  let timeout: (Duration, Continuation)?

  package init(
    timeout: (Duration, Continuation)? = nil,
    _ start: @escaping (_ resume: @escaping @Sendable (@escaping Continuation) -> Void) -> (@Sendable () -> Void)?
  ) {
    self.timeout = timeout
    self.start = start
  }
}
