import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Records events posted in the server's own format.
final class EventEndpoint: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    guard exchange.isSubmission else { return .pass }
    return Self.refusal(exchange.sender, exchange.parser.head).map { .refuse($0) } ?? .wanted(.events)
  }

  func handle(_ exchange: inout Exchange) -> RequestOutcome {
    guard exchange.isSubmission else { return .pass }
    if let refusal = Self.refusal(exchange.sender, exchange.parser.head) {
      // A format that listens here has the better reason.
      if case .ofNoFormat = exchange.body.unread { return .pass }
      return .respond(exchange.refuse(refusal))
    }
    let intake = exchange.context.intake
    let events: [TrackingEvent]
    let reading = exchange.withBody { body in
      Result { () throws(JSONError) in try intake.events(in: body.bindMemory(to: UInt8.self)) }
    }
    switch reading {
    case .success(let read): events = read
    case .failure(let error): return .respond(exchange.refuse(.badRequest(error.reason), at: error))
    }
    let sender = TrackingJournal.Sender(
      connection: exchange.connection, launch: exchange.sender.launchName(exchange.parser.head),
      sequence: exchange.head.number(in: .trackingSequence),
      isOfSession: exchange.head.has(.trackingSession))
    guard sender.sequence.map({ $0 <= .max - UInt64(events.count) }) ?? true else {
      return .respond(exchange.refuse(.badRequest("the number in Tracking-Sequence is too large")))
    }
    return EventReceipt(events: events, sender: sender).respond(&exchange)
  }

  private static func refusal(_ sender: RequestSender, _ head: borrowing RequestHead) -> HTTPError? {
    if let refusal = sender.refusalOfSession(head) ?? RequestBody.refusalOfCoding(head) { return refusal }
    if head.has(.contentType), !head.field(.contentType, isMediaType: "application/json"),
      !isBeacon(head, sender)
    {
      return HTTPError(
        status: 415,
        reason: """
          events are sent as Content-Type: application/json, not as \(HTTPError.quoted(head.value(of: .contentType))); \
          \(sender.vocabulary.accepting) takes other formats
          """)
    }
    if head.framing == .none {
      return HTTPError(status: 411, reason: "the request has neither Content-Length nor a chunked body")
    }
    if head.has(.trackingLaunch) != head.has(.trackingSequence) {
      return .badRequest("Tracking-Launch and Tracking-Sequence belong together")
    }
    if let refusal = RequestSender.refusalOfLaunch(head) { return refusal }
    if head.has(.trackingSequence), (head.number(in: .trackingSequence) ?? 0) == 0 {
      return .badRequest(
        "Tracking-Sequence is not a number from 1: \"\(HTTPError.quoted(head.value(of: .trackingSequence)))\"")
    }
    return nil
  }

  /// Whether a web page sends JSON as text, as `navigator.sendBeacon` and `fetch` do with a string (Beacon 2.1, Fetch 6.5).
  ///
  /// Browsers send it without a preflight, so it counts only for pages that are allowed to send events.
  private static func isBeacon(_ head: borrowing RequestHead, _ sender: RequestSender) -> Bool {
    head.field(.contentType, isMediaType: "text/plain") && sender.isAllowedPage(head)
  }
}
