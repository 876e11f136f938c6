#if os(Linux)
  import TrackingModel

  extension DeliveryLog {
    /// Standard error.
    static let system = DeliveryLog { StandardError.write("\($0)\n") }
  }

  /// Runs one round of a loop; this platform has no temporary objects to release.
  func releasingTemporaries(_ round: () -> Void) {
    round()
  }
#endif
