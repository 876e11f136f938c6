import TrackingModel

/// Makes names of attachments that are unique in this process.
enum AttachmentTitle {
  private static let counts = Locked<[String: Int]>([:])

  static func next(for title: String) -> String {
    let number = counts.withLock { counts in
      counts[title, default: 0] += 1
      return counts[title, default: 0]
    }
    return "\(title)-\(number)"
  }
}

extension TrackingVerifier {
  /// The base name of attachments' files: the test and the number of its verifier.
  var attachmentTitle: String {
    if let title = state.withLock({ $0.record.title }) { return title }
    let title = AttachmentTitle.next(for: testName ?? "test")
    return state.withLock { state in
      state.record.title = state.record.title ?? title
      return state.record.title ?? title
    }
  }
}
