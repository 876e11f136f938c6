import Foundation
import StubModel
import TrackingJSON
import TrackingModel

// Requests and rejected submissions in the journal, and the answers to refused senders. Only this file records requests.

extension Exchange {
  /// The most bytes of a launch's name that are kept.
  static let longestLaunch = 200

  /// Records that the request has arrived, before its answer is known: a test may wait for a request whose answer it holds back.
  mutating func recordArrival() {
    guard !isRecorded else { return }
    isRecorded = true
    entry = context.journal.record(recordedRequest(nil))
  }

  /// Records the request with its answer, or adds the answer to what was recorded.
  ///
  /// - Parameter isSent: Whether the answer is sent now, and not after a delay.
  mutating func record(_ answer: RecordedAnswer, isSent: Bool = true) {
    if isRecorded {
      context.journal.answer(entry, with: answer, isSent: isSent)
    } else {
      isRecorded = true
      entry = context.journal.record(recordedRequest(answer), isSent: isSent)
    }
  }

  /// Records the request with a reply; if a gate holds the reply back, the answer is added when it begins.
  mutating func record(_ reply: borrowing Reply, _ answer: RecordedAnswer) {
    defer { if let entry { context.journal.responses.keep(reply.response, of: entry) } }
    guard let plan = reply.plan, plan.gate != nil || plan.delay > .zero else { return record(answer) }
    if plan.gate != nil { recordArrival() } else { record(answer, isSent: false) }
    let (journal, entry, isHeld) = (context.journal, entry, plan.gate != nil)
    plan.begins = { if isHeld { journal.answer(entry, with: answer) } else { journal.noteSending(of: entry) } }
  }

  private mutating func recordedRequest(_ answer: RecordedAnswer?) -> RecordedRequest {
    RecordedRequest(
      request(), keeping: context.configuration.limits.recordedBodyBytes, connection: connection, exchange: number,
      answer: answer)
  }

  /// The answer to a refused request, which is recorded.
  ///
  /// - Parameter asEvents: Whether it was meant as events, so that it is a rejected submission, too.
  mutating func refuse(_ refusal: Refusal, at error: JSONError? = nil, asEvents: Bool? = nil) -> Reply {
    // The journal counts submissions that it refuses because it is full.
    let isSubmission = asEvents ?? isSubmission
    if refusal.status != Journal.fullStatus {
      record(RecordedAnswer(status: refusal.status, refusal: isSubmission ? nil : refusal.reason))
    }
    if isSubmission { reject(refusal, at: error) }
    return Reply(HTTPResponse(refusal, at: error))
  }

  /// The answer to a request for whose work there is no thread.
  mutating func refuseForWantOfThreads() -> Reply {
    let problem = """
      \(context.configuration.limits.workers) closures of stubs and formats are running, which is as many as \
      limits.workers allows; let them return, hold answers with .held(by:), or raise the limit
      """
    record(RecordedAnswer(status: 503, problem: problem))
    return Reply(HTTPResponse(Refusal(status: 503, reason: problem)))
  }

  /// Records a rejected submission.
  func reject(_ refusal: Refusal, at error: JSONError? = nil, keepsBody: Bool = true) {
    withBody { body in
      let body = keepsBody ? body : UnsafeRawBufferPointer(start: nil, count: 0)
      context.journal.record(
        RejectedSubmission(
          status: refusal.status, reason: refusal.reason, path: error.flatMap { $0.path.isEmpty ? nil : $0.path },
          offset: error?.offset, body: Data(body.prefix(max(context.configuration.limits.rejectedBodyBytes, 0))),
          bodySize: body.count, connection: connection,
          launch: head.value(of: .trackingLaunch)?.shortened(to: Self.longestLaunch)))
    }
  }

  /// The answer to a malformed request, which is recorded as a rejected submission, because it may have been one.
  func refuseUnread(_ refusal: Refusal) -> HTTPResponse {
    context.journal.record(
      RejectedSubmission(
        status: refusal.status, reason: refusal.reason, path: nil, offset: nil, body: Data(), bodySize: 0,
        connection: connection, launch: nil))
    var response = HTTPResponse(refusal)
    response.closes = true
    return response
  }

  /// The beginning of a client's text, for the journal and for messages.
  static func quoted(_ text: String?) -> String {
    (text ?? "").shortened(to: 200)
  }
}
