import TestSupport
import TrackerDouble

@testable import TrackingServer
@testable import TrackingVerifier

/// The lines of an app that track its events, in another process and in this one.
final class CallSiteTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 30, checksAtStop: [], reporter: reporter))

  private func app(_ commands: String...) throws -> ProbeProcess {
    verifier.start()
    let app = try ProbeProcess(environment: verifier.launchEnvironment)
    for command in commands { app.send(command) }
    return app
  }

  func testEveryWayToTrackNamesItsLine() throws {
    XCTAssertEqual(try app("sites").finish(), "")
    let events = verifier.events
    XCTAssertEqual(
      events.map(\.name), ["direct", "typed", "passed on", "not passed on", "task", "none", "left out"])
    for event in events.prefix(5) {
      XCTAssertEqual(event.callSite?.fileID, "AppProbe/CallSites.swift", event.name)
      XCTAssertEqual(event.callSite?.line.map(TrackingValue.int), event.params["line"], event.name)
    }
    XCTAssertEqual(events.suffix(2).map(\.callSite), [nil, nil])
  }

  func testTheFailureOfADoubledEventNamesBothLines() throws {
    XCTAssertEqual(try app("order").finish(), "")
    verifier.wait(for: .noDuplicates(within: .infinity), timeout: 0)
    XCTAssertEqual(reporter.kinds, [.duplicate])
    let lines = try XCTUnwrap(reporter.messages.first).split(separator: "\n").map { $0.replacing(/\d+/, with: "N") }
    XCTAssert(lines.contains("#N was tracked at AppProbe.swift:N, #N at CallSites.swift:N"), "\(lines)")
  }

  func testTenThousandEventsInBatchesKeepTheirLineOverARestartOfTheServer() throws {
    let app = try app("track 1 10000")
    verifier.wait(for: TrackingEvent(name: "counted", params: ["number": 1_000]))
    verifier.stop()
    verifier.start()
    XCTAssertEqual(app.finish(), "")
    XCTAssertEqual(verifier.events.count, 10_000)
    XCTAssertEqual(Set(verifier.events.map(\.callSite?.fileID)), ["AppProbe/AppProbe.swift"])
  }

  func testTheVerifiersTrackerKeepsTheLine() {
    verifier.tracker.track(TrackingEvent(name: "tapped", params: ["whole": 3.0]))
    XCTAssertEqual(verifier.wait(for: .named("tapped"))?.callSite, CallSite("\(#fileID):\(#line - 1)"))
    let double = TrackerDouble(endpoint: verifier.endpoint)
    double.track(TrackingEvent(name: "tapped"), fileID: "a:5", line: 0)
    verifier.tracker.track(TrackingEvent(name: "tapped"), fileID: "a:5", line: 0)
    XCTAssertTrue(double.flush(timeout: 10))
    XCTAssertEqual(verifier.events.dropFirst().map(\.callSite), [CallSite("a:5"), CallSite("a:5")])
  }

  func testACallSiteIsNoPartOfAnEvent() throws {
    let event = TrackingEvent(name: "tapped", params: ["count": 2])
    let tracked = event.at(try XCTUnwrap(CallSite("a.swift:1")))
    XCTAssertEqual(event, tracked)
    XCTAssertEqual(event.hashValue, tracked.hashValue)
    XCTAssertEqual("\(event)", "\(tracked)")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    XCTAssertEqual(try encoder.encode(event), try encoder.encode(tracked))
    XCTAssertLessThanOrEqual(MemoryLayout<TrackingEvent>.size, 40, "a journal may hold a million")
    XCTAssertLessThanOrEqual(MemoryLayout<RecordedEvent>.stride, 88, "a journal may hold a million")
    verifier.tracker.trackEvent(tracked)
    XCTAssertNotNil(verifier.wait(for: event))
  }
}
