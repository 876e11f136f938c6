import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingChecks
import TrackingServer

// This module doesn't import TrackingPlan, so that targets without a plan don't compile it. Here, a plan is a rule about events that a source loads.
// The environment's plan is loaded by the name of a class.

struct PlanState: Sendable {
  var hasReported = false
  /// The plan of a wait.
  var checked: PlanIdentity?
  /// Observations to attach to the test's result.
  var observations: [JournalAttachment] = []
  /// The number of observations so far, each with its own file.
  var observed = 0
}

extension TrackingVerifier {
  /// The plan of the configuration, or else of the environment; `nil` if there is none.
  var plan: Result<(any EventRule)?, PlanProblem> {
    do {
      if let source = configuration.plan { return .success(try source.load()) }
      guard let path = TestVariable.plan.value() else { return .success(nil) }
      guard let support = LinkedPlans.link.type else {
        throw PlanProblem(description: LinkedPlans.link.missing("\(TestVariable.plan.name) names \(path)"))
      }
      return .success(try support.plan(at: path).load())
    } catch {
      return .failure(PlanProblem(description: "\(error)"))
    }
  }

  /// Returns the failure of an unusable plan, once per verifier.
  func planProblem(at location: CodeLocation) -> CheckFailure? {
    guard case .failure(let problem) = plan else { return nil }
    let isFirst = state.withLock { !exchange(&$0.plan.hasReported, with: true) }
    guard isFirst else { return nil }
    return CheckFailure(.unusablePlan, "The tracking plan can't be used: \(problem).", at: location)
  }

  /// The entries since a mark, for checks in other modules; empty for a mark of another server.
  package func timeline(since mark: Mark?) -> [JournalEntry] {
    origin(mark).map { Array(journal.entries(since: $0)) } ?? []
  }

  /// Whether a mark belongs to this verifier's server; reports a mark that doesn't.
  package func knows(_ mark: Mark?, at location: CodeLocation) -> Bool {
    guard origin(mark) == nil else { return true }
    fail(.foreignMark(at: location))
    return false
  }

  package func noPlan(at location: CodeLocation) -> CheckFailure {
    let reason =
      if case .failure(let problem) = plan {
        "The tracking plan can't be used: \(problem)."
      } else {
        """
        There is no tracking plan to check against
        Set the configuration's `plan`, or the variable \(TestVariable.plan.name) (xcodebuild: TEST_RUNNER_\(TestVariable.plan.name)).
        """
      }
    return CheckFailure(.unusablePlan, reason, at: location)
  }

  /// The plan that `stop()` or a wait has checked.
  var checkedPlan: PlanIdentity? {
    let rule = try? plan.get()
    let atStop = configuration.checksAtStop.compactMap { $0.with(plan: rule)?.plan }
    return atStop.first ?? state.withLock(\.plan.checked)
  }

  /// Records the events since the last `stop()` for the coverage of a plan, so that a test without a plan counts as unchecked.
  ///
  /// - Parameter mutants: The changes that the test would notice; `nil` if mutants weren't requested.
  /// - Returns: An attachment; `nil` if observations are off, or if TrackingPlan isn't linked.
  func observe(since mark: JournalMark, mutants: TrackingValue?, hasFailed: Bool) -> JournalAttachment? {
    let folder = ObservationUse.wanted
    guard folder != .off else { return nil }
    let plan = checkedPlan
    guard folder != .unset || plan != nil || mutants != nil || LinkedPlans.link.type != nil,
      let support = LinkedPlans.link.required(for: "\(TestVariable.observations.name) is set")
    else { return nil }
    let entries = journal.entries(since: mark).filter { $0.event != nil }
    let unmatched = Set(ledger.read().unmatched(Array(entries)).map(\.number))
    var test = ObservedTest(name: testName ?? "a test without a name")
    test.attempt = testCase.map(\.attempt) ?? host?.attempt
    test.hasFailed = hasFailed
    test.plan = plan
    test.mutants = mutants
    test.events = entries.compactMap { entry in
      entry.event.map { (event: $0.event, isMatched: !unmatched.contains(entry.number)) }
    }
    let number = state.withLock { state in
      state.plan.observed += 1
      return state.plan.observed
    }
    let title = number == 1 ? attachmentTitle : "\(attachmentTitle)-\(number)"
    return .observation(support.observe(test, to: folder.path), title: title)
  }
}

struct PlanProblem: Error, CustomStringConvertible {
  let description: String
}

/// The environment's setting for observations.
enum ObservationUse: Equatable {
  /// Attached to all tests.
  case unset
  /// Attached to all tests, and appended to a folder.
  case folder(String)
  case off

  var path: String? { if case .folder(let path) = self { path } else { nil } }

  static var wanted: ObservationUse {
    guard let value = TestVariable.observations.value() else { return .unset }
    return TestVariable.observations.isOn ? .folder(value) : .off
  }
}

enum LinkedPlans {
  static let link = LinkedClass<any PlanSupport.Type>("TrackingPlan.EnvironmentPlanSupport")
}
