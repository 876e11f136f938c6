import TestSupport
import TrackingRules

@testable import TrackingPlan

final class PlanFindingTests: XCTestCase {
  private func plan() throws -> TrackingPlan { try TrackingPlan(text: storefront) }

  func testAnEventAsPlannedHasNoFindings() throws {
    let plan = try plan()
    XCTAssertEqual(
      findings(
        plan, "added_to_cart", ["product_id": "42", "quantity": 2, "price": 9.5, "currency": "EUR", "screen": "cart"]),
      [])
    XCTAssertEqual(findings(plan, "cart_shown"), [])
    XCTAssertEqual(findings(plan, "anything", ["whatever": [1, 2]]), [])
    XCTAssertEqual(plan.expectation, "every event to match the plan \"Storefront\"")
  }

  func testAValueOfTheWrongKindAMissingAndAnUnplannedParamAreNamedWithTheirLines() throws {
    XCTAssertEqual(
      findings(try plan(), "added_to_cart", ["price": 24.5, "product_id": "42", "quantity": "1", "souce": "list"]),
      [
        "quantity: \"1\" is a string, expected an integer of at least 1 (line 11)",
        "currency is missing, expected one of \"EUR\", \"USD\" (line 13)",
        "souce is not in the plan; the nearest is source (line 14)",
      ])
  }

  func testAnUnplannedEventIsNamedWithTheNearestPlannedOne() throws {
    XCTAssertEqual(
      findings(try plan(), "cart_shwon"), ["the plan has no event with this name; the nearest is cart_shown (line 26)"])
    XCTAssertEqual(findings(try plan(), "purchase"), ["the plan has no event with this name"])
    XCTAssertEqual(
      findings(try plan(), "CartShown"), ["the plan has no event with this name; the nearest is cart_shown (line 26)"])
  }

  func testValuesOfAListAreExplainedWithTheNearestOne() throws {
    XCTAssertEqual(
      findings(
        try plan(), "added_to_cart",
        ["product_id": "", "quantity": 0, "currency": "EUR", "source": "serach", "price": true]),
      [
        "product_id: \"\" has 0 characters, expected a string of at least 1 character (line 10)",
        "quantity: 0, expected an integer of at least 1 (line 11)",
        "price: true is a boolean, expected a number (line 12)",
        "source: \"serach\", expected one of \"list\", \"search\", \"recommendation\"; the nearest is \"search\" (line 14)",
      ])
  }

  func testMembersOfObjectsAreRequiredAndClosedUnlessThePlanSaysOtherwise() throws {
    let params: [TrackingParam: TrackingValue] = [
      "product_id": "42", "quantity": 1, "currency": "EUR",
      "items": [["id": "1", "note": "x"], ["nte": "x"], ["id": 1.5]],
    ]
    XCTAssertEqual(
      findings(try plan(), "added_to_cart", params),
      [
        "items[1].id is missing, expected a string (line 19)",
        "items[1].nte is not in the plan; the nearest is note (line 19)",
        "items[2].id: 1.5 is a number, expected a string (line 19)",
      ])
  }

  func testNullIsSaidOnceWhereAnotherKindIsExpected() throws {
    let params: [TrackingParam: TrackingValue] = [
      "product_id": "42", "quantity": 1, "price": .null, "currency": .null, "items": [.null],
    ]
    XCTAssertEqual(
      findings(try plan(), "added_to_cart", params),
      [
        "price: is null, expected a number (line 12)",
        "currency: null, expected one of \"EUR\", \"USD\" (line 3)",
        "items[0]: is null, expected an object (line 17)",
      ])
  }

  /// An event of each kind of finding that a plan has, valid otherwise, and checked often enough to take each way of the plan.
  func testEachKindOfFindingIsFoundWheneverAnEventIsChecked() throws {
    let plan = try TrackingPlan(
      text: """
        {"events": {
          "plain": {"params": {"a": {"type": "integer"}, "old": {"type": "integer", "optional": true, "deprecated": true}}},
          "deprecated": {"params": {}, "deprecated": true},
          "expired": {"params": {}, "expires": "2020-01-01"},
          "unusable": {"params": {"a": {"$ref": "#/types/Missing"}}}
        }}
        """)
    for kind in [
      .unplannedEvent, .missing, .unplanned, .mismatch(keyword: "type"), .deprecated, .expired, .unusable,
      .personalData, .limit,
    ] as [PlanFinding.Kind] {
      for event in events(with: kind) {
        for _ in 1...3 {
          XCTAssertEqual(plan.findings(in: event).map(\.kind), [kind], event.name)
          // Compiles the schema of all events but the unusable one.
          _ = plan.findings(in: TrackingEvent(name: event.name, params: ["a": 1]))
        }
      }
    }
    XCTAssertEqual(plan.findings(in: TrackingEvent(name: "plain", params: ["a": 1])), [])
  }

  /// Events that have one finding; a switch, so that a new kind needs an event here.
  private func events(with kind: PlanFinding.Kind) -> [TrackingEvent] {
    switch kind.name {
    case .unplannedEvent: [TrackingEvent(name: "other")]
    case .missing: [TrackingEvent(name: "plain")]
    case .unplanned: [TrackingEvent(name: "plain", params: ["a": 1, "b": 1])]
    case .mismatch: [TrackingEvent(name: "plain", params: ["a": "1"])]
    case .deprecated: [TrackingEvent(name: "deprecated"), TrackingEvent(name: "plain", params: ["a": 1, "old": 1])]
    case .expired: [TrackingEvent(name: "expired")]
    case .unusable: [TrackingEvent(name: "unusable")]
    // Of other rules, not of plans.
    case .personalData, .limit: []
    }
  }

  func testDeprecatedAndExpiredAreReportedAndAreNoFailures() throws {
    let found = try plan().findings(in: TrackingEvent(name: "cart_add"))
    XCTAssertEqual(
      found.map(\.description),
      ["the event is deprecated: Use added_to_cart.", "the event expired on 2020-01-01"])
    XCTAssertEqual(found.map(\.isFailure), [false, false])
    XCTAssertEqual(
      findings(try plan(), "added_to_cart", ["product_id": "42", "quantity": 1, "currency": "EUR", "email_hash": "x"]),
      ["email_hash is deprecated: Not used. (line 22)"])
  }

  func testNamesAndValuesAreComparedByCodePoints() throws {
    let plan = try TrackingPlan(
      text: #"{"events": {"caf\u00e9": {"params": {"na\u00efve": {"enum": ["\u00e9", "x"]}}}}}"#)
    XCTAssertEqual(findings(plan, "caf\u{E9}", ["na\u{EF}ve": "\u{E9}"]), [])
    XCTAssertEqual(
      findings(plan, "cafe\u{301}"),
      ["the plan has no event with this name; it has one that looks the same but has different code points"])
    XCTAssertEqual(
      findings(plan, "caf\u{E9}", ["na\u{EF}ve": "e\u{301}"]),
      [
        "na\u{EF}ve: \"e\u{301}\", expected one of \"\u{E9}\", \"x\"; the expected one looks the same but has different code points (line 1)"
      ])
  }

  func testNamesThatLookTheSameAreTwoEvents() throws {
    let plan = try TrackingPlan(
      text: #"""
        {"events": {
          "caf\u00e9": {"params": {}, "swiftName": "A"}, "cafe\u0301": {"params": {"n": {"type": "integer"}}, "swiftName": "B"}
        }}
        """#)
    XCTAssertEqual(findings(plan, "caf\u{E9}"), [])
    XCTAssertEqual(findings(plan, "cafe\u{301}", ["n": 1]), [])
    XCTAssertEqual(findings(plan, "cafe\u{301}"), ["n is missing, expected an integer (line 2)"])
    XCTAssertEqual(plan.event(named: "cafe\u{301}")?.swiftName, "B")
  }

  func testUnplannedParamsMayBeAllowed() throws {
    let plan = try TrackingPlan(
      text: #"{"events": {"a": {"params": {"b": {"type": "string"}}}}}"#, allowsUnplannedParams: true)
    XCTAssertEqual(findings(plan, "a", ["b": "1", "c": 2]), [])
    XCTAssertEqual(findings(plan, "a", ["c": 2]), ["b is missing, expected a string (line 1)"])
  }

  func testEventsForOtherSourcesAreLeftOut() throws {
    let text = #"{"events": {"a": {"sources": ["iOS"]}, "b": {"sources": ["Web"]}, "c": {}}}"#
    XCTAssertEqual(try TrackingPlan(text: text, source: "ios").events.map(\.name), ["a", "c"])
    XCTAssertEqual(
      error(text, source: "tvOS"),
      "plan.json: no event is planned for the source \"tvOS\"; the plan has \"Web\", \"iOS\"")
  }

  func testEventsAndParamsCanBeRead() throws {
    let event = try XCTUnwrap(plan().event(named: "added_to_cart"))
    XCTAssertEqual(event.owner, "checkout")
    XCTAssertEqual(
      event.params.map(\.name),
      ["product_id", "quantity", "price", "currency", "source", "items", "email_hash", "screen"])
    XCTAssertEqual(event.params.filter(\.isOptional).map(\.name), ["price", "source", "items", "email_hash", "screen"])
    XCTAssertEqual(event.params[3].values, ["EUR", "USD"])
    XCTAssertEqual(event.place, PlanPlace(file: "tracking-plan.json", line: 6, column: 22))
  }
}
