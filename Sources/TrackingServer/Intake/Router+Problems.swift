import Foundation
import StubModel
import TrackingModel

// What an app reports to the verifier that launched it.

extension Router {
  /// The bytes of a problem that are kept.
  private static let longestProblem = 4_096

  func isAppReport(_ head: borrowing RequestHead) -> Bool {
    head.method == .post && (head.path(equals: WirePath.problem) || head.path(equals: WirePath.requests))
  }

  /// Records what is wrong with the app's launch, so that the test fails, or a request that a session in the app was asked.
  func answerAppReport(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Answer {
    guard head.field(.trackingSession, equals: session) else {
      return refuse(
        head, with: Refusal(status: 403, reason: RejectedSubmission.otherSessionReason), body: body, exchange: exchange)
    }
    if head.path(equals: WirePath.requests) {
      guard let report = ReportedRequest(Data(body)) else {
        return refuse(head, with: .badRequest("this is not a report of a request"), body: body, exchange: exchange)
      }
      journal.record(
        RecordedRequest(
          report, keeping: configuration.limits.recordedBodyBytes, connection: connection, exchange: exchange))
    } else {
      let text = String(decoding: body.prefix(Self.longestProblem), as: UTF8.self)
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      // RFC 9110 15.5.21: it was understood, and what it says is wrong.
      reject(head, with: Refusal(status: RejectedSubmission.problemStatus, reason: text), body: nothing)
    }
    return Answer(withSenderFields(.done, head))
  }
}
