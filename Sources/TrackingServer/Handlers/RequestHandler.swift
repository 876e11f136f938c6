import StubModel

/// Responds to some requests and passes on the others.
///
/// Handlers run one after the other on the server's thread, so a handler must not block: anything slow becomes work or is parked.
package protocol RequestHandler: AnyObject, Sendable {
  /// Decides on a request whose body hasn't arrived. Called only if the result matters: when the client waits with its body, or when the test breaks
  /// requests off.
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
  case wanted(Kind)
  /// The request will be refused whatever its body.
  case refuse(HTTPError)
  /// Nothing serves the request; an injected fault may still break it off.
  case unserved(HTTPError)
  /// The request is broken off before its body has been read.
  case breakOff(EarlyFault)

  package enum Kind {
    case events
    /// A request of the app to its backend.
    case request
    /// A request to the server itself, by the inspector's page or by a stubbed session that reports.
    case own
  }
}

/// A fault that breaks a request off before its body has been read (a class, because few requests have one).
package final class EarlyFault: Sendable {
  let fault: HTTPFault
  /// The stub with the fault, and the values of its path's params.
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
  case respond(PlannedResponse)
  /// Runs a job on a worker thread, which may block; the returned continuation runs on the server's thread.
  ///
  /// `abandon` is called there instead of the continuation if the client disconnects or the server stops, maybe while the job runs, and instead of the
  /// job if there is no thread.
  case work(@Sendable () -> Continuation, abandon: (@Sendable () -> Void)? = nil)
  /// Runs asynchronous code; the task is cancelled when the client disconnects or the server stops.
  case task(@Sendable () async -> Continuation)
  /// Waits without blocking a thread.
  case park(Parking)
}

/// Continues with a request on the server's thread; `.pass` leads to the handler after the one that returned the outcome.
package typealias Continuation = @Sendable (inout Exchange) -> RequestOutcome

/// A response that waits for something, such as a long poll.
package struct Parking {
  /// Starts to wait; any thread may call `resume`, and only the first call counts.
  ///
  /// - Returns: A function that ends the wait, called when the request is resumed, at the timeout, when the client disconnects, or when the server
  ///   stops.
  let start: (_ resume: @escaping @Sendable (@escaping Continuation) -> Void) -> (@Sendable () -> Void)?
  let timeout: (Duration, Continuation)?
  /// Called instead of a continuation: when the client disconnects or the server stops.
  let abandon: (@Sendable () -> Void)?

  package init(
    timeout: (Duration, Continuation)? = nil, abandon: (@Sendable () -> Void)? = nil,
    _ start: @escaping (_ resume: @escaping @Sendable (@escaping Continuation) -> Void) -> (@Sendable () -> Void)?
  ) {
    self.timeout = timeout
    self.abandon = abandon
    self.start = start
  }
}
