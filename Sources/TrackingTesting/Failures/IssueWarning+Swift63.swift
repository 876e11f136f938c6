#if compiler(>=6.3)
  import Testing

  extension Issue {
    /// Records a warning, which fails no test.
    static func warn(_ text: String, sourceLocation: SourceLocation) {
      record(Comment(rawValue: text), severity: .warning, sourceLocation: sourceLocation)
    }
  }
#endif
