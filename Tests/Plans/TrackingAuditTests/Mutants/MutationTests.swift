import TestSupport
import TrackingPatterns
import TrackingRules
import TrackingPlan

@testable import TrackingAudit
@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

final class MutationTests: MutationTestCase {
  private struct Purchase: TrackingSchema {
    static let eventName = "purchase"
    var total: Int
    var coupon: String?
  }

  private static let purchase = TrackingEvent(name: "purchase", params: ["total": 120, "currency": "EUR"])

  func testTheClassOfMutantsIsFoundByItsName() {
    XCTAssertTrue(NSClassFromString("TrackingAudit.MutationLinkage") is any MutationSupport.Type)
  }

  // MARK: The report

  func testAWaitByNameNoticesTheEventAndPinsNoParam() throws {
    var line = 0
    let report = try report { verifier in
      verifier.tracker.trackEvent(Self.purchase)
      verifier.tracker.trackEvent(.init(name: "opened"))
      (_, line) = (verifier.wait(for: .named("purchase")), #line)
    }
    let purchase = try XCTUnwrap(report.events["purchase"])
    XCTAssertEqual(purchase.noticed, [.missing, .renamed])
    XCTAssertEqual(
      purchase.waits,
      [.init(line: "MutationTests.swift:\(line)", words: "an event named \"purchase\"", assertion: "by name")])
    var total = MutationReport.Param(.discarded)
    total.passing = "121 for 120"
    total.suggestion = #"params: ["total": 120]"#
    XCTAssertEqual(purchase.params["total"], total)
    XCTAssertEqual(purchase.params["currency"]?.passing, #""EURx" for "EUR""#)
    let opened = try XCTUnwrap(report.events["opened"])
    XCTAssertEqual(opened.noticed, [])
    XCTAssertEqual(opened.waits, [])
    XCTAssertEqual(opened.suggestion, #"verifier.wait(for: .named("opened"))"#)
    XCTAssertNil(purchase.suggestion)
    XCTAssertEqual(report.untried, 0)
    XCTAssertEqual(report.noticed, 2)
    XCTAssertNil(report.sample)
  }

  func testTheSuggestionNoticesWhatItIsSuggestedFor() throws {
    let event = TrackingEvent(
      name: "order", params: ["total": 9.5, "items": [["id": "4\"2", "n": 1]], "note": nil, "late": true])
    let weak = try report {
      $0.tracker.trackEvent(event)
      $0.wait(for: .named("order"))
    }
    XCTAssertEqual(
      weak.events["order"]?.params.mapValues(\.suggestion),
      [
        "total": #"params: ["total": 9.5]"#, "items": #"params: ["items": [["id": "4\"2", "n": 1]]]"#,
        "items[]": #"params: ["items[0]": ["id": "4\"2", "n": 1]]"#, "items[].id": #"params: ["items[0].id": "4\"2"]"#,
        "items[].n": #"params: ["items[0].n": 1]"#, "note": #"params: ["note": nil]"#,
        "late": #"params: ["late": true]"#,
      ])
    let strong = try report {
      $0.tracker.trackEvent(event)
      $0.wait(
        for: .named(
          "order", params: ["total": 9.5, "items": [["id": "4\"2", "n": 1]], "note": nil, "late": true]))
      $0.wait(for: .named("order", params: ["items[0]": ["id": "4\"2", "n": 1]]))
      $0.wait(for: .named("order", params: ["items[0].id": "4\"2"]))
      $0.wait(for: .named("order", params: ["items[0].n": 1]))
    }
    XCTAssertEqual(Set(strong.events["order"]?.params.values.map(\.pinned) ?? []), [.check])
  }

  func testTheWeakestWaitIsNamedFirst() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(Self.purchase)
      verifier.wait(for: .named("purchase", params: ["total": 120, "currency": "EUR"]))
      verifier.wait(for: .named("purchase", params: ["total": 120]))
      verifier.wait(for: .named("purchase"))
    }
    XCTAssertEqual(
      report.events["purchase"]?.waits.map(\.assertion),
      ["by name", "by name and \"total\"", "by name, \"currency\" and \"total\""])
  }

  /// A check that needs no match, or that any event passes, isn't the one to extend.
  func testACheckThatNeedsNoMatchIsNoWaitForTheEvent() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "consent"))
      verifier.tracker.trackEvent(Self.purchase)
      verifier.wait(for: .none(of: .any, before: .named("consent")))
      verifier.wait(for: .none(of: .named("purchase", params: ["total": 0]), within: 0))
      verifier.wait(for: .count(...2, of: .named("purchase")))
      verifier.wait(for: .any)
      verifier.wait(for: .named("purchase", params: ["total": 120]).or(.any))
      verifier.wait(for: .named("purchase").and(.any))
    }
    XCTAssertEqual(report.events["purchase"]?.waits.map(\.assertion), ["by name"])
    XCTAssertEqual(report.events["consent"]?.waits.map(\.assertion), ["by name"])
  }

  func testTheReportDependsOnNoRaceBetweenRequests() throws {
    func run(_ bodies: [String]) throws -> MutationReport {
      try self.report { verifier in
        for (index, body) in bodies.enumerated() {
          verifier.journal.record(
            RecordedRequest(
              ReceivedRequest(method: "POST", path: "/orders", body: Data(body.utf8)), connection: index, exchange: 1))
        }
        verifier.wait(for: .request(.post, "/orders"), count: 2)
      }
    }
    let bodies = [#"{"n": 2, "ids": ["b", 1]}"#, #"{"n": 1, "ids": ["a"]}"#]
    let report = try run(bodies)
    XCTAssertEqual(report, try run(bodies.reversed()))
    XCTAssertEqual(report.requests["POST /orders"]?.params["n"]?.passing, "2 for 1")
  }

  func testAWaitThatEndsEarlierChangesNoSample() throws {
    func run(endingAfter count: Int) throws -> MutationReport {
      try report(most: 40) { verifier in
        for index in 0..<10 {
          verifier.tracker.trackEvent(.init(name: "e\(index)", params: ["n": .int(index), "s": "text"]))
          if index + 1 == count { verifier.wait(for: .named("e0")) }
        }
      }
    }
    let (early, late) = try (run(endingAfter: 1), run(endingAfter: 10))
    XCTAssertNotEqual(early.tried, late.tried)
    XCTAssertNotNil(early.sample)
    XCTAssertEqual(early.sample, late.sample)
    XCTAssertEqual(early.events.mapValues(\.params), late.events.mapValues(\.params))
  }

  func testASampleCallsNoParamPinnedThatAllMutantsCallLoose() throws {
    for most in [5, 10, 20, 40, 80, 160] {
      let report = try report(most: most) { verifier in
        for index in 0..<30 {
          let name = "e\(index)"
          verifier.tracker.trackEvent(.init(name: name, params: ["total": 120]))
          verifier.wait(for: .named(name, params: ["total": .greater(than: 119)]))
          verifier.wait(for: .named(name, params: ["total": .greater(than: 100)]))
        }
        for index in 30..<60 {
          let name = "e\(index)"
          verifier.tracker.trackEvent(.init(name: name, params: ["total": 120]))
          verifier.wait(for: .named(name, params: ["total": .greater(than: 100)]))
        }
      }
      XCTAssertNotNil(report.sample)
      XCTAssertLessThanOrEqual(report.tried, most + most / 4)
      XCTAssertFalse(report.events.values.flatMap { $0.params.values.map(\.pinned) }.contains(.check), "\(most)")
    }
  }

  func testTwoRunsGiveTheSameReport() throws {
    func run() throws -> MutationReport {
      try report(most: 50) { verifier in
        for index in 0..<20 {
          verifier.tracker.trackEvent(
            .init(
              name: "e\(index % 3)",
              params: ["n": .int(index), "s": "text", "list": [1, 2], "id": .string(UUID().uuidString)]))
        }
        verifier.wait(for: .named("e1", params: ["n": 4]))
        verifier.wait(for: .named("e2"), count: 6)
      }
    }
    let reports = try [run(), run()]
    XCTAssertEqual("\(reports[0].value)", "\(reports[1].value)")
    XCTAssertEqual(Set(reports[0].events.values.compactMap { $0.params["id"]?.passing }), ["another UUID"])
  }

  func testASecondStopReportsOnlyWhatIsNew() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: .idle(),
      configuration: changed(TrackingVerifier.Configuration(timeout: 0, reporter: reporter)) { $0.mutations = .always })
    verifier.tracker.trackEvent(Self.purchase)
    verifier.wait(for: .named("purchase"))
    verifier.stop()
    let first = verifier.mutants
    verifier.stop()
    XCTAssertEqual(verifier.mutants, first)
    verifier.tracker.trackEvent(.init(name: "late"))
    verifier.stop()
    XCTAssertEqual(verifier.report?.events.keys.sorted(), ["late"])
    verifier.wait(for: .named("purchase", params: ["total": 120]))
    verifier.stop()
    XCTAssertEqual(verifier.report?.events["purchase"]?.params["total"]?.pinned, .check)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFailedTestHasNoReport() {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: .idle(),
      configuration: changed(TrackingVerifier.Configuration(timeout: 0, reporter: reporter)) { $0.mutations = .always })
    verifier.wait(for: .named("purchase"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertNil(verifier.mutants)
  }

  func testATestWithAChangedFlowHasFailed() {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: .idle(),
      configuration: changed(TrackingVerifier.Configuration(timeout: 0, settling: 0, reporter: reporter)) {
        $0.mutations = .always
      })
    verifier.tracker.trackEvent(Self.purchase)
    verifier.wait(for: .named("purchase"))
    verifier.assertFlow(named: "never-recorded")
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.changedFlow])
    XCTAssertNil(verifier.mutants)
  }

  func testNothingIsKeptUnlessMutantsAreRequested() {
    for use in [MutationOccasion.onRequest, .never] {
      XCTAssertNil(
        TrackingVerifier(with: .idle(), configuration: changed(TrackingVerifier.Configuration()) { $0.mutations = use })
          .log)
    }
    setenv("TRACKING_MUTATIONS", "1", 1)
    defer { unsetenv("TRACKING_MUTATIONS") }
    XCTAssertNotNil(TrackingVerifier(with: .idle()).log)
    XCTAssertNil(
      TrackingVerifier(
        with: .idle(), configuration: changed(TrackingVerifier.Configuration()) { $0.mutations = .never }
      ).log)
  }

  func testTheReportIsInTheObservation() throws {
    let folder = try temporaryFolder()
    setenv("TRACKING_OBSERVATIONS", folder.path, 1)
    defer { unsetenv("TRACKING_OBSERVATIONS") }
    let report = try report {
      $0.tracker.trackEvent(Self.purchase)
      $0.wait(for: .named("purchase"))
    }
    var contents = ObservationFolder.Contents()
    try contents.add(ObservationFolder(folder))
    XCTAssertEqual(contents.observations.map(\.mutants), [report])
  }

  // MARK: Plan

  func testWhatThePlanPinsIsPinnedByThePlan() throws {
    let plan = try TrackingPlan(
      text: """
        {"events": {"purchase": {"params": {"total": {"type": "integer"}, "currency": {"enum": ["EUR", "USD"]}}}}}
        """)
    let report = try report(checks: [.plan], plan: .plan(plan)) { $0.tracker.trackEvent(Self.purchase) }
    XCTAssertEqual(
      found(report),
      [
        "purchase renamed", "purchase extended", "purchase.currency by plan", "purchase.total partly by plan",
      ])
    XCTAssertEqual(report.events["purchase"]?.isChecked, false)
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .no)
  }

  // MARK: Rules

  func testAnEntryThatArrivedAfterAWaitIsNotShownToIt() throws {
    // The test had gone on: the second tap is a consequence of the first wait.
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "tapped", params: ["n": 1]))
      verifier.wait(for: .named("tapped"))
      verifier.tracker.trackEvent(.init(name: "tapped", params: ["n": 2]))
    }
    XCTAssertEqual(found(report), ["tapped missing", "tapped renamed"])
  }

  func testAMarkHidesEarlierEntries() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "tapped"))
      let mark = verifier.mark()
      verifier.tracker.trackEvent(.init(name: "shown"))
      verifier.wait(for: .none(of: .named("tapped")), since: mark)
      verifier.wait(for: .named("shown"), since: mark)
    }
    // Exchanged, the tap would be after the mark; an app couldn't send it there.
    XCTAssertEqual(found(report), ["shown missing", "shown renamed"])
  }

  func testABoundIsExceededByALaterEntry() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "tapped"))
      verifier.wait(for: .named("tapped"), count: 1)
      verifier.tracker.trackEvent(.init(name: "tappe"))
      verifier.tracker.trackEvent(.init(name: "tapp"))
    }
    XCTAssertEqual(found(report), ["tapped missing", "tapped renamed", "tapped doubled"])
  }

  func testWhatAnotherWaitMatchesExceedsNoBound() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "tapped", params: ["n": 1]))
      verifier.wait(for: .named("tapped"), count: 1)
      verifier.tracker.trackEvent(.init(name: "tapped", params: ["n": 2]))
      verifier.wait(for: .named("tapped", params: ["n": 2]))
    }
    XCTAssertEqual(report.events["tapped"]?.params["n"]?.pinned, .check)
    XCTAssertNil(report.leftOut)
  }

  func testAResetForgetsMatchesAndKeepsEntries() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "first", params: ["n": 1]))
      verifier.wait(for: .next(.named("first", params: ["n": 1])))
      verifier.reset()
      verifier.tracker.trackEvent(.init(name: "second"))
      verifier.wait(for: .next(.named("second")))
      verifier.wait(for: .nothingElse())
    }
    XCTAssertNil(report.leftOut)
    XCTAssertEqual(
      found(report),
      [
        "first missing", "first renamed", "first.n by check", "second missing", "second renamed", "second doubled",
      ])
  }

  func testWindowsAreMeasuredByTheRecordedTimes() throws {
    // Two equal events, farther apart than the window.
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "tapped", params: ["n": 1]))
      let window = ContinuousClock.now
      while ContinuousClock.now - window < .milliseconds(20) {}
      verifier.tracker.trackEvent(.init(name: "tapped", params: ["n": 2]))
      verifier.wait(for: .noDuplicates(within: 0.01))
    }
    // 1 for 2 and 2 for 1 make them equal; a doubled event arrives at the same time.
    XCTAssertEqual(found(report), ["tapped doubled"])
  }

  // MARK: Closures

  func testAClosureSeesOnlyWhatIsNearToWhatItSaw() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(
        .init(name: "order", params: ["items": ["a"], "price": 10, "count": 2, "note": "hi"]))
      verifier.wait(
        for: .named("order").and(
          .satisfying("a mean price of 5") { event in
            guard case .array(let items)? = event.params["items"], case .int(let price)? = event.params["price"],
              case .int(let count)? = event.params["count"], case .string(let note)? = event.params["note"]
            else { fatalError("the closure has seen \(event)") }
            return items[0] == "a" && price / count == 5 && note.first == "h"
          }))
    }
    XCTAssertEqual(report.events["order"]?.params["count"]?.pinned, .check)
    // 11 / 2 is 5, too, and the first letter stays.
    XCTAssertEqual(report.events["order"]?.params["price"]?.passing, "11 for 10")
    XCTAssertEqual(report.events["order"]?.params["note"]?.passing, #""hix" for "hi""#)
    XCTAssertEqual(report.events["order"]?.params["items"]?.pinned, .untried)
    XCTAssertEqual(report.events["order"]?.params["items[]"]?.pinned, .check)
    XCTAssertGreaterThan(report.untried, 0)
    XCTAssertEqual(report.events["order"]?.noticed, [.missing, .renamed])
  }

  func testATypedClosureIsCalledAgain() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "purchase", params: ["total": 120, "coupon": "X"]))
      verifier.wait(for: .typed(Purchase.self) { $0.total == 120 && $0.coupon!.count == 1 })
    }
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .check)
    XCTAssertEqual(report.events["purchase"]?.params["coupon"]?.passing, #""x" for "X""#)
    XCTAssertEqual(report.events["purchase"]?.waits.map(\.assertion), ["as Purchase and by a closure"])
  }

  func testAClosureSeesNoZero() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "purchase", params: ["total": -1]))
      verifier.wait(for: .typed(Purchase.self) { 100 / $0.total == -100 })
      verifier.wait(
        for: .satisfying("a share") { if case .int(let n)? = $0.params["total"] { 100 / n < 0 } else { false } })
    }
    XCTAssertNil(report.leftOut)
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .untried)
  }

  func testATypedClosureIsNotCalledWithAnEventAfterItsMatch() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "purchase", params: ["total": 5, "coupon": "X"]))
      verifier.tracker.trackEvent(.init(name: "purchase", params: ["total": 5]))
      verifier.wait(for: .typed(Purchase.self) { $0.coupon!.count == 1 })
    }
    XCTAssertNil(report.leftOut)
    XCTAssertEqual(report.events["purchase"]?.params["coupon"]?.passing, #""x" for "X""#)
  }

  func testAClosureIsNotCalledWithAnEventThatItsPatternDidNotReach() throws {
    let order = TrackingEvent(name: "order", params: ["items": ["a"]])
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "order"))
      verifier.tracker.trackEvent(.init(name: "opened"))
      verifier.tracker.trackEvent(order)
      verifier.tracker.trackEvent(.init(name: "order"))
      let first = EventPattern.satisfying("an item") { $0.params["items"]! == ["a"] }
      verifier.wait(for: .inOrder([.named("opened"), .named("order").and(first)].map { EntryPattern($0) }))
      verifier.wait(for: .consecutive([.named("opened"), first].map { EntryPattern($0) }))
    }
    XCTAssertNil(report.leftOut)
    XCTAssertEqual(report.events["order"]?.params["items[]"]?.pinned, .check)
    XCTAssertEqual(report.events["opened"]?.isChecked, true)
  }

  func testAParamIsPinnedOnlyIfAllItsNearestValuesWereTried() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "purchase", params: ["total": 2]))
      verifier.tracker.trackEvent(
        .init(name: "listed", params: ["items": [["n": 1]], "share": 1, "name": "first"]))
      verifier.wait(for: .typed(Purchase.self, "at most 2") { $0.total <= 2 })
      verifier.wait(
        for: .named("listed").and(
          .satisfying("an item, a share and a name") { event in
            guard case .array(let items)? = event.params["items"], case .object(let item) = items[0],
              case .int(let share)? = event.params["share"], case .string(let name)? = event.params["name"]
            else { return false }
            return item["n"] == 1 && share <= 1 && name.hasSuffix("st")
          }))
    }
    let total = try XCTUnwrap(report.events["purchase"]?.params["total"])
    XCTAssertEqual(total.pinned, .discarded)
    XCTAssertEqual(total.passing, "1 for 2")
    let listed = try XCTUnwrap(report.events["listed"]?.params)
    XCTAssertEqual(listed["name"]?.passing, #""xirst" for "first""#)
    // One less is a zero, which no closure sees; a member more is nothing that it has seen, either.
    XCTAssertEqual(listed["share"]?.pinned, .untried)
    XCTAssertEqual(listed["share"]?.untried, "0 for 1")
    XCTAssertEqual(listed["items[]"]?.pinned, .untried)
    XCTAssertEqual(listed["items[]"]?.untried, #"{"n": 1, "unexpected": 1} for {"n": 1}"#)
    XCTAssertEqual(listed["items[].n"]?.pinned, .untried)
  }

  func testAnAbsencePinsNoValueThatPassesWhenItIsOneLess() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "purchase", params: ["total": 120]))
      verifier.wait(
        for: .none(
          of: .satisfying("more than 120") { if case .int(let n)? = $0.params["total"] { n > 120 } else { false } }))
    }
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.passing, "119 for 120")
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .no)
  }

  func testAnExpectationSeesWhatArrivesAfterItWasMade() throws {
    let report = try report { verifier in
      let tracked = verifier.expectation(for: .named("a", params: ["n": 1]), count: 1)
      verifier.tracker.trackEvent(.init(name: "a", params: ["n": 1]))
      verifier.tracker.trackEvent(.init(name: "b"))
      wait(for: [tracked], timeout: 5)
    }
    // In the other order, the test passes, too.
    XCTAssertEqual(report.events["a"]?.noticed, [.missing, .renamed, .doubled])
    XCTAssertEqual(report.events["b"]?.noticed, [])
  }

  func testAnExpectationIsNotFulfilledByWhatArrivesAfterItsWait() throws {
    let report = try report { verifier in
      let tracked = verifier.expectation(for: .satisfying("any event") { _ in true }, count: 1...)
      verifier.tracker.trackEvent(.init(name: "a"))
      wait(for: [tracked], timeout: 5)
      verifier.tracker.trackEvent(.init(name: "b"))
      verifier.wait(for: .named("b"))
    }
    // Without the first event the test would wait until the timeout, and never track the second.
    XCTAssertEqual(report.events["a"]?.noticed.contains(.missing), true)
  }

  /// The end of a wait for several is that of the last one, and what arrives before that may fulfil an earlier one.
  func testAnExpectationMayBeFulfilledUntilThoseBesideItAre() throws {
    let report = try report { verifier in
      let some = verifier.expectation(for: .satisfying("a or b") { ["a", "b"].contains($0.name) }, count: 1...)
      let last = verifier.expectation(for: .named("c"), count: 1)
      for name in ["a", "b", "c"] { verifier.tracker.trackEvent(.init(name: name)) }
      wait(for: [some, last], timeout: 5)
      verifier.tracker.trackEvent(.init(name: "c"))
      verifier.wait(for: .named("c"), count: 2)
    }
    XCTAssertEqual(report.events["a"]?.noticed.contains(.missing), false)
  }

  func testNothingElseKnowsWhatCountsAndExpectationsAllow() throws {
    let open = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "a"))
      verifier.wait(for: .named("a"), count: 1...)
      verifier.tracker.trackEvent(.init(name: "a"))
      verifier.wait(for: .nothingElse())
    }
    // Both renamed, and the first missing; the count allows another one.
    XCTAssertEqual(open.noticed, 3)
    XCTAssertEqual(open.events["a"]?.noticed, [.missing, .renamed])
    let expected = try report { verifier in
      let tracked = verifier.expectation(for: .named("a"), count: 1)
      verifier.tracker.trackEvent(.init(name: "a", params: ["n": 1]))
      wait(for: [tracked], timeout: 5)
      verifier.tracker.trackEvent(.init(name: "b", params: ["n": 1]))
      verifier.wait(for: .named("b", params: ["n": 1]))
      verifier.wait(for: .nothingElse())
    }
    // An expectation allows its event, whatever its params are; the event of a wait may come once.
    XCTAssertEqual(expected.events["a"]?.noticed, [.missing, .renamed, .doubled])
    XCTAssertEqual(expected.events["b"]?.noticed, [.missing, .renamed, .doubled])
    XCTAssertEqual(expected.events["b"]?.params["n"]?.pinned, .check)
    XCTAssertEqual(expected.events["a"]?.params["n"]?.pinned, .no)
  }

  func testAnOutcomeThatTheTestMayDropNoticesNothing() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(Self.purchase)
      _ = verifier.outcome(of: .count(1, of: .named("purchase", params: ["total": 120])))
    }
    XCTAssertEqual(report.noticed, 0)
    XCTAssertEqual(report.events["purchase"]?.noticed, [])
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .returned)
  }

  func testAClosureThatMustNotRunAgainIsLeftOut() throws {
    let (calls, counter) = (Locked(0), Locked(0))
    let report = try report(mutations: .always.withoutClosures()) { verifier in
      verifier.tracker.trackEvent(Self.purchase)
      verifier.wait(
        for: .satisfying("the first") { _ in
          counter.withLock {
            $0 += 1; return $0 == 1
          }
        })
      verifier.wait(
        for: .typed(Purchase.self) { _ in
          calls.withLock {
            $0 += 1; return $0 == 1
          }
        })
      verifier.wait(for: .named("purchase", params: ["currency": "EUR"]))
    }
    XCTAssertEqual([calls.withLock { $0 }, counter.withLock { $0 }], [1, 1])
    XCTAssertNil(report.leftOut)
    XCTAssertEqual(report.events["purchase"]?.params["currency"]?.pinned, .check)
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .untried)
  }

  func testATestWhoseCheckHasAnotherResultIsLeftOutAndNamed() throws {
    let counter = Locked(0)
    let isFirst: @Sendable (TrackingEvent) -> Bool = { _ in
      counter.withLock {
        $0 += 1; return $0 == 1
      }
    }
    var line = 0
    let report = try report { verifier in
      verifier.tracker.trackEvent(Self.purchase)
      (_, line) = (verifier.wait(for: .satisfying("the first", isFirst)), #line)
    }
    XCTAssertEqual(
      report.leftOut,
      "Repeating the check at MutationTests.swift:\(line) on the same events gave a different result: an event with the first."
    )
    XCTAssertEqual(report.events, [:])
    XCTAssertEqual(report.tried, 0)
  }

  func testATestWhoseCheckFindsAnotherEventIsLeftOutAndNamed() throws {
    let counter = Locked(0)
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "opened"))
      verifier.tracker.trackEvent(.init(name: "closed"))
      let event = verifier.wait(
        for: .satisfying("the second") { _ in
          counter.withLock {
            $0 += 1; return $0 > 1
          }
        })
      XCTAssertEqual(event?.name, "closed")
    }
    XCTAssertTrue(report.leftOut?.hasSuffix("gave a different result: an event with the second.") ?? false, "\(report)")
    XCTAssertEqual(report.events, [:])
  }

  // MARK: Returned events

  func testWhatAFlowRecordsIsPinned() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "added", params: ["id": "42", "at": "2026-11-21T10:00:00Z"]))
      verifier.tracker.trackEvent(.init(name: "opened"))
      verifier.note("the recorded flow", at: CodeLocation(), since: nil, of: .events) { entries in
        let flow = EventFlow(entries.compactMap { $0.event.map { EventFlow.Step($0.event, volatile: [.dates]) } })
        return flow.text == "added\n  at: <date>\n  id: \"42\"\nopened\n"
      }
    }
    XCTAssertEqual(report.events["added"]?.noticed, Set(MutationReport.Change.allCases))
    XCTAssertEqual(report.events["added"]?.params.mapValues(\.pinned), ["id": .check, "at": .no])
  }

  func testAnExpectationReturnsNoEvent() throws {
    let report = try report { verifier in
      let expectation = verifier.expectation(for: .named("purchase"), count: 1)
      verifier.tracker.trackEvent(Self.purchase)
      wait(for: [expectation], timeout: 5)
    }
    XCTAssertEqual(report.events["purchase"]?.noticed, [.missing, .renamed, .doubled])
    XCTAssertEqual(report.events["purchase"]?.params["total"]?.pinned, .no)
  }

  // MARK: Requests

  func testABodyIsPinnedByItsMembers() throws {
    let report = try report { verifier in
      verifier.journal.record(
        RecordedRequest(
          ReceivedRequest(
            method: "POST", path: "/orders",
            body: Data(#"{"product": 42, "note": "hi", "address": {"city": "X"}}"#.utf8)),
          connection: 1, exchange: 1))
      verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": 42])), count: 1)
    }
    let order = try XCTUnwrap(report.requests["POST /orders"])
    XCTAssertEqual(order.noticed, [.missing, .doubled])
    XCTAssertEqual(order.params["product"]?.pinned, .check)
    XCTAssertEqual(order.params["note"]?.pinned, .discarded)
    XCTAssertEqual(order.params["note"]?.suggestion, #"body: .jsonSubset(["note": "hi"])"#)
    XCTAssertEqual(order.params["address.city"]?.passing, #""Xx" for "X""#)
    XCTAssertEqual(report.events, [:])
  }

  func testAMissingMemberOfABodyIsNoticed() throws {
    // Only the member's presence is pinned.
    let report = try report { verifier in
      verifier.journal.record(
        RecordedRequest(
          ReceivedRequest(method: "POST", path: "/orders", body: Data(#"{"product": {}, "note": null}"#.utf8)),
          connection: 1, exchange: 1))
      verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": .present])))
    }
    let order = try XCTUnwrap(report.requests["POST /orders"])
    XCTAssertEqual(order.params["product"]?.partly, .check)
    XCTAssertNil(order.params["note"]?.partly)
  }

  func testABodyThatIsAnArrayIsPinnedByTheMembersOfItsElements() throws {
    func order(_ body: BodyCondition) throws -> MutationReport.Subject {
      try XCTUnwrap(
        report { verifier in
          verifier.journal.record(
            RecordedRequest(
              ReceivedRequest(method: "POST", path: "/orders", body: Data(#"[{"id": 1, "note": "hi"}, 2]"#.utf8)),
              connection: 1, exchange: 1))
          verifier.wait(for: .request(.post, "/orders", body: body))
        }.requests["POST /orders"])
    }
    let subset = try order(.jsonSubset([["id": 1], 2]))
    XCTAssertEqual(subset.params.mapValues(\.pinned), ["[]": .check, "[].id": .check, "[].note": .discarded])
    XCTAssertEqual(subset.params["[].note"]?.passing, #""hix" for "hi""#)
    let loose = try order(.json(.present))
    XCTAssertEqual(loose.params.mapValues(\.pinned), ["[]": .discarded, "[].id": .discarded, "[].note": .discarded])
    XCTAssertEqual(Set(loose.params.values.map(\.suggestion)), [nil], "no pattern has the path of an element")
  }

  func testADoubledEventChangesNoOrderOfResponses() throws {
    let report = try report { verifier in
      verifier.tracker.trackEvent(.init(name: "opened"))
      for path in ["/search", "/products"] {
        verifier.journal.record(
          RecordedRequest(
            ReceivedRequest(method: "GET", path: path), connection: 1, exchange: 1,
            response: RecordedResponse(status: 200)))
        verifier.tracker.trackEvent(.init(name: path))
      }
      verifier.wait(
        for: .inOrder([
          .request(.get, "/search").responded(200), .named("/search"), .request(.get, "/products").responded(200),
          .named("/products"),
        ]))
    }
    XCTAssertEqual(report.events["opened"]?.noticed, [.exchanged])
    XCTAssertEqual(report.events["/search"]?.noticed, [.missing, .renamed, .exchanged])
  }

  func testTheCopyOfAnEventArrivesBeforeALaterResponse() throws {
    let responded = EntryPattern.request(.post, "/orders").responded(201)
    /// Whether the test notices that an event between a request and its response comes twice.
    func noticesACopy(isLast: Bool, _ check: TrackingCheck<CheckOutcome>) throws -> Bool? {
      try report { verifier in
        let order = verifier.journal.record(
          RecordedRequest(ReceivedRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1))
        verifier.tracker.trackEvent(.init(name: "waiting"))
        verifier.journal.complete(order, with: RecordedResponse(status: 201))
        if !isLast { verifier.tracker.trackEvent(.init(name: "ordered")) }
        verifier.wait(for: check)
      }.events["waiting"]?.noticed.contains(.doubled)
    }
    for isLast in [false, true] {
      XCTAssertEqual(
        try noticesACopy(isLast: isLast, .consecutive([.request(.post, "/orders"), .named("waiting"), responded])), true
      )
      XCTAssertEqual(try noticesACopy(isLast: isLast, .consecutive([.named("waiting"), responded])), false)
    }
    XCTAssertEqual(
      try noticesACopy(isLast: false, .consecutive([.named("waiting"), responded, .named("ordered")])), false)
  }

  func testAConditionOfTheStubThatRespondedPinsTheBody() throws {
    let stubs: [(BodyCondition, pinned: [String])] = [
      (.jsonSubset(["product": 42]), ["product"]), (.json(["product": 42, "note": "hi"]), ["note", "product"]),
      (.jsonSubset(["product": .present]), []), (.text(.contains(#""hi""#)), ["note"]),
      (.json(.present), []),
    ]
    for (body, pinned) in stubs {
      let report = try report { verifier in
        verifier.journal.record(
          RecordedRequest(
            ReceivedRequest(method: "POST", path: "/orders", body: Data(#"{"product": 42, "note": "hi"}"#.utf8)),
            connection: 1, exchange: 1,
            response: RecordedResponse(
              status: 201, stub: StubEndpoint(.request(.post, "/orders", body: body), .status(201)))))
      }
      let order = try XCTUnwrap(report.requests["POST /orders"])
      XCTAssertEqual(order.params.filter { $0.value.pinned == .check }.keys.sorted(), pinned, "\(body)")
      XCTAssertEqual(order.params.filter { $0.value.pinned == .no }.count, 2 - pinned.count, "\(body)")
      // A stub notices no request that is missing.
      XCTAssertEqual(order.noticed, [])
    }
  }

  func testARequestIsNamedByThePathOfItsStub() throws {
    let report = try report { verifier in
      for (path, stub) in [
        ("/orders/1", StubEndpoint(.request(.get, "/orders/:id", query: ["from": .present]), .status(200))),
        ("/orders/2", StubEndpoint(.request(.get, "/orders/:id"), .status(200), name: "an order")),
        ("/users/7", StubEndpoint(.request(.get, .regex("/users/[0-9]+")), .status(200))),
        ("/users", StubEndpoint(.request(.get, url: "http://localhost:41957/users"), .status(200))),
      ] {
        verifier.journal.record(
          RecordedRequest(
            ReceivedRequest(method: "GET", path: path), connection: 1, exchange: 1,
            response: RecordedResponse(status: 200, stub: stub)))
      }
    }
    XCTAssertEqual(Set(report.requests.keys), ["GET /orders/:id", "GET /users/7", "GET /users"])
    XCTAssertEqual(
      report.requests["GET /users/7"]?.suggestion, #"verifier.wait(for: .request(.get, "/users/7"))"#)
  }

  // MARK: Cost

  func testATestOfManyEventsHasASmallerSampleOrNone() throws {
    func report(events: Int, mostSteps: Int) throws -> MutationReport {
      let configuration = changed(TrackingVerifier.Configuration(timeout: 0, settling: 0)) { $0.mutations = .always }
      let verifier = TrackingVerifier(with: .idle(), configuration: configuration)
      for index in 0..<events { verifier.tracker.trackEvent(.init(name: "e", params: ["index": .int(index)])) }
      for _ in 0..<10 { verifier.wait(for: .named("e")) }
      return MutationAnalysis.report(
        on: try XCTUnwrap(verifier.checks?.take(name: "", since: .beginning)), mostSteps: mostSteps)
    }
    let whole = try report(events: 60, mostSteps: .max)
    let sampled = try report(events: 60, mostSteps: 72_000)
    XCTAssertNil(sampled.leftOut)
    XCTAssertLessThanOrEqual(sampled.tried, 150)
    XCTAssertGreaterThan(whole.tried, 300)
    let leftOut = try report(events: 60, mostSteps: 59_999)
    XCTAssertEqual(leftOut.leftOut, "It has too many entries and checks: 60 and 10.")
    XCTAssertEqual(leftOut.tried, 0)
  }

  func testATestOfThirtyEventsAndTenChecksIsCheap() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: .idle(),
      configuration: changed(TrackingVerifier.Configuration(timeout: 0, settling: 0, reporter: reporter)) {
        $0.mutations = .always
      })
    for index in 0..<30 {
      verifier.tracker.trackEvent(
        .init(
          name: "event_\(index % 10)",
          params: ["a": .int(index), "b": "text", "c": true, "d": 1.5, "e": .string("value \(index)")]))
    }
    for index in 0..<8 { verifier.wait(for: .named("event_\(index)", params: ["a": .equal(to: index)])) }
    verifier.wait(for: .inOrder([.named("event_1"), .named("event_2")]))
    verifier.wait(for: .named("event_9"), count: 3)
    let test = try XCTUnwrap(verifier.checks?.take(name: "", since: .beginning))
    var report = MutationReport()
    let time = ProcessorTime.least(of: 5) {
      var analysis = MutationAnalysis(of: test)
      report = analysis.run()
    }
    XCTAssertGreaterThan(report.tried, 900)
    XCTAssertNil(report.sample)
    // 25 ms in a debug build; a sanitizer takes ten times as much, and trying every check on every mutant a hundred times.
    XCTAssertLessThan(time, .seconds(1))
  }
}
