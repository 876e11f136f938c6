import TestSupport
import TrackingJSON
import TrackingPatterns
import TrackingRules
import TrackingPlan
@testable import TrackingCommand

@testable import TrackingAudit
@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

/// Tests of a shop, each once as it should be and once with one assertion that is weaker: the report names what was weakened, and nothing else.
final class WeakenedTests: MutationTestCase {
  private struct AddedToCart: TrackingSchema {
    static let eventName = "added_to_cart"
    var productID: String
    var quantity: Int
    var isGift: Bool

    enum CodingKeys: String, CodingKey {
      case productID = "product_id"
      case quantity, isGift
    }
  }

  private static let journey: [TrackingEvent] = [
    .init(name: "screen_viewed", params: ["screen": "home"]),
    .init(name: "added_to_cart", params: ["product_id": "A-42", "quantity": 2, "isGift": false]),
    .init(name: "screen_viewed", params: ["screen": "cart"]),
    .init(
      name: "order_placed",
      params: [
        "total": 120, "currency": "EUR", "coupon": nil, "express": true, "placed_at": "2026-11-21T10:00:00Z",
        "items": [["id": "42", "price": 9.5], ["id": "7", "price": 101]], "tags": ["new", "sale"],
      ]),
  ]

  private struct Weakening {
    let name: String
    let strong: (TrackingVerifier) -> Void
    let weak: (TrackingVerifier) -> Void
    /// The findings of the strong test that the weak one doesn't have.
    let lost: Set<String>
    /// The findings of the weak test that the strong one doesn't have.
    var gained: Set<String> = []
    var line: UInt

    init(
      _ name: String, lost: Set<String>, gained: Set<String> = [], line: UInt = #line,
      _ strong: @escaping (TrackingVerifier) -> Void, weak: @escaping (TrackingVerifier) -> Void
    ) {
      (self.name, self.strong, self.weak, self.lost, self.gained, self.line) = (name, strong, weak, lost, gained, line)
    }
  }

  /// A weakening of the condition on one param of `order_placed`.
  private func param(
    _ param: TrackingParam, _ strong: ValueMatcher, _ weak: ValueMatcher?, partly: Bool = true,
    elements: Set<String> = [], line: UInt = #line
  ) -> Weakening {
    let place = "order_placed.\(param.key)"
    return Weakening(
      "\(param): \(weak.map { "\($0)" } ?? "nothing")", lost: elements.union(["\(place) by check"]),
      gained: partly ? ["\(place) partly by check"] : [], line: line
    ) {
      $0.wait(for: .named("order_placed", params: [param: strong]))
    } weak: {
      $0.wait(for: .named("order_placed", params: weak.map { [param: $0] } ?? [:]))
    }
  }

  private var weakenings: [Weakening] {
    [
      // Conditions on params.
      param("total", 120, .greater(than: 100)),
      param("total", 120, .anyNumber),
      param("total", 120, .any),
      param("total", 120, nil, partly: false),
      param("total", .in(120...120), .atMost(120)),
      param("total", .approximately(120, tolerance: 0.5), .approximately(120, tolerance: 5)),
      param("currency", "EUR", .anyString),
      param("currency", "EUR", .hasPrefix("E")),
      param("currency", "EUR", .contains("U")),
      param("currency", .matches("[A-Z]{3}"), .matches("[A-Za-z]*")),
      param("currency", "EUR", .not("USD"), partly: false),
      param("coupon", nil, .any),
      param("express", true, .anyBoolean),
      param("placed_at", "2026-11-21T10:00:00Z", .greater(than: "2026-01-01T00:00:00Z")),
      param("tags", ["new", "sale"], .anyArray, elements: ["order_placed.tags[] by check"]),
      param("tags", .count(2), .count(.atLeast(1))),
      Weakening(
        "a param of an element", lost: ["order_placed.items[].price by check"],
        gained: ["order_placed.items[].price partly by check"]
      ) {
        $0.wait(for: .named("order_placed", params: ["items[0].price": 9.5]))
      } weak: {
        $0.wait(for: .named("order_placed", params: ["items[0].price": .greater(than: 0)]))
      },
      Weakening(
        "a typed event without its value",
        lost: [
          "added_to_cart.quantity by check", "added_to_cart.isGift by check",
          "added_to_cart.product_id by check", "added_to_cart extended",
        ],
        gained: [
          "added_to_cart.quantity partly by check", "added_to_cart.isGift partly by check",
          "added_to_cart.product_id partly by check",
        ]
      ) {
        $0.wait(for: AddedToCart(productID: "A-42", quantity: 2, isGift: false))
      } weak: {
        $0.wait(for: .typed(AddedToCart.self))
      },
      Weakening(
        "a closure's condition", lost: ["added_to_cart.quantity by check"],
        gained: ["added_to_cart.quantity partly by check"]
      ) {
        $0.wait(for: .typed(AddedToCart.self) { $0.quantity == 2 })
      } weak: {
        $0.wait(for: .typed(AddedToCart.self) { $0.quantity > 0 })
      },
      Weakening("no other params", lost: ["order_placed extended"]) {
        $0.wait(for: .named("order_placed", params: Self.names).exact())
      } weak: {
        $0.wait(for: .named("order_placed", params: Self.names))
      },
      // Conditions on events.
      Weakening("an exact count", lost: ["screen_viewed doubled"]) {
        $0.wait(for: .named("screen_viewed"), count: 2)
      } weak: {
        $0.wait(for: .named("screen_viewed"), count: 2...)
      },
      Weakening("a least count", lost: ["screen_viewed missing", "screen_viewed renamed"]) {
        $0.wait(for: .named("screen_viewed"), count: 2...)
      } weak: {
        $0.wait(for: .named("screen_viewed"))
      },
      Weakening(
        "an order", lost: ["added_to_cart exchanged", "screen_viewed exchanged"]
      ) {
        $0.wait(for: .inOrder([.named("added_to_cart"), .named("screen_viewed", params: ["screen": "cart"])]))
      } weak: {
        $0.wait(for: .inAnyOrder([.named("added_to_cart"), .named("screen_viewed", params: ["screen": "cart"])]))
      },
      Weakening("nothing between", lost: ["order_placed exchanged", "added_to_cart doubled"]) {
        $0.wait(for: .consecutive([.named("screen_viewed"), .named("added_to_cart"), .named("screen_viewed")]))
      } weak: {
        $0.wait(for: .inOrder([.named("screen_viewed"), .named("added_to_cart"), .named("screen_viewed")]))
      },
      Weakening("two next", lost: ["screen_viewed missing", "screen_viewed renamed"]) {
        $0.wait(for: .next(.named("screen_viewed")))
        $0.wait(for: .next(.named("screen_viewed")))
      } weak: {
        $0.wait(for: .named("screen_viewed"))
        $0.wait(for: .named("screen_viewed"))
      },
      Weakening("the second of two waits", lost: ["added_to_cart missing", "added_to_cart renamed"]) {
        $0.wait(for: .named("order_placed"))
        $0.wait(for: .named("added_to_cart"))
      } weak: {
        $0.wait(for: .named("order_placed"))
      },
      Weakening("no duplicates", lost: ["order_placed doubled"]) {
        $0.wait(for: .noDuplicates(within: 0.01))
      } weak: {
        $0.wait(for: .noDuplicates(within: 0.01, ignoring: [.named("order_placed")]))
      },
      Weakening("nothing else", lost: ["screen_viewed renamed", "added_to_cart doubled", "order_placed doubled"]) {
        Self.waitForAll($0)
        $0.wait(for: .nothingElse())
      } weak: {
        Self.waitForAll($0)
      },
      Weakening("an absence", lost: ["order_placed renamed"]) {
        $0.wait(for: .none(of: .named("order_placedx")))
      } weak: {
        $0.wait(for: .none(of: .named("order_lost")))
      },
      Weakening("a rule", lost: ["order_placed.currency partly by check"]) {
        $0.wait(for: .noPersonalData(of: ["EURx"]))
      } weak: {
        $0.wait(for: .noPersonalData(of: ["EURx"], allowing: ["currency"]))
      },
      // Whether a test checks an outcome isn't known.
      Weakening("a silent outcome", lost: []) {
        XCTAssertTrue($0.outcome(of: .count(1, of: .named("added_to_cart"))).passed)
      } weak: {
        XCTAssertTrue($0.outcome(of: .count(.atMost(1), of: .named("added_to_cart"))).passed)
      },
      Weakening(
        "an expectation", lost: ["order_placed missing", "order_placed renamed"]
      ) {
        _ = $0.expectation(for: .named("order_placed"), count: 1)
      } weak: {
        _ = $0.expectation(for: .named("order_placed"), count: .atMost(1))
      },
    ]
  }

  private static let names: [TrackingParam: ValueMatcher] = [
    "total": .any, "currency": .any, "coupon": .any, "express": .any, "placed_at": .any, "items": .any, "tags": .any,
  ]

  private static func waitForAll(_ verifier: TrackingVerifier) {
    verifier.wait(for: .named("screen_viewed"), count: .atLeast(1))
    verifier.wait(for: .next(.named("added_to_cart")))
    verifier.wait(for: .next(.named("order_placed")))
  }

  /// The findings in the JSON of `coverage`.
  private func reported(_ report: MutationReport) throws -> Set<String> {
    var observation = ObservationCollector().observation(id: "1", test: "T.t")
    observation.mutants = report
    let json = JSONTree(of: try XCTUnwrap(ObservedEvents([observation]).noticed).value)
    var found: Set<String> = []
    for event in (json["events"]?.elements ?? []) + (json["requests"]?.elements ?? []) {
      let name = try XCTUnwrap(event["name"]?.string)
      for change in event["noticed"]?.elements ?? [] { found.insert("\(name) \(change.string ?? "")") }
      for param in event["params"]?.elements ?? [] {
        let place = "\(name).\(param["path"]?.string ?? "")"
        if let pinned = param["pinned"]?.string, ["check", "plan"].contains(pinned) {
          found.insert("\(place) by \(pinned)")
        }
        if let partly = param["partly"]?.string { found.insert("\(place) partly by \(partly)") }
      }
    }
    XCTAssertEqual(found, self.found(report))
    return found
  }

  func testTheReportNamesWhatWasWeakenedAndNothingElse() throws {
    XCTAssertGreaterThanOrEqual(weakenings.count, 30)
    for weakening in weakenings {
      let reports = try [weakening.strong, weakening.weak].map { checks in
        try reported(
          try report { verifier in
            for event in Self.journey { verifier.tracker.trackEvent(event) }
            checks(verifier)
          })
      }
      XCTAssertEqual(reports[0].subtracting(reports[1]), weakening.lost, weakening.name, line: weakening.line)
      XCTAssertEqual(reports[1].subtracting(reports[0]), weakening.gained, weakening.name, line: weakening.line)
    }
  }
}
