import TrackingModel

/// Makes names of attachments that are unique in this process.
enum AttachmentTitle {
  private static let counts = Locked<[String: Int]>([:])

  /// `CartTests.testBuying-1`, for the test `CartTests.testBuying`.
  static func next(for title: String) -> String {
    let number = counts.withLock { counts in
      counts[title, default: 0] += 1
      return counts[title, default: 0]
    }
    return "\(title)-\(number)"
  }
}

extension TrackingVerifier {
  /// The name of attachments' files: the test, and which of its verifiers this is.
  var attachmentTitle: String {
    if let title = state.withLock({ $0.record.title }) { return title }
    let title = AttachmentTitle.next(for: testName ?? "test")
    return state.withLock { state in
      state.record.title = state.record.title ?? title
      return state.record.title ?? title
    }
  }
}
