import TrackingModel
import TrackingPlan
import XCTest

final class MutationReportTests: XCTestCase {
  private var report: MutationReport {
    var total = MutationReport.Param(.no)
    total.partly = .plan
    total.passing = "121 for 120"
    total.suggestion = #"params: ["total": 120]"#
    var purchase = MutationReport.Subject()
    purchase.noticed = [.missing, .doubled]
    purchase.waits = [
      .init(line: "CheckoutTests.swift:48", words: #"an event named "purchase""#, assertion: "by name")
    ]
    purchase.params = ["total": total, "currency": .init(.question)]
    var opened = MutationReport.Subject()
    opened.suggestion = #"verifier.wait(for: .named("opened"))"#
    var order = MutationReport.Subject()
    order.noticed = [.renamed]
    var report = MutationReport()
    (report.tried, report.noticed, report.untried) = (61, 40, 3)
    report.sample = .init(of: 9_000, seed: .max)
    report.events = ["purchase": purchase, "opened": opened]
    report.requests = ["POST /orders": order]
    return report
  }

  func testAReportIsReadAsItWasWritten() {
    XCTAssertEqual(MutationReport(report.value), report)
    XCTAssertEqual(
      "\(report.value)",
      """
      {"events": {"opened": {"noticed": [], "suggestion": "verifier.wait(for: .named(\\"opened\\"))"}, \
      "purchase": {"noticed": ["doubled", "missing"], "params": {"currency": {"pinned": "question"}, \
      "total": {"partly": "plan", "passing": "121 for 120", "pinned": "no", "suggestion": "params: [\\"total\\": 120]"}}, \
      "waits": [{"assertion": "by name", "line": "CheckoutTests.swift:48", "words": "an event named \\"purchase\\""}]}}, \
      "noticed": 40, "requests": {"POST /orders": {"noticed": ["renamed"]}}, \
      "sample": {"of": 9000, "seed": "18446744073709551615"}, "tried": 61, "untried": 3}
      """)
  }

  func testAMissingOrADoubledEventIsAskedFor() {
    for change in MutationReport.Change.allCases {
      var subject = MutationReport.Subject()
      subject.noticed = [change]
      XCTAssertEqual(subject.isAskedFor, change == .missing || change == .doubled, "\(change)")
    }
  }

  func testATestThatWasLeftOutSaysWhy() {
    var report = MutationReport()
    report.leftOut = "A closure answered otherwise when it was asked again."
    XCTAssertEqual(MutationReport(report.value), report)
  }

  func testAValueThatIsNotAReportIsRefused() {
    let values: [TrackingValue] = [
      nil, [], [:], ["tried": 1, "noticed": 1], ["tried": -1, "noticed": 0, "untried": 0],
      ["tried": 1, "noticed": 1, "untried": 0, "sample": ["of": 2, "seed": 1]],
      ["tried": 1, "noticed": 1, "untried": 0, "events": ["a": ["params": [:]]]],
      ["tried": 1, "noticed": 1, "untried": 0, "requests": ["a": ["noticed": [], "params": ["b": ["pinned": "?"]]]]],
    ]
    for value in values { XCTAssertNil(MutationReport(value), "\(value)") }
  }
}
