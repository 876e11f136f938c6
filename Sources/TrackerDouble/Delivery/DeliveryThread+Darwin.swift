#if canImport(Darwin)
  import Foundation

  /// Runs one round of a loop that never returns to a run loop, and releases its temporary objects.
  func releasingTemporaries(_ round: () -> Void) {
    autoreleasepool(invoking: round)
  }
#endif
