import TrackingVerifier

/// Ends a test that can't continue without an event or a request; thrown after the failure has been reported.
///
/// The trait ``Testing/Trait/tracking`` catches it, so that the test has one issue. If your own reporter kept the failure from becoming an issue of the
/// test, the error is rethrown, so that no test passes by ending early.
public struct RequirementFailure: Error, CustomStringConvertible {
  /// The line that required it.
  public let location: CodeLocation

  /// The line at which the failure has been reported.
  public var description: String {
    "the requirement at \(location.fileID):\(location.line) was not met; the failure reported there says why"
  }
}
