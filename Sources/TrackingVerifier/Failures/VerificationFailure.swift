import TrackingPatterns

/// Something that a verifier found wrong: what kind of thing, in words, and where it was asked for.
public struct VerificationFailure: Sendable {
  /// What kind of thing is wrong, for tools that do not read text.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Fewer events, or requests, came than were asked for.
    case tooFew
    /// More events, or requests, came than were asked for, during the wait or after it.
    case tooMany
    /// The events came in another order.
    case wrongOrder
    /// An event came that should not have, or for which nobody asked.
    case unexpectedExtra
    /// Two equal events came close together.
    case duplicate
    /// A submission was rejected.
    case rejected
    /// An event that was tracked never arrived.
    case lost
    /// What was waited for in vain came after the deadline.
    case late
    /// Submissions were refused because the journal is full.
    case journalFull
    /// The server could not start.
    case notStarted
    /// A blocking wait was called from asynchronous code.
    case blockingInTask
    /// The task that waited was cancelled.
    case cancelled
    /// A verifier was asked for where no test has one.
    case outsideOfTest
    /// A wait was given a mark of another verifier's server.
    case foreignMark
    /// A question makes no sense: a pattern's regular expression is none, a number of events is negative, a time is no number.
    case invalidQuestion
    /// A stub, a fault or a decoding cannot be installed.
    case invalidStub
    /// The closure of a stub gave no answer.
    case stubFailed
    /// A request came that nothing serves.
    case unmatchedRequest
  }

  /// What kind of thing is wrong.
  public let kind: Kind
  /// What is wrong, in words; several lines.
  public let message: String
  /// Where it was asked for.
  public let location: CodeLocation

  /// A failure to report.
  public init(kind: Kind, message: String, location: CodeLocation) {
    self.kind = kind
    self.message = message
    self.location = location
  }
}
