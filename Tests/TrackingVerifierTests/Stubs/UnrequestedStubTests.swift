import TestSupport
import TrackingVerifier

/// Stubs that were never requested are named where an event or a request is missing.
final class UnrequestedStubTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  override func setUp() async throws {
    verifier.start()
  }

  /// The paragraph of the last failure that is about stubs.
  private var paragraph: String? {
    reporter.messages.last?.components(separatedBy: "\n\n").first { $0.contains("never requested") }
  }

  func testAStubIsNamedIfAnEventIsMissing() async {
    verifier.stub(.get, "/books", .ok)
    await verifier.wait(for: .named("book_shown"))
    XCTAssertEqual(paragraph, "The stub GET /books was never requested: does the app use `verifier.baseURL`?")
  }

  func testOtherRequestsShowThatTheAppHasTheURL() async throws {
    verifier.stub(.get, "/books", .ok)
    verifier.stub(.get, "/films", .ok)
    let client = AppClient(verifier)
    _ = try await client.statuses("/films", count: 1)
    await verifier.wait(for: .request(.get, "/books"))
    XCTAssertEqual(paragraph, "The stub GET /books was never requested.")
  }

  func testManyStubsAreCounted() async {
    for number in 1...7 { verifier.stub(.get, "/\(number)", .ok) }
    await verifier.wait(for: .named("book_shown"))
    assertText(
      paragraph,
      """
      The stubs GET /1, GET /2, GET /3, GET /4, GET /5 and 2 more were never requested: does the app use
          `verifier.baseURL`?
      """)
  }

  func testAStubThatAnotherOneCoversIsNotNamed() async throws {
    verifier.stub(.get, "/books", .ok)
    verifier.stub(.get, "/books", .status(503))
    let client = AppClient(verifier)
    _ = try await client.statuses("/books", count: 1)
    await verifier.wait(for: .named("book_shown"))
    XCTAssertNil(paragraph)
  }

  func testAStubWithTimesThatALaterOneCoversIsNamed() async throws {
    verifier.stub(.get, "/books", .status(503), times: 1)
    verifier.stub(.get, "/books", .ok)
    verifier.stub(.get, "/films", .ok)
    let client = AppClient(verifier)
    _ = try await client.statuses("/books", count: 1)
    await verifier.wait(for: .request(.get, "/books").responded(503))
    assertText(
      paragraph,
      """
      The stub GET /films was never requested.
      The stub GET /books with `times: 1` didn't respond, because an equal stub that was set later did:
          set the one with `times:` last.
      """)
  }

  func testAStubWithTimesThatIsSetLastIsNotCovered() async throws {
    verifier.stub(.get, "/books", .ok)
    _ = try await AppClient(verifier).statuses("/books", count: 1)
    verifier.stub(.get, "/books", .status(503), times: 1)
    await verifier.wait(for: .request(.get, "/books").responded(503))
    XCTAssertNil(paragraph)
  }

  func testEqualStubsAreNamedOnce() async {
    for status in [200, 503] { verifier.stub(.get, "/books", .status(status)) }
    await verifier.wait(for: .named("book_shown"))
    XCTAssertEqual(paragraph, "The stub GET /books was never requested: does the app use `verifier.baseURL`?")
  }

  func testACheckAboutUnusedStubsNamesTheirLines() async throws {
    let (_, line) = (verifier.stub(.get, "/books", .ok), #line)
    verifier.stub(.get, "/books", .status(503))
    let client = AppClient(verifier)
    _ = try await client.statuses("/books", count: 1)
    await verifier.wait(for: .noUnusedStubs)
    XCTAssertEqual(
      reporter.messages.last?.split(separator: "\n").first,
      "The stub GET /books at UnrequestedStubTests.swift:\(line) was never requested")
  }

  func testNoStubIsNamedIfNothingIsMissing() async {
    verifier.stub(.get, "/books", .ok)
    verifier.tracker.trackEvent(TrackingEvent(name: "book_shown"))
    await verifier.wait(for: .named("book_shown"), count: 0)
    XCTAssertNil(paragraph)
    XCTAssertEqual(reporter.messages.count, 1)
  }
}
