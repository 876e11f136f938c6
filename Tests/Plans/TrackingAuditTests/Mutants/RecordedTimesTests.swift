import TestSupport
import TrackingPatterns

@testable import TrackingAudit
@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

/// Mutants of events with given times of arrival, so that no test depends on the machine's speed.
final class RecordedTimesTests: MutationTestCase {
  private struct Arrival {
    let event: TrackingEvent
    /// Seconds after the wait began.
    let time: Double
    var launch: String?

    init(_ name: String, _ params: [TrackingParam: TrackingValue] = [:], at time: Double, from launch: String? = nil) {
      event = TrackingEvent(name: name, params: params)
      self.time = time
      self.launch = launch
    }
  }

  /// A test with one wait, which ended some seconds after it began and saw all events.
  private func test(
    _ check: TrackingCheck<CheckOutcome>, timeout: Double = 1, settling: Double = 0, ended: Double = 10,
    _ arrivals: [Arrival]
  ) throws -> KeptTest {
    let verifier = TrackingVerifier(
      with: .idle(), configuration: .init(timeout: timeout, settling: settling, reporter: RecordingReporter()))
    let check = try verifier.call(check, since: nil, nil, at: CodeLocation())
    let began = ContinuousClock.now
    let entries = arrivals.enumerated().map { index, arrival in
      JournalEntry.event(
        RecordedEvent(
          event: arrival.event, number: index + 1, arrival: .init(began + .seconds(arrival.time)), connection: nil,
          launch: arrival.launch, sequence: nil, isAcknowledged: true))
    }
    let kept = KeptCheck(
      call: check, wait: began...(began + .seconds(ended)),
      end: 1 + arrivals.count { $0.time <= ended })
    return KeptTest(name: "a test", entries: entries, checks: [kept])
  }

  private func found(in test: KeptTest, line: UInt = #line) -> Set<String> {
    var analysis = MutationAnalysis(of: test)
    let report = analysis.run()
    XCTAssertNil(report.leftOut, line: line)
    return found(report)
  }

  func testAnAbsenceIsBrokenOnlyWithinItsSettlingTime() throws {
    let absence = TrackingCheck<CheckOutcome>.none(of: .named("tappedx"))
    XCTAssertEqual(found(in: try test(absence, settling: 0.05, [.init("tapped", at: 0.04)])), ["tapped renamed"])
    XCTAssertEqual(found(in: try test(absence, settling: 0.05, [.init("tapped", at: 0.06)])), [])
  }

  func testAnAbsenceIsBrokenOnlyWithinItsWindow() throws {
    let absence = TrackingCheck<CheckOutcome>.none(of: .named("tappedx"), within: 2)
    XCTAssertEqual(found(in: try test(absence, [.init("tapped", at: 1.9)])), ["tapped renamed"])
    XCTAssertEqual(found(in: try test(absence, [.init("tapped", at: 2.1)])), [])
  }

  func testAMatchBeginsTheSettlingTimeAnew() throws {
    func found(_ times: Double...) throws -> Set<String> {
      let events = times.enumerated().map { Arrival("tapped", ["n": .int($0)], at: $1) }
      return self.found(in: try test(.noDuplicates(within: .infinity), settling: 0.05, events))
    }
    let all: Set = ["tapped doubled", "tapped.n partly by check"]
    XCTAssertEqual(try found(0.04, 0.08), all)
    // The second event arrived after the wait had settled, so no change of either makes them equal in time.
    XCTAssertEqual(try found(0.04, 0.1), ["tapped doubled"])
    XCTAssertEqual(try found(0.06, 0.08), [])
  }

  func testAWaitDoesNotSeeWhatArrivedAfterItsTimeout() throws {
    func found(_ second: Double, ended: Double = 10) throws -> Set<String> {
      self.found(
        in: try test(
          .one(.named("tapped")), timeout: 1, ended: ended, [.init("tapped", at: 0.5), .init("tapped", at: second)]))
    }
    // One of two that arrived in time may be missing.
    XCTAssertEqual(try found(0.9), [])
    XCTAssertEqual(try found(1.1), ["tapped missing", "tapped renamed"])
    // A wait that ended earlier doesn't see what arrived between its end and its timeout.
    XCTAssertEqual(try found(0.9, ended: 0.8), ["tapped missing", "tapped renamed"])
  }

  func testOnlyNeighboursOfTheSameProcessAreExchanged() throws {
    let arrivals: [Arrival] = [
      .init("opened", at: 0.1, from: "1.1.App"), .init("shown", at: 0.2, from: "2.1.Widget"),
      .init("tapped", at: 0.3, from: "1.1.App"), .init("hidden", at: 0.4, from: "2.1.Widget"),
    ]
    func found(_ first: String, _ second: String) throws -> Set<String> {
      self.found(in: try test(.inOrder([.named(first), .named(second)]), arrivals)).filter {
        $0.hasSuffix("exchanged")
      }
    }
    let launches = try test(.delivery, arrivals)
    XCTAssertEqual(Mutant.exchanges(of: launches) { _, _ in true }.map(\.entries), [[0, 2], [1, 3]])
    XCTAssertEqual(try found("opened", "tapped"), ["opened exchanged", "tapped exchanged"])
    XCTAssertEqual(try found("shown", "hidden"), ["shown exchanged", "hidden exchanged"])
    // Only because "hidden" arrives in the place of "shown": these two processes are never exchanged.
    XCTAssertEqual(try found("tapped", "hidden"), ["shown exchanged", "hidden exchanged"])
  }
}
