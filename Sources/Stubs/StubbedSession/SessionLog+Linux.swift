#if os(Linux)
  import TrackingModel

  extension SessionLog {
    /// Standard error.
    static let system = SessionLog { StandardError.write("\($0)\n") }
  }
#endif
