import TrackingVerifier

/// Ends a test that cannot go on without an event; the failure itself, with all that it has to say, has been reported
/// before.
///
/// The trait ``Testing/Trait/tracking`` lets the test end with it and reports nothing more. Where failures go to a
/// reporter of your own, it is thrown on, so that no test passes by ending early.
public struct RequirementFailure: Error, CustomStringConvertible {
  /// Where the event was required.
  public let location: CodeLocation
  /// Whether the test has failed already.
  let isRecorded: Bool

  /// Says where to look.
  public var description: String {
    "what was required at \(location.fileID):\(location.line) did not come; the failure reported there says why"
  }
}
