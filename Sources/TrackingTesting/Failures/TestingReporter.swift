import TrackingModel
import Foundation
import Testing
import TrackingVerifier

/// Records failures as issues of the running test, at the line of the check.
///
/// The verifiers of the trait ``Testing/Trait/tracking`` use it. To see each failure, wrap it in your own `FailureReporter`.
public struct TestingReporter: AttachmentReporter, KnownIssueReporter {
  /// The test that was running when the reporter was created; in a detached task `Test.current` is `nil`.
  private let home: RunningTest?

  /// Creates a reporter for the running test; failures from detached tasks and threads go to that test, too.
  public init() {
    home = TrackingScope.current?.runningTest
  }

  init(home: RunningTest) {
    self.home = home
  }

  /// Fails the running test.
  ///
  /// A failure from outside the test's tasks is recorded when the test ends. If no test is known, or if it has ended, the failure is recorded as an
  /// issue of the run, reported to XCTest and written to standard error, because no framework is certain to notice it.
  public func report(_ failure: CheckFailure) {
    _ = reportKnown(failure)
  }

  package func reportKnown(_ failure: CheckFailure) -> Bool {
    (home ?? TrackingScope.current?.runningTest)?.noteReport(at: failure.location)
    if let test = Test.current { return record(failure, of: test) }
    if home?.keep(failure) != true { reportToAll(failure) }
    return false
  }

  /// Records the warning as an issue of severity warning, which fails no test; with Swift 6.2, writes it to standard error.
  public func warn(_ text: String, at location: CodeLocation) {
    guard let test = Test.current ?? home?.test else { return XCTestReporter().warn(text, at: location) }
    Issue.warn(text, sourceLocation: SourceLocation(location) ?? test.sourceLocation)
  }

  /// Attaches the texts to the running test: Xcode shows them, and `swift test --attachments-path` writes them to a directory.
  public func keep(_ attachments: [JournalAttachment]) -> [String] {
    for attachment in attachments where attachment.form != .observation || Self.keepsAttachments {
      if let test = Test.current {
        Attachment.record(attachment.text, named: attachment.fileName, sourceLocation: test.sourceLocation)
      } else {
        _ = home?.keep(attachment)
      }
    }
    return []
  }

  /// Whether the runner keeps attachments; `swift test` without `--attachments-path` discards them and prints a line for each.
  ///
  /// Xcode sets one of the variables.
  private static let keepsAttachments = keepsAttachments(CommandLine.arguments, ProcessInfo.processInfo.environment)

  static func keepsAttachments(_ arguments: [String], _ environment: [String: String]) -> Bool {
    arguments.contains { $0.hasPrefix("--attachments-path") }
      || ["XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier"].contains {
        environment[$0] != nil
      }
  }

  /// Returns whether it is a known issue.
  private func record(_ failure: CheckFailure, of test: Test) -> Bool {
    var message = failure.message
    if let home, home.test.id != test.id {
      message += "\n\nIt was found by the verifier of another test, \(home.test.name)."
    }
    return Issue.record(
      Comment(rawValue: message), sourceLocation: SourceLocation(failure.location) ?? test.sourceLocation
    ).isExpected
  }

  private func reportToAll(_ failure: CheckFailure) {
    let origin = home.map { "of the test \($0.test.name), which has ended" } ?? "of no test"
    let place = failure.location.line > 0 ? "\(failure.location.file):\(failure.location.line): " : ""
    StandardError.write("\(place)error: A failure \(origin): \(failure.message)\n")
    Issue.record(
      Comment(rawValue: failure.message),
      sourceLocation: SourceLocation(failure.location) ?? home?.test.sourceLocation ?? #_sourceLocation)
    // Last, because XCTest may leave through this frame.
    XCTestReporter.reportOutsideOfTest(failure)
  }
}

extension Issue {
  /// Whether it was recorded in `withKnownIssue`, so that it fails no test.
  ///
  /// Swift Testing 6.3 tells this only to tools. In versions without the member every issue counts as a failure.
  fileprivate var isExpected: Bool {
    Mirror(reflecting: self).children.contains { label, value in
      label == "knownIssueContext" && Mirror(reflecting: value).children.first != nil
    }
  }
}

extension SourceLocation {
  init?(_ location: CodeLocation) {
    guard location.line > 0 else { return nil }
    self.init(
      fileID: Self.fileID("\(location.fileID)"), filePath: "\(location.file)", line: Int(location.line),
      column: max(Int(location.column), 1))
  }

  /// A file ID with a module and a name; Swift Testing ends the process for any other, which generated code may have.
  private static func fileID(_ text: String) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 1, let module = parts.first, let name = parts.last, !module.isEmpty, !name.isEmpty else {
      let name = text.split(separator: "/").last ?? "unknown"
      return "Unknown/\(name)"
    }
    return text
  }
}
