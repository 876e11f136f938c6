#if !compiler(>=6.3)
  import Testing
  import TrackingModel

  extension Issue {
    /// Writes a warning to standard error, because all issues of Swift Testing 6.2 fail their tests.
    static func warn(_ text: String, sourceLocation: SourceLocation) {
      StandardError.write("\(sourceLocation.fileID):\(sourceLocation.line): warning: \(text)\n")
    }
  }
#endif
