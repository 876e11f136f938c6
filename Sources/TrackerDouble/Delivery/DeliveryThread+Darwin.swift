#if canImport(Darwin)
  import Foundation
  import os

  extension DeliveryLog {
    /// The unified log; problems as errors, so that they show without any setting.
    static let system: DeliveryLog = {
      let logger = Logger(subsystem: "TrackingVerifier", category: "TrackerDouble")
      return DeliveryLog { line in
        logger.error("\(line, privacy: .public)")
      } note: { line in
        logger.notice("\(line, privacy: .public)")
      }
    }()
  }

  /// Runs one round of a loop that never returns to a run loop, and releases its temporary objects.
  func releasingTemporaries(_ round: () -> Void) {
    autoreleasepool(invoking: round)
  }
#endif
