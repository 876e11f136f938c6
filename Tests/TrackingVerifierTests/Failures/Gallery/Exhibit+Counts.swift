import TestSupport
@testable import TrackingChecks

@testable import TrackingVerifier

extension Exhibit {
  /// Waits for one event or for several of a kind.
  static let ofCounts = [
    Exhibit(
      "No app connected", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "was launched without `launchEnvironment`.", .one(.named("purchase"))
    ) { $0.connections = 0 },
    Exhibit(
      "An app connected and tracked nothing", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "was launched, and tracked no event.", .one(.named("purchase"))
    ) { _ in },
    Exhibit(
      "A double was created and tracked nothing", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "created its `TrackerDouble`, and tracked no event.", .one(.named("purchase"))
    ) { $0.hello(of: "k3j.1.shop", at: 200) },
    Exhibit(
      "An app that is gone before it tracked anything", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "crashed 0.3 s after it had created its `TrackerDouble`.", .one(.named("purchase"))
    ) {
      $0.hello(of: "k3j.1.shop", at: 200)
      $0.close(at: 500)
    },
    Exhibit(
      "A program that ended", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "is a program that a `TestApp` launched, and exited after its start.", .one(.named("purchase")),
      .programsEnded
    ) {
      $0.add("app_opened", at: 10)
      $0.programEnd = "The program exited with status 0"
    },
    Exhibit(
      "An app that is running and silent", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "showed the cart and hung.", .one(.named("purchase"))
    ) {
      $0.add("app_opened", at: 10)
      $0.add("cart_shown", ["items": 2], at: 2100)
      $0.isAppRunning = true
    },
    Exhibit(
      "The backend has no stub for what the app requests", test: "verifier.wait(for: .named(\"books_shown\"))",
      did: "requested its books, got a 404 and showed none.", .one(.named("books_shown"))
    ) {
      $0.add("app_opened", at: 10)
      $0.request("GET", "/1.0/books?lang=en", at: 30)
      $0.request("GET", "/1.0/books?lang=en", at: 530)
    },
    Exhibit(
      "No app was launched", test: "verifier.wait(for: .named(\"purchase\"))",
      did: "was launched without `verifier.launchEnvironment`, and no other app was launched.", .one(.named("purchase"))
    ) { $0.connections = nil },
    Exhibit(
      "A misspelt name", test: "verifier.wait(for: .named(\"checkout_started\"))",
      did: "tracked `checkout_strated`.", .one(.named("checkout_started"))
    ) {
      $0.add("cart_shown", ["items": 2], at: 10)
      $0.add("checkout_strated", ["step": 1], at: 120)
    },
    Exhibit(
      "A capital letter",
      test: "verifier.wait(for: .init(name: \"screen_shown\", params: [.screen: \"cart\", \"items\": 2]))",
      did: "wrote the screen with a capital.",
      .one(.equal(to: TrackingEvent(name: "screen_shown", params: [.screen: "cart", "items": 2])))
    ) { $0.add("screen_shown", [.screen: "Cart", "items": 2], at: 120) },
    Exhibit(
      "The right text of the wrong type", test: "verifier.wait(for: AddedToCart(productID: \"42\", quantity: 1))",
      did: "sent the quantity as a string.",
      .one(.equal(to: TrackingEvent(AddedToCart(productID: "42", quantity: 1))))
    ) { $0.add("added_to_cart", ["product_id": "42", "quantity": "1"], at: 120) },
    Exhibit(
      "A wrong value deep inside",
      test: "verifier.wait(for: .named(\"purchase\", params: [\"items[0].price\": .less(than: 9)]))",
      did: "sold the first item for 9.5.", .one(.named("purchase", params: ["items[0].price": .less(than: 9)]))
    ) { $0.add(.purchase, at: 120) },
    Exhibit(
      "A param too many and one too few",
      test: "verifier.wait(for: .named(\"purchase\", params: [\"total\": 30, \"currency\": \"EUR\"]).exact())",
      did: "sent a coupon and no currency.",
      .one(.named("purchase", params: ["total": 30, "currency": "EUR"]).exact())
    ) { $0.add("purchase", ["total": 30, "coupon": "SPRING"], at: 120) },
    Exhibit(
      "A condition that does not hold",
      test: "verifier.wait(for: .satisfying(\"a total of whole euros\") { isWhole($0.params[\"total\"]) })",
      did: "tracked a total of 30.5.", .one(.satisfying("a total of whole euros") { _ in false })
    ) { $0.add("purchase", ["total": 30.5], at: 120) },
    Exhibit(
      "Too few events", test: "verifier.wait(for: .named(\"purchase\"), count: .atLeast(3))",
      did: "tracked two, and something of a similar name.", .count(.atLeast(3), of: .named("purchase"))
    ) {
      $0.add("purchase", ["total": 30], at: 340)
      $0.add("purchase", ["total": 31], at: 900)
      $0.add("purchased", ["total": 32], at: 1900)
    },
    Exhibit(
      "A match before the mark", test: "verifier.wait(for: .named(\"button_tapped\"), since: mark)",
      did: "tracked the tap before the mark was taken.", .one(.named("button_tapped")), since: 2
    ) {
      $0.add("button_tapped", at: -340)
      $0.add("cart_shown", at: 10)
    },
    Exhibit(
      "A rejected event", test: "verifier.wait(for: .named(\"purchase\"))", did: "wrote invalid JSON.",
      .one(.named("purchase"))
    ) {
      $0.add("cart_shown", at: 10)
      $0.reject(body: "{\"name\": \"purchase\", \"params\": {\"price\": 09}}")
    },
    Exhibit(
      "Too many", test: "verifier.wait(for: .named(\"purchase\"), count: 1)", did: "tracked it twice.",
      .count(1, of: .named("purchase"))
    ) {
      $0.add("cart_shown", ["items": 2], at: 10)
      $0.add("purchase", ["total": 30], at: 340)
      $0.add("purchase", ["total": 31], at: 350)
    },
    Exhibit(
      "An event of an earlier launch", test: "verifier.wait(for: .named(\"app_opened\"), count: 1)",
      did: "was launched twice, and tracked it once each time.", .count(1, of: .named("app_opened"))
    ) {
      $0.add("app_opened", at: 20, launch: "k3j.1")
      $0.add("cart_shown", at: 140, launch: "k3j.1")
      $0.add("app_opened", at: 900, launch: "p9x.1")
    },
    Exhibit(
      "A long list is cut, and keeps what matters",
      test: "verifier.wait(for: .named(\"purchase\"), count: .atMost(1))",
      did: "tracked two with forty others between, one of the two with a long value.",
      .count(.atMost(1), of: .named("purchase"))
    ) { journal in
      journal.add("purchase", ["token": .string(String(repeating: "0123456789", count: 30))], at: 1)
      for index in 2...41 { journal.add("scrolled", ["offset": .int(index)], at: index * 10) }
      journal.add("purchase", at: 420)
    },
  ]
}
