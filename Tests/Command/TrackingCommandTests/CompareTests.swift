import TestSupport
import TrackingPlan
@testable import TrackingCommand

/// `compare`: what a change of an app changes in what its tests see it track.
final class CompareTests: PlanToolTestCase {
  private typealias Params = [TrackingParam: TrackingValue]

  /// Observes events of a test that a wait matched.
  private func see(
    _ test: String = "ShopTests.testBuying", in name: String, run: String = "1", time: Int = 1,
    _ events: (String, Params)..., isMatched: Bool = true
  ) throws {
    let collector = ObservationCollector()
    for (name, params) in events { collector.add(TrackingEvent(name: name, params: params), isMatched: isMatched) }
    var observation = collector.observation(id: ObservationFolder.nextID(), test: test)
    (observation.run, observation.time) = (run, time)
    try ObservationFolder(folder.appendingPathComponent(name)).append(observation)
  }

  private func compare(_ words: String...) -> (code: Int32, output: String, error: String) {
    var (output, error) = ("", "")
    let code = Command.run(
      ["compare", path("base"), path("head")] + words, output: .init(standard: { output += $0 }, error: { error += $0 })
    )
    return (code, output, error)
  }

  func testEqualRunsHaveNoChange() throws {
    for name in ["base", "head"] {
      try see(in: name, ("opened", [:]), ("paid", ["total": 12.5, "by": "card"]))
    }
    XCTAssertEqual(compare("--fail-on", "any").output, "no change in what is tracked; 1 test in both runs\n")
    XCTAssertEqual(compare("--fail-on", "any").code, 0)
    XCTAssertEqual(
      compare("--report", "markdown").output,
      "## Tracking\n\nno change in what is tracked; 1 test in both runs\n")
  }

  func testEachKindOfChangeIsOneLine() throws {
    try see(
      in: "base", ("opened", [:]), ("viewed", ["id": "a"]),
      ("paid", ["total": 12, "by": "card", "note": "x", "gift": true]),
      ("paid", ["total": 12, "by": "card", "note": "x", "gift": true]), ("cart_add", ["id": "a", "amount": 2]))
    try see(
      in: "head", ("opened", [:]), ("opened", [:]), ("shared", ["to": "b"]),
      ("paid", ["total": "12", "by": "cash", "gift": true, "isNew": true]),
      ("paid", ["total": "12", "by": "cash", "isNew": true]),
      ("added_to_cart", ["id": "a", "amount": 3]), isMatched: false)
    let result = compare("--fail-on", "lost")
    assertText(
      result.output,
      """
      2 lost, 1 probably renamed, 2 gained, 1 changed in type, 2 changed in value, 1 changed in presence, \
      1 changed in count, 3 no longer matched; 1 test in both runs

      lost:               paid.note: in ShopTests.testBuying
                          viewed: once before in ShopTests.testBuying
      probably renamed:   cart_add to added_to_cart: by params and counts, in ShopTests.testBuying
      gained:             paid.isNew: in ShopTests.testBuying
                          shared: once in ShopTests.testBuying
      changed in type:    paid.total: number became string in ShopTests.testBuying
      changed in value:   added_to_cart.amount: 2 became 3 in ShopTests.testBuying
                          paid.by: "card" became "cash" in ShopTests.testBuying
      changed in presence: paid.gift: 2 of 2 became 1 of 2 in ShopTests.testBuying
      changed in count:   opened: 1 became 2 in ShopTests.testBuying
      no longer matched:  added_to_cart: a wait matched it in ShopTests.testBuying, and none does now
                          opened: a wait matched it in ShopTests.testBuying, and none does now
                          paid: a wait matched it in ShopTests.testBuying, and none does now

      """)
    XCTAssertEqual(result.code, 1)
    XCTAssertEqual(result.error, "tracking compare: lost or renamed: paid.note, viewed, cart_add\n")
  }

  func testALostOrGainedEventNamesItsLineOfTheApp() throws {
    func see(in name: String, _ events: (String, site: String?)...) throws {
      let collector = ObservationCollector()
      for (name, site) in events {
        let event = TrackingEvent(name: name)
        collector.add(site.flatMap(CallSite.init).map(event.at) ?? event, isMatched: true)
      }
      try ObservationFolder(folder.appendingPathComponent(name))
        .append(collector.observation(id: ObservationFolder.nextID(), test: "ShopTests.testBuying"))
    }
    try see(
      in: "base", ("viewed", site: "Shop/View.swift:3"), ("paid", site: "Shop/Model.swift:41"), ("left", site: nil))
    try see(
      in: "head", ("shared", site: "Cart/Model.swift:1"), ("paid", site: "Shop/Model.swift:44"),
      ("paid", site: "Shop/View.swift:88"))
    let result = compare()
    assertText(
      result.output,
      """
      2 lost, 1 gained, 1 changed in count; 1 test in both runs

      lost:               left: once before in ShopTests.testBuying
                          viewed: once before in ShopTests.testBuying; tracked at View.swift:3
      gained:             shared: once in ShopTests.testBuying; tracked at Cart/Model.swift:1
      changed in count:   paid: 1 became 2 in ShopTests.testBuying; tracked at Shop/Model.swift:44 and View.swift:88

      """)
    let json = compare("--json").output
    for site in ["Shop/View.swift:3", "Cart/Model.swift:1", "Shop/Model.swift:44", "Shop/View.swift:88"] {
      XCTAssertTrue(json.contains("\"\(site)\""), json)
    }
  }

  func testIDsAndTimesAreNoChangesAndSayWhy() throws {
    let before: Params = [
      "order": "5f0c8e7a-93b1-4f6e-8a7d-0c1b2a3d4e5f", "at": "2026-11-23T10:00:00Z", "sent": 1_795_428_000,
      "load_time": 0.25,
      "image": "http://localhost:51234/a.png", "size": 3,
    ]
    let after: Params = [
      "order": "0a1b2c3d-1111-4222-8333-444455556666", "at": "2026-11-24T11:00:00Z", "sent": 1_795_514_400,
      "load_time": 0.31,
      "image": "http://localhost:40001/a.png", "size": 4,
    ]
    try see(in: "base", ("paid", before))
    try see(in: "head", ("paid", after))
    assertText(
      compare().output,
      """
      1 changed in value; 1 test in both runs

      changed in value:   paid.size: 3 became 4 in ShopTests.testBuying
      note:               not compared, because it holds an address of this machine: paid.image
                          not compared, because it looks like a time or a duration: paid.at, paid.load_time, paid.sent
                          not compared, because it looks like an id that is made at run time: paid.order

      """)
  }

  func testANumberOfNineDigitsIsAnIDUnlessItsNameIsThatOfATime() throws {
    try see(in: "base", ("paid", ["id": 730_591_826_473_059_182, "load_ms": 123_456_789, "n": 12_345_678]))
    try see(in: "head", ("paid", ["id": 729_184_635_072_918_463, "load_ms": 133_456_789, "n": 12_345_679]))
    assertText(
      compare().output,
      """
      1 changed in value; 1 test in both runs

      changed in value:   paid.n: 12345678 became 12345679 in ShopTests.testBuying
      note:               not compared, because it looks like a time or a duration: paid.load_ms
                          not compared, because it looks like an id that is made at run time: paid.id

      """)
  }

  func testAChangedTypeCanFailTheComparison() throws {
    try see(in: "base", ("paid", ["total": 12]))
    try see(in: "head", ("paid", ["total": "12"]))
    XCTAssertEqual(compare("--fail-on", "lost").code, 0)
    XCTAssertEqual(compare("--fail-on", "types").error, "tracking compare: changed in type: paid.total\n")
  }

  func testATestThatFailsInTheHeadOnlyIsNamed() throws {
    for name in ["base", "head"] {
      for test in ["A.broken", "A.flawed", "A.fine"] {
        var observation = observation(test, [(TrackingEvent(name: "opened"), isMatched: true)], checkedAgainst: nil)
        observation.hasFailed = test == "A.broken" || test == "A.flawed" && name == "head"
        try ObservationFolder(folder.appendingPathComponent(name)).append(observation)
      }
    }
    XCTAssertEqual(
      compare().output,
      """
      no change in what is tracked; 3 tests in both runs

      note:               1 test failed in the head and not in the base: A.flawed

      """)
  }

  func testPlansAndRunsAreNotComparedWithEachOther() throws {
    try see(in: "base", ("opened", [:]))
    try write(#"{"events": {"opened": {}}}"#, to: "plans/manifest.json")
    func error(_ words: String...) -> String {
      Command.lines(words).first.map { $0.replacing(folder.path + "/", with: "") } ?? ""
    }
    let (base, plans) = (path("base"), path("plans"))
    XCTAssertEqual(
      error("compare", base, plans),
      "tracking compare: base is a run, and plans is a plan; compare two runs or two plans")
    XCTAssertEqual(
      error("compare", base, base, "--source", "iOS"),
      "tracking compare: --source isn't for comparing runs")
    XCTAssertEqual(
      error("compare", plans, plans, "--base-again", base),
      "tracking compare: --base-again isn't for comparing plans")
    XCTAssertEqual(
      error("compare", plans, plans, "--fail-on", "lost"),
      "tracking compare: --fail-on: lost isn't for plans; expected one of apps, any")
    XCTAssertEqual(run("compare", plans, plans).output, "no event changed\n")
  }

  /// An id that is the same in two runs of the base is a fixture's, and its change is one of the app.
  func testASecondRunOfTheBaseTellsWhatIsVolatile() throws {
    let fixture: TrackingValue = "5f0c8e7a-93b1-4f6e-8a7d-0c1b2a3d4e5f"
    try see(in: "base", run: "1", time: 1, ("paid", ["order": "7", "product": fixture]), ("retried", [:]))
    try see(
      in: "base", run: "2", time: 2, ("paid", ["order": "8", "product": fixture]), ("retried", [:]), ("retried", [:]))
    try see(in: "head", ("paid", ["order": "9", "product": "0a1b2c3d-1111-4222-8333-444455556666"]), ("retried", [:]))
    let expected = """
      1 changed in value; 1 test in both runs

      changed in value:   paid.product: "5f0c8e7a-93b1-4f6e-8a7d-0c1b2a3d4e5f" became "0a1b2c3d-1111-4222-8333-444455556666" in ShopTests.testBuying
      note:               not compared, because it differs between runs of the base: paid.order
                          not compared, because its count differs between runs of the base: retried

      """
    XCTAssertEqual(compare().output, expected)

    try FileManager.default.removeItem(atPath: path("base"))
    try see(in: "again", run: "1", ("paid", ["order": "7", "product": fixture]), ("retried", [:]))
    try see(in: "base", run: "2", ("paid", ["order": "8", "product": fixture]), ("retried", [:]), ("retried", [:]))
    XCTAssertEqual(compare("--base-again", path("again")).output, expected)
  }

  func testOnlyTestsOfBothRunsAreCompared() throws {
    try see("ShopTests.testBuying", in: "base", ("opened", [:]))
    try see("ShopTests.testOld", in: "base", ("opened", [:]), ("closed", [:]))
    try see("ShopTests.testBuying", in: "head", ("opened", [:]))
    try see("ShopTests.testNew", in: "head", ("opened", [:]), ("shared", [:]))
    let result = compare("--fail-on", "lost")
    assertText(
      result.output,
      """
      1 gained; 1 test in both runs

      gained:             shared: once in ShopTests.testNew
      note:               1 test only in the base: ShopTests.testOld
                          1 test only in the head: ShopTests.testNew
                          1 event seen only by tests that the head didn't run: closed

      """)
    XCTAssertEqual(result.code, 0)
    try FileManager.default.removeItem(atPath: path("head"))
    try see("ShopTests.testNew", in: "head", ("opened", [:]))
    let nothing = compare("--fail-on", "lost")
    XCTAssertEqual(nothing.error, "tracking compare: no test is in both runs, so nothing was compared\n")
    XCTAssertEqual(nothing.code, 1)
  }

  func testCountsOfSeveralTestsHaveATotal() throws {
    for test in ["A.t", "B.t", "C.t"] { try see(test, in: "base", ("opened", [:])) }
    try see("A.t", in: "head", ("opened", [:]), ("opened", [:]))
    try see("B.t", in: "head", ("opened", [:]), ("opened", [:]), ("opened", [:]))
    try see("C.t", in: "head", ("opened", [:]))
    assertText(
      compare().output,
      """
      1 changed in count; 3 tests in both runs

      changed in count:   opened: 1 became 2 in A.t; 1 became 3 in B.t; 3 became 6 in total

      """)
    let json = compare("--json").output
    XCTAssertTrue(json.contains(#""before": 3"#) && json.contains(#""after": 6"#), json)
  }

  func testAnEventThatATestSeesForTheFirstTimeIsACount() throws {
    try see("A.t", in: "base", ("opened", [:]))
    try see("B.old", in: "base", ("shown", [:]))
    try see("A.t", in: "head", ("opened", [:]), ("shown", [:]))
    assertText(
      compare().output,
      """
      1 changed in count; 1 test in both runs

      changed in count:   shown: 0 became 1 in A.t
      note:               1 test only in the base: B.old

      """)
  }

  func testAnEventThatOneOfSeveralTestsNoLongerSeesIsLostThere() throws {
    for test in ["A.t", "B.t", "C.t"] {
      try see(test, in: "base", ("shown", ["screen": "cart"]))
      try see(test, in: "head", ("shown", ["screen": "cart"]))
    }
    try see("D.t", in: "base", ("shown", ["screen": "cart"]), ("opened", [:]))
    try see("D.t", in: "head", ("opened", [:]))
    XCTAssertEqual(
      compare().output,
      "1 lost; 4 tests in both runs\n\nlost:               shown: once before in D.t, still in 3 other tests\n")
  }

  func testALostObjectIsOneLineAndARenamedParamIsFound() throws {
    try see(
      in: "base",
      ("paid", ["items": [["id": "a", "price": 2]], "paymentMethod": "invoice", "flag": true]))
    try see(in: "head", ("paid", ["payment_method": "invoice", "other": true]))
    assertText(
      compare().output,
      """
      2 lost, 1 probably renamed, 1 gained; 1 test in both runs

      lost:               paid.flag: in ShopTests.testBuying
                          paid.items: in ShopTests.testBuying
      probably renamed:   paid.paymentMethod to payment_method: by kinds, values or name, in ShopTests.testBuying
      gained:             paid.other: in ShopTests.testBuying

      """)
  }

  func testAParamWhoseNameHasADotIsNoMemberOfAnother() throws {
    try see(in: "base", ("paid", ["by": "card", "by.id": 7, "user.id": "u", "cart": ["a": 1, "b.c": 2]]))
    try see(in: "head", ("paid", ["user_id": "u"]))
    assertText(
      compare().output,
      """
      3 lost, 1 probably renamed; 1 test in both runs

      lost:               paid.by: in ShopTests.testBuying
                          paid.by.id: in ShopTests.testBuying
                          paid.cart: in ShopTests.testBuying
      probably renamed:   paid.user.id to user_id: by kinds, values or name, in ShopTests.testBuying

      """)
  }

  func testADottedParamIsNotTheMemberOfAnObject() throws {
    try see(in: "base", ("paid", ["a.b": 1, "a": ["b": "x"], "l[]": 1, "l": [true]]))
    try see(in: "head", ("paid", ["a.b": 2, "a": ["b": "x"], "l[]": 1, "l": [false]]))
    assertText(
      compare().output,
      """
      2 changed in value; 1 test in both runs

      changed in value:   paid.a.b: 1 became 2 in ShopTests.testBuying
                          paid.l[]: true became false in ShopTests.testBuying

      """)
  }

  func testANameWithOtherCodePointsIsAnotherName() throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    try see(in: "base", (composed, ["n": 7]), ("paid", [.custom(key: composed): 7]))
    try see(in: "head", (decomposed, ["n": 7]), ("paid", [.custom(key: decomposed): 7]))
    let result = compare("--fail-on", "any")
    XCTAssertEqual(result.code, 1)
    assertText(
      result.output,
      """
      2 probably renamed; 1 test in both runs

      probably renamed:   \(composed) to \(decomposed): it looks the same but has different code points, by params and counts, in ShopTests.testBuying
                          paid.\(composed) to \(decomposed): it looks the same but has different code points, by kinds, values or name, in ShopTests.testBuying

      """)
  }

  func testMarkdownAndJSONHaveTheSameChanges() throws {
    try see(in: "base", ("paid_`now`", ["by|way": "card"]))
    try see(in: "head", ("paid_`now`", ["by|way": "cash"]))
    assertText(
      compare("--report", "markdown").output,
      """
      ## Tracking

      1 changed in value; 1 test in both runs

      **Changed in value**

      - `paid_'now'.by|way`: `"card"` became `"cash"` in `ShopTests.testBuying`

      """)
    assertText(
      compare("--json").output,
      """
      {
        "changes": [
          {
            "event": "paid_`now`",
            "kind": "values",
            "others": 0,
            "param": "by|way",
            "tests": [
              {
                "after": [
                  "cash"
                ],
                "before": [
                  "card"
                ],
                "test": "ShopTests.testBuying"
              }
            ]
          }
        ],
        "eventsWithoutTest": [],
        "failed": [],
        "leftOut": [],
        "runs": 1,
        "tests": [
          "ShopTests.testBuying"
        ],
        "testsOfBaseOnly": [],
        "testsOfHeadOnly": [],
        "tornLines": 0,
        "unknown": {
          "events": [],
          "incompleteTests": [],
          "testsWithMoreNames": []
        },
        "volatile": []
      }

      """)
    XCTAssertEqual(compare("--output", path("report.md")).code, 0)
    XCTAssertEqual(try read("report.md"), compare("--report", "markdown").output)
    XCTAssertEqual(
      compare("--output", path("report.html")).error.split(separator: "\n").first.map {
        $0.replacing(folder.path + "/", with: "")
      },
      "tracking compare: --output: report.html must end in .json, .md or .txt, which says the form of the report"
    )
  }

  /// The same observations in any order of files and lines give the same bytes.
  func testTheReportDependsOnNoOrder() throws {
    var generator = SystemRandomNumberGenerator()
    func write(_ name: String) throws {
      var lines = (0..<30).map { index -> String in
        let isHead = name.hasPrefix("head")
        let collector = ObservationCollector()
        for event in 0...index % 5 {
          collector.add(
            TrackingEvent(
              name: "e\(event)\(isHead && event == 2 ? "x" : "")",
              params: [
                "a": .int(index % 3 + (isHead ? 1 : 0)),
                .custom(key: isHead && event != 2 ? "b_" : "b"): .string("v\(event)"),
              ]),
            isMatched: event % 2 == 0)
        }
        var observation = collector.observation(id: "\(name.prefix(4))-\(index)", test: "T.t\(index % 7)")
        (observation.run, observation.time) = ("\(name.prefix(4))", index + 1)
        return String(decoding: observation.line, as: UTF8.self)
      }
      lines.shuffle(using: &generator)
      try self.write(lines.prefix(11).joined(), to: "\(name)/z.ndjson")
      try self.write(lines.dropFirst(11).joined(), to: "\(name)/a.ndjson")
    }
    var reports: Set<String> = []
    for _ in 0..<10 {
      try write("base")
      try write("head")
      reports.insert(compare().output + compare("--json").output + compare("--report", "markdown").output)
    }
    XCTAssertEqual(reports.count, 1)
    XCTAssertTrue(try XCTUnwrap(reports.first).contains("e2 to e2x"))
  }

  /// One change of a random run is reported as that change, and as nothing else.
  func testOneChangeOfARandomRunIsTheOnlyOneReported() throws {
    var generator = RandomCases.generator(seed: 7)
    for round in 0..<RandomCases.count(150) {
      let tests = (0..<Int.random(in: 1...4, using: &generator)).map { "T.t\($0)" }
      var runs: [String: [(String, Params)]] = [:]
      for test in tests {
        runs[test] = (0..<Int.random(in: 2...5, using: &generator)).map { index in
          ("e\(index)", ["a": .int(Int.random(in: 2...9, using: &generator)), "b": "x\(index)", "c": [["d": true]]])
        }
      }
      let test = tests[Int.random(in: 0..<tests.count, using: &generator)]
      var changed = runs
      var events = try XCTUnwrap(runs[test])
      let index = Int.random(in: 0..<events.count, using: &generator)
      let name = events[index].0
      let expected: [String]
      switch round % 7 {
      case 0:
        events.remove(at: index)
        expected = ["lost \(name)"]
      case 1:
        events.append(events[index])
        expected = ["counts \(name)"]
      case 2:
        events[index].1["b"] = nil
        expected = ["lost \(name).b"]
      case 3:
        events[index].1["new"] = true
        expected = ["gained \(name).new"]
      case 4:
        events[index].1["a"] = "2"
        expected = ["kinds \(name).a"]
      case 5:
        events[index].1["a"] = 1
        expected = ["values \(name).a"]
      default:
        events[index].1["c"] = [["d": true, "e": 1]]
        expected = ["gained \(name).c[].e"]
      }
      changed[test] = events
      let base = try runs.map { test, events in try observation(test, events) }
      let head = try changed.map { test, events in try observation(test, events) }
      let comparison = RunComparison(from: [ObservedRun(base)], to: ObservedRun(head))
      XCTAssertEqual(comparison.changes.map { "\($0.kind) \($0.name)" }, expected, "round \(round)")
      XCTAssertEqual(comparison.changes.flatMap(\.tests).map(\.test), [test], "round \(round)")
      XCTAssertEqual(RunComparison(from: [ObservedRun(base)], to: ObservedRun(base)).changes.count, 0)
    }
  }

  private func observation(_ test: String, _ events: [(String, Params)]) throws -> Observation {
    let collector = ObservationCollector()
    for (name, params) in events { collector.add(TrackingEvent(name: name, params: params), isMatched: true) }
    return collector.observation(id: ObservationFolder.nextID(), test: test)
  }
}

extension Command {
  /// The lines of a command's errors.
  fileprivate static func lines(_ words: [String]) -> [String] {
    var error = ""
    _ = Command.run(words, output: .init(standard: { _ in }, error: { error += $0 }))
    return error.split(separator: "\n").map(String.init)
  }
}
