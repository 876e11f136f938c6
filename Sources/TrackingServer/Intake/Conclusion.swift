import StubModel
import TrackingModel

/// What came of work for a request.
enum Conclusion: Sendable {
  /// A stub's answer.
  case result(PreparedResult, content: [UInt8], StubTable.Selection)
  /// A stub's folder has no such file.
  case noFile(StubTable.Selection)
  /// A stub's closure gave no answer, and why.
  case failed(String, StubTable.Selection)
  /// The closures of all stubs that match have declined the request.
  case declined
  /// The request was events.
  case events([TrackingEvent])
  /// The request should have been events, and why it is not.
  case malformed(String)
  /// The request was no events.
  case noEvents
}
