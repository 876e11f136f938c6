import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Reads events in the formats that the test accepts.
final class FormatIntake: RequestHandler {
  /// The largest body that the server's thread reads; passing it to a worker costs more.
  private static let fewBytes = 64 * 1_024

  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.formats.isEmpty ? .pass : .wanted(.events)
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    let formats = exchange.formats
    guard !formats.isEmpty else { return .pass }
    if case .coded(let refusal) = exchange.body.unread { return .respond(exchange.refuse(refusal)) }
    let request = exchange.request()
    if request.body.count <= Self.fewBytes, formats.allSatisfy(\.isPrompt) {
      return Self.accept(FormatResult(of: request, as: formats), formats, &exchange)
    }
    return .work {
      let reading = FormatResult(of: request, as: formats)
      return { exchange in Self.accept(reading, formats, &exchange) }
    }
  }

  private static func accept(
    _ reading: FormatResult, _ formats: [PreparedFormat], _ exchange: inout Exchange
  ) -> RequestOutcome {
    switch reading {
    case .submission(let submission, let format, let response, let bodyHash):
      if let refusal = exchange.sender.refusalOfSession(exchange.parser.head) {
        return .respond(exchange.refuse(refusal))
      }
      return record(submission, of: format, response, bodyHash: bodyHash, &exchange)
    case .malformed where exchange.isProbe, .unknown where exchange.isProbe: break
    case .malformed(let reason, let error):
      let refusal = exchange.sender.refusalOfSession(exchange.parser.head) ?? .badRequest(HTTPError.quoted(reason))
      // The app's own tracker may share the path.
      if !exchange.isSubmission { return .respond(exchange.refuse(refusal, at: error)) }
      exchange.body.unread = .ofNoFormat(refusal, at: error)
    case .unknown:
      // A stub may serve this path, too. If none does, `UnreadBody` rejects the request.
      let names = formats.map(\.format.name).joined(separator: ", ")
      exchange.body.unread = .ofNoFormat(
        .badRequest("the request has the path of an accepted format, but its content matches none of them: \(names)"))
    }
    return .pass
  }

  private static func record(
    _ submission: DecodedSubmission, of format: AcceptedFormat, _ response: PreparedResponse, bodyHash: Int,
    _ exchange: inout Exchange
  ) -> RequestOutcome {
    let start = exchange.context.start
    var events: [TrackingEvent] = []
    var others: [TrackingEvent] = []
    for (index, var item) in submission.items.enumerated() {
      // Without ids, a redelivered body is recognized by the SDK's count of attempts.
      let attempt = item.id == nil ? submission.attempt : nil
      if attempt != nil { item.id = "body \(bodyHash) \(index)" }
      let event = format.event(
        of: item, isLeftover: item.time.map { isEarlier($0, than: start) } ?? false, isFirstAttempt: attempt == 0)
      if format.kinds.contains(item.kind) { events.append(event) } else { others.append(event) }
    }
    let extras = SubmissionExtras(format: format.name, others: others, malformed: submission.malformed)
    let sender = TrackingJournal.Sender(connection: exchange.connection)
    return EventReceipt(events: events, sender: sender, usual: response, extras: extras).respond(&exchange)
  }

  /// Whether an event was tracked before the server was started, by the SDK's clock.
  ///
  /// Many SDKs write whole seconds or milliseconds, so an event may seem slightly older than it is.
  private static func isEarlier(_ time: Date, than start: Date) -> Bool {
    let (time, start) = (time.timeIntervalSince1970, start.timeIntervalSince1970)
    return time == time.rounded(.down) ? time < start.rounded(.down) : time < start - 0.001
  }
}
