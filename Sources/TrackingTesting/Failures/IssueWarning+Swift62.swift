#if !compiler(>=6.3)
  import Testing
  import TrackingModel

  extension Issue {
    /// Writes a warning to standard error, because every issue in Swift Testing 6.2 fails its test.
    static func warn(_ text: String, sourceLocation: SourceLocation) {
      StandardError.write("\(sourceLocation.fileID):\(sourceLocation.line): warning: \(text)\n")
    }
  }
#endif
