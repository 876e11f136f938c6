import Foundation

/// A variable in the environment of a test run, which changes what tests do without an edit of them.
///
/// An empty value is the same as none, and `0` is off. `xcodebuild` hands on only variables with the prefix `TEST_RUNNER_`, without it.
package struct TestVariable: Hashable, Sendable {
  package let name: String

  /// A tracking plan, a file or a folder.
  package static let plan = TestVariable(name: "TRACKING_PLAN")
  /// A folder for observations; `off` also keeps them from being attached.
  package static let observations = TestVariable(name: "TRACKING_OBSERVATIONS")
  /// The name that the processes of one run share.
  package static let run = TestVariable(name: "TRACKING_RUN")
  /// `record` writes flows.
  package static let flows = TestVariable(name: "TRACKING_FLOWS")
  /// The use of recordings: `once`, `rewrite` or `replay`.
  package static let record = TestVariable(name: "TRACKING_RECORD")
  /// `1` opens the inspector's page for each test, `hold` after a failure.
  package static let inspector = TestVariable(name: "TRACKING_INSPECTOR")
  /// `1` asks each test's questions again of mutants.
  package static let mutations = TestVariable(name: "TRACKING_MUTATIONS")
  /// A folder for attachments where XCTest has none.
  package static let attachments = TestVariable(name: "TRACKING_ATTACHMENTS")

  /// The value; `nil` if the variable isn't set, or is empty.
  package func value(in environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether its value is something else than `0` or `off`.
  package var isOn: Bool { ![nil, "0", "off"].contains(value()) }
}
