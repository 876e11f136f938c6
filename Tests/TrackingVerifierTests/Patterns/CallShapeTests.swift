import TestSupport

@testable import TrackingServer
@testable import TrackingVerifier

/// The ways in which patterns are written in a test: that they compile, unambiguously and quickly, is most of what is tested here.
final class CallShapeTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))

  func testPatternsInAWait() {
    verifier.tracker.trackEvent(.purchase)
    verifier.tracker.trackEvent(.tapped)
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    let orderID = "A-000042"
    let minimum = 100.0

    verifier.wait(for: .tapped)
    verifier.wait(for: .firstTap)
    verifier.wait(for: .any)
    verifier.wait(for: .named("purchase"))
    verifier.wait(for: .named("purchase", params: ["total": 120]), timeout: 0)
    verifier.wait(for: .named("button_tapped", params: [.screen: .hasSuffix("screen"), .eventName: "button1_tapped"]))
    verifier.wait(for: .named("purchase", params: ["order_id": orderID]))
    verifier.wait(for: .named("purchase", params: ["order_id": .equal(to: orderID), "total": .greater(than: minimum)]))
    verifier.wait(
      for: .named(
        "purchase",
        params: [
          "total": .in(100...200), "currency": .one(of: ["EUR", "USD"]), "coupon": nil, "gift": true, "note": .absent,
          "items": .each(.object(["id": .matches(#"\d+"#), "price": .atLeast(0.5)])), "items[0].tags": ["new", .any],
          "items[0]": ["id": "42", "price": 9.5, "tags": .contains(element: "new")], "order_id": .not(""),
        ]))
    verifier.wait(for: .typed(AddedToCart.self))
    verifier.wait(for: .typed(AddedToCart.self) { $0.quantity > 1 })
    verifier.wait(for: .typed(AddedToCart.self, "two of product 42") { $0.quantity == 2 && $0.productID == "42" })
    verifier.wait(for: .satisfying("a total above 100") { $0.name == "purchase" && $0.params["total"] == 120 })
    verifier.wait(
      for: .named("purchase").or(.named("refund")).and(.params(["total": .greater(than: -1)])).exact().not())
    verifier.wait(for: .equal(to: .tapped))
    verifier.wait(for: .equal(to: AddedToCart(productID: "42", quantity: 2)))
    verifier.wait(
      for: .satisfying("a large purchase in the cart") {
        $0.name == "purchase" && $0.params["total"] == 120 && $0.params["page.name"] == "cart" && $0.params.count > 3
      })
    XCTAssertEqual(reporter.messages, [])
  }

  func testCountsOfTypedEvents() {
    let event = AddedToCart(productID: "42", quantity: 2)
    for _ in 1...2 { verifier.tracker.track(event) }
    XCTAssertEqual(verifier.wait(for: .equal(to: AddedToCart(productID: "42", quantity: 2)), count: 2).count, 2)
    XCTAssertEqual(verifier.wait(for: .equal(to: AddedToCart(productID: "42", quantity: 2)), count: 1...2).count, 2)
    XCTAssertEqual(verifier.wait(for: .typed(AddedToCart.self), count: 2...).count, 2)
    XCTAssertEqual(verifier.wait(for: .typed(AddedToCart.self), count: 2).map(\.quantity), [2, 2])
    verifier.wait(for: .none(of: .typed(AddedToCart.self)), since: verifier.mark())
    XCTAssertEqual(reporter.messages, [])
  }

  func testCountsOfTypedEventsInATask() async {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    let equal = await verifier.wait(for: .equal(to: AddedToCart(productID: "42", quantity: 2)), count: 1)
    XCTAssertEqual(equal.map { $0.params["quantity"] }, [2])
    let equalRange = await verifier.wait(for: .equal(to: AddedToCart(productID: "42", quantity: 2)), count: 1...2)
    XCTAssertEqual(equalRange.count, 1)
    let ranged = await verifier.wait(for: .typed(AddedToCart.self), count: 1...2)
    XCTAssertEqual(ranged.count, 1)
    XCTAssertEqual(reporter.messages, [])
  }

  func testCountsInsideAssertions() {
    XCTAssertEqual(verifier.wait(for: .request(.get, "/a"), count: 0).map(\.status), [])
    XCTAssertEqual(verifier.wait(for: .request(.get, "/a"), count: 0).map(\.status), [])
    XCTAssertEqual(verifier.wait(for: .named("a"), count: .atMost(2)).map(\.name), [])
  }

  func testEveryWayToWriteAPatternOfEventsFitsIntoAnOrder() {
    var event = TrackingEvent(name: "a", params: ["n": 1])
    event.origin = SDKOrigin(format: "Shop", kind: "track", context: ["$os": "iOS"], isText: false)
    _ = verifier.journal.record([event], bodySize: 0, from: .init())
    verifier.wait(for: .inOrder([.context(["$os": "iOS"])]))
    verifier.wait(for: .inAnyOrder([.context(["$os": "iOS"]).or(.request(.get, "/a"))]))
    verifier.wait(for: .inOrder([.any]))
    verifier.wait(for: .none(of: .params(["n": 2]), within: 0))
    verifier.wait(for: .inOrder([.satisfying("one param") { (event: TrackingEvent) in event.params.count == 1 }]))
    XCTAssertEqual(reporter.messages, [])
  }

  func testPatternsInAnAsyncWait() async {
    verifier.tracker.trackEvent(.purchase)
    await verifier.wait(for: .named("purchase", params: ["total": .greater(than: 100), "items[1].price": 101]))
    await verifier.wait(for: .purchase)
    await verifier.wait(for: .named("refund").not())
    await verifier.wait(
      for: .satisfying("a large purchase in the cart") {
        $0.name == "purchase" && $0.params["total"] == 120 && $0.params["page.name"] == "cart" && $0.params.count > 3
      })
    await verifier.wait(
      for: .satisfying("a large purchase in the cart") {
        $0.name == "purchase" && $0.params["total"] == 120 && $0.params["page.name"] == "cart" && $0.params.count > 3
      }, count: 1)
    await verifier.wait(
      for: .none(
        of: .satisfying("a small purchase in the cart") { (event: TrackingEvent) in
          event.name == "purchase" && event.params["total"] == 1 && event.params["page.name"] == "cart"
            && event.params.count < 3
        }, within: 0))
    XCTAssertEqual(reporter.messages, [])
  }
}

extension ExpressibleByEventPattern {
  fileprivate static var firstTap: Self { .named("button_tapped", params: [.eventName: "button1_tapped"]) }
}
