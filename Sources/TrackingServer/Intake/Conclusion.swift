import StubModel
import TrackingModel

/// What came of work for a request.
enum Conclusion: Sendable {
  /// A stub's answer to the request with this number in the journal.
  case result(PreparedResult, content: [UInt8], StubTable.Selection, number: Int?)
  /// A stub's folder has no such file.
  case noFile(StubTable.Selection, number: Int?)
  /// A stub's closure gave no answer, and why.
  case failed(String, StubTable.Selection, number: Int?)
  /// The request was events.
  case events([TrackingEvent])
  /// The request should have been events, and why it is not.
  case malformed(String)
  /// The request was no events.
  case noEvents
}
