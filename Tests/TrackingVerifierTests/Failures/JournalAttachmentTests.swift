import TestSupport

@testable import TrackingInspector
@testable import TrackingServer
@testable import TrackingVerifier

final class JournalAttachmentTests: XCTestCase {
  private var journal = HandMadeJournal()
  private var snapshot: JournalSnapshot {
    JournalSnapshot(
      title: "CartTests.testBuying-1", entries: Array(journal.journal.entries(from: 1)),
      lost: journal.journal.lostEvents(since: .beginning))
  }

  private var attachments: [JournalAttachment] {
    let document = SessionDocument(entries: snapshot.entries, lost: snapshot.lost)
    return snapshot.attachments(with: (String(decoding: document.json, as: UTF8.self), "<!DOCTYPE html>"))
  }

  private func text(_ form: JournalAttachment.Form) throws -> String {
    let text = try XCTUnwrap(attachments.first { $0.form == form }).text
    return text.replacing(/"began":"[^"]*",/, with: "")
  }

  func testTheJSONHasTheTimeOfDayOfItsBeginning() throws {
    let json = String(decoding: SessionDocument(start: .now - .seconds(3_600)).json, as: UTF8.self)
    let text = try XCTUnwrap(json.firstMatch(of: /"began":"([^"]*)"/)?.output.1)
    let began = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(String(text))
    XCTAssertEqual(began.timeIntervalSinceNow, -3_600, accuracy: 60)
  }

  private func fill() {
    journal.reject("expected a value", path: "params.price", body: "{\n}")
    journal.add("app_opened", at: 0, launch: "k3j.1", sequence: 4)
    journal.add("cart_shown", at: 0, launch: "k3j.1", sequence: 6)
    journal.add("purchase", ["total": 30.5, "items": ["a", nil]], at: 1500, launch: "p9x.1")
  }

  func testTheTimelineHasEveryEntry() throws {
    fill()
    assertText(
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

      Not checked against a tracking plan

      """)
  }

  func testTheJSONHasEveryEntry() throws {
    fill()
    assertText(
      try text(.json),
      """
      {"failures":[],"format":"tracking-session",\
      "lost":[{"count":4,"launch":"k3j.1","numbers":[[1,3],[5,5]],"tracked":6}],\
      "title":"","version":1,"waits":[],"entries":[
      {"kind":"rejection","number":1,"milliseconds":0,"status":400,"reason":"expected a value","path":"params.price",\
      "body":"{\\n}","bodySize":3,"connection":1},
      {"kind":"event","number":2,"milliseconds":0,"name":"app_opened","params":{},"launch":"k3j.1","sequence":4,\
      "connection":1},
      {"kind":"event","number":3,"milliseconds":0,"name":"cart_shown","params":{},"launch":"k3j.1","sequence":6,\
      "connection":1},
      {"kind":"event","number":4,"milliseconds":1500,"name":"purchase","params":{"items":["a",null],"total":30.5},\
      "launch":"p9x.1","connection":1}
      ]}

      """)
  }

  func testTheJSONHasBothOfTwoParamsThatAreOnlyCanonicallyEquivalent() throws {
    journal.add("shown", ["caf\u{E9}": 1, "cafe\u{301}": 2, "a": true], at: 0)
    let params = #""params":{"a":true,"cafe\#u{301}":2,"caf\#u{E9}":1}"#
    let json = try text(.json)
    XCTAssertNotNil(Data(json.utf8).range(of: Data(params.utf8)), json)
  }

  private func fillWithRequests() {
    journal.request("GET", "/books?q=1", status: 200, stub: StubEndpoint(.get, "/books", .ok), at: 0)
    journal.request("POST", "/orders", body: "{\"n\":1}\n" + String(repeating: "x", count: 2_000), at: 1500)
    journal.request(
      "GET", "/books", status: nil, stub: StubEndpoint(.get, "/books", .ok), fault: HTTPFault(.reset, at: .response),
      at: 2000)
  }

  func testTheTimelineHasTheRequestsAndTheirResponses() throws {
    fillWithRequests()
    assertText(
      try text(.timeline),
      """
      Received, by time since the first arrival:
      #1  +0 ms   GET /books?q=1 -> 200 by GET /books
      #2  +1.5 s  POST /orders -> 404, no stub matches
          with {"n":1} \(String(repeating: "x", count: 992)) ...
      #3  +2 s    GET /books -> no response by GET /books, reset at response

      Not checked against a tracking plan

      """)
  }

  func testTheJSONHasTheRequestsAndTheirResponses() throws {
    fillWithRequests()
    assertText(
      try text(.json),
      """
      {"failures":[],"format":"tracking-session","lost":[],"title":"","version":1,"waits":[],"entries":[
      {"kind":"request","number":1,"milliseconds":0,"method":"GET","target":"/books?q=1","status":200,\
      "hasResponse":true,"stub":"GET /books","headers":[],"connection":1,"exchange":1},
      {"kind":"request","number":2,"milliseconds":1500,"method":"POST","target":"/orders","status":404,\
      "hasResponse":true,"isUnmatched":true,"headers":[],\
      "body":"{\\"n\\":1}\\n\(String(repeating: "x", count: 2_000))","bodySize":2008,"connection":1,"exchange":2},
      {"kind":"request","number":3,"milliseconds":2000,"method":"GET","target":"/books","hasResponse":true,\
      "stub":"GET /books","fault":"reset at response","headers":[],"connection":1,"exchange":3}
      ]}

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
      attachments.filter { $0.form != .report }.map(\.fileName),
      ["CartTests.testBuying-1-timeline.txt", "CartTests.testBuying-1-session.json"])
    XCTAssertEqual(AttachmentTitle.next(for: "SomeTests.testA"), "SomeTests.testA-1")
    XCTAssertEqual(AttachmentTitle.next(for: "SomeTests.testA"), "SomeTests.testA-2")
  }

  /// A name as Apple's XCTest writes it.
  private var appleName: String?
  override var name: String { appleName ?? super.name }

  func testATestHasOneNameOnAllPlatforms() {
    for name in ["testBuying", "testBuyingAndReturnError:", "testBuyingWithCompletionHandler:"] {
      appleName = "-[JournalAttachmentTests \(name)]"
      let verifier = verifier(.always, RecordingReporter())
      XCTAssertEqual(verifier.testName, "JournalAttachmentTests.testBuying")
      XCTAssertTrue(verifier.attachmentTitle.hasPrefix("JournalAttachmentTests.testBuying-"), verifier.attachmentTitle)
    }
    appleName = nil
    XCTAssertEqual(
      verifier(.always, RecordingReporter()).testName, "JournalAttachmentTests.testATestHasOneNameOnAllPlatforms")
  }

  func testAFileIsWrittenOrTheMessageSaysWhyNot() throws {
    let directory = try temporaryFolder().appending(path: "attachments")
    let attachment = JournalAttachment(form: .json, fileName: "a.json", text: "{}\n")
    let path = attachment.written(to: directory.appendingPathComponent("new"))
    XCTAssertEqual(path, directory.appendingPathComponent("new/a.json").path)
    XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{}\n")
    let inFile = attachment.written(to: URL(fileURLWithPath: path))
    XCTAssertTrue(inFile.hasPrefix("not written to \(path)/a.json: "), inFile)
  }

  // MARK: - Keeping

  private func verifier(
    _ keeping: TrackingVerifier.JournalOccasion, _ reporter: RecordingReporter
  ) -> TrackingVerifier {
    TrackingVerifier(
      with: self, configuration: .init(timeout: 0, settling: 0, keepsJournal: keeping, reporter: reporter))
  }

  func testAttachmentsAreKeptBeforeTheReportThatNamesThem() async {
    let reporter = RecordingReporter(keepingAt: "/tmp/kept")
    let verifier = verifier(.onFailure, reporter)
    verifier.tracker.trackEvent(TrackingEvent(name: "other"))
    await verifier.wait(for: .named("purchase"))
    // The report is there as well where the inspector is linked.
    XCTAssertEqual(reporter.attachments.map(\.form).prefix(2), [.timeline, .json])
    let names = reporter.attachments.map(\.fileName)
    XCTAssertTrue(names[0].hasPrefix("JournalAttachmentTests.testAttachmentsAreKept"), names[0])
    let places = names.map { "/tmp/kept/\($0)" }.joined(separator: "\n                   ")
    XCTAssertTrue(reporter.messages[0].hasSuffix("\n\nThe whole journal: \(places)"), reporter.messages[0])
  }

  func testOnSuccessAttachmentsAreKeptOnlyWhenConfigured() {
    for (keeping, count) in [(TrackingVerifier.JournalOccasion.onFailure, 0), (.always, 1), (.never, 0)] {
      let reporter = RecordingReporter()
      let verifier = verifier(keeping, reporter)
      verifier.tracker.trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
      XCTAssertEqual(reporter.attachments.count { $0.form == .json }, count, "\(keeping)")
      XCTAssertEqual(reporter.messages, [])
    }
  }

  func testNeverKeepsNothingAndAnOutcomeKeepsNothing() {
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

  func testRequestsAreKeptWithoutAnyEvent() async throws {
    let reporter = RecordingReporter()
    let verifier = verifier(.onFailure, reporter)
    verifier.start()
    _ = try await AppClient(verifier).statuses("/books", count: 1)
    await verifier.wait(for: .named("books_shown"))
    assertText(
      reporter.attachments.first?.text.timeless,
      """
      Received, by time since the first arrival:
      #1  +N ms  GET /books -> 404, no stub matches

      Not checked against a tracking plan

      """)
  }

  func testAnEmptyJournalIsNotKept() {
    let reporter = RecordingReporter()
    verifier(.onFailure, reporter).wait(for: .tapped)
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertEqual(reporter.attachments, [])
  }
}
