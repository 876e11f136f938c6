import Foundation
import TestSupport
import TrackingModel
import XCTest

@testable import TrackingServer
@testable import TrackingVerifier

final class JournalAttachmentTests: XCTestCase {
  private var journal = HandMadeJournal()
  private var snapshot: JournalSnapshot {
    JournalSnapshot(
      title: "CartTests.testBuying-1", entries: Array(journal.journal.entries(from: 1)),
      lost: journal.journal.lostEvents(since: .beginning))
  }

  private func text(_ form: JournalAttachment.Form) throws -> String {
    try XCTUnwrap(snapshot.attachments.first { $0.form == form }).text
  }

  private func fill() {
    journal.reject("expected a value", path: "params.price", body: "{\n}")
    journal.add("app_opened", at: 0, launch: "k3j.1", sequence: 4)
    journal.add("cart_shown", at: 0, launch: "k3j.1", sequence: 6)
    journal.add("purchase", ["total": 30.5, "items": ["a", nil]], at: 1500, launch: "p9x.1")
  }

  func testTheTimelineHasAllThatCame() throws {
    fill()
    XCTAssertEqual(
      try text(.timeline),
      """
      Received, by time since the first arrival:
      #1  +0 ms                           a rejected submission (400)
          400: params.price: expected a value
          in { }
      #2  +0 ms   from an earlier launch  app_opened()
      #3  +0 ms   from an earlier launch  cart_shown()
      #4  +1.5 s                          purchase(items: ["a", null], total: 30.5)

      Tracked but never arrived:
      4 of 6 in launch k3j.1: 1 to 3, 5

      """)
  }

  func testTheJSONHasAllThatCame() throws {
    fill()
    XCTAssertEqual(
      try text(.json),
      """
      {"events": [{"connection": 1, "launch": "k3j.1", "milliseconds": 0, "name": "app_opened", "number": 2, "params": {}, "sequence": 4}, {"connection": 1, "launch": "k3j.1", "milliseconds": 0, "name": "cart_shown", "number": 3, "params": {}, "sequence": 6}, {"connection": 1, "launch": "p9x.1", "milliseconds": 1500, "name": "purchase", "number": 4, "params": {"items": ["a", null], "total": 30.5}}], "lost": [{"count": 4, "launch": "k3j.1", "numbers": [[1, 3], [5, 5]], "tracked": 6}], "rejections": [{"body": "{\\n}", "bodySize": 3, "connection": 1, "milliseconds": 0, "number": 1, "path": "params.price", "reason": "expected a value", "status": 400}], "requests": []}

      """)
  }

  func testTheJSONHasBothOfTwoParamsThatAreOnlyCanonicallyEquivalent() throws {
    journal.add("shown", ["caf\u{E9}": 1, "cafe\u{301}": 2, "a": true], at: 0)
    let params =
      #""params": [{"name": "a", "value": true}, {"name": "cafe\#u{301}", "value": 2}, {"name": "caf\#u{E9}", "value": 1}]"#
    let json = try text(.json)
    XCTAssertNotNil(Data(json.utf8).range(of: Data(params.utf8)), json)
  }

  private func fillWithRequests() {
    journal.request("GET", "/books?q=1", status: 200, stub: StubEndpoint(.get, "/books", .ok), at: 0)
    journal.request("POST", "/orders", body: "{\"n\":1}\n" + String(repeating: "x", count: 2_000), at: 1500)
    journal.request(
      "GET", "/books", status: nil, stub: StubEndpoint(.get, "/books", .ok), fault: Fault(at: .response, .reset),
      at: 2000)
  }

  func testTheTimelineHasTheRequestsAndHowTheyWereAnswered() throws {
    fillWithRequests()
    XCTAssertEqual(
      try text(.timeline),
      """
      Received, by time since the first arrival:
      #1  +0 ms   GET /books?q=1 -> 200 by GET /books
      #2  +1.5 s  POST /orders -> 404, no stub matches
          with {"n":1} \(String(repeating: "x", count: 992)) ...
      #3  +2 s    GET /books -> no answer by GET /books, reset at response

      """)
  }

  func testTheJSONHasTheRequestsAndHowTheyWereAnswered() throws {
    fillWithRequests()
    XCTAssertEqual(
      try text(.json),
      """
      {"events": [], "lost": [], "rejections": [], "requests": [\
      {"connection": 1, "exchange": 1, "method": "GET", "milliseconds": 0, "number": 1, "status": 200, \
      "stub": "GET /books", "target": "/books?q=1"}, \
      {"body": "{\\"n\\":1}\\n\(String(repeating: "x", count: 992)) ...", "bodySize": 2008, "connection": 1, \
      "exchange": 2, "isUnmatched": true, "method": "POST", "milliseconds": 1500, "number": 2, "status": 404, \
      "target": "/orders"}, \
      {"connection": 1, "exchange": 3, "fault": "reset at response", "method": "GET", "milliseconds": 2000, \
      "number": 3, "stub": "GET /books", "target": "/books"}]}

      """)
  }

  func testNoLineOfTheTimelineIsCut() throws {
    let long = String(repeating: "0123456789", count: 30)
    journal.add("purchase", ["token": .string(long)], at: 0)
    XCTAssertTrue(try text(.timeline).contains(long))
  }

  func testFilesAreNamedAfterTheTest() {
    fill()
    XCTAssertEqual(
      snapshot.attachments.map(\.fileName),
      ["CartTests.testBuying-1-timeline.txt", "CartTests.testBuying-1-journal.json"])
    XCTAssertEqual(AttachmentTitles.next(for: "-[AppleTests testA]"), "AppleTests.testA-1")
    XCTAssertEqual(AttachmentTitles.next(for: "SomeTests.testA"), "SomeTests.testA-1")
    XCTAssertEqual(AttachmentTitles.next(for: "SomeTests.testA"), "SomeTests.testA-2")
  }

  func testAFileIsWrittenAndAFailureToDoSoIsSaid() throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: directory) }
    let attachment = JournalAttachment(form: .json, fileName: "a.json", text: "{}\n")
    let path = attachment.written(to: directory.appendingPathComponent("new"))
    XCTAssertEqual(path, directory.appendingPathComponent("new/a.json").path)
    XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{}\n")
    let inFile = attachment.written(to: URL(fileURLWithPath: path))
    XCTAssertTrue(inFile.hasPrefix("not written to \(path)/a.json: "), inFile)
  }

  // MARK: - When they are kept

  private func verifier(
    _ keeping: TrackingVerifier.Configuration.JournalKeeping, _ reporter: RecordingReporter
  ) -> TrackingVerifier {
    TrackingVerifier(
      with: self, configuration: .init(timeout: 0, settling: 0, keepsJournal: keeping, reporter: reporter))
  }

  func testTheyAreKeptBeforeTheReportAndTheMessageSaysWhere() async {
    let reporter = RecordingReporter(keepingAt: "/tmp/kept")
    let verifier = verifier(.onFailure, reporter)
    verifier.tracker.trackEvent(TrackingEvent(name: "other"))
    await verifier.wait(for: .named("purchase"))
    XCTAssertEqual(reporter.attachments.map(\.form), [.timeline, .json])
    let names = reporter.attachments.map(\.fileName)
    XCTAssertTrue(names[0].hasPrefix("JournalAttachmentTests.testTheyAreKept"), names[0])
    XCTAssertTrue(
      reporter.messages[0].hasSuffix(
        """


        The whole journal: /tmp/kept/\(names[0])
                           /tmp/kept/\(names[1])
        """), reporter.messages[0])
  }

  func testOnSuccessTheyAreKeptOnlyWhenAsked() {
    for (keeping, count) in [(TrackingVerifier.Configuration.JournalKeeping.onFailure, 0), (.always, 2), (.never, 0)] {
      let reporter = RecordingReporter()
      let verifier = verifier(keeping, reporter)
      verifier.tracker.trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
      XCTAssertEqual(reporter.attachments.count, count, "\(keeping)")
      XCTAssertEqual(reporter.messages, [])
    }
  }

  func testNeverIsNeverAndAnOutcomeKeepsNothing() {
    let reporter = RecordingReporter()
    let never = verifier(.never, reporter)
    never.tracker.trackEvent(.tapped)
    never.wait(for: .named("other"))
    let silent = verifier(.onFailure, reporter)
    silent.tracker.trackEvent(.tapped)
    _ = silent.outcome(of: .nothingElse())
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertEqual(reporter.attachments, [])
  }

  func testRequestsAreKeptThoughNoEventCame() async throws {
    let reporter = RecordingReporter()
    let verifier = verifier(.onFailure, reporter)
    verifier.start()
    _ = try await AppClient(verifier).statuses("/books", count: 1)
    await verifier.wait(for: .named("books_shown"))
    XCTAssertEqual(
      reporter.attachments.first?.text.timeless,
      """
      Received, by time since the first arrival:
      #1  +N ms  GET /books -> 404, no stub matches

      """)
  }

  func testOfNothingNothingIsKept() {
    let reporter = RecordingReporter()
    verifier(.onFailure, reporter).wait(for: .tapped)
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertEqual(reporter.attachments, [])
  }
}
