#if canImport(Darwin)
  import Foundation

  /// Runs one iteration and releases its temporary objects: this thread has no run loop that would.
  func releasingTemporaries(_ round: () -> Void) {
    autoreleasepool(invoking: round)
  }
#endif
