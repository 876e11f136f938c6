import TrackingModel

/// Receives the failures that a verifier finds.
///
/// Set your own in the verifier's configuration to test helpers that are built on a verifier, or to wrap the one of your test framework:
/// `XCTestReporter(for: self)` of TrackingReporting, or `TestingReporter()` of TrackingTesting.
///
/// ```swift
/// final class RecordingReporter: FailureReporter {
///   func report(_ failure: VerificationFailure) { record(failure) }
/// }
/// ```
public protocol FailureReporter: Sendable {
  /// Reports a failure at its location.
  ///
  /// Called on the thread of the test that asked, with no lock held, as the last action of a verifier.
  func report(_ failure: VerificationFailure)

  /// Reports a tracking plan's remark that fails no test: an event is deprecated, or has expired.
  ///
  /// The default writes it to standard error as a warning of the location's line, once for each text in a process.
  func remark(_ text: String, at location: CodeLocation)
}

extension FailureReporter {
  /// Writes the remark to standard error.
  public func remark(_ text: String, at location: CodeLocation) {
    WrittenRemarks.write(text, at: location)
  }
}

/// The remarks that this process has written, so that hundreds of tests don't repeat one.
private enum WrittenRemarks {
  private static let written = Locked<Set<String>>([])

  static func write(_ text: String, at location: CodeLocation) {
    // The numbers and times of the events differ from test to test.
    let key = text.split(separator: "\n").filter { $0.hasPrefix("        ") }.joined(separator: "\n")
    guard written.withLock({ $0.insert(key).inserted }) else { return }
    let place = location.line > 0 ? "\(location.file):\(location.line): " : ""
    StandardError.write("\(place)warning: \(text)\n")
  }
}
