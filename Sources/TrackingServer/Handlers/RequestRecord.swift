import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// The record of a request in the journal: its arrival, its response, and its rejection as a submission of events.
///
/// Only this type records requests and rejections of connections.
struct RequestRecord {
  private let context: ServerContext
  private let connection: Int
  private(set) var isMade = false
  /// The record's number in the journal; `nil` if that is full.
  private var entry: Int?

  init(in context: ServerContext, connection: Int) {
    self.context = context
    self.connection = connection
  }

  mutating func finish() {
    isMade = false
  }

  /// Records a request, with its response if that is known.
  ///
  /// - Parameters:
  ///   - number: The request's number on its connection.
  ///   - isSent: Whether the response is sent now, without a delay.
  mutating func make(_ request: ReceivedRequest, number: Int, _ response: RecordedResponse? = nil, isSent: Bool = true)
  {
    isMade = true
    let kept = context.configuration.limits.recordedBodyBytes
    entry = context.journal.record(
      RecordedRequest(request, keeping: kept, connection: connection, exchange: number, response: response),
      isSent: isSent)
  }

  func add(_ response: RecordedResponse, isSent: Bool = true) {
    context.journal.complete(entry, with: response, isSent: isSent)
  }

  func noteSending() {
    context.journal.noteSending(of: entry)
  }

  /// Adds the response when its sending begins, after a gate or a delay; `nil` if it was recorded, and only the sending is noted.
  func add(_ response: RecordedResponse?, whenBegun plan: PlannedResponse.Plan) {
    let (journal, entry) = (context.journal, entry)
    plan.begins = {
      if let response { journal.complete(entry, with: response) } else { journal.noteSending(of: entry) }
    }
  }

  /// Keeps the response for the inspector; called before the response is recorded, so that a reader of the record finds the content.
  func keep(_ response: HTTPResponse, of number: Int) {
    context.journal.responses?.keep(response, connection: connection, exchange: number)
  }

  /// Records a rejected submission.
  ///
  /// - Parameters:
  ///   - sequence: The first event's number among all that the launch tracked.
  ///   - body: The received bytes; `nil` to keep none.
  func reject(
    _ refusal: HTTPError, at error: JSONError? = nil, launch: String? = nil, sequence: UInt64? = nil,
    _ body: UnsafeRawBufferPointer?
  ) {
    let kept = max(context.configuration.limits.rejectedBodyBytes, 0)
    context.journal.record(
      RejectedSubmission(
        status: refusal.status, reason: refusal.reason, path: error.flatMap { $0.path.isEmpty ? nil : $0.path },
        offset: error?.offset, body: body.map { Data($0.prefix(kept)) } ?? Data(), bodySize: body?.count ?? 0,
        connection: connection, launch: launch),
      sequence: sequence)
  }
}
