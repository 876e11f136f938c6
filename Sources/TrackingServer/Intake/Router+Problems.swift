import Foundation
import TrackingModel

// What an app says of the way in which it was launched.

extension Router {
  /// Bytes that are read of what an app found wrong.
  private static let longestProblem = 4_096

  func isProblemReport(_ head: borrowing RequestHead) -> Bool {
    head.method == .post && head.path(equals: WirePath.problem)
  }

  /// Keeps what an app found wrong, so that the test fails.
  func answerProblemReport(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Answer {
    guard head.field(.trackingSession, equals: session) else {
      return refuse(
        head, with: Refusal(status: 403, reason: RejectedSubmission.otherSessionReason), body: body, exchange: exchange)
    }
    let text = String(decoding: body.prefix(Self.longestProblem), as: UTF8.self)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    // RFC 9110 15.5.21: it was understood, and what it says is wrong.
    reject(head, with: Refusal(status: RejectedSubmission.problemStatus, reason: text), body: nothing)
    return Answer(withSenderFields(.done, head))
  }
}
