import TestSupport
import TrackingVerifier

/// Installed stubs that are counted, replaced and removed, and stubs whose responses were never sent.
final class StubHandleTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))
  private lazy var client = AppClient(verifier)

  override func setUp() async throws {
    verifier.start()
  }

  func testAStubCountsTheRequestsThatItHasRespondedTo() async throws {
    let book = verifier.stub(.get, "/books/:id", .ok)
    let declining = verifier.stub(.get, "/books/7") { _ in nil }
    XCTAssertEqual([book.count, declining.count], [0, 0])
    _ = try await client.statuses("/books/7", count: 2)
    _ = try await client.statuses("/book", count: 1)
    XCTAssertEqual([book.count, declining.count], [2, 0])
    XCTAssertEqual(book.endpoint, StubEndpoint(.get, "/books/:id", .ok))
  }

  func testARemovedStubMatchesNothingAndKeepsItsCount() async throws {
    verifier.stub(.get, "/books", .status(201))
    let later = verifier.stub(.get, "/books", .status(202))
    let before = try await client.statuses("/books", count: 1)
    later.remove()
    later.remove()
    let after = try await client.statuses("/books", count: 1)
    XCTAssertEqual(before + after, [202, 201])
    XCTAssertEqual(later.count, 1)
    XCTAssertEqual(verifier.unusedStubs, [])
  }

  func testReplacedResponsesKeepConditionsPrecedenceAndCount() async throws {
    let books = verifier.stub(.request(.get, "/books", query: ["page": "2"]), [.status(201), .status(202)])
    verifier.stub(.get, "/books", .ok)
    let first = try await client.statuses("/books?page=2", count: 2)
    books.replace(with: .status(503))
    let second = try await client.statuses("/books?page=2", count: 1)
    books.replace(with: [.status(204), .status(205)])
    let third = try await client.statuses("/books?page=2", count: 3)
    books.replace { $0.query["more"] == nil ? .status(418) : nil }
    let fourth = try await client.statuses("/books?page=2", count: 1)
    let declined = try await client.statuses("/books?page=2&more=1", count: 1)
    XCTAssertEqual(first + second + third + fourth + declined, [201, 202, 503, 204, 205, 205, 418, 200])
    XCTAssertEqual(books.count, 7)
    XCTAssertEqual(reporter.messages, [])
  }

  func testWhatCannotReplaceAResponseFailsAtTheLineOfTheCall() async throws {
    let books = verifier.stub(.get, "/books", .ok)
    let (_, invalid) = (books.replace(with: .status(42)), #line as UInt)
    let stays = try await client.statuses("/books", count: 1)
    XCTAssertEqual(stays, [200])
    books.remove()
    let (_, removed) = (books.replace(with: .status(201)), #line as UInt)
    XCTAssertEqual(
      reporter.sentences,
      [
        "The responses of GET /books were not replaced: 42 isn't the status of a final response, which is from 200 to 599.",
        "The responses of GET /books were not replaced: it was removed before; install it again with stub(_:).",
      ])
    XCTAssertEqual(reporter.lines, [invalid, removed])
    XCTAssertEqual(reporter.kinds, [.invalidStub, .invalidStub])
  }

  func testTheHandleOfAStubThatWasNotInstalledDoesNothing() {
    let none = verifier.stub(.get, "books", .ok)
    none.replace(with: .status(201))
    none.remove()
    XCTAssertEqual(none.count, 0)
    XCTAssertEqual(reporter.sentences.count, 1)
  }

  func testAClosureThatIsReplacedStillReportsItsErrors() async throws {
    let (books, line) = (verifier.stub(.get, "/books") { _ in throw CancellationError() }, #line as UInt)
    _ = try await client.statuses("/books", count: 1)
    books.replace(with: .ok)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.stubFailed])
    XCTAssertEqual(reporter.lines, [line])
  }

  // MARK: - Stubs that weren't used

  func testUnusedStubsSequencesAndTimesAreReportedAtTheirLines() async throws {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(checksAtStop: [.noUnusedStubs], reporter: reporter))
    verifier.start()
    verifier.stub(.get, "/used", .ok)
    let (_, never) = (verifier.stub(.get, "/never", .ok), #line as UInt)
    let (_, sequence) = (verifier.stub(.get, "/sequence", [.status(503), .status(201), .ok]), #line as UInt)
    let (_, times) = (verifier.stub(.get, "/times", .ok, times: 3), #line as UInt)
    verifier.stub(.get, "/removed", .ok).remove()
    let client = AppClient(verifier)
    for path in ["/used", "/sequence", "/times", "/times"] { _ = try await client.statuses(path, count: 1) }
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(
      reporter.sentences,
      [
        "The stub GET /never was never requested",
        "The stub GET /sequence was requested once, and its last 2 responses were never sent",
        "The stub GET /times was requested twice, and its last response was never sent",
      ])
    XCTAssertEqual(reporter.lines, [never, sequence, times])
    XCTAssertEqual(reporter.kinds, [.unusedStub, .unusedStub, .unusedStub])
  }

  func testAWaitForUnusedStubsEndsWithTheLastResponse() async throws {
    verifier.stub(.get, "/books", [.status(503), .ok])
    let early = await verifier.outcome(of: .noUnusedStubs)
    XCTAssertFalse(early.passed)
    let client = AppClient(verifier)
    async let statuses = client.statuses("/books", count: 2)
    await verifier.wait(for: .noUnusedStubs, timeout: 60)
    let found = try await statuses
    XCTAssertEqual(found, [503, 200])
    XCTAssertEqual(reporter.messages, [])
  }
}
