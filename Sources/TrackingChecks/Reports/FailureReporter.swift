import TrackingModel

/// Receives a verifier's failures.
///
/// Set your own in the verifier's configuration to test helpers that use a verifier, or to wrap your test framework's reporter:
/// `XCTestReporter(for: self)` of TrackingVerifier, or `TestingReporter()` of TrackingTesting.
///
/// ```swift
/// final class RecordingReporter: FailureReporter {
///   func report(_ failure: CheckFailure) { record(failure) }
/// }
/// ```
public protocol FailureReporter: Sendable {
  /// Reports a failure at its location.
  ///
  /// Called on the thread of the check, without a lock held, as the verifier's last action.
  func report(_ failure: CheckFailure)

  /// Reports a warning, which doesn't fail the test: an event is deprecated or has expired, a check names an event that the plan doesn't
  /// have, or XCTest can't see an order of expectations.
  ///
  /// The default writes it to standard error with the location's file and line, once per process for each line and text. A plan's findings are
  /// written once for each event.
  func warn(_ text: String, at location: CodeLocation)
}

/// A reporter that knows which failures its framework expects: those in `withKnownIssue` and in `XCTExpectFailure`.
package protocol KnownIssueReporter: FailureReporter {
  /// Reports a failure, and returns whether it is a known issue, which doesn't fail the test.
  func reportKnown(_ failure: CheckFailure) -> Bool
}

extension FailureReporter {
  /// Writes the warning to standard error.
  public func warn(_ text: String, at location: CodeLocation) {
    let place = location.line > 0 ? "\(location.file):\(location.line): " : ""
    guard WrittenWarnings.ofProcess.withLock({ $0.add(text, at: place) }) else { return }
    StandardError.write("\(place)warning: \(text)\n")
  }
}

/// The warnings already written, so that hundreds of tests don't repeat one.
struct WrittenWarnings {
  fileprivate static let ofProcess = Locked(WrittenWarnings())

  private var parts: Set<String> = []

  /// Returns whether the warning is new: for an event that had no such warning, or, without events, at its place.
  mutating func add(_ text: String, at place: String) -> Bool {
    var (event, hasNews, isList) = (Substring(), false, false)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("        ") {
        isList = true
        if parts.insert("\(event)\(line)").inserted { hasNews = true }
      } else {
        // Without number, time and values, which differ from test to test.
        event = line.split(separator: "  ", maxSplits: 2).last?.prefix { $0 != "(" } ?? ""
      }
    }
    return isList ? hasNews : parts.insert(place + text).inserted
  }
}
