import Foundation
import TrackingModel
import TrackingRules
import Testing
import TrackingVerifier

/// A running test, with its verifier's failures and attachments from outside the test's tasks.
///
/// Created when the test begins, because `Test.current` is `nil` in detached tasks and on threads.
final class RunningTest: Sendable {
  let test: Test
  let parts: TestParts
  /// The execution of the test; `nil` if its argument isn't known.
  let attempt: TestAttempt?
  private let state = Locked(State())

  /// The failures and attachments to record when the test ends.
  struct Kept {
    var attachments: [JournalAttachment] = []
    var failures: [CheckFailure] = []
  }

  private struct State {
    var hasEnded = false
    var reported: Set<String> = []
    var kept = Kept()
  }

  init(_ test: Test, _ testCase: Test.Case? = nil) {
    self.test = test
    let names = test.id.nameComponents.map { String($0.prefix { $0 != "(" }) }
    let argument: TestParts.Argument =
      test.isParameterized ? testCase?.argumentText.map(TestParts.Argument.text) ?? .unknown : .none
    parts = TestParts(
      suite: names.count > 1 ? names.dropLast().joined(separator: ".") : nil, function: names.last ?? test.name,
      argument: argument)
    attempt = argument == .unknown ? nil : TestAttempt(of: "\(test.id) \(argument)", began: Date())
  }

  /// Notes that a failure was reported at a line, even through a reporter that wraps ours.
  func noteReport(at location: CodeLocation) {
    state.withLock { _ = $0.reported.insert(location.key) }
  }

  func hasReported(at location: CodeLocation) -> Bool {
    state.withLock { $0.reported.contains(location.key) }
  }

  /// Keeps a failure from outside the test's tasks until the test ends; returns `false` if it has ended.
  func keep(_ failure: CheckFailure) -> Bool {
    keep { $0.failures.append(failure) }
  }

  /// Keeps an attachment from outside the test's tasks until the test ends; returns `false` if it has ended.
  func keep(_ attachment: JournalAttachment) -> Bool {
    keep { $0.attachments.append(attachment) }
  }

  private func keep(_ add: (inout Kept) -> Void) -> Bool {
    state.withLock { state in
      if !state.hasEnded { add(&state.kept) }
      return !state.hasEnded
    }
  }

  /// Ends the test; returns the failures and attachments to record.
  func end() -> Kept {
    state.withLock { state in
      state.hasEnded = true
      defer { state.kept = Kept() }
      return state.kept
    }
  }
}

extension CodeLocation {
  fileprivate var key: String { "\(file):\(line):\(column)" }
}

extension Test.Case {
  /// The arguments as text: `1-x`; `nil` if they can't be read, since Swift Testing 6.3 provides them only by reflection.
  fileprivate var argumentText: String? {
    guard let kind = Mirror(reflecting: self).descendant("_kind"),
      let associated = Mirror(reflecting: kind).children.first,
      let list = Mirror(reflecting: associated.value).descendant("arguments")
    else { return nil }
    let values = Mirror(reflecting: list).children.map { Mirror(reflecting: $0.value).descendant("value") }
    guard !values.isEmpty, !values.contains(where: { $0 == nil }) else { return nil }
    return values.compactMap { $0.map { "\($0)" } }.joined(separator: "-")
  }
}
