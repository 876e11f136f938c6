import TestSupport

@testable import TrackingChecks
@testable import TrackingServer

/// The first lines of failures, read alone.
final class FirstLineTests: XCTestCase {
  private var journal = HandMadeJournal()

  private func assert(_ check: TrackingCheck<CheckOutcome>, since origin: Int = 1, is text: String, line: UInt = #line)
  {
    let message = journal.failure(of: check, since: origin).text
    XCTAssertEqual(message.components(separatedBy: "\n")[0], text, line: line)
    XCTAssertNil(FirstLine.problem(of: message), line: line)
  }

  func testTheOnlyWrongValueIsShown() {
    journal.add("purchase", ["total": "30", "order": ["tax": 5]], at: 10)
    assert(
      .one(.named("purchase", params: ["total": 30])),
      is: #"No event named "purchase" with total: 30 arrived within 5 s; #1 has total: "30""#)
    assert(
      .one(.named("purchase", params: ["order.tax": .greater(than: 9)])),
      is: #"No event named "purchase" with order.tax: greater than 9 arrived within 5 s; #1 has order.tax: 5"#)
    assert(
      .one(.named("purchase", params: ["total": 30, "order.tax": 6])),
      is:
        #"No event named "purchase" with order.tax: 6, total: 30 arrived within 5 s; #1 differs in "order.tax" and "total""#
    )
  }

  func testAValueThatIsLongOrLooksLikeTheExpectedOneIsNotShown() {
    journal.add("searched", ["query": "cafe\u{301}", "url": .string(String(repeating: "long/", count: 9))], at: 10)
    assert(
      .one(.named("searched", params: ["query": "caf\u{e9}"])),
      is: "No event named \"searched\" with query: \"caf\u{e9}\" arrived within 5 s; #1 differs in \"query\"")
    assert(
      .one(.named("searched", params: ["url": "long/"])),
      is: #"No event named "searched" with url: "long/" arrived within 5 s; #1 differs in "url""#)
  }

  func testAMisspeltParamIsNamed() {
    journal.add("purchase", ["orderId": "A-1"], at: 10)
    assert(
      .one(.named("purchase", params: ["order_id": "A-1"])),
      is: #"No event named "purchase" with order_id: "A-1" arrived within 5 s; #1 has "orderId" instead of "order_id""#)
  }

  func testAPathThatEndsEarlyIsMissing() {
    journal.add("purchase", ["order": ["tax": 5]], at: 10)
    assert(
      .one(.named("purchase", params: ["order.total": 9])),
      is: #"No event named "purchase" with order.total: 9 arrived within 5 s; #1 has no "order.total""#)
  }

  func testALongOrderKeepsTheParamThatDiffers() {
    journal.add("level_started", ["level": 3], at: 10)
    journal.add("level_completed", ["level": "the second"], at: 20)
    assert(
      .inOrder([.named("level_started"), .named("level_completed", params: ["level": 3])]),
      is:
        #"The 2nd of 2 in order, "level_completed" with level: 3, didn't arrive within 5 s; #2 has level: "the second""#
    )
  }

  func testOtherAlternativesAreLeftOut() {
    let pattern = EntryPattern.named("payment_authorized").or(.named("payment_declined")).or(
      .named("payment_cancelled"))
    journal.add("screen_viewed", at: -120)
    assert(
      .one(pattern),
      is:
        #"No match of an event named "payment_authorized" or an event named "payment_declined" or … arrived within 5 s"#
    )
    journal.add("payment_declined", ["provider": "adyen"], at: -110)
    assert(
      .none(of: pattern, within: 1),
      is:
        #"Expected no match of an event named "payment_authorized" or …, but #2, payment_declined(provider: "adyen"), arrived"#
    )
    assert(
      .one(
        .request(.post, "/payments/authorizations").or(.request(.post, "/payments/captures"))
          .or(.request(.post, "/payments/refunds"))),
      is: #"No match of the request POST /payments/authorizations or … arrived within 5 s; no request arrived at all"#)
  }

  func testAnEventOfAnotherProcessIsNotReducedToItsName() {
    journal.add("reminder_shown", ["kind": "daily"], at: 10, launch: "k3j.1.ReminderExtension")
    assert(
      .one(.named("reminder_shown", params: ["kind": "weekly"]).from("ReminderWidget")),
      is:
        #"No event reminder_shown(…, kind: "weekly") from "ReminderWidget" arrived within 5 s; #1 is from "ReminderExtension""#
    )
  }

  func testALongAbsenceLeavesOutItsTimes() {
    journal.add("screen_viewed", ["screen": "home"], at: -1400)
    assert(
      .none(of: EntryPattern.named("consent_dialog_dismissed").not(), within: 1),
      is:
        #"Expected no event other than an event named "consent_dialog_dismissed", but #1, screen_viewed(screen: "home"), arrived"#
    )
  }

  func testALongNameIsKeptBeforeAnotherEvent() {
    journal.add("recommendation_carousel_impression", at: 10)
    journal.add("consent_dialog_completed", ["decision": "accepted"], at: 20)
    assert(
      .none(
        of: .named("recommendation_carousel_impression"),
        before: .named("consent_dialog_completed", params: ["decision": "accepted"])),
      is: #"Expected no event named "recommendation_carousel_impression" before #2, but #1 arrived 10 ms earlier"#)
  }

  func testTheMissingEndOfAnAbsenceHasItsReason() {
    journal.add("consent_givn", at: 10)
    assert(
      .none(of: .named("recommendation_shown"), before: .named("consent_given")),
      is: #"No event named "consent_given" arrived within 5 s; #1 has a similar name: "consent_givn""#)
  }

  func testManyExtrasWithALongNameAreCounted() {
    for time in 1...40 { journal.add("recommendation_carousel_impression", at: time) }
    assert(
      .count(1, of: .named("recommendation_carousel_impression")),
      is: #"Expected exactly 1 event named "recommendation_carousel_impression", but 40 arrived"#)
  }

  func testALostEventMayBeTheMissingOne() {
    journal.add("cart_shown", at: 10, launch: "k3j.1", sequence: 1)
    journal.add("receipt_shown", at: 20, launch: "k3j.1", sequence: 3)
    assert(
      .one(.named("purchase")),
      is: #"No event named "purchase" arrived within 5 s; 1 of 3 tracked events never arrived"#)
    // A similar name is nearer, and a request isn't tracked.
    assert(
      .one(.named("receipt_show")),
      is: #"No event named "receipt_show" arrived within 5 s; #2 has a similar name: "receipt_shown""#)
    assert(.one(.request(.get, "/")), is: "No request GET / arrived within 5 s; no request arrived at all")
    // Another sender's rejection doesn't explain it, one with its number does.
    journal.reject("a number must not start with 0")
    assert(
      .one(.named("purchase")),
      is: #"No event named "purchase" arrived within 5 s; 1 of 3 tracked events never arrived"#)
    journal.reject("a number must not start with 0", launch: "k3j.1", sequence: 2)
    assert(
      .one(.named("purchase")), is: #"No event named "purchase" arrived within 5 s; a submission was rejected (400)"#)
  }

  /// Any client may send any numbers.
  func testNumbersWhoseSumFitsNoTypeAreToldAsTheMost() {
    for launch in ["a.1", "b.1"] {
      journal.add("cart_shown", at: 10, launch: launch, sequence: 1)
      journal.add("cart_shown", at: 20, launch: launch, sequence: .max - 1)
    }
    assert(
      .one(.named("purchase")),
      is:
        #"No event named "purchase" arrived within 5 s; 18446744073709551614 of 18446744073709551615 tracked events never arrived"#
    )
  }

  func testEqualEventsOfOneSubmissionArrivedTogether() {
    journal.add("cart_shown", at: 10)
    journal.add("cart_shown", at: 10)
    assert(.noDuplicates(within: 1), is: "Two equal events, #1 and #2, arrived together: cart_shown()")
  }

  func testAnEventOfAnotherSessionIsNotNothing() {
    journal.reject(RejectedSubmission.otherSessionReason, status: 403)
    let missing = #"No event named "purchase" arrived within 5 s"#
    assert(.one(.named("purchase")), is: "\(missing); 1 submission came with another session's token")
    journal.add("cart_shown", at: 10)
    assert(.one(.named("purchase")), is: missing)
  }

  func testAnItemOfAnSDKWithTheNameIsNamed() {
    var item = TrackingEvent(name: "Checkout")
    item.origin = SDKOrigin(format: "Segment", kind: "screen")
    journal.journal.count([item])
    assert(
      .one(.named("Checkout")),
      is: #"No event named "Checkout" arrived within 5 s; screen "Checkout" arrived, but not as an event"#)
    assert(.one(.named("Cart")), is: #"No event named "Cart" arrived within 5 s; 1 connection sent no event"#)
  }

  func testTheAdviceOfARejectionIsNotInTheFirstLine() {
    journal.reject(
      #"the origin "http://localhost:3000" isn't allowed; allow it with --allow-origin"#,
      body: #"{"name": "purchase"}"#,
      status: 403)
    assert(
      .one(.named("purchase")),
      is:
        #"No event named "purchase" arrived within 5 s; #1 was rejected (403): the origin "http://localhost:3000" isn't allowed"#
    )
    XCTAssertTrue(journal.failure(of: .one(.named("purchase"))).text.contains("allow it with --allow-origin"))
  }

  func testAMemberThatIsNotOneOfAnEventIsNamed() {
    journal.reject(body: #"{"name": "purchase", "params": {"total": 1}, "time": "now"}"#)
    assert(
      .one(.named("purchase")),
      is:
        #"No event named "purchase" arrived within 5 s; #1 was rejected (400): time: an event has only name, params and at"#
    )
  }

  func testARequestWithoutAResponseHasNone() {
    journal.request("POST", "/orders", status: nil, stub: StubEndpoint(.post, "/orders", .ok), at: 10)
    assert(
      .one(.request(.post, "/orders").responded(201)),
      is: "No request POST /orders responded 201 arrived within 5 s; #1 has no response")
  }
}
