import TestSupport
import TrackingRules

@testable import TrackingInspector
@testable import TrackingServer

final class ReportTests: XCTestCase {
  private func report(_ events: [TrackingEvent]) -> String {
    let journal = TrackingJournal(limits: .init())
    for event in events { journal.record(event) }
    return InspectorPage.report(SessionDocument(entries: Array(journal.entries(from: 1))))
  }

  /// The session that a page has in it.
  private func session(in page: String) throws -> [String: Any] {
    let start = try XCTUnwrap(page.range(of: #"<script type="application/json" id="session">"#))
    let end = try XCTUnwrap(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let json = try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8))
    return try XCTUnwrap(json as? [String: Any])
  }

  func testAReportIsThePageWithTheSessionInIt() throws {
    let session = try session(in: report([TrackingEvent(name: "purchase", params: ["total": 3])]))
    XCTAssertEqual(session["format"] as? String, "tracking-session")
    XCTAssertEqual(session["version"] as? Int, 1)
    let entries = try XCTUnwrap(session["entries"] as? [[String: Any]])
    XCTAssertEqual(entries.first?["name"] as? String, "purchase")
  }

  func testMarkupInAnEventCannotEndTheScriptThatHoldsIt() throws {
    let name = "</script><script>alert(1)</script><!--"
    let page = report([TrackingEvent(name: name, params: [.custom(key: "</SCRIPT >"): "<img src=x onerror=alert(1)>"])])
    let entries = try XCTUnwrap(try session(in: page)["entries"] as? [[String: Any]])
    XCTAssertEqual(entries.first?["name"] as? String, name)
    XCTAssertFalse(page.contains("<script>alert"))
    XCTAssertFalse(page.contains("<img"))
    // The session and the page's own script.
    XCTAssertEqual(page.components(separatedBy: "<script").count - 1, 2)
  }

  func testALongSessionIsCutAtItsBeginningAndSaysSo() throws {
    let events = (0..<20_000).map { TrackingEvent(name: "scrolled", params: ["offset": .int($0)]) }
    let page = report(events)
    XCTAssertLessThan(page.utf8.count, 320_000)
    let session = try session(in: page)
    let entries = try XCTUnwrap(session["entries"] as? [[String: Any]])
    XCTAssertEqual(entries.last?["number"] as? Int, 20_000)
    XCTAssertEqual(session["omittedEntries"] as? Int, 20_000 - entries.count)
  }

  private struct LargePlan: OutlinedRule {
    let identity = PlanIdentity(name: "Large", digest: "0123456789abcdef")
    let expectation = "nothing"
    var outline: TrackingValue {
      [
        "name": "Large",
        "events": .array((1...20_000).map { ["name": .string("event_\($0)"), "description": "An event."] }),
      ]
    }

    func findings(in event: TrackingEvent) -> [PlanFinding] { [] }
  }

  func testAReportOfALargePlanHasThePlannedEventsThatArrivedAndSaysHowManyAreLeftOut() throws {
    let journal = TrackingJournal(limits: .init())
    journal.record(TrackingEvent(name: "event_19999"))
    var notes = SessionNotes.Snapshot()
    notes.rule = LargePlan()
    let page = InspectorPage.report(SessionDocument(entries: Array(journal.entries(from: 1)), notes: notes))
    XCTAssertLessThan(page.utf8.count, 320_000)
    let plan = try XCTUnwrap(try session(in: page)["plan"] as? [String: Any])
    let events = try XCTUnwrap(plan["events"] as? [[String: String]])
    XCTAssertTrue(events.contains { $0["name"] == "event_19999" })
    XCTAssertGreaterThan(events.count, 500)
    XCTAssertEqual(plan["omittedEvents"] as? Int, 20_000 - events.count)
  }

  func testAnEventOfAMegabyteIsLeftOutAndTheOthersAreThere() throws {
    let page = report([
      TrackingEvent(name: "huge", params: ["text": .string(String(repeating: "x", count: 1_000_000))]),
      TrackingEvent(name: "small"),
    ])
    XCTAssertLessThan(page.utf8.count, 320_000)
    let entries = try XCTUnwrap(try session(in: page)["entries"] as? [[String: Any]])
    XCTAssertEqual(entries.map { $0["name"] as? String }, ["small"])
  }

  func testThePageRunsItsOwnScriptAndStyleAlone() throws {
    let policy = InspectorPage.policy
    XCTAssertEqual(
      policy.replacing(/'sha256-[A-Za-z0-9+\/]{43}='/, with: "HASH"),
      "default-src 'none'; script-src HASH; style-src HASH; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
    )
    XCTAssertTrue(InspectorPage.head.contains("Content-Security-Policy\" content=\"\(policy)\""))
  }
}
