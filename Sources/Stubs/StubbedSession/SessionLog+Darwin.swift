#if canImport(Darwin)
  import os

  extension SessionLog {
    /// The unified log, as errors, so that they show without any setting.
    static let system: SessionLog = {
      let logger = Logger(subsystem: "TrackingVerifier", category: "StubbedSession")
      return SessionLog { line in logger.error("\(line, privacy: .public)") }
    }()
  }
#endif
