import TestSupport
import TrackingSockets

@testable import TrackingPatterns

final class EventPatternTests: XCTestCase {
  private func assert(
    _ pattern: EventPattern, accepts event: TrackingEvent, _ isAccepted: Bool = true,
    file: StaticString = #filePath, line: UInt = #line
  ) {
    let mismatch = pattern.mismatch(of: event)
    XCTAssertEqual(mismatch == nil, isAccepted, "\(mismatch?.differences ?? [])", file: file, line: line)
  }

  func testByName() {
    assert(.named("purchase"), accepts: .purchase)
    assert(.named("Purchase"), accepts: .purchase, false)
    assert(.any, accepts: .purchase)
  }

  func testOnlyNamedParamsAreCompared() {
    assert(.named("purchase", params: ["total": 120, "currency": "EUR"]), accepts: .purchase)
    assert(.named("purchase", params: ["total": .greater(than: 100), "coupon": nil]), accepts: .purchase)
    assert(.named("purchase", params: ["total": 121]), accepts: .purchase, false)
    assert(.named("refund", params: ["total": 120]), accepts: .purchase, false)
    assert(.named("purchase", params: [:]), accepts: .purchase)
    assert(.params(["total": 120]), accepts: .purchase)
  }

  func testByParamsFromVariables() {
    let order: String? = "A-000042"
    let total = 120
    assert(.named("purchase", params: ["order_id": order, "total": total]), accepts: .purchase)
    assert(
      .named("purchase", params: ["order_id": .equal(to: order), "total": .greater(than: total - 1)]),
      accepts: .purchase)
  }

  func testByPathsToPartsOfParams() {
    assert(.named("purchase", params: ["items[0].price": .approximately(9.49, tolerance: 0.02)]), accepts: .purchase)
    assert(.named("purchase", params: ["items[1].tags": [], "items[0].tags[1]": "sale"]), accepts: .purchase)
    assert(.named("purchase", params: ["items[2]": .absent, "items[0].name": .absent]), accepts: .purchase)
    assert(.named("purchase", params: ["items[2].price": .any]), accepts: .purchase, false)
    assert(.named("purchase", params: ["items[-1]": .any]), accepts: .purchase, false)
    assert(.named("purchase", params: ["items[0": .absent, "items[a]": .absent, "": .absent]), accepts: .purchase)
  }

  func testAParamWhoseNameHoldsADotIsThatParam() {
    assert(.params(["page.name": "cart"]), accepts: .purchase)
    let both = TrackingEvent.purchase.with("page", ["name": "main"])
    assert(.params(["page.name": "cart"]), accepts: both)
    assert(.params(["page": .object(["name": "main"])]), accepts: both)
    let deep = TrackingEvent(name: "seen", params: ["page.info": ["a.b": ["c": 1]], "page": ["info": ["x": 2]]])
    assert(.params(["page.info.a.b.c": 1, "page.info.x": 2]), accepts: deep)
  }

  func testByExactEvent() {
    assert(.equal(to: .purchase), accepts: .purchase)
    assert(.equal(to: .purchase), accepts: .purchase.with("debug", true), false)
    assert(.equal(to: .purchase), accepts: .purchase.with("coupon", .none), false)
  }

  func testByTypedEvent() {
    let event = TrackingEvent(AddedToCart(productID: "42", quantity: 2))
    assert(.typed(AddedToCart.self), accepts: event)
    assert(.typed(AddedToCart.self) { $0.quantity == 2 }, accepts: event)
    assert(.typed(AddedToCart.self, "one piece") { $0.quantity == 1 }, accepts: event, false)
    assert(.typed(AddedToCart.self), accepts: event.with("quantity", "2"), false)
    assert(.typed(AddedToCart.self), accepts: event.named("removed"), false)
    assert(.equal(to: AddedToCart(productID: "42", quantity: 2)), accepts: event)
  }

  func testByCondition() {
    assert(.satisfying("seven params") { $0.params.count == 7 }, accepts: .purchase)
    assert(.satisfying("no params") { $0.params.isEmpty }, accepts: .purchase, false)
  }

  func testAndOrNot() {
    let large = EventPattern.params(["total": .greater(than: 100)])
    assert(.named("purchase").and(large), accepts: .purchase)
    assert(.named("refund").and(large), accepts: .purchase, false)
    assert(.named("refund").or(large), accepts: .purchase)
    assert(.named("refund").or(large.not()), accepts: .purchase, false)
    assert(.named("refund").not(), accepts: .purchase)
  }

  func testExactlyClosesAnEvent() {
    let event = TrackingEvent(name: "seen", params: ["screen": "main", "items": [["id": 1, "price": 2]]])
    assert(.named("seen").exact(), accepts: event, false)
    assert(.named("seen", params: [.screen: "main"]).exact(), accepts: event, false)
    assert(.named("seen", params: [.screen: "main", "items[0].id": 1]).exact(), accepts: event)
    assert(.named("seen", params: [.screen: .any, "items": .any, "note": .absent]).exact(), accepts: event)
    assert(.named("seen", params: [.screen: .any]).and(.params(["items": .any])).exact(), accepts: event)
    assert(.equal(to: event).exact(), accepts: event)
    assert(.satisfying("two params") { $0.params.count == 2 }.exact(), accepts: event, false)
  }

  func testExactlyClosesEachAlternativeByItself() {
    let pattern = EventPattern.named("a", params: ["x": 1]).or(.named("a", params: ["y": 1])).exact()
    assert(pattern, accepts: TrackingEvent(name: "a", params: ["x": 1]))
    assert(pattern, accepts: TrackingEvent(name: "a", params: ["x": 1, "y": 1]), false)
    let joined = EventPattern.named("a").and(.params(["x": 1]).or(.params(["y": 1]))).exact()
    assert(joined, accepts: TrackingEvent(name: "a", params: ["y": 1]))
    assert(joined, accepts: TrackingEvent(name: "a", params: ["y": 1, "z": 1]), false)
  }

  func testATypedEventThatIsClosedHasNoParamsThatItsTypeDoesNotKnow() {
    let event = TrackingEvent(AddedToCart(productID: "42", quantity: 2))
    assert(.typed(AddedToCart.self).exact(), accepts: event)
    assert(.typed(AddedToCart.self).exact(), accepts: event.with("price", .some(.null)))
    assert(.typed(AddedToCart.self).exact(), accepts: event.with("debug", true), false)
  }

  func testPatternsOfOneNameHaveAName() {
    XCTAssertEqual(EventPattern.named("a").name, "a")
    XCTAssertEqual(EventPattern.named("a", params: ["x": 1]).exact().lenient().name, "a")
    XCTAssertEqual(EventPattern.equal(to: .purchase).name, "purchase")
    XCTAssertEqual(EventPattern.typed(AddedToCart.self).name, "added_to_cart")
    XCTAssertEqual(EventPattern.params(["x": 1]).and(.named("a")).name, "a")
    XCTAssertEqual(EventPattern.named("a").or(.named("a", params: ["x": 1])).name, "a")
    XCTAssertNil(EventPattern.named("a").or(.named("b")).name)
    XCTAssertNil(EventPattern.named("a").or(.any).name)
    XCTAssertNil(EventPattern.named("a").not().name)
    XCTAssertEqual(EventPattern.named("a").not().not().name, "a")
    XCTAssertNil(EventPattern.params(["x": 1]).name)
    XCTAssertNil(EventPattern.satisfying("x") { _ in true }.name)
  }

  func testAnInvalidPatternMatchesNothingInAnyCombination() {
    let broken = EventPattern.named("purchase", params: ["order_id": .not(.matches("A-("))])
    let problem = "\"A-(\" is not a regular expression: expected ')'"
    for pattern in [broken, broken.not(), broken.or(.any), EventPattern.any.and(broken), broken.exact().lenient()] {
      XCTAssertEqual(pattern.problem?.reason, problem)
      XCTAssertEqual(pattern.mismatch(of: .purchase)?.differences, [.condition(problem)])
      XCTAssertEqual(pattern.mismatch(of: .tapped)?.differences, [.condition(problem)])
    }
    assertText(
      broken.description,
      """
      an event named "purchase" with order_id: not a text that matches /A-(/ (which cannot match: \(problem))
      """)
  }

  func testAClosureThatChangesItsResultStillLeavesADifference() {
    let looks = Locked(0)
    let pattern = EventPattern.satisfying("a second look") { _ in
      looks.withLock { looks in
        looks += 1
        return looks > 1
      }
    }
    let mismatch = pattern.mismatch(of: .tapped)
    XCTAssertEqual(mismatch?.differences, [.condition("a condition that held when it was checked again")])
    XCTAssertGreaterThan(mismatch?.distance ?? 0, 0)
  }
}
