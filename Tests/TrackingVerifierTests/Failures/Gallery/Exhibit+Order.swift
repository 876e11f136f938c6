import TrackingRules

@testable import TrackingChecks
@testable import TrackingModel
@testable import TrackingVerifier

extension Exhibit {
  /// Waits for events one after the other, or in any order.
  static let ofOrder = [
    Exhibit(
      "An incomplete order",
      test: "verifier.wait(for: .inOrder([.named(\"cart_shown\"), .named(\"checkout_begun\")]))",
      did: "tracked `checkout_started` for the second.", .inOrder([.named("cart_shown"), .named("checkout_begun")])
    ) { $0.addCheckout() },
    Exhibit(
      "Any order, with one missing",
      test: "verifier.wait(for: .inAnyOrder([.named(\"purchase\"), .named(\"cart_hidden\")]))",
      did: "never hid the cart.", .inAnyOrder([.named("purchase"), .named("cart_hidden")])
    ) { $0.addCheckout() },
    Exhibit(
      "Two patterns for one event",
      test: "verifier.wait(for: .inAnyOrder([.named(\"purchase\"), .params([\"total\": .any])]))",
      did: "tracked one event that matches both.", .inAnyOrder([.named("purchase"), .params(["total": .any])])
    ) { $0.addCheckout() },
    Exhibit(
      "The event before its request",
      test: "verifier.wait(for: .inOrder([.request(.post, \"/orders\").responded(201), .named(\"order_placed\")]))",
      did: "tracked the order before it had placed it.",
      .inOrder([.request(.post, "/orders").responded(201), .named("order_placed")])
    ) {
      $0.add("cart_shown", ["items": 2], at: 10)
      $0.add("order_placed", ["total": 30], at: 120)
      $0.request("POST", "/orders", status: 201, stub: StubEndpoint(.post, "/orders", .status(201)), at: 124)
    },
    Exhibit(
      "An event and a request that may have overtaken each other",
      test: "verifier.wait(for: .inOrder([.named(\"order_placed\"), .request(.post, \"/orders\")]))",
      did: "tracked the order and sent it at once.", .inOrder([.named("order_placed"), .request(.post, "/orders")])
    ) {
      $0.request("POST", "/orders", status: 201, stub: StubEndpoint(.post, "/orders", .status(201)), at: 120)
      $0.add("order_placed", ["total": 30], at: 121)
    },
    Exhibit(
      "The wrong order",
      test: """
        verifier.wait(for: .inOrder([.named("cart_shown"), .named("purchase"), .named("checkout_started")]))
        """,
      did: "started the checkout before the purchase.",
      .inOrder([.named("cart_shown"), .named("purchase"), .named("checkout_started")])
    ) { $0.addCheckout() },
    Exhibit(
      "Something between",
      test: "verifier.wait(for: .consecutive([.named(\"cart_shown\"), .named(\"purchase\")]))",
      did: "tracked an event between the two.", .consecutive([.named("cart_shown"), .named("purchase")])
    ) { $0.addCheckout() },
  ]

  /// Checks of what should not arrive.
  static let ofAbsence = [
    Exhibit(
      "An unexpected event", test: "verifier.wait(for: .none(of: .named(\"purchase\"), within: 1))",
      did: "tracked a purchase.", .none(of: .named("purchase"), within: 1)
    ) { $0.addCheckout() },
    Exhibit(
      "Something before the consent",
      test: "verifier.wait(for: .none(of: .any, before: .named(\"consent_given\")))",
      did: "tracked its start before it had asked for consent.", .none(of: .any, before: .named("consent_given"))
    ) {
      $0.add("app_opened", at: 20)
      $0.add("consent_given", at: 640)
    },
    Exhibit(
      "Any event", test: "verifier.wait(for: .none(of: .any, within: 1), since: mark)",
      did: "tracked that it was scrolled.",
      .none(of: .any, within: 1), since: 5
    ) {
      $0.addCheckout()
      $0.add("scrolled", ["offset": 12], at: 700)
    },
    Exhibit(
      "Events that no wait matched", test: "configuration.checksAtStop = [.nothingElse()]",
      did: "tracked four events, of which the test's waits matched two.", .nothingElse(), .testEnded,
      zero: "the first arrival"
    ) {
      $0.addCheckout()
      $0.matched = [2, 4]
    },
    Exhibit(
      "A duplicate", test: "verifier.wait(for: .noDuplicates(within: 0.5))", did: "tracked a purchase in two files.",
      .noDuplicates(within: 0.5)
    ) {
      $0.add("cart_shown", ["items": 2], at: 10)
      $0.add(purchase(at: "Shop/CheckoutModel.swift:41"), at: 340)
      $0.add(purchase(at: "Shop/CheckoutView.swift:88"), at: 460)
    },
    Exhibit(
      "An event that is not as planned", test: "verifier.wait(for: .plan)",
      did: "tracked a purchase whose total is a text.", .rule(ShopPlan())
    ) {
      $0.add("cart_shown", [:], at: 110)
      $0.add("purchase", ["total": "30"], at: 460)
    },
  ]
}

private func purchase(at site: String) -> TrackingEvent {
  let event = TrackingEvent(name: "purchase", params: ["total": 30])
  return CallSite(site).map(event.at) ?? event
}

extension HandMadeJournal {
  fileprivate func addCheckout() {
    add("app_opened", at: 0)
    add("cart_shown", ["items": 2], at: 10)
    add("checkout_started", ["step": 1], at: 120)
    add("purchase", ["total": 30], at: 340)
  }
}

/// Says what the module TrackingPlan says about a plan, which this module does not know.
private struct ShopPlan: EventRule {
  var expectation: String { "every event to match the plan \"Shop\"" }

  func findings(in event: TrackingEvent) -> [PlanFinding] {
    guard case .string(let total) = event.params["total"] else { return [] }
    return [
      PlanFinding(
        kind: .mismatch(keyword: "type"), path: "total",
        reason: "\"\(total)\" is a string, expected a number of at least 0",
        place: PlanPlace(file: "tracking-plan.json", line: 14, column: 16))
    ]
  }
}
