#if os(Linux)
  /// Runs one round of a loop; this platform has no temporary objects to release.
  func releasingTemporaries(_ round: () -> Void) {
    round()
  }
#endif
