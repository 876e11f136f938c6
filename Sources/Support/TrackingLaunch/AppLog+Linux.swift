#if os(Linux)
  import TrackingModel

  extension AppLog {
    /// Standard error.
    package static func system(of name: String) -> AppLog {
      AppLog(of: name) { StandardError.write("\($0)\n") }
    }
  }
#endif
