import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingChecks
import TrackingServer

// This module doesn't import the one for plans, so that targets without a plan don't compile it. To this module a plan is a rule about events that a
// source loads. The variables of the environment lead to it by the name of a class.

/// The findings about a tracking plan so far.
struct PlanState: Sendable {
  /// Whether it has been reported that the plan can't be used.
  var hasReported = false
  /// The plan that a wait has checked.
  var checked: PlanIdentity?
  /// The observations of stops, which are kept with the test's result.
  var observations: [JournalAttachment] = []
  /// The number of observations so far; each has its own file.
  var observed = 0
}

extension TrackingVerifier {
  /// The plan to check events against; `nil` if none is set, or if it can't be used.
  package var usablePlan: (any EventRule)? { try? plan.get() }

  /// The plan of the configuration, else that of the environment; `nil` if there is none.
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

  /// The failure of a plan that can't be used, reported once per verifier.
  func planProblem(at location: CodeLocation) -> CheckFailure? {
    guard case .failure(let problem) = plan else { return nil }
    let isFirst = state.withLock { !exchange(&$0.plan.hasReported, with: true) }
    guard isFirst else { return nil }
    return CheckFailure(.unusablePlan, "The tracking plan can't be used: \(problem).", at: location)
  }

  /// The received entries since the beginning or a mark, for checks in other modules; empty for a mark of another server.
  package func timeline(since mark: Mark?) -> [JournalEntry] {
    origin(mark).map { Array(journal.entries(since: $0)) } ?? []
  }

  /// Whether a mark is of this verifier's server; if it isn't, that has been reported.
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

  /// The plan that the events are checked against: by a check of `stop()`, or by a wait so far.
  var checkedPlan: PlanIdentity? {
    let rule = try? plan.get()
    let atStop = configuration.checksAtStop.compactMap { $0.with(plan: rule)?.plan }
    return atStop.first ?? state.withLock(\.plan.checked)
  }

  /// Records the events since the last stop for the coverage of a plan, so that a test without a plan is seen as unchecked.
  ///
  /// - Parameters:
  ///   - mutants: The changes that the test would notice; `nil` if mutants weren't requested.
  ///   - hasFailed: Whether the test has failed.
  /// - Returns: The observation as an attachment; `nil` if observations are off, or if the product TrackingPlan isn't linked.
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

/// The reason for which a plan can't be loaded.
struct PlanProblem: Error, CustomStringConvertible {
  let description: String
}

/// The use of observations, as the environment asks for it.
enum ObservationUse: Equatable {
  /// They are attached to all tests.
  case unset
  /// They are attached to all tests, and appended to a folder.
  case folder(String)
  /// They aren't kept.
  case off

  var path: String? { if case .folder(let path) = self { path } else { nil } }

  static var wanted: ObservationUse {
    guard let value = TestVariable.observations.value() else { return .unset }
    return TestVariable.observations.isOn ? .folder(value) : .off
  }
}

/// The module TrackingPlan.
enum LinkedPlans {
  static let link = LinkedClass<any PlanSupport.Type>("TrackingPlan.EnvironmentPlanSupport")
}
