import TestSupport

/// The errors that curl and `URLSession` report for each fault; writes the documentation's page of them if `FAULTS` is `write`.
final class FaultsPageTests: XCTestCase {
  private var faults: [HTTPFault] {
    HTTPFault.Position.allCases.flatMap { position in HTTPFault.Effect.allCases.map { HTTPFault($0, at: position) } }
  }

  func testEachFaultIsAnErrorUnlessTheResponseIsThere() async throws {
    let curl = try Tool("curl")
    let reports = try await reports(curl)
    for report in reports {
      if report.fault.position == .afterResponse {
        XCTAssertNil(report.curl, "\(report.fault)")
        XCTAssertNil(report.urlSession, "\(report.fault)")
      } else {
        XCTAssertNotNil(report.curl, "\(report.fault)")
        XCTAssertNotNil(report.urlSession, "\(report.fault)")
      }
    }
    if ProcessInfo.processInfo.environment["FAULTS"] == "write" {
      try FaultsPage(reports: reports, version: String(curl.output("--version").split(separator: " ")[1]))
        .markdown.write(to: FaultsPage.file, atomically: true, encoding: .utf8)
    }
  }

  func testThePageHasARowForEachFault() throws {
    let page = try String(contentsOf: FaultsPage.file, encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    XCTAssertEqual(rows.map { $0.prefix(2).joined(separator: " ") }, faults.map { "`\($0.position)` `\($0.effect)`" })
    XCTAssertEqual(rows.map(\.count), faults.map { _ in 4 }, "each row says what each client reports")
  }

  /// Several at a time, since a stall takes its time.
  private func reports(_ curl: Tool) async throws -> [FaultReport] {
    try await withThrowingTaskGroup(of: FaultReport.self) { group in
      for fault in faults { group.addTask { try await FaultReport.make(fault, curl: curl) } }
      var reports: [HTTPFault: FaultReport] = [:]
      for try await report in group { reports[report.fault] = report }
      return faults.compactMap { reports[$0] }
    }
  }
}
