import Foundation
import TrackingModel
import TrackingSockets

/// Decides what becomes of some requests and passes on the others.
///
/// A server asks its handlers one after the other, on its own thread, so a handler must not block: whatever takes time is work or is parked.
package protocol RequestHandler: AnyObject, Sendable {
  /// Looks at a request of which only the head has arrived.
  ///
  /// Asked only when the answer matters: when the client waits with its body, or when the test breaks requests off.
  func preview(_ exchange: inout Exchange) -> Preview

  /// Answers a request that has arrived whole, starts something that leads to an answer, or passes it on.
  func handle(_ exchange: inout Exchange) -> Outcome
}

extension RequestHandler {
  package func preview(_ exchange: inout Exchange) -> Preview { .pass }
}

/// What a handler says of a request's head.
package enum Preview {
  /// The next handler decides.
  case pass
  /// The body is wanted.
  case wanted
  /// The request will be refused whatever its body says.
  case refuse(Refusal)
  /// The request is broken off before its body has been read.
  case breakOff(EarlyFault)
}

/// What a handler makes of a request.
///
/// Not copied, like the reply in it: each request has one.
package enum Outcome: ~Copyable {
  /// The next handler decides.
  case pass
  /// This answer.
  case reply(Reply)
  /// Runs on a thread beside the server's, which may block; what it returns runs on the server's thread again.
  case work(@Sendable () -> Continuation)
  /// The same for asynchronous code; the task is cancelled when the client leaves or the server stops.
  case task(@Sendable () async -> Continuation)
  /// Waits until somebody resumes it, without blocking a thread.
  case park(Parking)
}

/// Continues with a request on the server's thread; `.pass` leads on to the handler after the one that started.
package typealias Continuation = @Sendable (inout Exchange) -> Outcome

/// An answer that waits for something, such as a long poll.
package struct Parking {
  /// Starts to wait.
  ///
  /// The function that it gets resumes the exchange, from any thread; only the first call counts.
  ///
  /// - Returns: What ends the waiting, called when the client leaves, the time is up, or the server stops.
  let start: (_ resume: @escaping @Sendable (@escaping Continuation) -> Void) -> (@Sendable () -> Void)?
  /// When the exchange continues by itself, and how.
  let timeout: (Duration, Continuation)?

  package init(
    timeout: (Duration, Continuation)? = nil,
    _ start: @escaping (_ resume: @escaping @Sendable (@escaping Continuation) -> Void) -> (@Sendable () -> Void)?
  ) {
    self.timeout = timeout
    self.start = start
  }
}

/// What all exchanges of a running server share.
package final class ServerContext: Sendable {
  package let configuration: TrackingServer.Configuration
  package let journal: Journal
  package let stubs: StubStore
  let session: String
  /// When the server was started; events from before it were kept by an SDK.
  let start = Date()
  let intake: EventIntake
  let workers: Workers
  let mailbox: Mailbox
  /// The order in which they are asked.
  let handlers: [any RequestHandler]
  /// Whether events are posted to `/`, which hardly takes a look to find out.
  let isEventPathRoot: Bool

  init(
    configuration: TrackingServer.Configuration, session: String, journal: Journal, stubs: StubStore,
    page: PageSlot, mailbox: Mailbox, handlers: [any RequestHandler]? = nil
  ) {
    self.configuration = configuration
    self.session = session
    self.journal = journal
    self.stubs = stubs
    self.mailbox = mailbox
    self.handlers = handlers ?? Self.makeHandlers(page)
    intake = EventIntake(maximumDepth: configuration.limits.jsonDepth)
    isEventPathRoot = configuration.eventPath == "/"
    workers = Workers(limit: configuration.limits.workers)
  }

  /// The handlers of a server, in the order in which they are asked; a handler that is added has one line here.
  ///
  /// Injected faults come before everything that reads a request, formats of SDKs before the server's own, and stubs of the test before
  /// whatever answers every request.
  private static func makeHandlers(_ page: PageSlot) -> [any RequestHandler] {
    [
      SenderCheck(),
      EarlyFaultHandler(),
      ContentDecoder(),
      FormatIntake(),
      EventFormats(),
      EventEndpoint(),
      AppReports(),
      PageServing(slot: page),
      StubServing(),
      FormatQuestions(),
      Unmatched(),
    ]
  }
}
