#if os(Linux)
  /// Runs one iteration; Linux has no temporary objects to release.
  func releasingTemporaries(_ round: () -> Void) {
    round()
  }
#endif
