import Foundation
import TrackingModel

// What a submission must be.

extension Router {
  /// Whether somebody may send events, in whatever format.
  func refusalOfSession(_ head: borrowing RequestHead) -> Refusal? {
    if head.has(.trackingSession) {
      return head.field(.trackingSession, equals: session)
        ? nil : Refusal(status: 403, reason: RejectedSubmission.otherSessionReason)
    }
    return configuration.requiresSession
      ? Refusal(status: 403, reason: "this server takes events only with its Tracking-Session") : nil
  }

  func refusalOfSubmission(_ head: borrowing RequestHead) -> Refusal? {
    if let refusal = refusalOfSession(head) { return refusal }
    if head.has(.contentEncoding), !head.field(.contentEncoding, equalsIgnoringCase: "identity") {
      return Refusal(
        status: 415,
        reason: """
          the body is coded as \(Self.quoted(head.value(of: .contentEncoding))); send it as it is: switch compression off in \
          the sender and leave Content-Encoding out
          """)
    }
    if head.has(.contentType), !head.field(.contentType, isMediaType: "application/json") {
      return Refusal(
        status: 415,
        reason: """
          events are sent as Content-Type: application/json, not as \(Self.quoted(head.value(of: .contentType))); \
          decodeEvents(at:with:) takes other formats
          """)
    }
    if head.framing == .none {
      return Refusal(status: 411, reason: "the request has neither Content-Length nor a chunked body")
    }
    if head.has(.trackingLaunch) != head.has(.trackingSequence) {
      return .badRequest("Tracking-Launch and Tracking-Sequence belong together")
    }
    if head.withValue(of: .trackingLaunch, { $0.count > Self.longestLaunch }) == true {
      return .badRequest("Tracking-Launch is longer than \(Self.longestLaunch) bytes")
    }
    if head.has(.trackingSequence), (head.number(in: .trackingSequence) ?? 0) == 0 {
      return .badRequest(
        "Tracking-Sequence is not a number from 1: \"\(Self.quoted(head.value(of: .trackingSequence)))\"")
    }
    return nil
  }
}
