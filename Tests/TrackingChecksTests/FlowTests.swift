import Foundation
import TestSupport
import TrackingModel
import XCTest

@testable import TrackingChecks

final class FlowTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0.01, settling: 0, checksAtStop: [], reporter: reporter))

  private func withFile(_ text: String?, _ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("flow-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("__Snapshots__/T/t.1.txt")
    if let text {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    try body(url)
  }

  private func flow(_ events: [TrackingEvent]) -> EventFlow {
    EventFlow(events.map { EventFlow.Step($0, volatile: [.dates, .ids, .param("session")]) })
  }

  func testAFlowIsTextThatPeopleReadAndComesBack() {
    let flow = flow([
      TrackingEvent(
        name: "added", params: ["quantity": 1, "product_id": "42", "at": "2026-11-21T10:00:00.000Z", "session": 7]),
      TrackingEvent(name: "placed", params: ["items": [["id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "n": 1]]]),
      TrackingEvent(name: "shown"),
    ])
    XCTAssertEqual(
      flow.text,
      """
      added
        at: <date>
        product_id: "42"
        quantity: 1
        session: <any>
      placed
        items: [{"id": <uuid>, "n": 1}]
      shown

      """)
    XCTAssertEqual(EventFlow(text: flow.text), flow)
  }

  func testValuesThatThePlanDoesNotListArePlaceholdersOfTheirTypes() throws {
    let plan = try TrackingPlan(
      text: """
        {"types": {"Currency": {"enum": ["EUR", "USD"]}}, "events": {"placed": {"params": {
          "order_id": {"type": "string", "format": "uuid"}, "note": {"type": ["string", "null"]},
          "total": {"type": "number"}, "currency": {"$ref": "#/types/Currency"}, "is_gift": {"type": "boolean"},
          "items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
          "tags": {"type": "array", "items": {"type": "string"}}, "count": {"type": "integer"}}}}}
        """)
    let params: [TrackingParam: TrackingValue] = [
      "order_id": "42", "note": "hello", "total": 3, "currency": "EUR", "is_gift": true, "items": [["n": 1], ["n": 2]],
      "tags": ["a", "b"], "count": "1", "unplanned": 5,
    ]
    let events = [TrackingEvent(name: "placed", params: params), TrackingEvent(name: "other", params: ["total": 1])]
    XCTAssertEqual(
      EventFlow(events.map { EventFlow.Step($0, volatile: [.planned(by: plan)]) }).text,
      """
      placed
        count: "1"
        currency: "EUR"
        is_gift: true
        items: [{"n": <integer>}, {"n": <integer>}]
        note: <string>
        order_id: <uuid>
        tags: [<string>, <string>]
        total: <number>
        unplanned: 5
      other
        total: 1

      """)
  }

  func testAMissingFlowIsRecordedOnceAndHoldsAfterwards() throws {
    try withFile(nil) { url in
      let flow = flow([TrackingEvent(name: "a", params: ["n": 1]), TrackingEvent(name: "b")])
      XCTAssertEqual(
        FlowPlace(url: url, environment: [:]).problem(with: flow),
        "The flow was recorded, 2 steps, in \(url.path). Review it, commit it, and run the test again.")
      XCTAssertNil(FlowPlace(url: url, environment: [:]).problem(with: flow))
      XCTAssertNotNil(FlowPlace(url: url, environment: ["TRACKING_FLOWS": "record"]).problem(with: flow))
    }
  }

  func testWhereCIIsSetNothingIsWritten() throws {
    try withFile(nil) { url in
      let problem = FlowPlace(url: url, environment: ["CI": "true"]).problem(with: flow([]))
      XCTAssertEqual(problem?.hasPrefix("The flow is not recorded, and none is recorded while CI is set"), true)
      XCTAssertFalse(FileManager.default.fileExists(atPath: url.path))
    }
  }

  func testAChangedFlowIsShownByEventAndParam() throws {
    try withFile("a\n  n: 1\n  s: \"x\"\nb\nc\n  id: <any>\nd\n") { url in
      let now = flow([
        TrackingEvent(name: "a", params: ["n": 2, "s": "x", "t": true]), TrackingEvent(name: "b"),
        TrackingEvent(name: "c", params: ["id": 99]), TrackingEvent(name: "e", params: ["m": 1]),
      ])
      XCTAssertEqual(
        FlowPlace(url: url, environment: [:]).problem(with: now),
        """
        The flow differs from the recorded one (- recorded, + now):

            a
        -     n: 1
        +     n: 2
        +     t: true
            ... 2 equal
        -   d
        +   e
        +     m: 1

        It is recorded in \(url.path). If it changed on purpose, run the test with TRACKING_FLOWS=record.
        """)
    }
  }

  func testAVerifierComparesItsEventsSinceAMark() throws {
    verifier.tracker.trackEvent(.init(name: "before"))
    let mark = verifier.mark()
    verifier.tracker.trackEvent(.init(name: "added", params: ["id": 1, "key": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"]))
    verifier.assertFlow(since: mark)
    XCTAssertEqual(reporter.messages, [])
    verifier.tracker.trackEvent(.init(name: "more"))
    verifier.assertFlow(named: "1", since: mark)
    XCTAssertEqual(reporter.kinds, [.changedFlow])
    XCTAssertTrue(reporter.messages[0].contains("    ... 1 equal\n+   more"), reporter.messages[0])
  }

  func testAnAsynchronousTestComparesTheSame() async {
    verifier.tracker.trackEvent(.init(name: "added"))
    await verifier.assertFlow()
    XCTAssertEqual(reporter.messages, [])
  }
}
