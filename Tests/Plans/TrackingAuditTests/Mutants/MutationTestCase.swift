import TestSupport
import TrackingPlan

@testable import TrackingAudit
@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

/// Runs a test of the app's tracking, and returns what it wouldn't notice.
class MutationTestCase: XCTestCase {
  /// The report on a test that tracks events and waits for them.
  func report(
    checks: [TrackingCheck<CheckOutcome>] = [], plan: PlanSource? = nil, mutations: MutationOccasion = .always,
    most: Int = MutationAnalysis.mostMutants, file: StaticString = #filePath, line: UInt = #line,
    _ test: (TrackingVerifier) -> Void
  ) throws -> MutationReport {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: .idle(),
      configuration: changed(
        TrackingVerifier.Configuration(
          timeout: 0, settling: 0, checksAtStop: checks, plan: plan, reporter: reporter)
      ) { $0.mutations = mutations })
    test(verifier)
    XCTAssertEqual(reporter.messages, [], file: file, line: line)
    guard most == MutationAnalysis.mostMutants else {
      let kept = try XCTUnwrap(verifier.checks?.take(name: "a test", since: .beginning), file: file, line: line)
      var analysis = MutationAnalysis(of: kept, most: most)
      return analysis.run()
    }
    verifier.stop()
    XCTAssertEqual(reporter.messages, [], file: file, line: line)
    return try XCTUnwrap(verifier.report, file: file, line: line)
  }

  /// The events and params that a report calls noticed or pinned: `purchase`, `purchase.total`.
  func found(_ report: MutationReport) -> Set<String> {
    var found: Set<String> = []
    for (name, event) in report.events.merging(report.requests, uniquingKeysWith: { $1 }) {
      for change in event.noticed { found.insert("\(name) \(change)") }
      for (path, param) in event.params {
        if param.pinned == .check || param.pinned == .plan { found.insert("\(name).\(path) by \(param.pinned)") }
        if let partly = param.partly { found.insert("\(name).\(path) partly by \(partly)") }
      }
    }
    return found
  }
}

extension TrackingVerifier {
  /// The report of the last stop.
  var report: MutationReport? { mutants.flatMap { MutationReport($0) } }

  /// The checks so far; `nil` unless mutants are tried.
  var checks: KeptChecks? { log as? KeptChecks }
}
