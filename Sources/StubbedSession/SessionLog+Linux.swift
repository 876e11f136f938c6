#if os(Linux)
  import Foundation

  extension SessionLog {
    /// Standard error.
    static let system = SessionLog { line in
      let bytes = Array("\(line)\n".utf8)
      // Not through `FileHandle`, which ends the process if its standard error is closed.
      _ = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }
#endif
