import TrackingPlan
import TrackingRules

/// The tests of a run, with the plans that they were checked against.
public struct CheckedTests: Sendable {
  /// A test.
  public struct Test: Sendable {
    /// The test's name: `CartTests.testBuying`.
    public let name: String
    /// The plans with their digests, such as `"Shop" (1f0c9a35d2e4b687)`; empty if events of the test weren't checked.
    public let plans: [String]
    /// Whether all events of the test were checked against a plan.
    public var isChecked: Bool { !plans.isEmpty }
  }

  /// The tests in the order of their names.
  public let tests: [Test]

  /// Reads folders of observations or of exported attachments.
  ///
  /// - Throws: ``PlanError`` if a folder can't be read, or if one has no observations.
  public init(in folders: [String]) throws(PlanError) {
    let observed = ObservedEvents(try CoverageCommand.contents(of: folders, allRuns: false))
    tests = observed.plans.sorted { $0.key < $1.key }.map { name, plans in
      Test(name: name, plans: plans.contains(nil) ? [] : plans.compactMap { $0?.description }.sorted())
    }
  }

  /// The numbers in one sentence: `14 of 16 tests were checked against a plan: "Shop" (1f0c9a35d2e4b687)`.
  public var sentence: String {
    let checked = tests.filter(\.isChecked)
    let plans = Set(checked.flatMap(\.plans)).sorted().joined(separator: ", ")
    return
      "\(checked.count) of \(tests.count.counted("test")) \(tests.count == 1 ? "was" : "were") checked against a plan"
      + (plans.isEmpty ? "" : ": \(plans)")
  }
}
