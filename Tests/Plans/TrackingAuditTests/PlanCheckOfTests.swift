import TestSupport
import TrackingAudit
import TrackingRules

/// The plan as a check of a verifier.
final class PlanCheckOfTests: XCTestCase {
  private let reporter = RecordingReporter()

  private func plan(_ more: String = "") throws -> TrackingPlan {
    try TrackingPlan(
      text: """
        {"plan": "Shop", "events": {
          "added": {"params": {
            "quantity": {"type": "integer", "minimum": 1},
            "currency": {"enum": ["EUR", "USD"]},
            "source": {"type": "string", "optional": true}}},
          "shown": {},
          "old": {"deprecated": true}\(more)
        }}
        """)
  }

  private func verifier(
    plan: PlanSource?, checks: [TrackingCheck<CheckOutcome>] = [.delivery, .plan]
  ) -> TrackingVerifier {
    TrackingVerifier(
      with: self,
      configuration: .init(timeout: 0, settling: 0, checksAtStop: checks, plan: plan, reporter: reporter))
  }

  func testEventsThatAreNotAsPlannedFailTheTestAtItsEndWithTheLinesOfThePlan() throws {
    let verifier = verifier(plan: .plan(try plan()))
    let (_, line) = (verifier.start(), #line as UInt)
    verifier.tracker.trackEvent(.init(name: "shown"))
    verifier.tracker.trackEvent(.init(name: "added", params: ["quantity": "1", "souce": "list"]))
    verifier.tracker.trackEvent(.init(name: "shwon"))
    verifier.tracker.trackEvent(.init(name: "old"))
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.brokenRule])
    XCTAssertEqual(reporter.lines, [line])
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        2 of 4 events don't match the plan "Shop": #2, added, quantity: "1" is a string, expected an integer of at least 1
            #2  +N ms  added(quantity: "1", souce: "list")
                quantity: "1" is a string, expected an integer of at least 1 (tracking-plan.json:3)
                currency is missing, expected one of "EUR", "USD" (tracking-plan.json:4)
                souce is not in the plan; the nearest is source (tracking-plan.json:5)
            #3  +N ms  shwon()
                the plan has no event with this name; the nearest is shown (tracking-plan.json:6)

        Received, by time since the first arrival:
            #1  +N ms  shown()
            #2  +N ms  breaks the rule  added(quantity: "1", souce: "list")
            #3  +N ms  breaks the rule  shwon()
            #4  +N ms  old()
        """
      ])
  }

  func testALongFindingKeepsItsIndentOnEachOfItsLines() throws {
    let plan = try TrackingPlan(
      text: """
        {"events": {"paid": {"params": {"by": {"enum": ["card", "invoice", "voucher", "transfer", "direct debit"]}}}}}
        """)
    let verifier = verifier(plan: .plan(plan))
    verifier.start()
    verifier.tracker.trackEvent(.init(name: "paid", params: ["by": "a card that was refused twice"]))
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        1 of 1 event doesn't match the plan "tracking-plan": #1, paid, by: "a card that was refused twice", expected one of "ca…
            #1  +N ms  paid(by: "a card that was refused twice")
                by: "a card that was refused twice", expected one of "card", "invoice", "voucher",
                  "transfer", "direct debit" (tracking-plan.json:1)

        Received, by time since the first arrival:
            #1  +N ms  breaks the rule  paid(by: "a card that was refused twice")
        """
      ])
  }

  func testAWaitChecksAtOnceAndIgnoresThePatternsToIgnore() throws {
    let verifier = verifier(plan: .plan(try plan()), checks: [])
    verifier.tracker.trackEvent(.init(name: "session_start"))
    verifier.wait(for: .plan(ignoring: [.named("session_start")]))
    XCTAssertEqual(reporter.kinds, [])
    XCTAssertFalse(verifier.outcome(of: .plan).passed)
    verifier.wait(for: .plan)
    XCTAssertEqual(reporter.kinds, [.brokenRule])
  }

  func testWhatAWaitHasReportedIsNotReportedAgainWhenTheTestEnds() throws {
    let verifier = verifier(plan: .plan(try plan()))
    verifier.tracker.trackEvent(.init(name: "shwon"))
    verifier.wait(for: .plan)
    verifier.tracker.trackEvent(.init(name: "aded"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.brokenRule, .brokenRule])
    assertText(
      reporter.messages[1].timeless,
      """
      1 of 2 events doesn't match the plan "Shop": #2, aded, the plan has no event with this name; the nearest is added
          #2  +N ms  aded()
              the plan has no event with this name; the nearest is added (tracking-plan.json:2)

      Received, by time since the first arrival:
          #1  +N ms  shwon()
          #2  +N ms  breaks the rule  aded()
      """)
  }

  func testAStrictPlanFailsForDeprecatedEvents() throws {
    let url = try temporaryFolder().appending(path: "plan.json")
    try Data(#"{"events": {"old": {"deprecated": true}}}"#.utf8).write(to: url)
    for (isStrict, kinds) in [(false, []), (true, [CheckFailure.Kind.brokenRule])] {
      let verifier = verifier(plan: .file(url, isStrict: isStrict))
      verifier.tracker.trackEvent(.init(name: "old"))
      verifier.stop()
      XCTAssertEqual(reporter.kinds, kinds)
    }
  }

  func testADeprecatedEventIsAWarningThatFailsNoTest() throws {
    let verifier = verifier(plan: .plan(try plan()))
    verifier.tracker.trackEvent(.init(name: "shown"))
    verifier.tracker.trackEvent(.init(name: "old"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [])
    XCTAssertEqual(
      reporter.warnings.map(\.timeless),
      [
        """
        1 of 2 events is valid, but should no longer be sent:
            #2  +N ms  old()
                the event is deprecated (tracking-plan.json:7)
        """
      ])
    verifier.stop()
    XCTAssertEqual(reporter.warnings.count, 1)
  }

  func testACheckThatPassesWithoutAnEventThatIsNotPlannedIsAWarningAtItsLine() async throws {
    let source = PlanSource.plan(try plan())
    let verifier = verifier(plan: source)
    let (_, line) = (verifier.start(), #line as UInt)
    await verifier.wait(for: .none(of: .named("shwon")))
    let sentence =
      "The absence of \"shwon\" proves nothing: the plan has no event with this name; the nearest is shown."
    XCTAssertEqual(reporter.warnings, [sentence])
    XCTAssertEqual(reporter.linesOfWarnings, [line + 1])
    verifier.tracker.trackEvent(.init(name: "shown"))
    let other = "The absence of \"xyzzy\" proves nothing: the plan has no event with this name."
    let unplanned: [(TrackingCheck<CheckOutcome>, [String])] = [
      (.count(.atMost(2), of: .named("shwon").exact()), [sentence]),
      (.none(of: .named("shown").or(.named("xyzzy")), within: 0), [other]),
      (.none(of: .named("xyzzy").lenient().or(.request(.get, "/a")), before: .named("shown")), [other]),
      (.none(of: .named("shwon").or(.named("xyzzy"))), ["\(sentence)\n\(other)"]),
      // These need the event, or name none.
      (.count(1..., of: .named("shwon")), []), (.inOrder([.named("shown"), .named("shwon")]), []),
      (.none(of: .named("old")), []), (.none(of: .any, before: .named("shwon")), []),
      (.none(of: .named("xyzzy").not().and(.params(["a": 1]))), []), (.none(of: .request(.get, "/a")), []),
      (.nothingElse(ignoring: [.named("shwon"), .named("heartbeat")]), []),
    ]
    for (check, warnings) in unplanned {
      let known = reporter.warnings.count
      await verifier.wait(for: check)
      XCTAssertEqual(Array(reporter.warnings.dropFirst(known)), warnings, "\(check)")
      _ = await verifier.outcome(of: check)
    }
    _ = verifier.expectation(for: .named("shwon"), count: 0)
    XCTAssertEqual(reporter.warnings.suffix(1), [sentence])
    let known = reporter.warnings.count
    let checked = self.verifier(plan: source, checks: [.none(of: .named("shwon"))])
    checked.stop()
    XCTAssertEqual(Array(reporter.warnings.dropFirst(known)), [sentence])
    await self.verifier(plan: nil).wait(for: .none(of: .named("shwon")))
    XCTAssertEqual(reporter.warnings.count, known + 1)
  }

  func testAnAbsenceOfAParamOrAValueThatThePlanExcludesIsAWarning() async throws {
    let verifier = verifier(
      plan: .plan(
        try plan(
          #"""
          , "done": {"params": {
            "exercise_id": {"type": "string"}, "kind": {"type": "string"}, "page.name": {"type": "string"},
            "sets": {"type": "array", "minItems": 2, "items": {
              "type": "object", "properties": {"reps": {"type": "integer"}}}}}}
          """#)))
    func absence(_ reason: String) -> [String] { ["The absence of \"done\" proves nothing: \(reason)."] }
    let none: [String] = []
    let absences: [([TrackingParam: ValueMatcher], [String])] = [
      (["exercize_id": .any], absence("exercize_id is not in the plan; the nearest is exercise_id")),
      (["kind": 3], absence("kind: 3 is a number, expected a string")),
      (["kind": "rest", "exercise_id": "42"], none), (["kind": .any, "exercise_id": .anyString], none),
      (["kind": .greater(than: 3)], none), (["exercize_id": .absent], none), (["exercize_id": .not("x")], none),
      (["page.name": "home"], none), (["page.name": 3], absence("page.name: 3 is a number, expected a string")),
      (["sets[0].reps": 3], none), (["sets[2].reps": .any], none),
      (["sets[0].reps": "3"], absence("sets[0].reps: \"3\" is a string, expected an integer")),
      (["sets[0].rep": .any], absence("sets[0].rep is not in the plan; the nearest is reps")),
      (["kind.name": .any], absence("kind.name is not in the plan")),
      (
        ["exercize_id": 1, "kind": 3],
        [
          "The absence of \"done\" proves nothing: exercize_id is not in the plan; the nearest is exercise_id.\n"
            + "The absence of \"done\" proves nothing: kind: 3 is a number, expected a string."
        ]
      ),
    ]
    for (params, warnings) in absences {
      let known = reporter.warnings.count
      await verifier.wait(for: .none(of: .named("done", params: params), within: 0))
      XCTAssertEqual(Array(reporter.warnings.dropFirst(known)), warnings, "\(params)")
    }
    let known = reporter.warnings.count
    await verifier.wait(for: .none(of: .equal(to: TrackingEvent(name: "done", params: ["kind": 3])), within: 0))
    await verifier.wait(for: .named("done", params: ["kind": 3]), count: 0)
    await verifier.wait(
      for: .none(of: .named("done", params: ["kind": "a"]).and(.params(["exercize_id": 1])), within: 0))
    XCTAssertEqual(reporter.warnings.count, known + 3)
  }

  func testWithoutAPlanNothingIsCheckedWhenTheTestEndsAndAWaitSaysWhatIsMissing() {
    let verifier = verifier(plan: nil)
    verifier.tracker.trackEvent(.init(name: "anything"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [])
    verifier.wait(for: .plan)
    XCTAssertEqual(reporter.kinds, [.unusablePlan])
    XCTAssertEqual(
      reporter.sentences,
      [
        "There is no tracking plan to check against Set the configuration's `plan`, or the variable TRACKING_PLAN (xcodebuild: TEST_RUNNER_TRACKING_PLAN)."
      ])
  }

  func testAPlanThatCannotBeReadFailsOnceAtTheLineOfTheStart() {
    let verifier = verifier(plan: .file(URL(fileURLWithPath: "/nowhere/plan.json")))
    let (_, line) = (verifier.start(), #line as UInt)
    verifier.tracker.trackEvent(.init(name: "anything"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.unusablePlan])
    XCTAssertEqual(reporter.lines, [line])
    XCTAssertEqual(reporter.sentences, ["The tracking plan can't be used: /nowhere/plan.json: no such file or folder."])
  }

  func testTheEnvironmentSetsThePlanWithoutAnEdit() throws {
    let url = try temporaryFolder().appending(path: "plan.json")
    try Data(#"{"events": {"shown": {}}}"#.utf8).write(to: url)
    setenv("TRACKING_PLAN", url.path, 1)
    defer { unsetenv("TRACKING_PLAN") }
    let verifier = verifier(plan: nil)
    verifier.tracker.trackEvent(.init(name: "shwon"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.brokenRule])
  }

  func testTheStopObservesWhatArrivedAndWhatAWaitMatched() throws {
    let folder = try temporaryFolder()
    setenv("TRACKING_OBSERVATIONS", folder.path, 1)
    defer { unsetenv("TRACKING_OBSERVATIONS") }
    let first = verifier(plan: nil)
    first.tracker.trackEvent(.init(name: "shown"))
    first.tracker.trackEvent(.init(name: "added", params: ["quantity": 1]))
    first.wait(for: .named("shown"))
    first.stop()
    first.tracker.trackEvent(.init(name: "shown"))
    first.stop()
    let second = verifier(plan: nil)
    second.stop()
    var contents = ObservationFolder.Contents()
    try contents.add(ObservationFolder(folder))
    let observations = contents.observations
    XCTAssertEqual(observations.map { $0.events["shown"]?.count }, [1, 1, nil])
    XCTAssertEqual(observations.map { $0.events["shown"]?.matched }, [1, 0, nil])
    XCTAssertEqual(observations[0].events["added"]?.matched, 0)
    XCTAssertTrue(observations[0].test.contains("testTheStopObserves"), observations[0].test)
    let files = reporter.attachments.filter { $0.form == .observation }.map(\.fileName)
    XCTAssertEqual(Set(files).count, 3, "\(files)")
  }

  /// The observations that a reporter kept with the test's result.
  private var attached: [Observation] {
    reporter.attachments.filter { $0.form == .observation }.compactMap { Observation(line: $0.text.utf8) }
  }

  func testAnObservationNamesThePlanThatWasCheckedAndIsKeptWithAPassingTest() throws {
    let identity = try plan().identity
    let checked = verifier(plan: .plan(try plan()))
    checked.tracker.trackEvent(.init(name: "shown"))
    checked.stop()
    XCTAssertEqual(attached.map(\.plan), [identity])
    XCTAssertEqual(attached.map { $0.events["shown"]?.count }, [1])
    XCTAssertTrue(
      reporter.attachments.allSatisfy { $0.fileName.hasSuffix("-tracking-observation.json") },
      "\(reporter.attachments.map(\.fileName))")
    let attempt = try XCTUnwrap(attached.first?.attempt)
    XCTAssertTrue(attempt.test.hasPrefix("TrackingAuditTests.PlanCheckOfTests "), attempt.test)

    let checking = verifier(plan: .plan(try plan()), checks: [])
    checking.tracker.trackEvent(.init(name: "shown"))
    checking.stop()
    XCTAssertEqual(attached.map(\.plan), [identity, nil], "a plan that no check uses is not read")
    checking.wait(for: .plan)
    checking.stop()
    XCTAssertEqual(attached.map(\.plan), [identity, nil, identity])
    XCTAssertEqual(attached.map(\.attempt), [attempt, attempt, attempt])
    XCTAssertEqual(reporter.kinds, [])
  }

  func testWithoutAPlanAnObservationNamesNone() throws {
    let folder = try temporaryFolder()
    setenv("TRACKING_OBSERVATIONS", folder.path, 1)
    defer { unsetenv("TRACKING_OBSERVATIONS") }
    verifier(plan: nil).stop()
    let unusable = verifier(plan: .file(URL(fileURLWithPath: "/nowhere/plan.json")))
    unusable.stop()
    XCTAssertEqual(attached.map(\.plan), [nil, nil])
    var contents = ObservationFolder.Contents()
    try contents.add(ObservationFolder(folder))
    XCTAssertEqual(contents.observations, attached)
  }

  func testAnUncheckedTestIsAmongTheAttachmentsWithoutAnyVariable() {
    let verifier = verifier(plan: nil)
    verifier.tracker.trackEvent(.init(name: "shown"))
    verifier.stop()
    XCTAssertEqual(attached.map(\.plan), [nil])
    XCTAssertEqual(attached.map { $0.events["shown"]?.count }, [1])
  }

  func testObservationsCanBeSwitchedOff() throws {
    setenv("TRACKING_OBSERVATIONS", "off", 1)
    defer { unsetenv("TRACKING_OBSERVATIONS") }
    let verifier = verifier(plan: .plan(try plan()))
    verifier.tracker.trackEvent(.init(name: "shown"))
    verifier.stop()
    XCTAssertEqual(reporter.attachments, [])
    XCTAssertFalse(FileManager.default.fileExists(atPath: "off"))
  }

  func testAFolderThatCannotBeWrittenToFailsNoTest() {
    setenv("TRACKING_OBSERVATIONS", "/dev/null/observed", 1)
    defer { unsetenv("TRACKING_OBSERVATIONS") }
    let verifier = verifier(plan: nil)
    verifier.tracker.trackEvent(.init(name: "shown"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [])
    // The message says that the test's result has it.
    XCTAssertEqual(reporter.attachments.map(\.form), [.observation])
  }

  func testTheClassOfPlansIsFoundByItsName() {
    XCTAssertTrue(NSClassFromString("TrackingPlan.EnvironmentPlanSupport") is any PlanSupport.Type)
  }

  func testPersonalDataAndLimitsAreChecks() {
    let verifier = verifier(plan: nil, checks: [.noPersonalData(of: ["Anna Berg"]), .limits(of: .firebase)])
    verifier.tracker.trackEvent(.init(name: "shown", params: ["user": "anna%20berg"]))
    verifier.tracker.trackEvent(.init(name: "ga_shown"))
    verifier.wait(for: .noPersonalData(of: ["Anna Berg"], ignoring: [.named("shown")]))
    XCTAssertEqual(reporter.kinds, [])
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.brokenRule, .brokenRule])
    assertText(
      reporter.messages[0].timeless,
      """
      1 of 2 events isn't free of personal data: #1, shown, user: holds "Anna Berg", percent-encoded
          #1  +N ms  shown(user: "anna%20berg")
              user: holds "Anna Berg", percent-encoded

      Received, by time since the first arrival:
          #1  +N ms  breaks the rule  shown(user: "anna%20berg")
          #2  +N ms  ga_shown()
      """)
    assertText(
      reporter.messages[1].timeless,
      """
      1 of 2 events isn't within the limits of firebase: #2, ga_shown, the event's name begins with ga_, which firebase reser…
          #2  +N ms  ga_shown()
              the event's name begins with ga_, which firebase reserves

      Received, by time since the first arrival:
          #1  +N ms  shown(user: "anna%20berg")
          #2  +N ms  breaks the rule  ga_shown()
      """)
  }
}
