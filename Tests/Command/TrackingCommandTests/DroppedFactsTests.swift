import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// Facts that observations drop because of their limits, and that sessions leave out, are unknown to each reader, and never absent.
final class DroppedFactsTests: PlanToolTestCase {
  /// Events with five params each, of which a test keeps 100.
  private func events(_ count: Int = 150, without lost: String = "") -> [(TrackingEvent, isMatched: Bool)] {
    (0..<count).map { number in
      let names = (0..<5).map { "p\($0)" }.filter { "e\(number).\($0)" != lost }
      let params = names.map { (TrackingParam.custom(key: $0), TrackingValue.int(1)) }
      return (TrackingEvent(name: "e\(number)", params: Dictionary(uniqueKeysWithValues: params)), true)
    }
  }

  private func observeTwice(without lost: String) throws {
    try observe("T.t", in: "base", events(), checkedAgainst: nil)
    try observe("T.t", in: "head", events(without: lost), checkedAgainst: nil)
  }

  /// A session with the events in the form of `tracking serve --save`.
  private func session(_ events: [(TrackingEvent, isMatched: Bool)], more: String = "", to file: String) throws {
    let entries = events.enumerated().map { number, event in
      let params = TrackingValue.object(
        Dictionary(uniqueKeysWithValues: event.0.params.map { ($0.key.key, $0.value) }))
      return #"{"kind":"event","number":\#(number + 1),"name":"\#(event.0.name)","params":\#(params)}"#
    }
    try write(
      #"{"format":"tracking-session","version":1,"isServed":true,\#(more)"entries":[\#(entries.joined(separator: ","))]}"#,
      to: file)
  }

  private let names =
    "e100, e101, e102, e103, e104, e105, e106, e107, e108, e109 and 40 more"

  func testALostParamAmongDroppedOnesIsNotNoChange() throws {
    try observeTwice(without: "e120.p3")
    let result = run("compare", path("base"), path("head"), "--fail-on", "lost")
    assertText(
      result.output,
      """
      no change in what is known; 1 test in both runs

      note:               50 events not known completely, because a test saw more than 500 params or 5000 names: \(names)

      """)
    XCTAssertEqual(
      result.error,
      "tracking compare: 50 events not known completely, because a test saw more than 500 params or 5000 names: \(names)\n"
    )
    XCTAssertEqual(result.code, 1)
    XCTAssertEqual(run("compare", path("base"), path("head")).code, 0)
    // A param that takes the place of a lost one isn't gained.
    try observe("T.t", in: "other", events(without: "e50.p2"), checkedAgainst: nil)
    let lines = run("compare", path("base"), path("other"), "--fail-on", "types").output.split(separator: "\n")
    XCTAssertEqual(lines.prefix(2), ["1 lost; 1 test in both runs", "lost:               e50.p2: in T.t"])
    XCTAssertEqual(lines.count, 3)
  }

  /// With the sum alone, which events lack params isn't known.
  func testObservationsOfAnEarlierVersionLackParamsOfAnyEvent() throws {
    try observeTwice(without: "e50.p2")
    for name in ["base", "head"] {
      let file = try XCTUnwrap(FileManager.default.contentsOfDirectory(atPath: path(name)).first)
      try write(try read("\(name)/\(file)").replacing(/"dropped":[0-9],/, with: ""), to: "\(name)/\(file)")
    }
    let result = run("compare", path("base"), path("head"), "--fail-on", "any")
    XCTAssertTrue(
      result.output.hasPrefix(
        "no change in what is known; 1 test in both runs\n\nnote:               150 events not known"),
      result.output)
    XCTAssertEqual(result.code, 1)
  }

  func testASessionHasNoLimits() throws {
    try session(events(), to: "base.json")
    try session(events(without: "e120.p3"), to: "head.json")
    let result = run("compare", path("base.json"), path("head.json"), "--fail-on", "lost")
    XCTAssertEqual(
      result.output, "1 lost; 1 test in both runs\n\nlost:               e120.p3: in the session\n")
    XCTAssertEqual(result.code, 1)
    try writePlanOfColors()
    try session(colors, to: "colors.json")
    XCTAssertTrue(
      run("coverage", "--plan", path("plan.json"), path("colors.json"), "--allow-unchecked").output.contains(
        "values 32/33"))
    let deep = (0..<20).reduce(TrackingValue.int(1)) { value, _ in ["in": value] }
    try session([(TrackingEvent(name: "e", params: ["a": deep]), true)], to: "deep.json")
    XCTAssertTrue(run("draft", path("deep.json")).output.contains("integer"))
  }

  func testCountsOfASessionThatLeftOutEntriesAreNotCompared() throws {
    try session(events(3), to: "base.json")
    try session(events(2), more: #""omittedEntries":7,"#, to: "head.json")
    let result = run("compare", path("base.json"), path("head.json"), "--fail-on", "lost")
    assertText(
      result.output,
      """
      no test of both runs is complete, so nothing was compared

      note:               1 test not compared, because a session left out entries: the session

      """)
    XCTAssertEqual(result.error, "tracking compare: no test of both runs is complete, so nothing was compared\n")
    XCTAssertEqual(result.code, 1)
    XCTAssertTrue(
      run("report", path("head.json"), "--markdown").output.contains(
        "\n7 entries left out when the session was written.\n"))
    try write(#"{"events": {"e0": {"open": true}, "e9": {}}}"#, to: "plan.json")
    let coverage = run(
      "coverage", "--plan", path("plan.json"), path("head.json"), "--allow-unchecked", "--minimum", "90")
    XCTAssertTrue(
      coverage.output.hasPrefix(
        "2 events planned: 0 matched, 1 arrived but not matched, 0 never arrived, 1 not known."), coverage.output)
    XCTAssertTrue(coverage.output.contains("\nnot known:          e9 (line 1)\n"), coverage.output)
    XCTAssertTrue(
      coverage.output.contains("7 entries not known, because sessions left them out\n"), coverage.output)
    XCTAssertEqual(
      coverage.error, "tracking coverage: events: 50 % is below the minimum of 90 %; 1 of 2 aren't known\n")
  }

  func testANameAmongDroppedOnesIsNeitherLostNorGained() throws {
    let many = (0..<5_010).map { (TrackingEvent(name: "e\($0)"), isMatched: true) }
    try observe("T.t", in: "base", many, checkedAgainst: nil)
    try observe("T.t", in: "head", many.reversed(), checkedAgainst: nil)
    let result = run("compare", path("base"), path("head"), "--fail-on", "lost")
    XCTAssertTrue(
      result.output.hasPrefix(
        "no change in what is known; 1 test in both runs\n\nnote:               20 events not known"),
      result.output)
    // Also if both have dropped the same ones, whose names aren't known.
    let same = run("compare", path("base"), path("base"), "--fail-on", "lost")
    XCTAssertEqual(
      same.output,
      "no change in what is known; 1 test in both runs\n\nnote:               1 test with more than 5000 names of events or very long ones: T.t\n"
    )
    XCTAssertEqual(same.code, 1)
  }

  // MARK: Coverage

  private func writePlanOfColors() throws {
    let values = (0..<30).map { "\"color \($0)\"" }.joined(separator: ", ")
    try write(
      """
      {"events": {
        "e120": {"params": {"p3": {"type": "integer"}, "q": {"enum": ["a"]}}},
        "painted": {"params": {"color": {"enum": [\(values)]}, "on": {"enum": ["\(String(repeating: "x", count: 65))", "y"]}}}
      }}
      """, to: "plan.json")
  }

  private var colors: [(TrackingEvent, isMatched: Bool)] {
    (0..<30).map { number in
      let params: [TrackingParam: TrackingValue] = [
        "color": .string("color \(number)"),
        "on": number == 0 ? "y" : .string(String(repeating: "x", count: 65)),
      ]
      return (TrackingEvent(name: "painted", params: params), true)
    }
  }

  func testValuesThatWereDroppedAreNotCalledUnseen() throws {
    try writePlanOfColors()
    try observe("T.t", events() + colors)
    let result = run("coverage", "--plan", path("plan.json"), path("observed"), "--minimum", "values=100")
    XCTAssertTrue(result.output.contains("params:             e120.p3: not known (line 2)\n"), result.output)
    XCTAssertTrue(result.output.contains("painted.color: not known"), result.output)
    XCTAssertFalse(result.output.contains("never seen"), result.output)
    try observe("T.u", in: "colors", colors)
    let colored = run("coverage", "--plan", path("plan.json"), path("colors"), "--minimum", "values=100")
    XCTAssertFalse(colored.output.contains("values never seen"), colored.output)
    XCTAssertEqual(
      colored.output.matches(of: /painted\.color: "color \d+" \(line 3\); a test has more values than are kept\n/)
        .count, 10)
    XCTAssertEqual(colored.output.matches(of: /painted\.on: "x{65}" \(line 3\); a test has/).count, 1)
    XCTAssertEqual(
      colored.error, "tracking coverage: values: 63 % is below the minimum of 100 %; 11 of 33 aren't known\n")
    // A baseline can't be held against what isn't known.
    try session(colors, to: "colors.json")
    run(
      "coverage", "--plan", path("plan.json"), path("colors.json"), "--allow-unchecked", "--output",
      path("baseline.json"))
    let lines = run("coverage", "--plan", path("plan.json"), path("colors"), "--baseline", path("baseline.json")).error
    XCTAssertTrue(
      lines.contains("is covered in the baseline, but whether it is in this run isn't known"), lines)
    XCTAssertFalse(lines.contains("but not in this run"), lines)
  }

  func testTheReportWithoutAPlanNamesWhatWasDropped() throws {
    try observe("T.t", events(), checkedAgainst: nil)
    let output = run("coverage", path("observed")).output
    XCTAssertTrue(
      output.hasSuffix(
        "note:               not known: params of 50 events, because a test saw more than 500 or very long ones: \(names)\n"
      ),
      output)
  }

  // MARK: Drafts

  func testADraftLeavesRoomForDroppedParams() throws {
    try observe("T.t", events(102), checkedAgainst: nil)
    let result = run("draft", path("observed"))
    XCTAssertTrue(result.output.contains(#""e101": { "draft": true, "open": true, "params": {} }"#), result.output)
    XCTAssertEqual(result.output.matches(of: /"open"/).count, 2)
    XCTAssertEqual(
      result.error,
      "tracking draft: not known: params of 2 events, because a test saw more than 500 or very long ones: e100, e101\n")
  }

  func testAFormatIsNotGuessedFromShortValuesAlone() throws {
    let id = "0d9f4c1e-6a7b-4c3d-9e8f-0123456789ab"
    try observe(
      "T.t",
      (0..<3).map { number in
        let params: [TrackingParam: TrackingValue] = [
          "id": .string(id), "mixed": .string(number == 2 ? String(repeating: "x", count: 65) : id),
          "large": number == 0 ? .int(-1) : .unsigned(.max), "unsigned": .unsigned(.max - UInt64(number)),
        ]
        return (TrackingEvent(name: "e", params: params), true)
      }, checkedAgainst: nil)
    let output = run("draft", path("observed")).output
    XCTAssertTrue(output.contains(#""id": { "type": "string", "format": "uuid" }"#), output)
    XCTAssertTrue(output.contains(#""mixed": { "type": "string" }"#), output)
    XCTAssertTrue(output.contains(#""large": { "type": "integer" }"#), output)
    XCTAssertTrue(
      output.contains(#""unsigned": { "type": "integer", "minimum": 0, "maximum": 18446744073709551615 }"#), output)
  }

  func testADraftNamesTornLinesAndFindsNestedParams() throws {
    try write(
      #"{"events": {"b": {"params": {"at": {"type": "object", "properties": {"x": {"type": "integer"}}}, "items": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}}}, "c": {}, "d": {"open": true}}}"#,
      to: "plan.json")
    let params: [TrackingParam: TrackingValue] = [
      "at": ["x": 1, "y": 2], "items": [["id": "a", "color": ["name": "red"]], ["id": "b"]],
    ]
    try observe(
      "T.t",
      [
        (TrackingEvent(name: "b", params: params), true), (TrackingEvent(name: "c", params: ["n": 1]), true),
        (TrackingEvent(name: "d", params: ["n": 1]), true),
      ])
    try write(#"{"id": "torn"#, to: "observed/torn.ndjson")
    let result = run("draft", path("observed"), "--plan", path("plan.json"), "-o", path("draft.json"), "--json")
    XCTAssertEqual(
      result.output.replacing(/\s+/, with: ""),
      #"{"events":[],"file":"draft.json","params":["b.at.y","b.items[].color","c.n"]}"#)
    XCTAssertEqual(
      result.error, "tracking draft: 1 incomplete line skipped, from processes that were killed\n")
    assertText(
      try read("draft.json").replacing(/\s+/, with: ""),
      #"{"plan":"plan","events":{"b":{"params":{"at":{"properties":{"y":{"type":"integer","draft":true}}},"items":{"items":{"properties":{"color":{"type":"object","properties":{"name":{"type":"string"}},"optional":true,"draft":true}}}}}},"c":{"params":{"n":{"type":"integer","draft":true}}}}}"#
    )
    // A vendor's plan has its params elsewhere.
    try write(
      #"{"rules": [{"key": "b", "type": "TRACK", "version": 1, "jsonSchema": {"type": "object", "properties": {"properties": {"type": "object", "properties": {"at": {"type": "object", "properties": {"x": {}}}}}}}}, {"key": "c", "type": "TRACK", "version": 1, "jsonSchema": {"type": "object"}}]}"#,
      to: "segment.json")
    XCTAssertEqual(
      run("draft", path("observed"), "--plan", path("segment.json"), "-o", path("draft.json"), "--json").output
        .replacing(/\s+/, with: ""),
      #"{"events":["d"],"file":"draft.json","params":["b.at.y","b.items","c.n"]}"#)
  }
}
