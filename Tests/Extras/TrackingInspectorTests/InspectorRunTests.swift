import TestSupport
@testable import TrackingInspector
@testable import TrackingServer

/// The page of a run of tests.
final class InspectorRunTests: XCTestCase {
  private let tests = InspectedTests()
  private lazy var inspector = Inspector(on: TrackingServer(), showing: tests)

  private func outcome(_ query: String) -> PageOutcome {
    inspector.respond(
      to:
        ReceivedRequest(
          method: "GET", host: "localhost", path: "/-tracking/feed", queryText: query,
          headers: MessageHeaders(fields: [
            ("Host", "localhost:5000"),
            ("Authorization", "Bearer \(inspector.token)"),
          ])))
  }

  private func part(_ query: String = "") throws -> [String: Any] {
    var outcome = outcome(query)
    while case .work(let work) = outcome { outcome = work() }
    guard case .response(let response) = outcome else { throw XCTSkip("the feed waits") }
    return try XCTUnwrap(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
  }

  private func query(after part: [String: Any], _ more: String = "") throws -> String {
    let cursor = try XCTUnwrap(part["cursor"] as? [String: Int])
    return cursor.map { "\($0)=\($1)" }.joined(separator: "&") + more
  }

  private func begin(_ title: String, event: String) -> TrackingServer {
    let server = TrackingServer()
    server.journal.record(TrackingEvent(name: event))
    tests.begin(server, title: title)
    return server
  }

  /// `1 A passed`, for each test of a part.
  private func list(_ part: [String: Any]) -> [String] {
    (part["tests"] as? [[String: Any]] ?? []).map { "\($0["number"] ?? "") \($0["title"] ?? "") \($0["state"] ?? "")" }
  }

  private func names(_ part: [String: Any]) -> [String?] {
    (part["entries"] as? [[String: Any]] ?? []).map { $0["name"] as? String }
  }

  func testThePageFollowsToTheNextTestAndSeesItsEntriesFromTheFirst() throws {
    let first = begin("A", event: "a")
    let before = try part()
    XCTAssertEqual(names(before), ["a"])
    XCTAssertEqual(list(before), ["1 A running"])
    tests.end(first)
    _ = begin("B", event: "b")
    let after = try part(query(after: before))
    XCTAssertEqual(names(after), ["b"])
    XCTAssertEqual(list(after), ["1 A passed", "2 B running"])
    XCTAssertEqual((after["cursor"] as? [String: Int])?["test"], 2)
  }

  func testAChosenTestStaysAndCanBeReadAfterItsEnd() throws {
    let first = begin("A", event: "a")
    first.sessionNotes.add(failure: "no", at: "A.swift:1")
    tests.end(first)
    _ = begin("B", event: "b")
    let chosen = try part("chosen=1")
    XCTAssertEqual(names(chosen), ["a"])
    XCTAssertEqual(list(chosen), ["1 A failed", "2 B running"])
    XCTAssertEqual((chosen["failures"] as? [Any])?.count, 1)
    guard case .wait = outcome(try query(after: chosen, "&chosen=1")) else { return XCTFail("nothing is new") }
  }

  func testAFailureOfTheRunningTestIsInTheList() throws {
    let server = begin("A", event: "a")
    let before = try part()
    server.sessionNotes.add(failure: "no", at: "A.swift:1")
    XCTAssertEqual(list(try part(query(after: before))), ["1 A failed"])
  }

  func testTheBeginningOfATestEndsTheWaitOfThePage() throws {
    _ = begin("A", event: "a")
    guard case .wait(_, let until, _, _) = outcome(try query(after: part())) else {
      return XCTFail("the feed doesn't wait")
    }
    let woken = expectation(description: "woken")
    woken.assertForOverFulfill = false
    let cancel = until { woken.fulfill() }
    _ = begin("B", event: "b")
    wait(for: [woken], timeout: 5)
    cancel?()
  }

  func testOfManyTestsTheLastPassedOnesAndTheFailedOnesKeepTheirSessions() throws {
    for number in 1...30 {
      let server = begin("T\(number)", event: "e\(number)")
      if number == 2 { server.sessionNotes.add(failure: "no", at: "A.swift:1") }
      tests.end(server)
    }
    let kept = (try part()["tests"] as? [[String: Any]] ?? []).filter { $0["isKept"] as? Bool == true }
    XCTAssertEqual(kept.compactMap { $0["number"] as? Int }, [2] + Array(11...30))
    XCTAssertEqual(names(try part("chosen=1")), ["e30"], "the last test is shown in place of one that isn't kept")
  }

  func testARunHasOneAddressWhoseFileOnlyItsUserCanRead() throws {
    let run = try XCTUnwrap(InspectorRun.current)
    let url = try XCTUnwrap(run.inspector.url)
    XCTAssertNotNil(url.absoluteString.wholeMatch(of: /http:\/\/localhost:\d+\/-tracking\/#token=[A-Za-z0-9_-]{22}/))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "tracking-inspector-\(getuid())/\(ProcessInfo.processInfo.processIdentifier).url")
    XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "\(url.absoluteString)\n")
    let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    XCTAssertEqual(rights, 0o600)
  }
}

extension HTTPResponse {
  /// The content.
  var bytes: ArraySlice<UInt8> { content.map { $0.prefix($0.count) } ?? [] }
}
