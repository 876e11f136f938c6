import TrackingModel

/// Receives the failures that a verifier finds.
///
/// Set your own in the verifier's configuration to test helpers that are built on a verifier, or to wrap your test framework's reporter:
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
  /// Called on the thread of the check, with no lock held, as the last action of a verifier.
  func report(_ failure: CheckFailure)

  /// Reports a warning, which fails no test: an event is deprecated or has expired, a check names an event that the plan doesn't have, or XCTest
  /// can't see an order of expectations.
  ///
  /// The default writes it to standard error with the location's file and line, once for each line and text in a process, and a plan's findings once
  /// for each event.
  func warn(_ text: String, at location: CodeLocation)
}

/// A reporter that knows which failures its framework expects: those in `withKnownIssue` and in `XCTExpectFailure`.
package protocol KnownIssueReporter: FailureReporter {
  /// Reports a failure at its location.
  ///
  /// - Returns: Whether it is a known issue, which fails no test.
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

/// The written warnings, so that hundreds of tests don't repeat one.
struct WrittenWarnings {
  fileprivate static let ofProcess = Locked(WrittenWarnings())

  private var parts: Set<String> = []

  /// Adds a warning.
  ///
  /// - Returns: Whether it has a finding in an event that no earlier warning has had; without findings, whether it is new at its place.
  mutating func add(_ text: String, at place: String) -> Bool {
    var (event, hasNews, isList) = (Substring(), false, false)
    for line in text.split(separator: "\n") {
      if line.hasPrefix("        ") {
        isList = true
        if parts.insert("\(event)\(line)").inserted { hasNews = true }
      } else {
        // Without its number, its time and its values, which differ from test to test.
        event = line.split(separator: "  ", maxSplits: 2).last?.prefix { $0 != "(" } ?? ""
      }
    }
    return isList ? hasNews : parts.insert(place + text).inserted
  }
}
