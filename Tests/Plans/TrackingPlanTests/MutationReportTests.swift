import TestSupport
import TrackingPlan

final class MutationReportTests: XCTestCase {
  private var report: MutationReport {
    var total = MutationReport.Param(.no)
    total.partly = .plan
    total.planned = [.dropped, .otherType]
    total.noticed = "0"
    total.passing = "121 for 120"
    total.suggestion = #"params: ["total": 120]"#
    var purchase = MutationReport.Subject()
    purchase.noticed = [.missing, .doubled]
    purchase.waits = [
      .init(line: "CheckoutTests.swift:48", words: #"an event named "purchase""#, assertion: "by name")
    ]
    purchase.params = ["total": total, "currency": .init(.check)]
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
      "purchase": {"noticed": ["doubled", "missing"], "params": {"currency": {"pinned": "check"}, \
      "total": {"noticed": "0", "partly": "plan", "passing": "121 for 120", "pinned": "no", \
      "planned": ["another type", "no value"], "suggestion": "params: [\\"total\\": 120]"}}, \
      "waits": [{"assertion": "by name", "line": "CheckoutTests.swift:48", "words": "an event named \\"purchase\\""}]}}, \
      "noticed": 40, "requests": {"POST /orders": {"noticed": ["renamed"]}}, \
      "sample": {"of": 9000, "seed": "18446744073709551615"}, "tried": 61, "untried": 3}
      """)
  }

  func testOnlyANoticedLossIsExpected() {
    for change in MutationReport.Change.allCases {
      var subject = MutationReport.Subject()
      subject.noticed = [change]
      XCTAssertEqual(subject.isChecked, change == .missing, "\(change)")
    }
  }

  func testATestThatWasLeftOutSaysWhy() {
    var report = MutationReport()
    report.leftOut = "A closure gave another result when it was called again."
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

  func testTheInspectorsSchemaAndPageNameTheKindsThatAReportHas() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "../../../Inspector")
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let schema = try JSONDecoder().decode(TrackingValue.self, from: Data(text("session.schema.json").utf8))
    func kinds(_ path: [String]) -> [String] {
      let found = path.reduce(schema) { value, name in
        if case .object(let members) = value { members[name] ?? .null } else { .null }
      }
      guard case .array(let names) = found else { return [] }
      return names.map { if case .string(let name) = $0 { name } else { "\($0)" } }
    }
    XCTAssertEqual(
      kinds(["$defs", "noticed", "properties", "noticed", "items", "enum"]),
      MutationReport.Change.allCases.map(\.rawValue))
    let param = ["$defs", "noticed", "properties", "params", "additionalProperties", "properties"]
    XCTAssertEqual(
      kinds(param + ["pinned", "enum"]),
      MutationReport.Pin.allCases.map(\.rawValue))
    XCTAssertEqual(
      kinds(param + ["planned", "items", "enum"]),
      MutationReport.ValueChange.allCases.map(\.rawValue))
    // The page shows each reason but those for which a param isn't pinned.
    let page = try text("pins.js")
    let shown = try XCTUnwrap(page.firstMatch(of: /const pins = \{(.+)\};/)?.1).matches(of: /(\w+): \[/).map {
      String($0.1)
    }
    XCTAssertEqual(Set(shown).union(["discarded", "no"]), Set(MutationReport.Pin.allCases.map(\.rawValue)))
  }
}
