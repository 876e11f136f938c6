#if canImport(Darwin)
  import Foundation

  /// Runs one round of a loop that never returns to a run loop, and lets go of what it left to be released later.
  func releasingTemporaries(_ round: () -> Void) {
    autoreleasepool(invoking: round)
  }
#endif
