extension StubbedSession {
  /// What becomes of a request that no stub answers.
  public enum Unmatched: Hashable, Sendable {
    /// It fails with `URLError.unsupportedURL`, whose description names the nearest stub and what differs, as does a line in the log.
    case fail
    /// It goes where it would have gone without stubs.
    case passThrough
  }
}
