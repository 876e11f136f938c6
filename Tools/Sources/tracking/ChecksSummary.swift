import TrackingPlanKit

/// The tests that were checked against a plan and those that were not, as JUnit XML, Markdown and numbers.
struct ChecksSummary {
  let tests: CheckedTests

  init(of folders: [String]) throws {
    do {
      tests = try CheckedTests(in: folders)
    } catch {
      throw refusal("tracking report: \(error)")
    }
  }

  struct Counts: Encodable {
    let tests: Int
    let checked: Int
    let unchecked: [String]
    let report: String?
  }

  private var unchecked: [CheckedTests.Test] { tests.tests.filter { !$0.isChecked } }

  func counts(report path: String?) -> Counts {
    Counts(
      tests: tests.tests.count, checked: tests.tests.count - unchecked.count, unchecked: unchecked.map(\.name),
      report: path)
  }

  /// A test case for each test; one that was not checked is skipped.
  var junit: String {
    let counts = "tests=\"\(tests.tests.count)\" failures=\"0\" errors=\"0\" skipped=\"\(unchecked.count)\""
    let cases = tests.tests.map { test in
      let parts = test.name.split(separator: ".", maxSplits: 1).map(String.init)
      let (suite, name) = (parts.first ?? test.name, parts.last ?? test.name)
      let content =
        test.isChecked
        ? "<system-out>checked against \(SessionSummary.xml(test.plans.joined(separator: ", ")))</system-out>"
        : "<skipped message=\"not checked against a tracking plan\"/>"
      return """
            <testcase classname="\(SessionSummary.xml(suite))" name="\(SessionSummary.xml(name))">\(content)</testcase>

        """
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites tests="\(tests.tests.count)" failures="0" errors="0">
        <testsuite name="Tracking plan" \(counts)>
      \(cases.joined())  </testsuite>
      </testsuites>

      """
  }

  private static let mostNames = 1_000

  var markdown: String {
    var lines = ["# Tests checked against the tracking plan", "", SessionSummary.markdown(tests.sentence)]
    if !unchecked.isEmpty { lines += ["", "## Not checked", ""] }
    lines += unchecked.prefix(Self.mostNames).map { "- \(SessionSummary.markdown($0.name))" }
    if unchecked.count > Self.mostNames { lines.append("- \(unchecked.count - Self.mostNames) more") }
    return lines.joined(separator: "\n") + "\n"
  }
}
