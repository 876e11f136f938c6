import TrackingModel
import TrackingPlan
import TrackingRules

/// The tests that were checked against the plan of a report, and those that weren't.
struct PlanChecks: Sendable {
  let plan: PlanIdentity
  /// The tests that were checked only against this version of the plan.
  private(set) var checked: [String] = []
  /// The tests with events that weren't checked against any plan.
  private(set) var unchecked: [String] = []
  /// The tests that were checked against another version of the plan, or another plan.
  private(set) var others: [PlanIdentity: [String]] = [:]
  private let served: Set<String>

  init(of plan: PlanIdentity, in observed: ObservedEvents) {
    self.plan = plan
    served = observed.servedTests
    for (test, plans) in observed.plans.sorted(by: { $0.key < $1.key }) {
      if plans.contains(nil) {
        unchecked.append(test)
      } else if let other = plans.compactMap(\.self).filter({ $0.digest != plan.digest }).min(by: {
        $0.digest < $1.digest
      }) {
        others[other, default: []].append(test)
      } else {
        checked.append(test)
      }
    }
  }

  /// The reasons that the observations don't show that the plan was checked, with what to do; empty if all tests were checked against it.
  var problems: [String] {
    problems(of: unchecked) { "\($0) not checked against the plan \(plan)" }
      + others.sorted(by: { $0.key.digest < $1.key.digest }).flatMap { other, tests in
        problems(of: tests) { "\($0) checked against \(other), not against the plan \(plan)" }
      }
  }

  private func problems(of tests: [String], _ text: (String) -> String) -> [String] {
    let groups = [
      (tests.filter { !served.contains($0) }, "run them with TRACKING_PLAN (xcodebuild: TEST_RUNNER_TRACKING_PLAN)"),
      (tests.filter(served.contains), "start `tracking serve` with --plan"),
    ]
    return groups.filter { !$0.0.isEmpty }.map { tests, advice in
      "\(text(Self.tests(tests))): \(tests.listed(most: 5)); \(advice), or accept this with --allow-unchecked"
    }
  }

  /// The numbers in words: `14 of 16 tests were checked against the plan "Shop" (1f0c9a35d2e4b687)`.
  var sentence: String {
    let all = checked.count + unchecked.count + others.values.reduce(0) { $0 + $1.count }
    let verb = all == 1 ? "was" : "were"
    return "\(checked.count) of \(all.counted("test")) \(verb) checked against the plan \(plan)"
  }

  private static func tests(_ tests: [String]) -> String {
    "\(tests.count.counted("test")) \(tests.count == 1 ? "was" : "were")"
  }

  var value: TrackingValue {
    [
      "plan": plan.value, "checked": .int(checked.count), "unchecked": .array(unchecked.map { .string($0) }),
      "others": .array(
        others.sorted { $0.key.digest < $1.key.digest }.map { other, tests in
          ["plan": other.value, "tests": .array(tests.map { .string($0) })]
        }),
    ]
  }
}

extension PlanIdentity {
  fileprivate var value: TrackingValue { ["name": .string(name), "digest": .string(digest)] }
}
