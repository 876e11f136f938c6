#if canImport(Darwin)
  import os

  extension AppLog {
    /// The unified log; problems are errors, so that they show without any setting.
    package static func system(of name: String) -> AppLog {
      let logger = Logger(subsystem: "TrackingVerifier", category: name)
      return AppLog(of: name) { line in
        logger.error("\(line, privacy: .public)")
      } note: { line in
        logger.notice("\(line, privacy: .public)")
      }
    }
  }
#endif
