#if os(Linux)
  /// Runs one round of a loop; nothing is left to be released later on this platform.
  func releasingTemporaries(_ round: () -> Void) {
    round()
  }
#endif
