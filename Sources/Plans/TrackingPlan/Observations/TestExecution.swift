import TrackingRules

/// One run of a test, of which a session, an observation or a report tells.
package protocol TestExecution {
  /// The test and the time of this run; `nil` if it can't be told from others.
  var attempt: TestAttempt? { get }
  /// The test run; `nil` if unknown.
  var run: String? { get }
  var hasFailed: Bool { get }
}

extension Sequence where Element: TestExecution {
  /// Leaves out a test that failed and that was executed again later in the same run, in any process.
  ///
  /// Executions that passed all count: two shards that run the same test look like a repetition.
  package var withoutRetriedFailures: [Element] {
    last(of: { [$1.test, $0.run] }, leavingOut: \.hasFailed)
  }

  /// Leaves out executions that may be left out and are earlier than others with the same key.
  func last(
    of key: (Element, TestAttempt) -> [String?], leavingOut mayBeLeftOut: (Element) -> Bool
  ) -> [Element] {
    var last: [[String?]: Int] = [:]
    for execution in self {
      guard let attempt = execution.attempt else { continue }
      let key = key(execution, attempt)
      last[key] = Swift.max(last[key] ?? attempt.began, attempt.began)
    }
    return filter { execution in
      guard mayBeLeftOut(execution), let attempt = execution.attempt else { return true }
      return attempt.began == last[key(execution, attempt)]
    }
  }
}
