import Foundation
import StubModel
import XCTest

/// What curl and `URLSession` say of each fault; writes the documentation's page of it when `FAULTS` is `write`.
final class FaultsPageTests: XCTestCase {
  private var faults: [Fault] {
    Fault.Position.allCases.flatMap { position in Fault.Effect.allCases.map { Fault(at: position, $0) } }
  }

  func testEachFaultIsAnErrorUnlessTheAnswerIsThere() async throws {
    let curl = try curl()
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
      try FaultsPage(reports: reports, version: version(of: curl))
        .markdown.write(to: FaultsPage.file, atomically: true, encoding: .utf8)
    }
  }

  func testThePageHasARowForEachFault() throws {
    let page = try String(contentsOf: FaultsPage.file, encoding: .utf8)
    for fault in faults { XCTAssertTrue(page.contains("\n| `\(fault.position)` | `\(fault.effect)` | "), "\(fault)") }
  }

  /// Several at a time, since a stall takes its time.
  private func reports(_ curl: URL) async throws -> [FaultReport] {
    try await withThrowingTaskGroup(of: FaultReport.self) { group in
      for fault in faults { group.addTask { try await FaultReport.make(fault, curl: curl) } }
      var reports: [Fault: FaultReport] = [:]
      for try await report in group { reports[report.fault] = report }
      return faults.compactMap { reports[$0] }
    }
  }

  private func curl() throws -> URL {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let candidates = folders.map { URL(filePath: "\($0)/curl") }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw XCTSkip("there is no curl on this machine")
    }
    return found
  }

  private func version(of curl: URL) throws -> String {
    let process = Process()
    process.executableURL = curl
    process.arguments = ["--version"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return String(text.split(separator: " ").dropFirst().first ?? "")
  }
}
