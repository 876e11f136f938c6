import TrackingModel
import Testing
import TrackingSockets

/// The issues that a piece of code records, which do not fail the test.
func issues(isolation: isolated (any Actor)? = #isolation, of code: () async throws -> Void) async -> [Issue] {
  let issues = Locked<[Issue]>([])
  try? await withKnownIssue(isIntermittent: true) {
    try await code()
  } matching: { issue in
    issues.withLock { $0.append(issue) }
    return true
  }
  return issues.withLock { $0 }
}

extension Issue {
  /// The text of a failure.
  var message: String { comments.map(\.rawValue).joined(separator: "\n") }
}
