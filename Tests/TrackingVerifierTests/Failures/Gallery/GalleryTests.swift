import TestSupport
@testable import TrackingChecks

@testable import TrackingVerifier

/// Compares the documentation's page of failures with what failures say, or writes it when `GALLERY` is `write`.
final class GalleryTests: XCTestCase {
  func testThePageIsCurrent() async throws {
    let page = GalleryPage(exhibits: try await exhibits()).markdown
    if ProcessInfo.processInfo.environment["GALLERY"] == "write" {
      try page.write(to: GalleryPage.file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: GalleryPage.file, encoding: .utf8)
    // Not the whole pages, of which a reader could not tell the difference.
    let difference = zip(kept.split(separator: "\n"), page.split(separator: "\n")).first { $0 != $1 }
    XCTAssertTrue(
      kept == page,
      """
      Gallery.md is not what failures say now: run Scripts/gallery and look at what it changed. \
      First it says "\(difference?.0 ?? "")" where failures say "\(difference?.1 ?? "")".
      """)
  }

  func testNoLineIsWiderThanATerminal() async throws {
    for row in try await exhibits().flatMap({ $0.message.split(separator: "\n").dropFirst() }) {
      XCTAssertLessThanOrEqual(row.count, 100, "\(row)")
    }
  }

  func testTheFirstLineOfEachIsAHeadline() async throws {
    for exhibit in try await exhibits() {
      XCTAssertNil(FirstLine.problem(of: exhibit.message), "\(exhibit.title): \(exhibit.message)")
    }
  }

  func testEachFailureThatAPageQuotesIsOneOfTheGallery() async throws {
    let shapes = QuotedFailure.shapes(of: try await exhibits().map(\.message))
    let quotes = try QuotedFailure.all()
    for quote in quotes {
      if let part = quote.stalePart(among: shapes) { XCTFail("\(quote.place): no failure says this:\n\(part)") }
    }
    XCTAssertGreaterThan(quotes.count, 5)
  }

  func testAStaleQuoteIsNoticed() async throws {
    let shapes = QuotedFailure.shapes(of: try await exhibits().map(\.message))
    func stale(_ block: String) -> String? {
      QuotedFailure.quotes(in: "```\n\(block)\n```", of: "Page.md").first?.stalePart(among: shapes)
    }
    let current = """
      No event named "sign_up" arrived within 2.5 s; #7 has a similar name: "signup"

      Nearest is #7, 1.2 s after the wait began (- expected, + arrived):
          - sign_up
          + signup
      """
    XCTAssertNil(stale(current))
    for (part, old) in [
      ("No event named \"sign_up\" arrived within 2.5 s;", "Waited 2.5 s for an event named \"sign_up\";"),
      ("Nearest is", "The nearest is"), ("(- expected, + arrived)", "(- asked for, + arrived)"),
    ] {
      XCTAssertNotNil(stale(current.replacing(part, with: old)), old)
    }
    XCTAssertNotNil(stale("1 submission was rejected:\n    400: params.price: a number must not begin with 0"))
    XCTAssertNotNil(stale("    #1  +10 ms  one too many  cart_shown()"))
  }

  func testEachKindThatThisModuleReportsIsShown() async throws {
    // Reported by TrackingAudit, and for a recording that StubRecording makes.
    let page = GalleryPage(exhibits: try await exhibits())
    XCTAssertEqual(page.emptyKinds, [.changedFlow, .unusableRecording])
  }

  /// Made by the first test, for all.
  private static let made = Locked<[Exhibit]?>(nil)

  /// Called from asynchronous code, which is what the blocking wait among them is told about.
  private func exhibits() async throws -> [Exhibit] {
    if let made = Self.made.withLock({ $0 }) { return made }
    let exhibits =
      try await Exhibit.ofCounts + Exhibit.ofOrder + Exhibit.ofAbsence + Exhibit.ofDelivery + Exhibit.ofRequests
      + Exhibit.ofTime + ofTypedEvents()
      + ofUse() + [failingStub(), unfinishedWait(), unusedStub()]
    Self.made.withLock { $0 = exhibits }
    return exhibits
  }
}

// MARK: - Typed events

extension GalleryTests {
  private func ofTypedEvents() throws -> [Exhibit] {
    let check = TrackingCheck<CheckOutcome>.one(.typed(AddedToCart.self))
    return [
      Exhibit(
        "A typed event that does not decode", test: "verifier.wait(for: .typed(AddedToCart.self))",
        did: "sent `added_to_cart` without its quantity.", check
      ) { $0.add("added_to_cart", ["product_id": "42"], at: 120) },
      Exhibit(
        "A closure that returns false", test: "verifier.wait(for: .typed(AddedToCart.self) { $0.quantity > 1 })",
        did: "added one piece.", .one(.typed(AddedToCart.self) { $0.quantity > 1 })
      ) { $0.add(TrackingEvent(AddedToCart(productID: "42", quantity: 1)), at: 120) },
    ]
  }
}

// MARK: - The verifier's own use

extension GalleryTests {
  private func ofUse() throws -> [Exhibit] {
    [
      try exhibit("A full journal", test: "verifier.stop()", did: "tracked four events where two have room.") {
        for _ in 1...4 { $0.tracker.trackEvent(.tapped) }
        $0.stop()
      },
      try portTaken(),
      try exhibit(
        "A stub without its file", test: "verifier.stub(.get, \"/books\", .json(file: \"books\", in: .url(stubs)))",
        did: "was not launched yet."
      ) { $0.stub(.get, "/books", .json(file: "books", in: .url(URL(filePath: "/stubs")))) },
      try exhibit(
        "A blocking wait in a task", test: "verifier.wait(for: .named(\"purchase\"))",
        did: "does not matter: an asynchronous test called the wait in a function that is not."
      ) { $0.wait(for: .named("purchase")) },
      try exhibit(
        "Another verifier's mark", test: "verifier.wait(for: .named(\"purchase\"), since: other.mark())",
        did: "does not matter."
      ) { $0.wait(for: .named("purchase"), since: TrackingVerifier(with: self).mark()) },
      try exhibit(
        "A pattern that matches nothing",
        test: "verifier.wait(for: .named(\"purchase\", params: [\"total\": .greater(than: Double.nan)]))",
        did: "does not matter."
      ) { $0.wait(for: .named("purchase", params: ["total": .greater(than: Double.nan)])) },
      try exhibit("No tracking plan", test: "verifier.wait(for: .plan)", did: "does not matter.") {
        $0.wait(for: .plan)
      },
    ]
  }

  /// The first failure of a verifier whose journal has room for two events.
  private func exhibit(
    _ title: String, test: String, did: String, port: UInt16 = 0, _ act: (TrackingVerifier) -> Void
  ) throws -> Exhibit {
    let reporter = RecordingReporter()
    var configuration = TrackingVerifier.Configuration(server: .init(port: port), reporter: reporter)
    configuration.server.limits.journalEvents = 2
    act(TrackingVerifier(with: self, configuration: configuration))
    let failure = try XCTUnwrap(reporter.failures.first)
    return Exhibit(title: title, test: test, did: did, kind: failure.kind, message: failure.message)
  }

  /// Requested by a client, since only a server runs a stub's closure.
  private func failingStub() async throws -> Exhibit {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.start()
    verifier.stub(.get, "/books/:id") { _ in .file("walden.json", in: .url(URL(filePath: "/stubs"))) }
    _ = try await AppClient(verifier).statuses("/books/42", count: 3)
    verifier.stop()
    let failure = try XCTUnwrap(reporter.failures.first)
    return Exhibit(
      title: "A closure that throws",
      test: "verifier.stub(.get, \"/books/:id\") { _ in .file(\"walden.json\", in: .url(stubs)) }",
      did: "sent three requests, and got a 500 for each.", kind: failure.kind, message: failure.message)
  }

  private func unusedStub() throws -> Exhibit {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: self, configuration: .init(checksAtStop: [.noUnusedStubs], reporter: reporter))
    verifier.stub(.get, "/books/:id", [.status(503), .json(["id": 42])])
    verifier.stop()
    let failure = try XCTUnwrap(reporter.failures.first)
    return Exhibit(
      title: "A stub that was never requested", test: "configuration.checksAtStop = [.delivery, .noUnusedStubs]",
      did: "showed a book from its cache.", kind: failure.kind, message: failure.message)
  }

  /// Under a name of the page's own.
  private func unfinishedWait() async throws -> Exhibit {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    let wait = Task { await verifier.wait(for: .named("purchase"), timeout: 60) }
    while verifier.waits.count == 0 { await Task.yield() }
    verifier.stop()
    _ = await wait.value
    let failure = try XCTUnwrap(reporter.failures.first)
    let message = failure.message.replacing(name, with: "CartTests.testBuying")
    return Exhibit(
      title: "A wait that outlives its test", test: "Task { await verifier.wait(for: .named(\"purchase\")) }",
      did: "does not matter: the test did not await the task.", kind: failure.kind, message: message)
  }

  /// With an address and an error number of the page's own: the system's are others each time.
  private func portTaken() throws -> Exhibit {
    let first = TrackingVerifier(with: self, configuration: .init(reporter: RecordingReporter()))
    first.start()
    let url = first.endpoint.url
    let port = try XCTUnwrap(url.port.flatMap(UInt16.init(exactly:)))
    let address = String(url.absoluteString.dropFirst("http://".count))
    let real = try exhibit(
      "A port that is taken", test: "verifier.start()", did: "was not launched yet.", port: port
    ) { $0.start() }
    let message = real.message.replacing(address, with: "[::1]:8080")
      .replacing("port \(port) ", with: "port 8080 ").replacing("errno \(EADDRINUSE)", with: "errno 98")
    return Exhibit(
      title: real.title, test: real.test, did: real.did, kind: real.kind, message: message)
  }
}
