import TestSupport

@testable import TrackingPatterns

/// The difference between an event and a pattern as failures show it: whole texts, to be read as examples.
final class EventDiffTests: XCTestCase {
  func testTheSummaryOfABrokenRuleIsASentence() {
    func summary(_ keyword: String, _ path: String, _ reason: String) -> String {
      EventDiff.summary(
        of: EventMismatch([.rule(path: path, keyword: keyword, found: nil, reason: reason)]))
    }
    XCTAssertEqual(summary("required", "order.total", "is missing"), #"has no "order.total""#)
    XCTAssertEqual(summary("additionalProperties", "totl", "is not in the schema"), #"has an extra "totl""#)
    XCTAssertEqual(
      summary("minimum", "total", "1, expected a number of at least 5"), "has total: 1, expected a number of at least 5"
    )
  }

  func testProgramsGetAnExpectedValueAsItIsAndAMatcherInWords() {
    let pattern = EventPattern.named(
      "placed",
      params: [
        "a": 1, "b": .satisfying("3") { _ in false }, "c": .satisfying("true") { _ in false }, "d": ["x", nil],
        "e": .greater(than: 2),
      ])
    let differences =
      pattern.mismatch(of: TrackingEvent(name: "placed", params: ["a": "1", "b": 2, "f": 1]))?.differences ?? []
    XCTAssertEqual(differences.map(\.path), ["a", "b", "c", "d", "e"])
    XCTAssertEqual(differences.map(\.expected.value), [1, "3", "true", ["x", nil], "greater than 2"])
    XCTAssertEqual(differences.map(\.found), ["1", 2, nil, nil, nil])
    XCTAssertEqual(
      differences.map(\.reason),
      [
        #"is "1", not 1 ("1" is a string, expected the number 1)"#, "is 2, expected 3", "is missing", "is missing",
        "is missing",
      ])
  }

  private func assert(
    _ event: TrackingEvent, _ pattern: EventPattern, _ text: String, file: StaticString = #filePath, line: UInt = #line
  ) {
    assertText(EventDiff.text(event, pattern), text, file: file, line: line)
  }

  func testEqualParamsAreCountedAndNotShown() {
    assert(
      .purchase.with("total", 80), .equal(to: .purchase),
      """
        purchase
      - total: 120
      + total: 80
        (6 equal params)
      """)
  }

  func testAMisspeltName() {
    assert(
      .purchase.named("purchse"), .equal(to: .purchase),
      """
      - purchase
      + purchse
        (7 equal params)
      """)
    assert(.tapped, .named("purchase"), "- purchase\n+ button_tapped")
  }

  func testMissingAndExtraParams() {
    assert(
      .purchase.with("gift", .none).with("debug", true), .equal(to: .purchase),
      """
        purchase
      + debug: true
      - gift: true
        (6 equal params)
      """)
    assert(
      .purchase.with("coupon", .none), .equal(to: .purchase),
      """
        purchase
      - coupon: null   (null is a value, and there is none)
        (6 equal params)
      """)
  }

  func testNestedParamsAreShownByTheirLeaves() {
    let sent = TrackingEvent.purchase.with(
      "items", [["id": "42", "price": 9.75, "tags": ["new"]], ["id": "43", "price": 101, "tags": [], "gift": true]])
    assert(
      sent, .equal(to: .purchase),
      """
        purchase
      - items[0].price: 9.5
      + items[0].price: 9.75
      - items[0].tags[1]: "sale"
      + items[1].gift: true
        (6 equal params)
      """)
  }

  func testMatchersAreShownInWords() {
    let pattern = EventPattern.named(
      "purchase",
      params: [
        "total": .greater(than: 200), "currency": .one(of: ["USD", "GBP"]),
        "items[0].price": .approximately(9.4, tolerance: 0.05),
        "order_id": .matches(#"\d+"#), "gift": true, "coupon": .absent, "items[1].id": .anyNumber,
      ])
    assert(
      .purchase, pattern,
      #"""
        purchase
      - coupon: absent
      + coupon: null   (null is a value)
      - currency: one of "USD", "GBP"
      + currency: "EUR"
      - items[0].price: 9.4, give or take 0.05
      + items[0].price: 9.5   (0.1 more)
      - items[1].id: a number
      + items[1].id: "43"   (it is a string)
      - order_id: a text that matches /\d+/
      + order_id: "A-000042"   (only "000042" matches, and the whole text must)
      - total: greater than 200
      + total: 120
        (1 param as expected)
      """#)
  }

  func testMatchersOfArraysAndObjects() {
    let items: [TrackingParam: ValueMatcher] = ["items": .each(.object(["price": .less(than: 100), "id": .anyString]))]
    assert(
      .purchase, .named("purchase", params: items),
      """
        purchase
      - items[1].price: less than 100
      + items[1].price: 101
      """)
    assert(
      .purchase, .named("purchase", params: ["items": .count(3), "items[0].tags": .contains(element: "old")]),
      """
        purchase
      - items: an array whose count is 3
      + items: [{"id": "42", "price": 9.5, "tags": ["new", "sale" … (of 93) … rice": 101, "tags": []}]
          (its count is 2)
      - items[0].tags: an array with an element that is "old"
      + items[0].tags: ["new", "sale"]
      """)
  }

  func testAMissingParamNamesASimilarOne() {
    let sent = TrackingEvent(name: "added", params: ["productId": "42", "items": [["prize": 9.5]], "note": "-"])
    assert(
      sent,
      .named("added", params: ["product_id": "42", "items[0].price": 9.5, "items[1].price": .any, "coupon": "X"]),
      """
        added
      - coupon: "X"
      - items[0].price: 9.5
      + items[0]: {"prize": 9.5}   (the path ends here)
      - items[1].price: any value
      + items: [{"prize": 9.5}]   (the path ends here)
      - product_id: "42"
      + productId: "42"   (has a similar name)
      """)
  }

  func testAClosedPatternShowsTheExtraParams() {
    assert(
      .tapped.with("debug", true),
      .named("button_tapped", params: [.screen: .hasPrefix("main"), .eventName: .any]).exact(),
      """
        button_tapped
      + debug: true
        (2 params as expected)
      """)
  }

  func testADescribedConditionIsShownWithTheWholeEvent() {
    assert(
      .tapped, .satisfying("three params") { $0.params.count == 3 },
      """
        button_tapped
      - three params
        event_name: "button1_tapped"
        screen: "main_screen"
      """)
    assert(
      .tapped, .named("button_tapped").not(),
      """
        button_tapped
      - anything but an event named "button_tapped"
        event_name: "button1_tapped"
        screen: "main_screen"
      """)
    assert(
      TrackingEvent(name: "seen", params: ["number": 3]),
      .named("seen", params: ["number": .satisfying("an even number") { _ in false }]),
      """
        seen
      - number: an even number
      + number: 3
      """)
  }

  func testATypedEventSaysWhyItCannotBeRead() {
    let sent = TrackingEvent(AddedToCart(productID: "42", quantity: 2)).with("quantity", "2")
    assert(
      sent, .typed(AddedToCart.self),
      """
        added_to_cart
      - quantity: Int
      + quantity: "2"   (it is a string)
        product_id: "42"
      """)
    assert(
      sent.with("quantity", .none).with("quantiti", 2), .typed(AddedToCart.self),
      """
        added_to_cart
      - quantity: Int
      + quantiti: 2   (has a similar name)
        product_id: "42"
      """)
    assert(
      sent.with("quantity", .none), .typed(AddedToCart.self),
      """
        added_to_cart
      - quantity: Int
        product_id: "42"
      """)
  }

  func testAParamOfAnEqualEventNamesASimilarOne() {
    let sent = TrackingEvent(name: "added_to_cart", params: ["productId": "42", "quantity": 2])
    assert(
      sent, .equal(to: AddedToCart(productID: "42", quantity: 2)),
      """
        added_to_cart
      - product_id: "42"
      + productId: "42"   (has a similar name)
        (1 equal param)
      """)
  }

  func testALongReasonWhyATypedEventCannotBeReadIsShownWhole() {
    struct Visit: TrackingSchema {
      static let eventName = "visit"
      var kind: Kind
      enum Kind: String, Codable { case aFirstVisit, aReturningVisit }
    }
    let visit = TrackingEvent(
      name: "visit", params: ["kind": "a visit of who knows which kind, and that in a long text"])
    let lines = EventPattern.typed(Visit.self).mismatch(of: visit).map { EventDiff.lines(for: visit, $0) } ?? []
    let reason = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    XCTAssertFalse(reason.contains("characters ..."), reason)
    XCTAssertTrue(reason.contains("- kind: a value that Visit can be made of + kind: "), reason)
    XCTAssertTrue(reason.contains("(Cannot initialize Kind from invalid String value"), reason)
    XCTAssertTrue(
      reason.contains(#"found the string "a visit of who knows which kind, and that in a long text""#), reason)
    XCTAssertTrue(lines.allSatisfy { $0.count <= 96 }, "\(lines)")
  }

  func testAnInvalidPatternSaysWhatIsWrongWithIt() {
    assert(
      .tapped, .named("button_tapped", params: [.screen: .matches("main(")]),
      """
        button_tapped
      - "main(" is not a regular expression: expected ')'
        event_name: "button1_tapped"
        screen: "main_screen"
      """)
  }

  func testOfAlternativesTheNearestIsShown() {
    assert(
      .tapped, .named("purchase").or(.named("button_tapped", params: [.screen: "cart"])),
      """
        button_tapped
      - screen: "cart"
      + screen: "main_screen"
      """)
  }

  func testANameOfTwoPatternsIsShownOnce() {
    assert(
      .tapped, .named("purchase").and(.named("purchase", params: ["total": 3])),
      """
      - purchase
      + button_tapped
      - total: 3
      """)
  }
}
