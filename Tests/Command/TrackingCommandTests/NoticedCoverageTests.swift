import TestSupport
import TrackingPlan
@testable import TrackingCommand
import TrackingRules

/// `coverage` of tests that were run with mutants: what they would notice.
final class NoticedCoverageTests: PlanToolTestCase {
  private let plan = #"""
    {"plan": "Shop", "events": {
      "purchase": {"params": {
        "total": {"type": "number"},
        "currency": {"enum": ["EUR", "USD"]},
        "items": {"type": "array", "items": {"type": "string"}},
        "order_id": {"type": "string"},
        "note": {"type": "string", "optional": true},
        "coupon": {"type": "string", "optional": true}}},
      "opened": {"params": {}}
    }}
    """#

  /// The finding of a test about a param.
  private func param(_ pin: MutationReport.Pin, _ suggestion: String? = nil) -> MutationReport.Param {
    var param = MutationReport.Param(pin)
    (param.suggestion, param.passing) = (suggestion, suggestion == nil ? nil : "121 for 120")
    return param
  }

  /// Observes a purchase and an opening in a test, with what the test would notice.
  private func observe(
    _ test: String, in name: String = "observed", isNoticed: Bool = true, _ params: [String: MutationReport.Param],
    change: (inout MutationReport) -> Void = { _ in }
  ) throws {
    let collector = ObservationCollector()
    collector.add(
      TrackingEvent(
        name: "purchase",
        params: [
          "total": 120, "currency": "EUR", "items": ["a"], "order_id": "7", "note": "x", "coupon": "SAVE",
        ]), isMatched: true)
    collector.add(TrackingEvent(name: "opened"), isMatched: false)
    var observation = collector.observation(id: ObservationFolder.nextID(), test: test)
    observation.plan = try TrackingPlan(text: plan, name: "plan.json").identity
    (observation.run, observation.time) = ("1", 1)
    var purchase = MutationReport.Subject()
    if isNoticed { purchase.noticed = [.missing] }
    purchase.waits = [.init(line: "CheckoutTests.swift:48", words: "an event named \"purchase\"", assertion: "by name")]
    purchase.params = params
    var opened = MutationReport.Subject()
    opened.suggestion = #"verifier.wait(for: .named("opened"))"#
    var report = MutationReport()
    (report.tried, report.noticed, report.untried) = (10, 4, 1)
    report.events = ["purchase": purchase, "opened": opened, "debug": .init()]
    change(&report)
    observation.mutants = report
    try ObservationFolder(folder.appendingPathComponent(name)).append(observation)
  }

  private func observeTwoTests(in name: String = "observed") throws {
    try write(plan, to: "plan.json")
    try observe(
      "CheckoutTests.testBuying", in: name,
      [
        "total": param(.no, #"params: ["total": 120]"#), "currency": param(.plan), "items[]": param(.check),
        "order_id": param(.returned), "note": param(.discarded, #"params: ["note": "x"]"#), "coupon": param(.untried),
      ])
    try observe(
      "CheckoutTests.testPaying", in: name, isNoticed: false,
      ["total": param(.no, #"params: ["total": 120]"#), "order_id": param(.no), "coupon": param(.no)])
  }

  private func coverage(_ words: String...) -> (code: Int32, output: String, error: String) {
    var (output, error) = ("", "")
    let code = Command.run(
      ["coverage", path("observed")] + words, output: .init(standard: { output += $0 }, error: { error += $0 }))
    return (code, output.replacing(folder.path + "/", with: ""), error.replacing(folder.path + "/", with: ""))
  }

  func testTheTextSaysWhatTestsWouldNotNoticeAndTheLineThatWould() throws {
    try observeTwoTests()
    let result = coverage("--plan", path("plan.json"))
    assertText(
      result.output.replacing(/\([0-9a-f]{16}\)/, with: "(DIGEST)"),
      """
      2 events planned: 1 matched, 1 arrived but not matched, 0 never arrived.   params 4/6 (66 %)   values 1/2 (50 %)
      seen 2 events, 6 params   checked 1/2 (50 %)   doubles noticed 0/2 (0 %)   pinned 2/4 (50 %), 1 of them by the plan alone   returned 1   not tried 1

      not matched:        opened (2 times in 2 tests)
      params:             purchase.note: never absent (line 7)
                          purchase.coupon: never absent (line 8)
      values never seen:  purchase.currency: "USD" (line 4)
      not noticed:        purchase.total: 2 tests see it, none notices when it changes. CheckoutTests.testBuying (CheckoutTests.swift:48) waits for the event by name; params: ["total": 120] would notice.
                          opened: 2 tests see it, none notices when it is missing or doubled. No wait checks the event; verifier.wait(for: .named("opened")) would notice.
                          purchase.note: 1 test sees it and doesn't notice when it changes. CheckoutTests.testBuying (CheckoutTests.swift:48) waits for the event by name; params: ["note": "x"] would notice. This holds unless the test checks the returned event itself.
      checked:            2 of 2 tests were checked against the plan "Shop" (DIGEST)

                seen  checked  pinned  returned  noticed
      opened       2        0       -         0  -
      purchase     2        1     2/4         1  missing

      """)
    XCTAssertEqual(result.code, 0)
  }

  func testTheSuggestionIsForTheTestThatIsNearestToNotice() throws {
    let suggestion = #"params: ["total": 120]"#
    var partly = param(.no, suggestion)
    partly.partly = .check
    let noWaits: (inout MutationReport) -> Void = { $0.events["purchase"]?.waits = [] }
    let cases: [(far: MutationReport.Param, change: (inout MutationReport) -> Void, near: MutationReport.Param, Bool)] =
      [
        (param(.no, suggestion), { _ in }, partly, true),
        (param(.no, suggestion), noWaits, param(.no, suggestion), false),
        (param(.no), { _ in }, param(.no, suggestion), false),
      ]
    for (index, (far, change, near, isPartly)) in cases.enumerated() {
      try observe("A.far", in: "\(index)", ["total": far], change: change)
      try observe("B.near", in: "\(index)", ["total": near])
      try observe("C.asNear", in: "\(index)", ["total": near])
      let lines = run("coverage", path("\(index)")).output.split(separator: "\n")
      let what = isPartly ? "each change; 121 for 120 passes, another change is noticed" : "when it changes"
      XCTAssertEqual(
        lines.first { $0.contains("purchase.total:") }?.drop { $0 == " " },
        "purchase.total: 3 tests see it, none notices \(what). B.near (CheckoutTests.swift:48) waits for the event by name; \(suggestion) would notice."
      )
    }
  }

  func testWithoutAPlanTheReportIsAboutAllThatArrived() throws {
    try observeTwoTests()
    assertText(
      coverage().output,
      """
      2 events in 2 tests: 1 matched, 1 arrived but not matched
      seen 3 events, 6 params   checked 1/3 (33 %)   doubles noticed 0/3 (0 %)   pinned 2/4 (50 %), 1 of them by the plan alone   returned 1   not tried 1

      not matched:        opened (2 times in 2 tests)
      not noticed:        debug: 2 tests see it, none notices when it is missing or doubled. No wait checks the event.
                          opened: 2 tests see it, none notices when it is missing or doubled. No wait checks the event; verifier.wait(for: .named("opened")) would notice.
                          purchase.total: 2 tests see it, none notices when it changes. CheckoutTests.testBuying (CheckoutTests.swift:48) waits for the event by name; params: ["total": 120] would notice.
                          purchase.note: 1 test sees it and doesn't notice when it changes. CheckoutTests.testBuying (CheckoutTests.swift:48) waits for the event by name; params: ["note": "x"] would notice. This holds unless the test checks the returned event itself.

                seen  checked  pinned  returned  noticed
      debug        2        0       -         0  -
      opened       2        0       -         0  -
      purchase     2        1     2/4         1  missing

      """)
    assertText(
      coverage("--report", "markdown").output,
      """
      ## Observed events

      2 events in 2 tests: 1 matched, 1 arrived but not matched

      seen 3 events, 6 params   checked 1/3 (33 %)   doubles noticed 0/3 (0 %)   pinned 2/4 (50 %), 1 of them by the plan alone   returned 1   not tried 1

      **Arrived but not matched**

      - `opened` (2 times in 2 tests)

      **Not noticed**

      - `debug`: 2 tests see it, none notices when it is missing or doubled. No wait checks the event.
      - `opened`: 2 tests see it, none notices when it is missing or doubled. No wait checks the event; `verifier.wait(for: .named("opened"))` would notice.
      - `purchase.total`: 2 tests see it, none notices when it changes. `CheckoutTests.testBuying` (CheckoutTests.swift:48) waits for the event by name; `params: ["total": 120]` would notice.
      - `purchase.note`: 1 test sees it and doesn't notice when it changes. `CheckoutTests.testBuying` (CheckoutTests.swift:48) waits for the event by name; `params: ["note": "x"]` would notice. This holds unless the test checks the returned event itself.

      <details><summary>By event</summary>

      | event | seen | checked | pinned | returned | noticed |
      |---|---:|---:|---:|---:|---|
      | `debug` | 2 | 0 | - | 0 | - |
      | `opened` | 2 | 0 | - | 0 | - |
      | `purchase` | 2 | 1 | 2/4 | 1 | missing |

      </details>

      """)
    XCTAssertEqual(coverage("--report", "github").code, 2)
    XCTAssertTrue(
      coverage("--fail-on", "unpinned").error.hasPrefix(
        "tracking coverage: --plan is missing; it says which params are required\n"))
    assertText(
      coverage("--minimum", "pinned=60", "--minimum", "events=1").error,
      """
      tracking coverage: pinned: 50 % is below the minimum of 60 %
      tracking coverage: events: not known, because there is no --plan to measure by

      """)
  }

  func testMinimumsAndRequiredParamsAreGates() throws {
    try observeTwoTests()
    let plan = path("plan.json")
    XCTAssertEqual(coverage("--plan", plan, "--minimum", "pinned=50", "--minimum", "checked=50").code, 0)
    assertText(
      coverage("--plan", plan, "--minimum", "pinned=51", "--minimum", "checked=51", "--fail-on", "unpinned").error,
      """
      tracking coverage: pinned: 50 % is below the minimum of 51 %
      tracking coverage: checked: 50 % is below the minimum of 51 %
      tracking coverage: 1 required param that nothing pins: purchase.total

      """)
    XCTAssertEqual(coverage("--plan", plan, "--output", path("baseline.json")).code, 0)
    XCTAssertEqual(coverage("--plan", plan, "--baseline", path("baseline.json")).code, 0)
    try FileManager.default.removeItem(atPath: path("observed"))
    try observe("CheckoutTests.testBuying", ["currency": param(.no), "items": param(.check)])
    XCTAssertEqual(
      coverage("--plan", plan, "--baseline", path("baseline.json")).error,
      "tracking coverage: pinned purchase.currency is covered in the baseline, but not in this run\n")
  }

  func testARunWithoutMutantsSaysSoIfTheyAreRequired() throws {
    try write(plan, to: "plan.json")
    try self.observe("T.t", [(TrackingEvent(name: "opened"), isMatched: true)])
    let words = ["--plan", path("plan.json"), "--allow-unchecked"]
    XCTAssertFalse(coverage(words[0], words[1], words[2]).output.contains("   checked "))
    assertText(
      coverage(words[0], words[1], words[2], "--minimum", "pinned=1", "--fail-on", "unpinned").error,
      """
      tracking coverage: pinned: not known, because no test was run with TRACKING_MUTATIONS=1 (xcodebuild: TEST_RUNNER_TRACKING_MUTATIONS=1)
      tracking coverage: unpinned: not known, because no test was run with TRACKING_MUTATIONS=1 (xcodebuild: TEST_RUNNER_TRACKING_MUTATIONS=1)

      """)
  }

  func testTestsThatWereLeftOutAndSamplesAreNamed() throws {
    try write(plan, to: "plan.json")
    try observe("A.t", [:]) {
      $0 = MutationReport(); $0.leftOut = "a closure gave another result"
    }
    try observe("B.t", [:]) { $0.sample = .init(of: 9_000, seed: 42) }
    let output = coverage().output
    XCTAssertTrue(
      output.contains(
        """
        note:               mutants left out in A.t: a closure gave another result
                            mutants of B.t chosen from 9000 at random, with the seed 42

        """), output)
  }

  func testFiguresOfNothingAreNotKnown() throws {
    try write(plan, to: "plan.json")
    try observe("A.t", [:]) {
      $0 = MutationReport(); $0.leftOut = "a closure gave another result"
    }
    XCTAssertTrue(
      coverage().output.contains(
        "seen 0 events, 0 params   checked not known   doubles noticed not known   pinned not known   returned 0\n"))
    XCTAssertTrue(
      coverage("--report", "markdown").output.contains(
        "checked not known   doubles noticed not known   pinned not known"))
    XCTAssertTrue(
      coverage("--plan", path("plan.json"), "--report", "markdown").output.contains(
        "| events that a test checks | not known | |\n| events that a test notices when doubled | not known | |\n| params that are pinned | not known | |\n"
      ))
    let words = ["--minimum", "pinned=0", "--minimum", "checked=0"]
    let reason = "because all tests that were run with mutants were left out: A.t (a closure gave another result)"
    assertText(
      coverage("--plan", path("plan.json"), words[0], words[1], words[2], words[3], "--fail-on", "unpinned").error,
      """
      tracking coverage: pinned: not known, \(reason)
      tracking coverage: checked: not known, \(reason)
      tracking coverage: unpinned: not known, \(reason)

      """)
    assertText(
      coverage(words[0], words[1], words[2], words[3]).error,
      """
      tracking coverage: pinned: not known, \(reason)
      tracking coverage: checked: not known, \(reason)

      """)
    try FileManager.default.removeItem(atPath: path("observed"))
    try observe("A.t", [:])
    XCTAssertEqual(
      coverage(words[0], words[1], words[2], words[3]).error,
      "tracking coverage: pinned: not known, because no changes of a param were tried, or `require` returned all params\n"
    )
    try FileManager.default.removeItem(atPath: path("observed"))
    try observe("A.t", [:]) { $0.events = [:] }
    XCTAssertEqual(
      coverage(words[2], words[3]).error,
      "tracking coverage: checked: not known, because no event arrived in a test that was run with mutants\n")
  }

  func testRequiredParamsThatNeverArrivedOrWereNotTriedAreNotPinned() throws {
    try write(
      #"""
      {"plan": "Shop", "events": {
        "purchase": {"params": {
          "total": {"type": "number"},
          "coupon": {"type": "string"},
          "order_id": {"type": "string"},
          "tax": {"type": "number"},
          "address": {"type": "object", "properties": {"zip": {"type": "string"}}},
          "invoice": {"type": "object", "properties": {"id": {"type": "string"}}, "optional": true}}},
        "opened": {"params": {}},
        "refund": {"params": {
          "total": {"type": "number"},
          "lines": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
          "note": {"type": "string", "optional": true}}},
        "debug_only": {"params": {"x": {"type": "string"}}, "coverage": false}
      }}
      """#, to: "plan.json")
    try observe("A.t", ["total": param(.check), "coupon": param(.untried), "order_id": param(.returned)])
    assertText(
      coverage("--plan", path("plan.json"), "--allow-unchecked", "--fail-on", "unpinned").error,
      """
      tracking coverage: 7 required params that nothing pins: purchase.coupon (not tried), purchase.tax (never seen), \
      purchase.address (never seen), purchase.address.zip (never seen), refund.total (never seen), \
      refund.lines (never seen), refund.lines[].n (never seen)

      """)
  }

  func testAnEventOfWhichOnlyADoubleIsNoticedIsNotRequired() throws {
    try observe("A.t", isNoticed: false, [:]) {
      $0.events = $0.events.filter { $0.key == "purchase" }
      $0.events["purchase"]?.noticed = [.doubled]
    }
    let result = coverage("--minimum", "checked=100")
    XCTAssertEqual(result.error, "tracking coverage: checked: 0 % is below the minimum of 100 %\n")
    XCTAssertTrue(
      result.output.contains(
        "purchase: 1 test sees it and doesn't notice when it is missing. A.t (CheckoutTests.swift:48)"),
      result.output)
  }

  func testATestThatNoticesSomeChangesIsNamedWithWhatPasses() throws {
    var weak = param(.no, #"params: ["total": 9.5]"#)
    (weak.partly, weak.passing, weak.noticed) = (.check, "10.5 for 9.5", "0")
    try observe("B.buying", ["total": weak])
    try observe("A.waiting", ["total": param(.no, #"params: ["total": 9.5]"#)])
    XCTAssertTrue(
      coverage().output.contains(
        "purchase.total: 2 tests see it, none notices each change; 10.5 for 9.5 passes, 0 is noticed. "
          + #"B.buying (CheckoutTests.swift:48) waits for the event by name; params: ["total": 9.5] would notice."#),
      coverage().output)
  }

  func testThePlanIsNotSaidToNoticeATypeIfItNoticesOnlyAMissingParam() throws {
    var total = param(.no)
    total.partly = .plan
    try observe("A.t", ["total": total])
    XCTAssertFalse(coverage().output.contains("another type"), coverage().output)
  }

  func testATypeThatOnlyThePlanNoticesIsNamed() throws {
    var total = param(.no)
    (total.partly, total.planned) = (.plan, [.null, .otherType])
    try observe("A.t", ["total": total]) { $0.events["purchase"]?.noticed = [.missing, .extended] }
    XCTAssertTrue(
      coverage().output.contains(
        "purchase.total: 1 test sees it and doesn't notice when it changes; the plan notices another type, null. A.t"))
    let json = coverage("--json").output
    XCTAssertTrue(json.contains(#""partly": "plan""#), json)
    XCTAssertTrue(json.contains(#""extended""#), json)
  }

  func testOneReportIsTheSameInEachOrderAndFormatsAgree() throws {
    try observeTwoTests()
    let plan = path("plan.json")
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: path("observed")).first)
    let json = coverage("--plan", plan, "--json").output
    let lines = try read("observed/\(name)").split(separator: "\n")
    try write(lines.reversed().joined(separator: "\n") + "\n", to: "observed/\(name)")
    XCTAssertEqual(coverage("--plan", plan, "--json").output, json)
    XCTAssertTrue(json.contains(#""pinned": "returned""#) && json.contains(#""passing": "121 for 120""#), json)
    let github = coverage("--plan", plan, "--report", "github").output
    XCTAssertTrue(
      github.contains("::warning file=plan.json,line=3::purchase.total: 2 tests see it, none notices when it changes."),
      github)
    let markdown = coverage("--plan", plan, "--report", "markdown").output
    XCTAssertTrue(
      markdown.contains(
        "| events that a test checks | 1 of 2 | 50 % |\n| events that a test notices when doubled | 0 of 2 | 0 % |\n| params that are pinned | 2 of 4 | 50 % |\n| of them by the plan alone | 1 | |\n"
      ),
      markdown)
  }

  func testAComparisonWithTestsThatWereLeftOutIsNotKnown() throws {
    try observe("A.t", in: "base", ["total": param(.check)])
    try observe("A.t", in: "head", [:]) {
      $0 = MutationReport(); $0.leftOut = "a closure gave another result"
    }
    assertText(
      run("compare", path("base"), path("head"), "--fail-on", "unpinned").error,
      """
      tracking compare: unpinned: not known, because no test was run with TRACKING_MUTATIONS=1 \
      (xcodebuild: TEST_RUNNER_TRACKING_MUTATIONS=1) in both runs, or all were left out

      """)
  }

  func testAComparisonNamesASingleTestThatWasLeftOut() throws {
    for name in ["base", "head"] { try observe("B.t", in: name, ["total": param(.check)]) }
    try observe("A.t", in: "base", ["total": param(.check)])
    try observe("A.t", in: "head", [:]) {
      $0 = MutationReport(); $0.leftOut = "a closure gave another result"
    }
    let result = run("compare", path("base"), path("head"), "--fail-on", "unpinned")
    assertText(
      result.output,
      """
      no change in what is tracked; 2 tests in both runs

      note:               1 test whose mutants were left out in the head: A.t (a closure gave another result)

      """)
    XCTAssertEqual(result.error, "")
    let json = run("compare", path("base"), path("head"), "--json").output
    XCTAssertTrue(json.contains(#""run": "head""#), json)
  }

  func testGainedEventsAndParamsThatNoTestNoticesAreNamed() throws {
    // The base has neither opened nor the params currency, items and note.
    let collector = ObservationCollector()
    collector.add(
      TrackingEvent(name: "purchase", params: ["total": 120, "order_id": "7", "coupon": "SAVE"]), isMatched: true)
    var observation = collector.observation(id: ObservationFolder.nextID(), test: "A.t")
    (observation.run, observation.time) = ("1", 1)
    var purchase = MutationReport.Subject()
    purchase.noticed = [.missing]
    purchase.params = ["total": param(.check), "order_id": param(.no)]
    var report = MutationReport()
    report.events = ["purchase": purchase]
    observation.mutants = report
    try ObservationFolder(folder.appendingPathComponent("base")).append(observation)
    try observe(
      "A.t", in: "head",
      [
        "total": param(.check), "order_id": param(.no), "currency": param(.discarded), "items[]": param(.no),
        "note": param(.no),
      ])
    // A test that only the head has.
    try observe("B.t", in: "head", ["note": param(.plan)])
    let result = run("compare", path("base"), path("head"), "--fail-on", "unpinned")
    assertText(
      result.output,
      """
      4 gained, 3 gained unpinned; 1 test in both runs

      gained:             opened: 2 times in A.t and B.t
                          purchase.currency: in A.t
                          purchase.items: in A.t
                          purchase.note: in A.t
      gained unpinned:    opened: a missing one isn't noticed in A.t and B.t
                          purchase.currency: a change isn't noticed in A.t
                          purchase.items[]: a change isn't noticed in A.t
      note:               1 test only in the head: B.t

      """)
    XCTAssertEqual(
      result.error,
      "tracking compare: gained, and noticed by no test: opened, purchase.currency, purchase.items[]\n")
  }

  func testAComparisonOfRunsNamesWhatIsNoLongerNoticed() throws {
    try observeTwoTests(in: "base")
    try observe(
      "CheckoutTests.testBuying", in: "head", isNoticed: false,
      ["currency": param(.no), "items[]": param(.check), "total": param(.check)])
    try observe("CheckoutTests.testPaying", in: "head", isNoticed: false, [:])
    let result = run("compare", path("base"), path("head"), "--fail-on", "unpinned")
    assertText(
      result.output,
      """
      1 no longer checked, 1 no longer pinned; 2 tests in both runs

      no longer checked:  purchase: a missing one was noticed by CheckoutTests.testBuying, and by no test now
      no longer pinned:   purchase.currency: a change of it was noticed by CheckoutTests.testBuying, and by no test now

      """)
    XCTAssertEqual(
      result.error, "tracking compare: no longer noticed by a test: purchase, purchase.currency\n")
    XCTAssertEqual(result.code, 1)
  }
}
