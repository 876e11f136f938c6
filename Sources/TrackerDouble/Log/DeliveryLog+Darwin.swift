#if canImport(Darwin)
  import os

  extension DeliveryLog {
    /// The unified log, as errors, so that they show without any setting.
    static let system: DeliveryLog = {
      let logger = Logger(subsystem: "TrackingVerifier", category: "TrackerDouble")
      return DeliveryLog { line in logger.error("\(line, privacy: .public)") }
    }()
  }
#endif
