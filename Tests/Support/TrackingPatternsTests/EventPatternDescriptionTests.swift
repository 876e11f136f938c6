import TestSupport
import TrackingPatterns

/// The descriptions of patterns, in the words that failures use.
final class EventPatternDescriptionTests: XCTestCase {
  private func assert(_ pattern: EventPattern, _ text: String, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertEqual(pattern.description, text, file: file, line: line)
  }

  func testPatterns() {
    assert(.any, "any event")
    assert(.named("purchase"), #"an event named "purchase""#)
    assert(.params([.screen: "cart"]), #"an event with screen: "cart""#)
    assert(
      .named("purchase", params: ["total": .greater(than: 100), "items[0].id": "42"]),
      #"an event named "purchase" with items[0].id: "42", total: greater than 100"#)
    assert(.equal(to: .tapped), #"button_tapped(event_name: "button1_tapped", screen: "main_screen")"#)
    assert(.typed(AddedToCart.self), #"an event of the type AddedToCart ("added_to_cart")"#)
    assert(
      .typed(AddedToCart.self, "more than one piece") { $0.quantity > 1 },
      #"an event of the type AddedToCart ("added_to_cart") with more than one piece"#)
    assert(.satisfying("three params") { $0.params.count == 3 }, "an event with three params")
  }

  func testCombinedPatterns() {
    let a = EventPattern.named("a")
    let b = EventPattern.named("b")
    let cart = EventPattern.params([.screen: "cart"])
    assert(a.or(b).or(.named("c")), #"an event named "a" or an event named "b" or an event named "c""#)
    assert(a.or(b).and(cart), #"(an event named "a" or an event named "b") and (an event with screen: "cart")"#)
    assert(a.not(), #"anything but an event named "a""#)
    assert(a.not().not(), #"an event named "a""#)
    assert(cart.not(), #"anything but (an event with screen: "cart")"#)
    assert(cart.exact(), #"an event with screen: "cart" and no other params"#)
    assert(a.and(cart).exact(), #"(an event named "a" and (an event with screen: "cart")) and no other params"#)
    assert(cart.lenient(), #"an event with screen: "cart", numbers and texts alike"#)
  }

  func testMatchers() {
    let texts: [(ValueMatcher, String)] = [
      ("EUR", #""EUR""#), (nil, "null"), (-3, "-3"), (9.5, "9.5"), (true, "true"), (["a", 1], #"["a", 1]"#),
      (["a", .any], #"["a", any value]"#), (["id": .greater(than: 0)], #"{"id": greater than 0}"#),
      (.absent, "absent"), (.anyInteger, "a whole number"), (.not("x"), #"not "x""#),
      (.one(of: ["EUR", "USD", .absent]), #"one of "EUR", "USD", absent"#),
      (.all(of: [.any, .not("x")]), #"any value and not "x""#),
      (.not(.one(of: ["a", "b"])), #"not (one of "a", "b")"#),
      (.contains("a"), #"a text that contains "a""#), (.hasPrefix("a"), #"a text that begins with "a""#),
      (.hasSuffix("a"), #"a text that ends with "a""#), (.matches(#"\d+"#), #"a text that matches /\d+/"#),
      (.matches(#/\d+/#, as: "digits"), "a text that matches digits"),
      (.less(than: 1), "less than 1"), (.atMost(1), "at most 1"), (.greater(than: 0.5), "greater than 0.5"),
      (.atLeast(1), "at least 1"), (.in(1...5), "in 1...5"), (.in(0..<1), "in 0..<1"),
      (.approximately(9.5, tolerance: 0.01), "9.5, give or take 0.01"),
      (.each(.anyString), "an array whose every element is a string"),
      (.contains(element: "42"), #"an array with an element that is "42""#),
      (.count(.in(1...3)), "an array whose count is in 1...3"),
      (.object(["id": 1, "price.currency": "EUR"]), #"an object with id: 1, price.currency: "EUR""#),
      (.satisfying("an even number") { _ in true }, "an even number"),
    ]
    for (matcher, text) in texts {
      XCTAssertEqual(matcher.description, text)
    }
  }
}
