import TestSupport

@testable import TrackingServer
@testable import TrackingChecks

/// The whole texts of those failures that the gallery doesn't show.
final class FailureTextTests: XCTestCase {
  private var journal = HandMadeJournal()

  private func assert(
    _ check: TrackingCheck<CheckOutcome>, since origin: Int = 1, _ end: CheckEnd = .decided,
    zero: String = "the wait began", is kind: CheckFailure.Kind, _ text: String, line: UInt = #line
  ) {
    let failure = journal.failure(of: check, since: origin, end, zero: zero)
    XCTAssertEqual(failure.kind, kind, line: line)
    assertText(failure.text, text, line: line)
  }

  private func addCheckout() {
    journal.add("app_opened", at: -1200)
    journal.add("cart_shown", ["items": 2], at: 10)
    journal.add("checkout_started", ["step": 1], at: 120)
    journal.add("purchase", ["total": 30], at: 340)
  }

  // MARK: - Too few

  func testAnEventOfTheNameIsNearerThanOthers() {
    let params: [TrackingParam: ValueMatcher] = ["total": 120, "currency": "EUR", "coupon": nil, "items": 2]
    let found: [TrackingParam: TrackingValue] = ["total": 120, "currency": "EUR", "coupon": nil, "items": 2]
    journal.add("order_placed", ["total": 99], at: 120)
    journal.add("order_replaced", found.merging(["items": 3]) { $1 }, at: 140)
    journal.add("order_cancelled", found, at: 160)
    XCTAssertEqual(nearest(to: .named("order_placed", params: params)), "Nearest is #1, 120 ms after the wait began")

    // Nothing but a letter of its name is wrong.
    journal.add("order_plaed", found, at: 180)
    XCTAssertEqual(nearest(to: .named("order_placed", params: params)), "Nearest is #4, 180 ms after the wait began")
  }

  func testWithoutAnEventOfTheNameOneWithEqualParamsIsNearest() {
    journal.add("order_cancelled", ["total": 120], at: 120)
    journal.add("order_shown", ["total": 99], at: 140)
    let pattern = EntryPattern.named("purchase", params: ["total": 120])
    XCTAssertEqual(nearest(to: pattern), "Nearest is #1, 120 ms after the wait began")
  }

  private func nearest(to pattern: EntryPattern) -> String? {
    journal.failure(of: .one(pattern), since: 1).text.split(separator: "\n").first { $0.hasPrefix("Nearest is") }
      .map { String($0.prefix { $0 != "(" }.dropLast()) }
  }

  func testControlsInNamesAreEscaped() {
    journal.add("cart\u{1B}[2J\u{7}\u{0}_shown", at: 20)
    XCTAssertEqual(
      journal.failure(of: .none(of: .any, within: 5), since: 1).text.split(separator: "\n").first,
      #"Expected no event within 5 s, but #1, cart\u{1B}[2J\u{7}\u{0}_shown(), arrived after 20 ms"#)
  }

  func testAProcessThatHasNotConnectedIsNamed() {
    journal.add("app_opened", at: 10, launch: "k3j.1.Shop", sequence: 1)
    journal.add("refreshed", at: 20, launch: "w4d.1.ShopWidget", sequence: 1)
    assert(
      .one(.named("reminded").from("reminder")), is: .tooFew,
      """
      No event named "reminded" from the process "reminder" arrived within 5 s; no process named "reminder" has connected
      Only "Shop" and "ShopWidget" have connected, not "reminder": an extension, or an app that the system
      launches, connects with `TrackerDouble(appGroup:)`.

      Received, by time since the wait began:
          #1  +10 ms  Shop        app_opened()
          #2  +20 ms  ShopWidget  refreshed()
      """)
    assert(
      .one(.named("refreshed").from("reminder")), is: .tooFew,
      """
      No event named "refreshed" from the process "reminder" arrived within 5 s; #2 is from "ShopWidget"
      Only "Shop" and "ShopWidget" have connected, not "reminder": an extension, or an app that the system
      launches, connects with `TrackerDouble(appGroup:)`.

      Nearest is #2, 20 ms after the wait began (- expected, + arrived):
            refreshed
          - from the process "reminder"
          + from the process "ShopWidget"

      Received, by time since the wait began:
          #1  +10 ms  Shop        app_opened()
          #2  +20 ms  ShopWidget  refreshed()
      """)
  }

  func testEntriesOfSeveralProcessesNameTheirs() {
    journal.add("app_opened", at: -900, launch: "k3j.1.Shop", sequence: 1)
    journal.add("app_opened", at: -100, launch: "p9x.1.Shop", sequence: 1)
    journal.add("refreshed", ["count": 2], at: 20, launch: "w4d.1.ShopWidget", sequence: 1)
    journal.add("refreshed", ["count": 2], at: 30, launch: "p9x.1.Shop", sequence: 2)
    assert(
      .one(.named("refreshed", params: ["count": 3]).from("ShopWidget")), is: .tooFew,
      """
      No match of (an event named "refreshed" with count: 3) from the process "ShopWidget" arrived within 5 s; #3 has count: 2

      Nearest is #3, 20 ms after the wait began (- expected, + arrived):
            refreshed
          - count: 3
          + count: 2

      Received, by time since the wait began:
          #1  -900 ms  Shop        from an earlier launch  app_opened()
          #2  -100 ms  Shop                                app_opened()
          #3  +20 ms   ShopWidget                          refreshed(count: 2)
          #4  +30 ms   Shop                                refreshed(count: 2)
      """)
  }

  func testRejectedLostAndFromAnotherSession() {
    journal.add("cart_shown", at: 10, launch: "k3j.1", sequence: 4)
    journal.add("cart_shown", at: 10, launch: "k3j.1", sequence: 6)
    journal.add("cart_shown", at: 10, launch: "k3j.1", sequence: 9)
    journal.reject(
      "expected a value, found \"}\"", path: "params.price", body: "{\"name\": \"purchase\", \"params\": {\"price\":}}")
    journal.reject(RejectedSubmission.otherSessionReason, body: "{}", status: 403, at: 20)
    assert(
      .one(.named("purchase")), is: .tooFew,
      """
      No event named "purchase" arrived within 5 s; #4 was rejected (400): params.price: expected a value, found "}"

      Received, by time since the wait began:
          #1  +10 ms  cart_shown()
          #2  +10 ms  cart_shown()
          #3  +10 ms  cart_shown()
          #4  +0 ms   a rejected submission (400)
          #5  +20 ms  a rejected submission (403)

      Its body:
          {"name": "purchase", "params": {"price":}}

      1 submission came from an app of another session and was refused: is an app that an earlier test
      launched still running?

      Tracked but never arrived: 6 of 9 events of launch k3j.1, numbers 1 to 3, 5, 7 and 8.
      """)
  }

  func testALongListIsCutAndKeepsWhatMatters() {
    journal.add("purchase", ["total": 30], at: 1)
    for index in 2...40 { journal.add("scrolled", ["offset": .int(index)], at: index * 10) }
    assert(
      .count(.atLeast(2), of: .named("purchase")), is: .tooFew,
      """
      Expected at least 2 events named "purchase", but 1 arrived within 5 s
      40 events arrived: purchase and scrolled (39 times).

      Received, 20 of 40, by time since the wait began:
          #1   +1 ms    matches  purchase(total: 30)
          #22  +220 ms           scrolled(offset: 22)
          #23  +230 ms           scrolled(offset: 23)
          #24  +240 ms           scrolled(offset: 24)
          #25  +250 ms           scrolled(offset: 25)
          #26  +260 ms           scrolled(offset: 26)
          #27  +270 ms           scrolled(offset: 27)
          #28  +280 ms           scrolled(offset: 28)
          #29  +290 ms           scrolled(offset: 29)
          #30  +300 ms           scrolled(offset: 30)
          #31  +310 ms           scrolled(offset: 31)
          #32  +320 ms           scrolled(offset: 32)
          #33  +330 ms           scrolled(offset: 33)
          #34  +340 ms           scrolled(offset: 34)
          #35  +350 ms           scrolled(offset: 35)
          #36  +360 ms           scrolled(offset: 36)
          #37  +370 ms           scrolled(offset: 37)
          #38  +380 ms           scrolled(offset: 38)
          #39  +390 ms           scrolled(offset: 39)
          #40  +400 ms           scrolled(offset: 40)
      """)
  }

  func testALongEventKeepsTheParamsInWhichItDiffersFromOthersOfItsName() {
    let note = TrackingValue.string(String(repeating: "0123456789", count: 9))
    for (place, seats) in [1, 1, 2].enumerated() {
      journal.add("class_booked", ["note": note, "seats": .int(seats), "starts_at": "18:00"], at: 10 * place)
    }
    assert(
      .count(2, of: .named("class_booked")), is: .tooMany,
      """
      Expected exactly 2 events named "class_booked", but 3 arrived; #3 is the extra one

      Received, by time since the wait began:
          #1  +0 ms   matches  class_booked(…, seats: 1)
          #2  +10 ms  matches  class_booked(…, seats: 1)
          #3  +20 ms  extra    class_booked(…, seats: 2)
      """)
  }

  func testAHeadlineLeavesOutEqualParamsFirst() {
    let note = TrackingValue.string(String(repeating: "0123456789", count: 8))
    let (early, late) = ("2026-05-01T17:00:00.000Z", "2026-05-01T18:00:00.000Z")
    journal.add("class_booked", ["note": note, "seats": 1, "starts_at": .string(late)], at: 10)
    let event = TrackingEvent(name: "class_booked", params: ["note": note, "seats": 1, "starts_at": .string(early)])
    let text = journal.failure(of: .one(.equal(to: event))).text
    XCTAssertEqual(
      text.split(separator: "\n").first,
      #"No event class_booked(…, starts_at: "\#(early)") arrived within 5 s; #1 differs in "starts_at""#)
    XCTAssertTrue(text.contains("\n\nExpected: class_booked(note:"), text)
  }

  // MARK: - The reason in the first line

  private func firstLine(
    of check: TrackingCheck<CheckOutcome> = .one(.named("booked", params: ["doctor": 7, "slot": "9:00", "fee": 50])),
    since origin: Int = 1, _ end: CheckEnd = .decided
  ) -> String {
    journal.failure(of: check, since: origin, end).text.components(separatedBy: "\n")[0]
  }

  private let missing = #"No event named "booked" with doctor: 7, fee: 50, slot: "9:00" arrived within 5 s"#

  private func addBystander() { journal.add("doctor_chosen", ["doctor": 7, "city": "Bonn"], at: 10) }

  func testTheFirstLineNamesNoEventThatSharesFewParams() {
    addBystander()
    XCTAssertEqual(firstLine(), missing)
    journal.add("booking_shown", ["doctor": 7, "fee": 50], at: 20)
    XCTAssertEqual(firstLine(), missing + #"; #2 has another name: "booking_shown""#)
  }

  func testALateMatchComesBeforeAMatchBeforeTheMarkAndBeforeASimilarName() {
    let booked: [TrackingParam: TrackingValue] = ["doctor": 7, "slot": "9:00", "fee": 50]
    journal.add("boked", booked, at: 10)
    XCTAssertEqual(firstLine(), missing + #"; #1 has a similar name: "boked""#)
    journal = HandMadeJournal()
    journal.add("booked", booked, at: -10)
    journal.add("booked", ["doctor": 8], at: 10)
    XCTAssertEqual(firstLine(since: 2), missing + "; #1 arrived before the mark")
    journal.add("booked", booked, at: 5040)
    XCTAssertEqual(firstLine(since: 2), missing + "; #3 arrived 40 ms too late")
  }

  func testARejectedSubmissionOfTheEventIsNamedWithItsReason() {
    addBystander()
    journal.close(at: 400)
    journal.reject(body: #"[{"name": "booked", "params": {"fee": 09}}]"#, at: 20)
    XCTAssertEqual(
      firstLine(of: .one(.named("booked"))),
      #"No event named "booked" arrived within 5 s; #2 was rejected (400): [0].params.fee: a number must not start with 0"#
    )
    // A similar name isn't it.
    journal.add("boked", at: 30)
    XCTAssertTrue(firstLine(of: .one(.named("booked"))).contains("; #2 was rejected (400)"))
  }

  func testOnlyARejectedBodyWithTheNameAsAWholeValueIsOfTheEvent() {
    func reason(of body: String) -> String {
      journal = HandMadeJournal()
      journal.reject("it is wrong", body: body)
      let line = firstLine(of: .one(.named("Order Placed")))
      return line.components(separatedBy: "; ").last ?? ""
    }
    let related = "#1 was rejected (400): it is wrong"
    let unrelated = "a submission was rejected (400)"
    for body in [
      #"{"event":"Order Placed"}"#, "e=Order%20Placed&v=1", "v=1&e=Order+Placed",
      #"{"batch": [{"event": "Order Placed", "#,
    ] { XCTAssertEqual(reason(of: body), related, body) }
    for body in [
      #"{"event":"Order Placed Again"}"#, #"{"Order Placed": 1}"#, "e=Order%20Placed2", "Order Placed", "",
    ] { XCTAssertEqual(reason(of: body), unrelated, body) }
    journal = HandMadeJournal()
    journal.reject("it is wrong", data: Data([0x1F, 0x8B, 0xFF]) + Data(#""Order Placed""#.utf8))
    XCTAssertTrue(firstLine(of: .one(.named("Order Placed"))).hasSuffix(unrelated))
  }

  func testARejectedSubmissionThatTheFirstLineNamesShowsItsBodyAlone() {
    journal.reject("name: it is wrong", body: #"{"name":"booked","n":1}"#, at: 20)
    assert(
      .one(.named("booked")), is: .tooFew,
      """
      No event named "booked" arrived within 5 s; #1 was rejected (400): name: it is wrong

      Received, by time since the wait began:
          #1  +20 ms  a rejected submission (400)

      Its body:
          {"name":"booked","n":1}
      """)
  }

  func testASimilarNameComesBeforeAnUnrelatedRejection() {
    journal.add("checkout_strated", at: 10)
    journal.reject(body: #"{"name": ""}"#)
    XCTAssertEqual(
      firstLine(of: .one(.named("checkout_started"))),
      #"No event named "checkout_started" arrived within 5 s; #1 has a similar name: "checkout_strated""#)
    journal = HandMadeJournal()
    journal.reject(body: #"{"name": ""}"#)
    journal.request("GET", "/books", at: 20)
    XCTAssertEqual(
      firstLine(of: .one(.named("checkout_started"))),
      #"No event named "checkout_started" arrived within 5 s; 1 request matched no stub"#)
  }

  func testTheEndOfTheAppComesBeforeOtherEventsAndRequests() {
    journal.add("booking_shown", ["doctor": 7, "fee": 50], at: 20, launch: "k3j.1", sequence: 1)
    journal.request("GET", "/books", at: 30)
    journal.close(at: 220)
    XCTAssertEqual(
      firstLine(), #"No event booked(…, slot: "9:00") arrived within 5 s; the app's connection closed 200 ms after #1"#)
  }

  func testTheEndThatTheTestDescribesIsToldOnce() {
    journal.add("app_opened", at: 20)
    journal.app = "The app crashed: index out of range; its log:\n  oh no"
    assert(
      .one(.named("booked")), is: .tooFew,
      """
      No event named "booked" arrived within 5 s; the app crashed: index out of range

      Received, by time since the wait began:
          #1  +20 ms  app_opened()

      Its log:
        oh no
      """)
    journal.app = "Settings: dark mode\nThe app isn't running."
    assert(
      .one(.named("booked")), is: .tooFew,
      """
      No event named "booked" arrived within 5 s; the app isn't running

      Received, by time since the wait began:
          #1  +20 ms  app_opened()

      Settings: dark mode
      """)
    journal.app = "the app's log ends with: saved"
    XCTAssertEqual(firstLine(of: .one(.named("booked"))), #"No event named "booked" arrived within 5 s"#)
    journal.app = "The program exited with status 1"
    journal.programEnd = "The program exited with status 1"
    XCTAssertEqual(
      firstLine(of: .one(.named("booked")), .programsEnded),
      #"The program exited with status 1 before it tracked "booked""#)
  }

  func testAPatternWithoutANameNamesTheNearestEvent() {
    addBystander()
    journal.close(at: 400)
    XCTAssertEqual(
      firstLine(of: .one(.params(["doctor": 7, "slot": "9:00", "fee": 50]))),
      #"No event with doctor: 7, fee: 50, slot: "9:00" arrived within 5 s; #1 has no "fee" and "slot""#)
  }

  func testWhatArrivedBeforeTheMarkIsNotNothing() {
    journal.isAppRunning = true
    for name in ["app_opened", "cart_shown", "tapped"] { journal.add(name, at: -2000) }
    let line = #"No event named "order_placed" arrived within 5 s; nothing arrived since the mark"#
    for reachability in [journal.reachability, .unused, .stopped] {
      journal.reachability = reachability
      assert(
        .one(.named("order_placed")), since: 4, is: .tooFew,
        """
        \(line)

        The app is running and has sent nothing since #3, 7 s ago.
        """)
    }
    journal.request("GET", "/books", status: 200, stub: StubEndpoint(.get, "/books", .ok), at: 10)
    XCTAssertEqual(
      firstLine(of: .one(.named("order_placed")), since: 4),
      #"No event named "order_placed" arrived within 5 s; no event arrived since the mark"#)
    XCTAssertEqual(
      firstLine(of: .one(.request(.post, "/orders")), since: 5),
      "No request POST /orders arrived within 5 s; nothing arrived since the mark")
  }

  func testAnAppThatWasLaunchedAfterTheMarkAndIsSilentIsNamed() {
    journal.add("app_opened", at: -2000)
    journal.hello(of: "k3j.1.shop", at: 200)
    XCTAssertEqual(
      firstLine(of: .one(.named("order_placed")), since: 2),
      #"No event named "order_placed" arrived within 5 s; the app runs, but sent no event"#)
  }

  func testAnOrderNamesTheHeldResponse() {
    journal.openRequest("/orders", at: 10)
    journal.add("placed", at: 20)
    journal.complete(1, status: 201, at: 40)
    let responded = EntryPattern.request(.get, "/orders").responded(201)
    XCTAssertEqual(
      firstLine(of: .inOrder([responded, .named("placed")])),
      #"Expected 1 event and 1 request in order, but the 2nd, "placed", arrived (#2) before the response to #1"#)
    XCTAssertEqual(
      firstLine(of: .none(of: .named("placed"), before: responded)),
      #"Expected no event named "placed" before GET /orders responded 201 (the response to #1), but #2 arrived 20 ms earlier"#
    )
    journal.add("cart_shown", at: 50)
    XCTAssertEqual(
      firstLine(of: .consecutive([responded, .named("placed")])),
      #"Expected 1 event and 1 request in a row, but #3, cart_shown(), arrived after the response to #1 instead of "placed""#
    )
  }

  func testALongOrderLeavesOutWordsBeforeItsReason() {
    let params: [TrackingParam: ValueMatcher] = [
      "currency": "EUR", "order_id": "8F6C1A52-1F8C-4E55-9A4A-2B0C5D2E7F10", "total": 120,
    ]
    let confirm = EntryPattern.request(
      .post, "/v1/merchants/42/orders/confirm", body: .jsonSubset(["basket": ["lines": 3], "currency": "EUR"]))
    let placed = EntryPattern.named("order_placed", params: params)
    journal.add("cart_shown", at: 10)
    XCTAssertEqual(
      firstLine(of: .inOrder([.named("cart_shown"), placed])),
      #"Expected 2 events in order, but the 2nd, "order_placed" with currency: "EUR", …, total: 120, didn't arrive within 5 s"#
    )
    journal.add("order_plcaed", at: 20)
    XCTAssertEqual(
      firstLine(of: .inOrder([.named("cart_shown"), placed, confirm])),
      #"The 2nd of 3 in order, "order_placed" with …, didn't arrive within 5 s; #2 has a similar name: "order_plcaed""#)
    XCTAssertEqual(
      firstLine(of: .inAnyOrder([.named("cart_shown"), confirm])),
      "The 2nd of 2 in any order, POST /v1/merchants/42/orders/confirm …, didn't arrive within 5 s"
    )
    XCTAssertEqual(
      firstLine(of: .inAnyOrder([confirm, .named("cart_shown"), placed])),
      #"The 1st and the 3rd of 3 in any order didn't arrive within 5 s; #2 has a similar name: "order_plcaed""#)
    XCTAssertEqual(
      firstLine(of: .consecutive([.named("cart_shown"), confirm])),
      "Expected 1 event and 1 request in a row, but #2, order_plcaed(), arrived after #1")
  }

  // MARK: - Too many

  func testOneMatchWhereNoneIsAllowed() {
    addCheckout()
    assert(
      .count(.atMost(0), of: .named("purchase")), is: .tooMany,
      """
      Expected no event named "purchase", but #4 arrived after 340 ms

      Received, by time since the wait began:
          #1  -1.2 s          app_opened()
          #2  +10 ms          cart_shown(items: 2)
          #3  +120 ms         checkout_started(step: 1)
          #4  +340 ms  extra  purchase(total: 30)
      """)
  }

  // MARK: - Order

  func testAnOrderWithoutAnyMatch() {
    assert(
      .inOrder([.named("cart_shown"), .named("purchase")]), is: .tooFew,
      """
      Expected 2 events in order, but the 1st, "cart_shown", didn't arrive within 5 s; 1 connection sent no event

      Expected:
          1. an event named "cart_shown"
          2. an event named "purchase"

      1 connection reached http://[::1]:50123, but sent no event, and no `TrackerDouble` has connected.
      """)
  }

  func testWhichOrdersTwoConnectionsMayHaveTurnedRound() {
    journal.request("POST", "/orders", status: 201, at: 340)
    journal.add("order_placed", at: 341)
    let order: [EntryPattern] = [.named("order_placed"), .request(.post, "/orders")]
    let hint = "either may arrive"
    XCTAssertTrue(journal.failure(of: .consecutive(order)).text.contains(hint))
    // Farther apart, chance doesn't explain it; and events of one connection keep their order.
    journal = HandMadeJournal()
    journal.request("POST", "/orders", status: 201, at: 340)
    journal.add("order_placed", at: 400)
    XCTAssertFalse(journal.failure(of: .inOrder(order)).text.contains(hint))
  }

  func testTheTextOfAnOpenWaitIsMadeOfFacts() {
    journal.add("cart_shown", at: 10)
    let name = "the parcel never arrived."
    assertText(
      journal.failure(of: .inOrder([.named("cart_shown"), .named(name)]), .stillOpen).text,
      """
      Expected 2 events in order, but the 2nd, "the parcel never arrived.", didn't arrive so far

      Expected:
          1. an event named "cart_shown"
          2. an event named "the parcel never arrived."
      """)
    journal.add("cart_shown", at: 20, launch: "k3j.1", sequence: 2)
    journal.unrequestedStubs = [StubEndpoint(.get, "/parcels", .ok)]
    let text = journal.failure(of: .one(.named(name)), .stillOpen).text
    XCTAssertEqual(
      text.components(separatedBy: "\n\n").dropFirst(),
      [
        "Tracked, but not arrived yet: 1 of 2 events of launch k3j.1, number 1.",
        "The stub GET /parcels hasn't been requested yet: does the app use `verifier.baseURL`?",
      ])
    XCTAssertEqual(
      UnusedStub("GET /parcels", count: 1, unusedResponses: 1).finding(isOver: false).line,
      "The stub GET /parcels was requested once, and its last response hasn't been sent yet")
  }

  func testAnIncompleteRun() {
    addCheckout()
    assert(
      .consecutive([.named("checkout_started"), .named("purchase"), .named("thanks_shown")]), is: .tooFew,
      """
      Expected 3 events in a row, but the 3rd, "thanks_shown", didn't arrive within 5 s

      Expected:
          1. an event named "checkout_started"
          2. an event named "purchase"
          3. an event named "thanks_shown"

      Received, by time since the wait began:
          #1  -1.2 s           app_opened()
          #2  +10 ms           cart_shown(items: 2)
          #3  +120 ms  1 of 3  checkout_started(step: 1)
          #4  +340 ms  2 of 3  purchase(total: 30)
      """)
  }

  func testANameThatDiffersByItsNormalizationAloneIsTheNearest() {
    journal.add("cafe\u{301}", at: 10)
    journal.add("cart_shown", at: 20)
    assert(
      .one(.named("caf\u{e9}")), is: .tooFew,
      """
      No event named "café" arrived within 5 s; #1 has a similar name: "café"

      Nearest is #1, 10 ms after the wait began (- expected, + arrived):
          - café
          + café   (differs in Unicode normalization only: character 4 is U+0065 U+0301, expected U+00E9)

      Received, by time since the wait began:
          #1  +10 ms  café()
          #2  +20 ms  cart_shown()
      """)
  }

  func testARunThatIsExplainedByItsOwnEntries() {
    for (index, name) in ["a", "a", "b"].enumerated() { journal.add(name, at: 10 * index) }
    assert(
      .consecutive([.any, .named("b"), .named("a")]), is: .wrongOrder,
      """
      Expected 3 events in a row, but the 3rd, "a", arrived before the 2nd (#1 before #3)

      Expected:
          1. any event
          2. an event named "b"
          3. an event named "a"

      Received, by time since the wait began:
          #1  +0 ms   too early  a()
          #2  +10 ms  1 of 3     a()
          #3  +20 ms  2 of 3     b()
      """)
  }

  func testARunThatCameApartInTheEnd() {
    for (index, name) in ["a", "x", "b", "c", "a", "b"].enumerated() { journal.add(name, at: 10 * index) }
    assert(
      .consecutive([.named("a"), .named("b"), .named("c")]), is: .wrongOrder,
      """
      Expected 3 events in a row, but the 3rd, "c", arrived before the 2nd (#4 before #6)

      Expected:
          1. an event named "a"
          2. an event named "b"
          3. an event named "c"

      Received, by time since the wait began:
          #1  +0 ms              a()
          #2  +10 ms             x()
          #3  +20 ms             b()
          #4  +30 ms  too early  c()
          #5  +40 ms  1 of 3     a()
          #6  +50 ms  2 of 3     b()
      """)
  }

  func testARunInTheWrongOrder() {
    addCheckout()
    assert(
      .consecutive([.named("cart_shown"), .named("purchase"), .named("checkout_started")]), is: .wrongOrder,
      """
      Expected 3 events in a row, but #3, checkout_started(step: 1), arrived after #2 instead of "purchase"

      Expected:
          1. an event named "cart_shown"
          2. an event named "purchase"
          3. an event named "checkout_started"

      Received, by time since the wait began:
          #1  -1.2 s            app_opened()
          #2  +10 ms   1 of 3   cart_shown(items: 2)
          #3  +120 ms  between  checkout_started(step: 1)
          #4  +340 ms           purchase(total: 30)
      """)
  }

  // MARK: - Absence

  func testAConsentThatNeverCame() {
    journal.add("app_opened", at: 10)
    assert(
      .none(of: .named("purchase"), before: .named("consent_given")), is: .tooFew,
      """
      Expected no event named "purchase" before "consent_given", which didn't arrive within 5 s

      Received, by time since the wait began:
          #1  +10 ms  app_opened()
      """)
  }

  func testARequestBeforeTheConsentMayHaveOvertakenIt() {
    journal.request("GET", "/ads", status: 200, at: 100)
    journal.add("consent_given", at: 101)
    let text = journal.failure(of: .none(of: .request(.any, "/ads"), before: .named("consent_given"))).text
    XCTAssertEqual(
      text.split(separator: "\n").dropFirst().prefix(2).joined(separator: " "),
      """
      #1 and #2 are a request and an event, which travel on two connections: 1 ms apart, either may arrive first. Let the \
      test wait for one before the action that sends the other.
      """)
  }

  func testAnInterruptedWaitTellsNoTimeThatHasNotPassed() {
    journal.isAppRunning = true
    journal.add("app_opened", at: 100)
    assert(
      .one(.named("purchase")), .interrupted, is: .tooFew,
      """
      No event named "purchase" arrived before XCTest's outer wait timed out

      Received, by time since the wait began:
          #1  +100 ms  app_opened()
      """)
  }

  func testOtherEvents() {
    addCheckout()
    journal.matched = [1, 4]
    assert(
      .nothingElse(ignoring: [.named("heartbeat"), .named("scrolled")]), .testEnded, zero: "the first arrival",
      is: .unexpectedExtra,
      """
      The test expected nothing else, but 2 more events arrived; the first is #2, cart_shown(items: 2)

      Received, by time since the first arrival:
          #1  -1.2 s                 app_opened()
          #2  +10 ms   not expected  cart_shown(items: 2)
          #3  +120 ms  not expected  checkout_started(step: 1)
          #4  +340 ms                purchase(total: 30)
      """)
  }

  func testOneOtherEvent() {
    addCheckout()
    journal.matched = [1, 2, 4]
    assert(
      .nothingElse(), is: .unexpectedExtra,
      """
      The test expected nothing else, but 1 more event arrived: #3, checkout_started(step: 1)

      Received, by time since the wait began:
          #1  -1.2 s                 app_opened()
          #2  +10 ms                 cart_shown(items: 2)
          #3  +120 ms  not expected  checkout_started(step: 1)
          #4  +340 ms                purchase(total: 30)
      """)
  }

  func testTheWaitsThatMatchedEventsOfTheSameNameAreShown() {
    for total in [30, 31, 32] { journal.add("purchase", ["total": .int(total)], at: total) }
    journal.add("cart_shown", at: 40)
    journal.matched = [1, 3, 4]
    assert(
      .nothingElse(), is: .unexpectedExtra,
      """
      The test expected nothing else, but 1 more event arrived: #2, purchase(total: 31)

      Received, by time since the wait began:
          #1  +30 ms  matched at HandMadeJournal.swift:312  purchase(total: 30)
          #2  +31 ms  not expected                          purchase(total: 31)
          #3  +32 ms  matched at HandMadeJournal.swift:312  purchase(total: 32)
          #4  +40 ms                                        cart_shown()
      """)
  }

  func testAnotherEventFromAnEarlierLaunchIsNamed() {
    let params: [TrackingParam: TrackingValue] = ["name": "Coffee mug", "price": 950, "product_id": 7, "rating": 3.9]
    journal.add("product_viewed", params, at: 1, launch: "k3j.1")
    journal.add("app_opened", at: 2, launch: "p9x.1")
    journal.matched = [2]
    assert(
      .nothingElse(), is: .unexpectedExtra,
      """
      The test expected nothing else, but 1 more event arrived: #1, product_viewed(…, price: 950, product_id: 7, rating: 3.9)

      Received, by time since the wait began:
          #1  +1 ms  not expected, from an earlier launch  product_viewed(name: "C … (of 74) … ating: 3.9)
          #2  +2 ms                                        app_opened()
      """)
  }
}
