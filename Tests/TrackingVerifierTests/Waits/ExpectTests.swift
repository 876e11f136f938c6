import TestSupport
import TrackingVerifier

/// Events that an action causes.
final class ExpectTests: XCTestCase {
  private struct NotHittable: Error {}

  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  private func track(_ names: String...) {
    for name in names { verifier.tracker.trackEvent(TrackingEvent(name: name, params: ["n": 1])) }
  }

  func testWhatAnActionCausesIsReturned() {
    track("shown")
    let event = verifier.expect(.named("bought")) { track("bought") }
    XCTAssertEqual(event?.params["n"]?.intValue, 1)
    let events: [TrackingEvent] = verifier.expect(.named("bought"), count: 2) { track("bought", "bought") }
    XCTAssertEqual(events.count, 2)
    let outcome = verifier.expect(.inOrder([.named("a"), .named("b")])) { track("a", "b") }
    XCTAssertEqual(outcome.events.map(\.name), ["a", "b"])
    let added: AddedToCart? = verifier.expect(.typed(AddedToCart.self) { $0.quantity > 1 }) {
      verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    }
    XCTAssertEqual(added?.quantity, 2)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnEventFromBeforeTheActionDoesNotMatch() {
    track("bought")
    let (event, line) = (verifier.expect(.named("bought")) {}, #line as UInt)
    XCTAssertNil(event)
    XCTAssertEqual(verifier.expect(.named("bought"), count: 1) { track("bought", "bought") }.count, 2)
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooMany])
    XCTAssertEqual(reporter.lines.first, line)
    XCTAssertTrue(reporter.sentences[0].contains("; #1 arrived before the mark"), reporter.sentences[0])
  }

  func testAnActionThatThrowsIsNotWaitedFor() {
    let line = #line as UInt + 2
    XCTAssertThrowsError(
      try verifier.expect(.named("bought"), timeout: 600) {
        track("opened")
        throw NotHittable()
      }
    ) { XCTAssertTrue($0 is NotHittable) }
    XCTAssertThrowsError(try verifier.expect(.named("bought"), count: 1, timeout: 600) { throw NotHittable() })
    XCTAssertEqual(reporter.messages, [])
    XCTAssertEqual(reporter.linesOfWarnings.first, line)
    assertText(
      reporter.warnings.first?.timeless,
      """
      The action threw NotHittable(), so there was no wait for an event named "bought"

      Received, by time since the first arrival:
          #1  +N ms  opened(n: 1)
      """)
    XCTAssertEqual(reporter.warnings.count, 2)
  }

  func testAnActionMayBeAsynchronous() async throws {
    let event = await verifier.expect(.named("bought")) {
      await Task.yield()
      track("bought")
    }
    XCTAssertEqual(event?.name, "bought")
    let events = await verifier.expect(.named("bought"), count: 1...) { track("bought") }
    XCTAssertEqual(events.count, 1)
    do {
      try await verifier.expect(.named("bought"), timeout: 600) {
        await Task.yield()
        throw NotHittable()
      }
      XCTFail("the error is lost")
    } catch { XCTAssertTrue(error is NotHittable) }
    XCTAssertEqual(reporter.messages, [])
    XCTAssertEqual(reporter.warnings.count, 1)
  }

  @MainActor func testAnActionOfTheMainActor() async {
    var taps = 0
    func tap() {
      taps += 1
      track("tapped")
    }
    await verifier.expect(.named("tapped")) { tap() }
    await verifier.expect(.named("tapped"), count: 2) {
      tap()
      tap()
    }
    XCTAssertEqual(taps, 3)
    XCTAssertEqual(reporter.messages, [])
  }

  func testARequirementOfAnActionReturnsWhatItCausedAndThrowsWithoutIt() throws {
    track("bought")
    let event = try verifier.require(.named("bought")) { track("bought") }
    XCTAssertEqual(event.params["n"], 1)
    let added = try verifier.require(.typed(AddedToCart.self) { $0.quantity > 1 }) {
      verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    }
    XCTAssertEqual(added.quantity, 2)
    let outcome = try verifier.require(.inOrder([.named("a"), .named("b")])) { track("a", "b") }
    XCTAssertEqual(outcome.events.map(\.name), ["a", "b"])
    XCTAssertEqual(reporter.messages, [])
    let line = #line as UInt + 2
    let attempts = [
      { _ = try self.verifier.require(.named("bought")) {} },
      { _ = try self.verifier.require(.inOrder([.named("a")])) {} },
    ]
    for attempt in attempts { XCTAssertThrowsError(try attempt()) { XCTAssertTrue($0 is RequirementFailure) } }
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew])
    XCTAssertEqual(reporter.lines, [line, line + 1])
    XCTAssertTrue(reporter.sentences[0].contains("; #2 arrived before the mark"), reporter.sentences[0])
  }

  func testARequirementOfAnAsynchronousAction() async throws {
    let event = try await verifier.require(.named("bought")) {
      await Task.yield()
      track("bought")
    }
    XCTAssertEqual(event.name, "bought")
    let outcome = try await verifier.require(.none(of: .named("refunded"))) { track("bought") }
    XCTAssertTrue(outcome.passed)
    XCTAssertEqual(reporter.messages, [])
    for isOrder in [false, true] {
      do {
        if isOrder {
          try await verifier.require(.inOrder([.named("bought")])) { await Task.yield() }
        } else {
          try await verifier.require(.named("bought")) { await Task.yield() }
        }
        XCTFail("the test continues")
      } catch { XCTAssertTrue(error is RequirementFailure) }
    }
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew])
  }

  func testTheErrorOfARequiredActionIsThrown() {
    XCTAssertThrowsError(try verifier.require(.named("bought"), timeout: 600) { throw NotHittable() }) {
      XCTAssertTrue($0 is NotHittable)
    }
    XCTAssertThrowsError(try verifier.require(.inOrder([.named("bought")]), timeout: 600) { throw NotHittable() }) {
      XCTAssertTrue($0 is NotHittable)
    }
    XCTAssertEqual(reporter.messages, [])
    XCTAssertEqual(
      reporter.warnings.map { $0.prefix { $0 != "\n" } },
      [
        "The action threw NotHittable(), so there was no wait for an event named \"bought\"",
        "The action threw NotHittable(), so there was no wait for 1 event in order",
      ])
  }

  func testTheErrorOfARequiredAsynchronousActionIsThrown() async {
    do {
      try await verifier.require(.named("bought"), timeout: 600) {
        await Task.yield()
        throw NotHittable()
      }
      XCTFail("the error is lost")
    } catch { XCTAssertTrue(error is NotHittable) }
    XCTAssertEqual(reporter.messages, [])
    XCTAssertEqual(
      reporter.warnings.map { $0.prefix { $0 != "\n" } },
      ["The action threw NotHittable(), so there was no wait for an event named \"bought\""])
  }

  @MainActor func testARequiredActionOfTheMainActor() async throws {
    var taps = 0
    func tap() {
      taps += 1
      track("tapped")
    }
    let event = try await verifier.require(.named("tapped")) { tap() }
    XCTAssertEqual(event.name, "tapped")
    XCTAssertEqual(taps, 1)
  }

  func testTheEventsOfANameAndOfAType() {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    track("opened", "added_to_cart")
    XCTAssertEqual(verifier.events(named: "added_to_cart").count, 2)
    XCTAssertEqual(verifier.events(named: "closed"), [])
    XCTAssertEqual(verifier.events(of: AddedToCart.self).map(\.quantity), [2])
  }
}
