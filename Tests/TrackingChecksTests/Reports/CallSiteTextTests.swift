import TestSupport
import TrackingRules

@testable import TrackingModel
@testable import TrackingChecks
@testable import TrackingServer

/// The lines of an app in the texts of failures: beside each event that a failure is about, and nowhere else.
final class CallSiteTextTests: XCTestCase {
  private var journal = HandMadeJournal()

  private func add(
    _ name: String, _ params: [TrackingParam: TrackingValue] = [:], at milliseconds: Int, _ site: String?
  ) {
    let event = TrackingEvent(name: name, params: params)
    journal.add(site.flatMap(CallSite.init).map(event.at) ?? event, at: milliseconds)
  }

  /// The lines of a failure that name a line of the app.
  private func sites(_ check: TrackingCheck<CheckOutcome>, since origin: Int = 1) -> [String] {
    let lines = journal.failure(of: check, since: origin).text.split(separator: "\n").map(String.init)
    return lines.filter { $0.contains("tracked") || $0.contains(".swift") || $0.contains(".py") }
  }

  func testTwoEqualEventsOfTwoFiles() {
    add("cart_shown", at: 10, "Shop/CartView.swift:12")
    add("order_placed", ["total": 4200], at: 20, "Shop/CheckoutModel.swift:41")
    add("order_placed", ["total": 4200], at: 61, "Shop/CheckoutView.swift:88")
    assertText(
      journal.failure(of: .noDuplicates(within: 1)).text,
      """
      Two equal events, #2 and #3, arrived 41 ms apart: order_placed(total: 4200)
      #2 was tracked at CheckoutModel.swift:41, #3 at CheckoutView.swift:88

      Received, by time since the wait began:
          #1  +10 ms         cart_shown()
          #2  +20 ms  equal  order_placed(total: 4200)
          #3  +61 ms  equal  order_placed(total: 4200)
      """)
  }

  func testTwoEventsOfOneLineSayItOnce() {
    add("a", at: 10, "Shop/A.swift:1")
    add("a", at: 11, "Shop/A.swift:1")
    XCTAssertEqual(sites(.noDuplicates(within: 1)), ["#1 and #2 were tracked, both at A.swift:1"])
  }

  func testTheModuleIsShownWhereTwoFilesShareAName() {
    add("a", at: 10, "Shop/Model.swift:1")
    add("b", at: 11, "Cart/Model.swift:2")
    add("b", at: 12, "Cart/View.swift:3")
    XCTAssertEqual(
      sites(.noDuplicates(within: 1)), ["#2 was tracked at Cart/Model.swift:2, #3 at View.swift:3"])
  }

  func testSitesOfOtherSendersAndEventsWithoutOne() {
    add("a", at: 10, nil)
    add("a", at: 11, "src/shop/cart.py:31")
    XCTAssertEqual(sites(.noDuplicates(within: 1)), ["#2 was tracked at cart.py:31"])
    add("b", at: 12, nil)
    XCTAssertEqual(sites(.none(of: .named("b"))), [])
  }

  func testExtrasAndBrokenAbsencesAndOrdersNameTheirEvents() {
    add("a", at: 10, "Shop/A.swift:1")
    add("b", at: 20, "Shop/B.swift:2")
    add("a", at: 30, "Shop/A.swift:3")
    add("c", at: 40, "Shop/C.swift:4")
    XCTAssertEqual(sites(.none(of: .named("b"))), ["#2 was tracked at B.swift:2"])
    XCTAssertEqual(sites(.none(of: .named("b"), before: .named("c"))), ["#2 was tracked at B.swift:2"])
    XCTAssertEqual(sites(.count(1, of: .named("a"))), ["#1 was tracked at A.swift:1, #3 at A.swift:3"])
    XCTAssertEqual(sites(.inOrder([.named("c"), .named("b")])), ["#2 was tracked at B.swift:2"])
    XCTAssertEqual(sites(.consecutive([.named("b"), .named("c")])), ["#3 was tracked at A.swift:3"])
    journal.matched = [1, 3]
    XCTAssertEqual(sites(.nothingElse()), ["#2 was tracked at B.swift:2, #4 at C.swift:4"])
    XCTAssertEqual(sites(.one(.named("b")), since: 3), ["#2 was tracked at B.swift:2"], "before the mark")
    XCTAssertEqual(sites(.one(.named("never"))), [], "about no event")
  }

  func testTheNearestMissNamesItsLine() {
    add("cart_shown", at: 5, "Shop/CartView.swift:12")
    add("purchase", ["total": 12], at: 10, "Shop/CheckoutModel.swift:41")
    assertText(
      journal.failure(of: .one(.named("purchase", params: ["total": 120]))).text,
      """
      No event named "purchase" with total: 120 arrived within 5 s; #2 has total: 12

      Nearest is #2, 10 ms after the wait began (- expected, + arrived):
            purchase
          - total: 120
          + total: 12
      #2 was tracked at CheckoutModel.swift:41

      Received, by time since the wait began:
          #1  +5 ms   cart_shown()
          #2  +10 ms  purchase(total: 12)
      """)
  }

  func testABrokenRuleNamesTheLineOfEachEvent() {
    add("a", at: 10, "Shop/A.swift:1")
    add("b", at: 20, "Shop/B.swift:2")
    assertText(
      journal.failure(of: .rule(NoB())).text,
      """
      1 of 2 events isn't named a: #2, b, it is named b
          #2  +20 ms  b()
              tracked at B.swift:2
              it is named b

      Received, by time since the wait began:
          #1  +10 ms                   a()
          #2  +20 ms  breaks the rule  b()
      """)
  }

  func testManyEventsOfManyLinesAreCut() {
    for number in 1...30 { add("a", at: number, "Shop/A.swift:\(number % 10)") }
    let text = journal.failure(of: .count(1, of: .named("a"))).text
    assertText(
      text.split(separator: "\n\n").first.map(String.init),
      """
      Expected exactly 1 event named "a", but 30 arrived; the extra ones are #2, #3, #4, #5, #6, #7, #8, #9 and 21 more
      #1, #11 and #21 were tracked at A.swift:1, #2, #12 and #22 at A.swift:2, #3, #13 and #23 at
      A.swift:3, #4, #14 and #24 at A.swift:4, #5, #15 and #25 at A.swift:5, 5 at other lines
      """)
  }

  func testAHostileCallSiteStaysOnItsLine() {
    add("a", at: 1, "Sh\"op/\n#9 was tracked at\u{202E}B.swift:\u{0}7")
    add("a", at: 2, "/:7")
    XCTAssertEqual(
      sites(.noDuplicates(within: 1)),
      [#"#1 was tracked at \u{A}#9 was tracked at\u{202E}B.swift:\u{0}7, #2 at /:7"#])
  }
}

private struct NoB: EventRule {
  var expectation: String { "every event to be named a" }

  func findings(in event: TrackingEvent) -> [PlanFinding] {
    event.name == "a" ? [] : [PlanFinding(kind: .limit, reason: "it is named \(event.name)")]
  }
}
