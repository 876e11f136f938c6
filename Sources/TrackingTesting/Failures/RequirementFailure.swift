import TrackingVerifier

/// Ends a test that cannot continue without an event or a request; the failure itself has been reported before.
///
/// The trait ``Testing/Trait/tracking`` lets the test end with it and reports nothing more. Where the failure has not
/// become an issue of the test, because your own reporter took it, the error is thrown on, so that no test passes by
/// ending early.
public struct RequirementFailure: Error, CustomStringConvertible {
  /// The line that required it.
  public let location: CodeLocation

  /// The line at which the failure has been reported.
  public var description: String {
    "the requirement at \(location.fileID):\(location.line) was not met; the failure reported there says why"
  }
}
