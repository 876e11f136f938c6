import TrackingSockets

/// Names of attachments that no other verifier of this process has.
enum AttachmentTitles {
  private static let counts = Locked<[String: Int]>([:])

  /// `CartTests.testBuying-1`, for a test as XCTest names it.
  static func next(for test: String) -> String {
    // Apple's XCTest writes "-[CartTests testBuying]".
    let name = test.trimmingPrefix("-[").split(separator: "]").first.map(String.init) ?? test
    let title = name.split(separator: " ").joined(separator: ".")
    let number = counts.withLock { counts in
      counts[title, default: 0] += 1
      return counts[title, default: 0]
    }
    return "\(title)-\(number)"
  }
}
