import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Reads requests as events in the formats that the test accepts.
final class FormatIntake: RequestHandler {
  /// The largest body that the server's thread reads: to hand it to a worker costs more.
  private static let fewBytes = 64 * 1_024

  func preview(_ exchange: inout Exchange) -> Preview {
    mayRead(exchange) ? .wanted(.events) : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard Self.mayHaveEvents(exchange) else { return .pass }
    let formats = exchange.context.stubs.formats(forHead: exchange.requestHead())
    guard !formats.isEmpty else { return .pass }
    if let refusal = exchange.body.refusal { return .reply(exchange.refuse(refusal, asEvents: true)) }
    let request = exchange.request()
    if request.body.count <= Self.fewBytes, formats.allSatisfy(\.isPrompt) {
      return Self.accept(FormatReading(of: request, as: formats), formats, &exchange)
    }
    return .work {
      let reading = FormatReading(of: request, as: formats)
      return { exchange in Self.accept(reading, formats, &exchange) }
    }
  }

  /// Whether a request may carry events in an accepted format, according to its head.
  private func mayRead(_ exchange: borrowing Exchange) -> Bool {
    Self.mayHaveEvents(exchange) && !exchange.context.stubs.formats(forHead: exchange.requestHead()).isEmpty
  }

  /// Whether a request may have events: a double's are in the server's format, and a browser's preflight request has none.
  private static func mayHaveEvents(_ exchange: borrowing Exchange) -> Bool {
    exchange.setup.hasFormats && !exchange.head.has(.trackingLaunch) && exchange.head.method != .options
  }

  private static func accept(
    _ reading: FormatReading, _ formats: [PreparedFormat], _ exchange: inout Exchange
  ) -> Outcome {
    switch reading {
    case .submission(let submission, let format, let reply, let bodyHash):
      if let refusal = exchange.sender.refusalOfSession(exchange.parser.head) {
        return .reply(exchange.refuse(refusal, asEvents: true))
      }
      return record(submission, of: format, reply, bodyHash: bodyHash, &exchange)
    case .malformed(let reason, let error):
      let refusal = exchange.sender.refusalOfSession(exchange.parser.head) ?? .badRequest(Refusal.quoted(reason))
      // The app's own tracker may share the path.
      if !exchange.isSubmission { return .reply(exchange.refuse(refusal, at: error, asEvents: true)) }
      exchange.body.formatRefusal = refusal
    case .unknown:
      // A stub of the test may serve this path, too. If none does, `FormatQuestions` rejects the request.
      let names = formats.map(\.format.name).joined(separator: ", ")
      exchange.body.formatRefusal = .badRequest(
        "the request has the path of an accepted format, and its content is of none of them: \(names)")
    }
    return .pass
  }

  private static func record(
    _ submission: Submission, of format: AcceptedFormat, _ reply: PreparedResult, bodyHash: Int,
    _ exchange: inout Exchange
  ) -> Outcome {
    let start = exchange.context.start
    var events: [TrackingEvent] = []
    var others: [TrackingEvent] = []
    for (index, var item) in submission.items.enumerated() {
      // Without ids, a body that is sent again is recognized where the SDK counts its attempts.
      let attempt = item.id == nil ? submission.attempt : nil
      if attempt != nil { item.id = "body \(bodyHash) \(index)" }
      let event = format.event(
        of: item, isLeftover: item.time.map { isEarlier($0, than: start) } ?? false, isFirstAttempt: attempt == 0)
      if format.kinds.contains(item.kind) { events.append(event) } else { others.append(event) }
    }
    let extras = SubmissionExtras(format: format.name, others: others, malformed: submission.malformed)
    let sender = Journal.Sender(connection: exchange.connection)
    return EventReceipt(events: events, sender: sender, usual: reply, extras: extras).answer(&exchange)
  }

  /// Whether an event was tracked before the server was started, by the SDK's clock.
  ///
  /// Many SDKs write whole seconds or milliseconds, so an event may seem to be a little older than it is.
  private static func isEarlier(_ time: Date, than start: Date) -> Bool {
    let (time, start) = (time.timeIntervalSince1970, start.timeIntervalSince1970)
    return time == time.rounded(.down) ? time < start.rounded(.down) : time < start - 0.001
  }
}

/// Answers SDKs' startup requests, and rejects requests at the path of a format that neither a format nor a stub has taken.
final class FormatQuestions: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.setup.hasFormats && exchange.context.stubs.answer(to: exchange.requestHead()) != nil
      ? .wanted(.request) : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    if let refusal = exchange.body.formatRefusal { return .reply(exchange.refuse(refusal, asEvents: true)) }
    guard exchange.setup.hasFormats, let result = exchange.context.stubs.answer(to: exchange.request()) else {
      return .pass
    }
    var reply = Reply(result)
    reply.inject(exchange.context.stubs.takeFault(at: [.response, .responseBody, .afterResponse]))
    exchange.record(reply, RecordedAnswer(status: reply.statusSent, fault: reply.fault))
    return .reply(reply)
  }
}
