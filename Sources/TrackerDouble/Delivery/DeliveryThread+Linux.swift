#if os(Linux)
  import Foundation

  extension DeliveryLog {
    /// Standard error.
    static let system = DeliveryLog { line in
      let bytes = Array("\(line)\n".utf8)
      // `FileHandle` ends the process if the reader of its standard error is gone.
      _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  /// Runs one round of a loop; this platform has no temporary objects to release.
  func releasingTemporaries(_ round: () -> Void) {
    round()
  }
#endif
