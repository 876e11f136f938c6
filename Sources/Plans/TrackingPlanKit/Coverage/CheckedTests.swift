import TrackingModel
import TrackingPlan

/// The tests of a run, with the plans that they were checked against.
public struct CheckedTests: Sendable {
  private struct Test {
    /// The test's name: `CartTests.testBuying`.
    let name: String
    /// The plans with their digests, such as `"Shop" (1f0c9a35d2e4b687)`; empty if events of the test weren't checked.
    let plans: [String]
  }

  /// The tests in the order of their names.
  private let tests: [Test]

  /// Reads folders of observations or of exported attachments.
  ///
  /// - Throws: ``PlanError`` if a folder can't be read, or if one has no observations.
  public init(in folders: [String]) throws(PlanError) {
    let observed = ObservedEvents(try .init(in: folders, allRuns: false))
    tests = observed.plans.sorted { $0.key < $1.key }.map { name, plans in
      Test(name: name, plans: plans.contains(nil) ? [] : plans.compactMap { $0?.description }.sorted())
    }
  }

  private var unchecked: [String] { tests.filter(\.plans.isEmpty).map(\.name) }

  /// The numbers in one sentence: `14 of 16 tests were checked against a plan: "Shop" (1f0c9a35d2e4b687)`.
  private var sentence: String {
    let plans = Set(tests.flatMap(\.plans)).sorted().joined(separator: ", ")
    return
      "\(tests.count - unchecked.count) of \(tests.count.counted("test")) \(tests.count == 1 ? "was" : "were") checked against a plan"
      + (plans.isEmpty ? "" : ": \(plans)")
  }

  /// The report: the numbers, and the tests that were not checked.
  public var report: Report {
    let value: TrackingValue = [
      "tests": .int(tests.count), "checked": .int(tests.count - unchecked.count),
      "unchecked": .array(unchecked.map { .string($0) }),
    ]
    return Report(value: value, write: write, others: [.junit: { JUnitReport(suite: "Tracking plan", cases).text }])
  }

  private func write(_ page: inout ReportPage) {
    page.heading("Tests checked against the tracking plan", level: 1)
    page.paragraph("\(sentence)")
    page.list("not checked", "Not checked", unchecked.map { "\(code: $0)" }.shortened(to: 1_000))
  }

  private var cases: [JUnitReport.Case] {
    tests.map { test in
      let plans = test.plans.joined(separator: ", ")
      let outcome: JUnitReport.Outcome =
        plans.isEmpty ? .skipped("not checked against a tracking plan") : .passed("checked against \(plans)")
      return (test.name, outcome)
    }
  }
}
