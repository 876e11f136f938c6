import TestSupport
import TrackingPlan
import TrackingRules

@testable import TrackingCommand

final class CoverageTests: PlanToolTestCase {
  private func observeShop() throws {
    try write(shop, to: "plan.json")
    try observe(
      "CartTests.testAdding",
      [
        (TrackingEvent(name: "added", params: ["id": "1", "source": "list", "gift": true]), true),
        (TrackingEvent(name: "added", params: ["id": "2", "gift": true]), false),
        (TrackingEvent(name: "opened"), false), (TrackingEvent(name: "opend"), false),
      ])
    try observe("CartTests.testOpening", [(TrackingEvent(name: "opened"), false)])
  }

  func testTheTextSaysWhatIsStillToBeSeen() throws {
    try observeShop()
    let result = run("coverage", "--plan", path("plan.json"), path("observed"))
    assertText(
      result.output,
      """
      3 events planned: 1 matched, 1 arrived but not matched, 1 never arrived.   params 2/5 (40 %)   values 1/2 (50 %)

      never arrived:      failed (line 18)
      not matched:        opened (2 times in 2 tests)
      params:             added.gift: never false (line 14)
      values never seen:  added.source: "search" (line 10)
      not in the plan:    opend, once in CartTests.testAdding; the nearest is opened
      checked:            2 of 2 tests were checked against the plan "Shop" (\(try digest()))

      """)
    XCTAssertEqual(result.code, 0)
  }

  func testEventsThatAreNewOrLostNameTheirLineOfTheApp() throws {
    try write(shop, to: "plan.json")
    func event(_ name: String, _ site: String) throws -> (TrackingEvent, isMatched: Bool) {
      (TrackingEvent(name: name).at(try XCTUnwrap(CallSite(site))), isMatched: false)
    }
    try observe(
      "CartTests.testOpening", in: "before",
      [try event("opened", "Shop/Home.swift:4"), try event("added", "Shop/Cart.swift:41")])
    try observe(
      "CartTests.testOpening", in: "after",
      [try event("opened", "Shop/Home.swift:4"), try event("opend", "Cart/Home.swift:12")])
    XCTAssertEqual(
      run("coverage", "--plan", path("plan.json"), path("before"), "--output", path("baseline.json")).code, 0)
    let result = run("coverage", "--plan", path("plan.json"), path("after"), "--baseline", path("baseline.json"))
    let lines = result.output.split(separator: "\n").map(String.init)
    for line in [
      "not matched:        opened (once in 1 test); tracked at Shop/Home.swift:4",
      "not in the plan:    opend, once in CartTests.testOpening; the nearest is opened; tracked at Cart/Home.swift:12",
    ] {
      XCTAssertTrue(lines.contains(line), "\(lines)")
    }
    XCTAssertTrue(
      result.error.contains("event added is covered in the baseline, but not in this run; tracked at Cart.swift:41\n"),
      result.error)
  }

  func testMinimumsAndBaselinesFail() throws {
    try observeShop()
    let low = run(
      "coverage", "--plan", path("plan.json"), path("observed"), "--minimum", "events=67", "--minimum", "params=40")
    XCTAssertEqual(low.error, "tracking coverage: events: 66 % is below the minimum of 67 %\n")
    XCTAssertEqual(low.code, 1)
    XCTAssertEqual(run("coverage", "--plan", path("plan.json"), path("observed"), "--minimum", "66").code, 0)

    XCTAssertEqual(
      run("coverage", "--plan", path("plan.json"), path("observed"), "--output", path("baseline.json")).code, 0)
    XCTAssertEqual(
      run("coverage", "--plan", path("plan.json"), path("observed"), "--baseline", path("baseline.json")).code, 0)
    try observe("CartTests.testOpening", in: "less", [(TrackingEvent(name: "opened"), true)])
    let lost = run("coverage", "--plan", path("plan.json"), path("less"), "--baseline", path("baseline.json"))
    assertText(
      lost.error,
      """
      tracking coverage: event added is covered in the baseline, but not in this run
      tracking coverage: matched added is covered in the baseline, but not in this run
      tracking coverage: param added.id is covered in the baseline, but not in this run
      tracking coverage: param added.source is covered in the baseline, but not in this run
      tracking coverage: value added.source="list" is covered in the baseline, but not in this run

      """)
    XCTAssertEqual(lost.code, 1)
  }

  func testAnObservationCountsOnceHoweverOftenItsFileIsNamed() throws {
    try write(shop, to: "plan.json")
    try observeShop()
    try FileManager.default.copyItem(
      at: folder.appendingPathComponent("observed"), to: folder.appendingPathComponent("copied"))
    let once = run("coverage", "--plan", path("plan.json"), path("observed"), "--json")
    XCTAssertEqual(once.code, 0)
    for folders in [["observed", "observed"], ["copied", "observed"]] {
      let twice = run("coverage", "--plan", path("plan.json"), path(folders[0]), path(folders[1]), "--json")
      XCTAssertEqual(twice.output, once.output, "\(folders)")
    }
  }

  func testBadInputIsExitCode2AndSaysWhatToDo() throws {
    try write(shop, to: "plan.json")
    XCTAssertEqual(run("coverage", "--plan", path("plan.json"), path("nowhere")).code, 2)
    XCTAssertEqual(
      run("coverage", "--plan", path("plan.json"), path("nowhere")).error,
      "error: nowhere: no such file or folder; run the tests with TRACKING_OBSERVATIONS set to the folder (xcodebuild: TEST_RUNNER_TRACKING_OBSERVATIONS) and with the product TrackingPlan linked, or save sessions in it with `tracking serve --save`\n"
    )
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("empty"), withIntermediateDirectories: true)
    let empty = run("coverage", "--plan", path("plan.json"), path("empty"))
    XCTAssertEqual(empty.code, 2)
    XCTAssertTrue(
      empty.error.contains("contains no observations and no sessions; run the tests with TRACKING_OBSERVATIONS"),
      empty.error)
    try observeShop()
    let oneEmpty = run("coverage", "--plan", path("plan.json"), path("observed"), path("empty"))
    XCTAssertEqual(oneEmpty.code, 2)
    XCTAssertTrue(oneEmpty.error.hasPrefix("error: empty: contains no observations and no sessions; "), oneEmpty.error)
    for (words, error) in [
      (["--minimum", "evnts=3"], "--minimum: \"evnts\" is not a measure; the nearest is \"events\""),
      (["--minimum", "events=101"], "--minimum: \"101\" is not a percentage from 0 to 100"),
      (["--json", "--report", "text"], "--json is --report json, and can't be given with --report text"),
      (["--report", "githb"], "--report: \"githb\" is unknown; the nearest is github"),
      (
        ["--baseline", path("none.json")],
        "--baseline: none.json can't be read; write it with --output none.json in a passing run"
      ),
    ] {
      var message = ""
      let code = Command.run(
        ["coverage", "--plan", path("plan.json"), path("observed")] + words,
        output: .init(standard: { _ in }, error: { message += $0 }))
      XCTAssertEqual(code, 2)
      XCTAssertTrue(message.replacing(folder.path + "/", with: "").contains(error), message)
    }
  }

  func testAnnotationsAreTenAndTheRestIsCounted() throws {
    let events = (10...30).map { "\"e\($0)\": {}" }.joined(separator: ",\n")
    try write("{\"events\": {\n\(events)}}", to: "plan.json")
    try observe("T.t", [(TrackingEvent(name: "e10"), true)])
    let lines = run("coverage", "--plan", path("plan.json"), path("observed"), "--report", "github").output.split(
      separator: "\n")
    XCTAssertEqual(lines.count, 12)
    XCTAssertEqual(lines[0], "::warning file=plan.json,line=3::e11 never arrived in any test")
    XCTAssertEqual(lines[10], "::notice::10 more findings about the tracking plan's coverage are in the report")
    XCTAssertEqual(
      lines[11],
      "::notice::21 events planned: 1 matched, 0 arrived but not matched, 20 never arrived; 1 of 1 test was checked against the plan \"plan\" (\(try digest()))"
    )
  }

  func testMarkdownIsATableAndLists() throws {
    try observeShop()
    let output = run("coverage", "--plan", path("plan.json"), path("observed"), "--report", "markdown").output
    assertText(
      output,
      """
      ## Coverage of Shop

      | | covered | |
      |---|---:|---:|
      | events that arrived | 2 of 3 | 66 % |
      | events that a test matched | 1 of 3 | 33 % |
      | params | 2 of 5 | 40 % |
      | values | 1 of 2 | 50 % |

      **Never arrived**

      - `failed` (line 18)

      **Arrived but not matched**

      - `opened` (2 times in 2 tests)

      **Params**

      - `added.gift`: never false (line 14)

      **Values never seen**

      - `added.source`: `"search"` (line 10)

      **Not in the plan**

      - `opend`, once in `CartTests.testAdding`; the nearest is `opened`

      **Checked**

      - 2 of 2 tests were checked against the plan "Shop" (\(try digest()))

      """)
  }

  func testMergingIsTheSameInAnyOrderAndTwice() throws {
    try write(shop, to: "plan.json")
    for index in 0..<4 {
      try observe(
        "T.t\(index)", in: "all",
        [(TrackingEvent(name: "added", params: ["id": .int(index), "gift": .bool(index > 1)]), index == 2)])
    }
    let name = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: path("all")).first)
    let lines = try read("all/\(name)").split(separator: "\n")
    XCTAssertEqual(lines.count, 4)
    try write(lines.reversed().joined(separator: "\n") + "\n", to: "turned/1.ndjson")
    try write(lines[0..<2].joined(separator: "\n") + "\n", to: "split/b.ndjson")
    try write(lines.joined(separator: "\n") + "\n", to: "split/a.ndjson")
    let reports = ["all", "turned", "split"].map {
      run("coverage", "--plan", path("plan.json"), path($0), "--json").output
    }
    XCTAssertEqual(reports[0], reports[1])
    XCTAssertEqual(reports[0], reports[2])
  }

  func testALineThatAKilledProcessLeftIsCountedAndSaid() throws {
    try observeShop()
    try write("{\"id\":\"x\",\"test\":\"T\",\"events\":{\"added\":{\"cou", to: "observed/killed.ndjson")
    let output = run("coverage", "--plan", path("plan.json"), path("observed")).output
    XCTAssertTrue(
      output.hasSuffix("note:               1 incomplete line skipped, from processes that were killed\n"), output)
  }

  func testParamsOfObjectsInListsAreCounted() throws {
    try write(shop, to: "plan.json")
    try observe("T.t", [(TrackingEvent(name: "failed", params: ["items": [["n": 1], ["n": 2]]]), true)])
    let coverage = Coverage(
      of: try TrackingPlan(contentsOf: folder.appendingPathComponent("plan.json")),
      by: ObservedEvents(try ObservationFolder.Contents(in: [path("observed")], allRuns: false)))
    let failed = try XCTUnwrap(coverage.events.first { $0.event.name == "failed" })
    XCTAssertEqual(failed.params.map(\.param.path), ["items", "items[].n"])
    XCTAssertEqual(failed.params.map(\.seen), [1, 2])
    XCTAssertEqual(failed.params.map(\.open), [nil, nil])
  }

  func testNamesMayHaveDotsAndBrackets() throws {
    let params: [TrackingParam: TrackingValue] = [
      "user.id": 1, "tags[]": "x", "a": ["b.c": 2, "d": ["e": 3]], "list": [["f.g": 4]],
    ]
    try observe(
      "T.t", [(TrackingEvent(name: "e", params: params), true), (TrackingEvent(name: "e", params: [:]), true)])
    XCTAssertEqual(
      run("draft", path("observed"), "--output", path("plan.json")).error, "")
    assertText(
      try read("plan.json"),
      """
      {
        "plan": "Events",
        "events": {
          "e": {
            "draft": true,
            "params": {
              "a": {
                "type": "object",
                "properties": {
                  "b.c": { "type": "integer" },
                  "d": { "type": "object", "properties": { "e": { "type": "integer" } } }
                },
                "optional": true
              },
              "list": {
                "type": "array",
                "items": { "type": "object", "properties": { "f.g": { "type": "integer" } } },
                "optional": true
              },
              "tags[]": { "type": "string", "optional": true },
              "user.id": { "type": "integer", "optional": true }
            }
          }
        }
      }

      """)
    let output = run("coverage", "--plan", path("plan.json"), path("observed")).output
    XCTAssertTrue(output.contains("params 8/8 (100 %)"), output)
  }

  /// `a.b` isn't the member `b` of `a`, and `a[]` isn't an element of `a`.
  func testADottedNameIsNotAMember() throws {
    let params: [TrackingParam: TrackingValue] = [
      "a.b": 1, "a": ["b": "x", "c.d": ["e": "w"]], "l[]": 2, "l": [["m": "y"]], #"n\"#: [3], #"n\[]"#: "z",
    ]
    try observe("T.t", [(TrackingEvent(name: "e", params: params), true)])
    XCTAssertEqual(run("draft", path("observed"), "--output", path("plan.json")).error, "")
    assertText(
      try read("plan.json"),
      #"""
      {
        "plan": "Events",
        "events": {
          "e": {
            "draft": true,
            "params": {
              "a": {
                "type": "object",
                "properties": {
                  "b": { "type": "string" },
                  "c.d": { "type": "object", "properties": { "e": { "type": "string" } } }
                }
              },
              "a.b": { "type": "integer" },
              "l": { "type": "array", "items": { "type": "object", "properties": { "m": { "type": "string" } } } },
              "l[]": { "type": "integer" },
              "n\\": { "type": "array", "items": { "type": "integer" } },
              "n\\[]": { "type": "string" }
            }
          }
        }
      }

      """#)
    let coverage = run("coverage", "--plan", path("plan.json"), path("observed")).output
    XCTAssertTrue(coverage.contains("params 10/10 (100 %)"), coverage)
    try write(#"{"events": {"e": {"params": {"a.b": {"type": "integer"}}}}}"#, to: "dot.json")
    try observe("T.t", in: "member", [(TrackingEvent(name: "e", params: ["a": ["b": 1]]), true)])
    let words = ["coverage", "--allow-unchecked", "--minimum", "params=100", "--plan", path("dot.json")]
    XCTAssertEqual(run(words + [path("observed")]).code, 0)
    let member = run(words + [path("member")])
    XCTAssertEqual(member.code, 1)
    XCTAssertTrue(member.output.contains("e.a.b: never seen"), member.output)
  }

  func testNamesAreComparedByCodePoints() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    func event(_ name: String, _ param: String, _ member: String) -> TrackingEvent {
      TrackingEvent(name: name, params: [.custom(key: param): 1, "o": [member: true]])
    }
    try observe(
      "T.t",
      [
        (event(composed, composed, decomposed), true), (event(composed, decomposed, composed), true),
        (event(decomposed, composed, composed), true),
      ], checkedAgainst: nil)
    XCTAssertEqual(run("draft", path("observed"), "--output", path("plan.json")).error, "")
    let plan = try TrackingPlan(contentsOf: folder.appendingPathComponent("plan.json"))
    XCTAssertEqual(
      plan.events.map { Array($0.name.utf8) }, [Array(decomposed.utf8), Array(composed.utf8)])
    XCTAssertEqual(plan.events.map { $0.params.map { $0.name.unicodeScalars.count } }, [[4, 1], [5, 4, 1]])
    let coverage = run("coverage", "--allow-unchecked", "--plan", path("plan.json"), path("observed")).output
    XCTAssertTrue(
      coverage.hasPrefix("2 events planned: 2 matched, 0 arrived but not matched, 0 never arrived"), coverage)
    XCTAssertFalse(coverage.contains("not in the plan"), coverage)

    try write(#"{"events": {"\#(decomposed)": {"params": {}}}}"#, to: "other.json")
    try observe("T.t", in: "one", [(TrackingEvent(name: composed), true)], checkedAgainst: nil)
    let other = run("coverage", "--allow-unchecked", "--plan", path("other.json"), path("one")).output
    XCTAssertTrue(other.hasPrefix("1 event planned: 0 matched, 0 arrived but not matched, 1 never arrived"), other)
    XCTAssertTrue(other.contains("not in the plan"), other)
  }

  func testLimitsOfAnObservationAreCounted() throws {
    let collector = ObservationCollector()
    for index in 0..<5_010 { collector.add(TrackingEvent(name: "e\(index)"), isMatched: false) }
    for index in 0..<510 {
      collector.add(TrackingEvent(name: "e0", params: [.custom(key: "p\(index)"): 1]), isMatched: false)
    }
    for index in 0..<30 { collector.add(TrackingEvent(name: "e1", params: ["p": .int(index)]), isMatched: false) }
    let long = String(repeating: "a", count: 513)
    collector.add(TrackingEvent(name: long), isMatched: false)
    collector.add(
      TrackingEvent(name: "e0", params: [.custom(key: long): 1, .custom(key: "p0"): [long: 1]]), isMatched: false)
    let observation = collector.observation(id: "1", test: "T")
    XCTAssertEqual(observation.droppedEvents, 10 + 1)
    XCTAssertEqual(observation.droppedPaths, 10 + 30 + 2)
    XCTAssertEqual(try XCTUnwrap(Observation(line: observation.line.dropLast())), observation)
  }

  func testALineThatIsNoObservationIsRefusedWithItsPlace() throws {
    let good = #"{"id": "1", "test": "T", "events": {"a": {"count": 1, "matched": 0}}}"#
    for bad in [
      #"{"id": "2", "test": "T"}"#, "[]",
      #"{"id": "2", "test": "T", "events": {"a": {"count": 9223372036854775807, "matched": 0}}}"#,
      #"{"id": "2", "test": "T", "events": {"a": {"count": 1, "matched": -1}}}"#,
      #"{"id": "2", "test": "T", "events": {}, "dropped": {"events": 9e18, "paths": 0}}"#,
      #"{"id": "2", "test": "T", "events": {"a": {"count": 1, "matched": 0, "params": {"p": {"seen": 2147483648}}}}}"#,
      #"{"id": "2", "test": "T", "events": {"a": {"count": 1, "matched": 0, "params": {"p": {"seen": 1, "kinds": {"null": -1}}}}}}"#,
    ] {
      try write("\(good)\n\n\(bad)\n", to: "observed/1.ndjson")
      XCTAssertEqual(
        run("coverage", path("observed")).error,
        "observed/1.ndjson:3: error: is not an observation, or one of a newer version of the tool\n", bad)
    }
  }

  func testNoChangeOfAFileIsATrap() throws {
    try write(shop, to: "plan.json")
    try observe(
      "T.t", in: "valid",
      [(TrackingEvent(name: "added", params: ["id": "a", "gift": true, "items": [["n": 1], ["n": nil]]]), true)])
    let file = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: path("valid")).first)
    let session = #"""
      {"format": "tracking-session", "version": 1, "title": "T.t", "omittedEntries": 2, "plan": {"name": "a", "digest": "b"},
      "lost": [{"launch": "x", "count": 3}], "failures": [{"message": "m", "location": "l"}], "entries": [
      {"kind": "event", "number": 1, "name": "added", "params": {"id": 1}, "findings": [{"message": "m", "path": "id"}]},
      {"kind": "rejection", "number": 2, "status": 400, "reason": "r"}, {"kind": "request", "method": "GET", "target": "/"}]}
      """#
    let observation = try read("valid/\(file)")
    let pieces = ["9223372036854775807", "-1", "1e400", "null", "[]", "{}", "\"", "2147483647", "\0", "true", "\n"]
    var random = RandomCases.generator(seed: 23)
    func mutated(_ text: String) -> Data {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        // A whole number rather than one of its digits.
        let digits = bytes[place...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        let end = place + max(digits, Int.random(in: 0...1, using: &random))
        bytes.replaceSubrange(place..<end, with: (pieces.randomElement(using: &random) ?? "").utf8)
      }
      return Data(bytes)
    }
    for _ in 0..<RandomCases.count(300) {
      try write("", to: "changed/1.ndjson")
      try mutated(observation).write(to: folder.appendingPathComponent("changed/1.ndjson"))
      try mutated(session).write(to: folder.appendingPathComponent("session.json"))
      for input in ["changed", "session.json"] {
        run("coverage", "--plan", path("plan.json"), path(input), path("valid"))
        run("compare", path(input), path("valid"), "--report", "json")
      }
      run("check", path("session.json"), "--plan", path("plan.json"))
    }
  }

  func testAnObservationKeepsTheChangesThatATestWouldNotice() throws {
    var observation = Observation(id: "1", test: "T")
    XCTAssertFalse(String(decoding: observation.line, as: UTF8.self).contains("mutants"))
    var report = MutationReport()
    (report.tried, report.noticed) = (5, 2)
    report.events["purchase"] = .init()
    report.events["purchase"]?.params["total"] = .init(.plan)
    observation.mutants = report
    XCTAssertEqual(Observation(line: observation.line.dropLast()), observation)
    XCTAssertNil(Observation(line: Array(#"{"id": "1", "test": "T", "events": {}, "mutants": {}}"#.utf8)))
  }

  func testOnlyTheLastRunOfAFolderCounts() throws {
    try write(#"{"events": {"a": {}, "b": {}}}"#, to: "plan.json")
    for (run, time, name) in [("1", 100, "a"), ("2", 200, "b"), ("2", 201, "b")] {
      let collector = ObservationCollector()
      collector.add(TrackingEvent(name: name), isMatched: true)
      var observation = collector.observation(id: ObservationFolder.nextID(), test: "T.\(name)")
      (observation.run, observation.time) = (run, time)
      observation.plan = try TrackingPlan(contentsOf: folder.appendingPathComponent("plan.json")).identity
      try ObservationFolder(folder.appendingPathComponent("observed")).append(observation)
    }
    let last = run("coverage", "--plan", path("plan.json"), path("observed")).output
    assertText(
      last,
      """
      2 events planned: 1 matched, 0 arrived but not matched, 1 never arrived.   params 0/0 (100 %)   values 0/0 (100 %)

      never arrived:      a (line 1)
      checked:            1 of 1 test was checked against the plan "plan" (\(try digest()))
      note:               1 earlier test run left out; --all-runs counts all

      """)
    let all = run("coverage", "--plan", path("plan.json"), path("observed"), "--all-runs").output
    XCTAssertTrue(all.hasPrefix("2 events planned: 2 matched"), all)
  }

  func testDeprecatedEventsNeedNoCoverage() throws {
    try write(
      #"{"events": {"a": {"params": {"x": {"deprecated": true, "optional": true}}}, "old": {"deprecated": "Use a."}}}"#,
      to: "plan.json")
    try observe("T.t", [(TrackingEvent(name: "a"), true)])
    let output = run("coverage", "--plan", path("plan.json"), path("observed"), "--minimum", "100").output
    XCTAssertTrue(output.hasPrefix("1 event planned: 1 matched"), output)
  }
}
