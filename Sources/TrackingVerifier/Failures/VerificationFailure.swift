import TrackingPatterns

/// A failure that a verifier found: its kind, its message, and the place in the test that asked.
public struct VerificationFailure: Sendable {
  /// The kind of a failure, for tools that do not read text.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Fewer events or requests arrived than were asked for.
    case tooFew
    /// More events or requests arrived than were asked for, during the wait or after it.
    case tooMany
    /// The events or requests arrived in another order.
    case wrongOrder
    /// An event or request arrived that should not have, or that no wait asked for.
    case unexpectedExtra
    /// Two equal events or requests arrived close together.
    case duplicate
    /// A submission was rejected.
    case rejected
    /// An event that was tracked never arrived.
    case lost
    /// The answer of a wait arrived after its deadline.
    case late
    /// Submissions were refused because the journal is full.
    case journalFull
    /// The server could not start.
    case notStarted
    /// A blocking wait was called from asynchronous code.
    case blockingInTask
    /// The task that waited was cancelled.
    case cancelled
    /// A verifier was used outside a test, or after its test had ended.
    case outsideOfTest
    /// The test ended, or its verifier was stopped, during a wait.
    case unfinished
    /// A wait was given a mark of another verifier's server.
    case foreignMark
    /// A question is invalid: an invalid regular expression, a negative count, a time that isn't a number.
    case invalidQuestion
    /// A stub, a fault or a decoding cannot be installed.
    case invalidStub
    /// The closure of a stub threw an error.
    case stubFailed
    /// A request arrived that no stub matches.
    case unmatchedRequest
    /// A stub was never asked, or not all of its answers were sent.
    case unusedStub
    /// An event breaks the tracking plan or another rule.
    case brokenRule
    /// A flow of events is not the recorded one, or none was recorded.
    case changedFlow
    /// The tracking plan can't be read, or a wait asks about a plan where there is none.
    case unusablePlan
    /// A recorded backend can't be replayed, or a recording can't be made or written.
    case unusableRecording
  }

  /// The kind of the failure.
  public let kind: Kind
  /// The message, of several lines.
  public let message: String
  /// The place in the test that asked.
  public let location: CodeLocation

  /// A failure to report.
  public init(kind: Kind, message: String, location: CodeLocation) {
    self.kind = kind
    self.message = message
    self.location = location
  }
}

/// The place in a test that asked for something, where its failure is shown.
public struct CodeLocation: Sendable {
  /// The file as the compiler identifies it: `CheckoutTests/CheckoutTests.swift`.
  public let fileID: StaticString
  /// The file's whole path.
  public let file: StaticString
  /// The line, from 1.
  public let line: UInt
  /// The column, from 1.
  public let column: UInt

  /// A place in a test; without arguments, the caller's.
  public init(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    self.fileID = fileID
    self.file = file
    self.line = line
    self.column = column
  }
}

extension CodeLocation {
  /// No place in a test's code: what has it is shown at the test itself.
  package static let wholeTest = CodeLocation(fileID: "", file: "", line: 0, column: 0)
}
