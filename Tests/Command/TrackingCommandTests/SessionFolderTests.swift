import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// Sessions of `serve --save` and of tests as runs: single ones, and folders of them.
final class SessionFolderTests: PlanToolTestCase {
  private func session(
    _ events: (name: String, params: String)..., to file: String, title: String = "", failures: String = ""
  ) throws {
    let entries = events.enumerated().map { number, event in
      #"{"kind":"event","number":\#(number + 1),"name":"\#(event.name)","params":{\#(event.params)}}"#
    }
    // The file's name stands for the time, so that no two sessions are copies of each other.
    try write(
      """
      {"began":"\(file)","failures":[\(failures)],"format":"tracking-session","version":1,"title":"\(title)","entries":[
      \(entries.joined(separator: ",\n"))
      ]}
      """, to: file)
  }

  /// The first line of a command's error.
  private func error(_ words: String..., line: UInt = #line) -> String {
    let result = run(words)
    XCTAssertEqual(result.code, 2, line: line)
    return result.error.split(separator: "\n").first.map(String.init) ?? ""
  }

  private let hint =
    "; run the tests with TRACKING_OBSERVATIONS set to the folder (xcodebuild: TEST_RUNNER_TRACKING_OBSERVATIONS) and with the product TrackingPlan linked, or save sessions in it with `tracking serve --save`"

  func testTwoSingleSessionsAreOneTestWhateverTheirTitles() throws {
    for (base, head, test) in [
      ("", "", "the session"), ("ShopTests.testOld", "ShopTests.testNew", "the session"), ("", "Shop", "the session"),
      ("ShopTests.testBuying", "ShopTests.testBuying", "ShopTests.testBuying"),
    ] {
      try session(("opened", ""), ("paid", #""total":3"#), to: "old/base.json", title: base)
      try session(("opened", ""), ("paid", #""total":4"#), to: "new/head.json", title: head)
      for (old, new) in [("old/base.json", "new/head.json"), ("old", "new/head.json"), ("old", "new")] {
        XCTAssertEqual(
          run("compare", path(old), path(new)).output,
          """
          1 changed in value; 1 test in both runs

          changed in value:   paid.total: 3 became 4 in \(test)

          """)
      }
    }
    try session(("opened", ""), ("paid", #""total":5"#), to: "again.json", title: "Another")
    XCTAssertEqual(
      run("compare", path("old"), path("new"), "--base-again", path("again.json")).output,
      """
      no change in what is tracked; 1 test in both runs

      note:               not compared, because it differs between runs of the base: paid.total

      """)
  }

  func testAnEntryMayHaveTheLargestNumber() throws {
    try write(
      #"{"format":"tracking-session","version":1,"isServed":true,"entries":[{"kind":"event","number":\#(Int.max),"name":"a"},{"kind":"note","number":0,"text":"t"}]}"#,
      to: "s.json")
    XCTAssertEqual(run("report", path("s.json"), "--markdown").code, 0)
    XCTAssertEqual(run("compare", path("s.json"), path("s.json")).code, 0)
  }

  func testSessionsOfFoldersArePairedByTheirTitlesElseByTheirPaths() throws {
    for (run, price, name) in [("base", 3, "1"), ("head", 4, "2")] {
      try session(("opened", ""), to: "\(run)/login/session.json")
      try session(("paid", #""total":\#(price)"#), to: "\(run)/buy/session.json")
      try session(
        ("left", #""after":\#(price)"#), to: "\(run)/attachments/\(name).json", title: "ShopTests.testLeaving")
    }
    try session(("shared", ""), to: "head/share.json")
    assertText(
      run("compare", path("base") + "/", path("head")).output,
      """
      1 gained, 2 changed in value; 3 tests in both runs

      gained:             shared: once in share.json
      changed in value:   left.after: 3 became 4 in ShopTests.testLeaving
                          paid.total: 3 became 4 in buy/session.json
      note:               1 test only in the head: share.json

      """)
  }

  /// A server's tests begin with a note, and its title names the server.
  ///
  /// - Parameter tests: The tests as the session has them; `nil` for a session of a version that wrote only the notes.
  private func served(
    _ entries: (note: String?, event: String)..., to file: String, failedAt location: String? = nil,
    tests: String? = nil
  ) throws {
    let lines = entries.enumerated().map { number, entry in
      entry.note.map { #"{"kind":"note","number":0,"text":"\#($0)"}"# }
        ?? #"{"kind":"event","number":\#(number + 1),"name":"\#(entry.event)","params":{}}"#
    }
    let failures = location.map { #"{"message":"No event","location":"\#($0)"}"# } ?? ""
    try write(
      """
      {"failures":[\(failures)],"format":"tracking-session","isServed":true,"version":1,\(tests.map { #""tests":[\#($0)],"# } ?? "")
      "title":"tracking serve at localhost:\(file.utf8.count)","entries":[\(lines.joined(separator: ",\n"))]}
      """, to: file)
  }

  func testTheTestsOfAServerArePairedByTheirNames() throws {
    try served(
      (nil, "launched"), ("login", ""), (nil, "opened"), ("buy", ""), (nil, "paid"), (nil, "left"), to: "old/base.json")
    try served(
      (nil, "launched"), (nil, "launched"), ("buy", ""), (nil, "paid"), ("login", ""), (nil, "opened"), (nil, "opened"),
      to: "new/head.json", failedAt: "buy, wait:3")
    for (old, new) in [("old/base.json", "new/head.json"), ("old", "new")] {
      assertText(
        run("compare", path(old), path(new)).output,
        """
        1 lost, 2 changed in count; 3 tests in both runs

        lost:               left: once before in buy
        changed in count:   launched: 1 became 2 in the session
                            opened: 1 became 2 in login
        note:               1 test failed in the head and not in the base: buy

        """)
    }
    // Without names, the whole is one test, whatever the servers' ports.
    try served((nil, "opened"), to: "a.json")
    try served((nil, "opened"), (nil, "opened"), to: "longer.json")
    XCTAssertEqual(
      run("compare", path("a.json"), path("longer.json")).output,
      "1 changed in count; 1 test in both runs\n\nchanged in count:   opened: 1 became 2 in the session\n")
    XCTAssertTrue(
      run("coverage", path("old")).output.hasPrefix("4 events in 3 tests: "), run("coverage", path("old")).output)
  }

  /// The tests of a session: names with the first entry of each, and `!` behind the name of a failed one.
  private func tests(_ all: [(name: String, from: Int)]) -> String {
    all.enumerated().map { place, test in
      let until = place + 1 < all.count ? all[place + 1].from : 100
      let failed = test.name.hasSuffix("!") ? #","hasFailed":true"# : ""
      return
        #"{"name":"\#(test.name.replacing("!", with: ""))","from":\#(test.from),"until":\#(until),"seconds":0\#(failed)}"#
    }.joined(separator: ",")
  }

  /// The changes between a session in which `paid` arrived once for each of the base's tests, and one in which it arrived twice in a test.
  private func changes(_ base: (name: String, from: Int)...) throws -> (output: String, code: Int32) {
    try served((nil, "paid"), (nil, "paid"), to: "base.json", tests: tests(base))
    try served((nil, "paid"), (nil, "paid"), to: "head.json", tests: tests([("buy", 1)]))
    let result = run("compare", path("base.json"), path("head.json"), "--fail-on", "any")
    return (result.output.split(separator: "\n").dropFirst().joined(separator: "\n"), result.code)
  }

  func testAnAttemptThatFailedAndWasRepeatedIsNotCompared() throws {
    var result = try changes(("buy!", 1), ("buy", 2))
    XCTAssertEqual(result.output, "changed in count:   paid: 1 became 2 in buy")
    XCTAssertEqual(result.code, 1)
    // Two that passed are two, and so are those of two names.
    result = try changes(("buy", 1), ("buy", 2))
    XCTAssertEqual(result.output, "")
    XCTAssertEqual(result.code, 0)
    result = try changes(("buy", 1), ("buy!", 2))
    XCTAssertEqual(result.output, "")
    result = try changes(("buy!", 1), ("pay", 2))
    XCTAssertEqual(
      result.output, "changed in count:   paid: 1 became 2 in buy\nnote:               1 test only in the base: pay")
    // Other attempts in another session of the folder.
    try served((nil, "paid"), to: "run/1.json", tests: tests([("buy!", 1)]))
    try served((nil, "paid"), (nil, "paid"), to: "run/2.json", tests: tests([("buy", 1)]))
    for name in ["1", "2"] {
      let text = try read("run/\(name).json")
      try write(
        text.replacing("{\"failures\"", with: "{\"began\":\"2026-01-0\(name)T10:00:00.500Z\",\"failures\""),
        to: "run/\(name).json")
    }
    assertText(
      run("coverage", path("run")).output,
      """
      1 event in 1 test: 0 matched, 1 arrived but not matched

      not matched:        paid (twice in 1 test)
      note:               1 observation left out, of tests that were repeated afterwards

      """.replacing("twice", with: "2 times"))
    XCTAssertEqual(
      run("draft", path("run"), "-o", path("draft.json")).error,
      "tracking draft: 1 observation left out, of tests that were repeated afterwards\n")
  }

  /// Of a session from a version that wrote where named tests begin, and nothing else.
  func testTheTestsOfAnEarlierSessionEndWhereTheNextBegins() throws {
    try served(
      (nil, "launched"), ("buy", ""), (nil, "paid"), ("buy, twice", ""), (nil, "paid"), (nil, "paid"), to: "base.json",
      failedAt: "buy, twice, wait:3")
    let observations = try ObservationFolder.Contents(in: [path("base.json")], allRuns: false).observations
    XCTAssertEqual(
      observations.map { "\($0.isRestOfSession ? "" : $0.test) \($0.events.values.map(\.count)) \($0.hasFailed)" },
      [" [1] false", "buy [1] false", "buy, twice [2] true"])
    // One of two attempts failed, so only the last one counts.
    try served(("buy", ""), (nil, "paid"), ("buy", ""), (nil, "paid"), to: "base.json", failedAt: "buy, finish")
    try served(("buy", ""), (nil, "paid"), to: "head.json")
    XCTAssertEqual(
      run("compare", path("base.json"), path("head.json")).output, "no change in what is tracked; 1 test in both runs\n"
    )
  }

  func testATestOfASessionThatCannotBeReadIsNamedWithItsPlace() throws {
    for (test, reason) in [
      (#"{"name":"buy"}"#, #"tests[0]: the member "from" is missing"#),
      (#"{"name":7,"from":1}"#, "tests[0].name: expected a string, found a number"),
      (#"{"from":"1"}"#, #"tests[0].from: expected an integer, found a string"#),
    ] {
      try served((nil, "paid"), to: "session.json", tests: test)
      XCTAssertTrue(error("coverage", path("session.json")).hasSuffix(reason), error("coverage", path("session.json")))
    }
    try served((nil, "paid"), to: "session.json", tests: #"{"name":"buy","from":1,"until":-3,"seconds":1e300}"#)
    XCTAssertEqual(run("coverage", path("session.json")).code, 0)
  }

  func testATestWhoseSessionFailsInTheHeadOnlyIsNamed() throws {
    let failure = #"{"message":"No event","location":"A.swift:3"}"#
    try session(("opened", ""), to: "base.json", title: "A.a")
    try session(("opened", ""), to: "head.json", title: "A.a", failures: failure)
    XCTAssertEqual(
      run("compare", path("base.json"), path("head.json")).output,
      """
      no change in what is tracked; 1 test in both runs

      note:               1 test failed in the head and not in the base: A.a

      """)
  }

  func testAComparisonOfNothingSaysSo() throws {
    try session(("opened", ""), to: "base/a.json")
    try session(("opened", ""), to: "head/b.json")
    try session(("opened", ""), to: "head/c.json")
    assertText(
      run("compare", path("base"), path("head")).output,
      """
      no test is in both runs, so nothing was compared

      note:               1 test only in the base: a.json
                          2 tests only in the head: b.json, c.json

      """)
  }

  func testCoverageAndDraftsReadFoldersOfSessions() throws {
    try session(("opened", ""), ("paid", #""total":3"#), to: "sessions/login/session.json")
    try session(("opened", ""), to: "sessions/nested/deeply/session.json", title: "A.a")
    // A test may track nothing.
    try session(to: "sessions/quiet.json")
    // Copies, other JSON, hidden files and links that lead back.
    try session(("opened", ""), to: "sessions/copy.json", title: "A.a")
    try write(try read("sessions/login/session.json"), to: "sessions/copied.json")
    try write(#"{"events": {}}"#, to: "sessions/plan.json")
    try write("[1", to: "sessions/broken.json")
    try session(("hidden", ""), to: "sessions/.hidden/session.json")
    try FileManager.default.createSymbolicLink(atPath: path("sessions/nested/up"), withDestinationPath: "..")
    let coverage = run("coverage", path("sessions"), path("sessions/login"), path("sessions/copied.json"))
    assertText(
      coverage.output,
      """
      2 events in 3 tests: 0 matched, 2 arrived but not matched

      not matched:        opened (3 times in 2 tests)
                          paid (once in 1 test)

      """)
    XCTAssertEqual(coverage.code, 0)
    let draft = run("draft", path("sessions"), "-o", path("draft.json"), "--json")
    assertText(
      draft.output,
      """
      {
        "events": [
          "opened",
          "paid"
        ],
        "file": "draft.json",
        "params": []
      }

      """)
  }

  /// Attachments of failed tests have both, and the sessions would count again.
  func testObservationsInAFolderReplaceTheSessionsBesideThem() throws {
    try observe("A.a", in: "run/first", [(TrackingEvent(name: "opened"), true)], checkedAgainst: nil)
    try session(("opened", ""), to: "run/first/A.a-1-session.json", title: "A.a")
    try observe("B.b", in: "run/second", [(TrackingEvent(name: "opened"), true)], checkedAgainst: nil)
    try session(("closed", ""), to: "run/third/session.json", title: "C.c")
    // Exported from tests that don't link TrackingPlan.
    try session(("paid", ""), to: "run/export/6F1D.json", title: "D.d")
    try write(
      #"[{"testIdentifier":"D/d()","attachments":[{"exportedFileName":"6F1D.json","suggestedHumanReadableName":"D.d-1-session_0_6F1D.json"}]}]"#,
      to: "run/export/manifest.json")
    assertText(
      run("coverage", path("run")).output,
      """
      3 events in 4 tests: 1 matched, 2 arrived but not matched

      not matched:        closed (once in 1 test)
                          paid (once in 1 test)

      """)
  }

  func testAFolderWithoutARunIsRefusedWithTheReason() throws {
    try session(("opened", ""), to: "session.json")
    try write(shop, to: "plans/shop.json")
    try write("{}", to: "observed/1.ndjson")
    try session(to: "quiet/session.json")
    try FileManager.default.createDirectory(atPath: path("empty"), withIntermediateDirectories: true)
    for verb in ["coverage", "draft"] {
      for folder in ["empty", "plans"] {
        XCTAssertEqual(
          error(verb, path(folder)), "error: \(folder): contains no observations and no sessions\(hint)")
      }
      XCTAssertEqual(error(verb, path("nowhere")), "error: nowhere: no such file or folder\(hint)")
      XCTAssertEqual(error(verb, path("nowhere.json")), "error: nowhere.json: no such file or folder")
      XCTAssertEqual(
        error(verb, path("observed/1.ndjson")), "error: observed/1.ndjson: is a file of observations; name its folder")
      XCTAssertEqual(error(verb, path("quiet")), "error: quiet: contains no events")
    }
    XCTAssertEqual(
      error("compare", path("session.json"), path("empty")),
      "error: empty: contains no observations and no sessions\(hint)")
    XCTAssertEqual(
      error("compare", path("nowhere.json"), path("session.json")), "error: nowhere.json: no such file or folder")
    XCTAssertEqual(
      error("compare", path("quiet"), path("plans")),
      "tracking compare: quiet is a run, and plans is a plan; compare two runs or two plans")
  }

  func testCheckTakesAFolderOfSessionsAndAReportNamesOne() throws {
    try write(shop, to: "plan.json")
    try FileManager.default.createDirectory(atPath: path("empty"), withIntermediateDirectories: true)
    try session(("opened", ""), to: "sessions/a/session.json")
    try session(("opend", ""), to: "sessions/b/session.json")
    let check = run("check", path("sessions"), "--plan", path("plan.json"))
    assertText(
      check.output,
      """
      sessions/a/session.json: 1 event, no findings
      sessions/b/session.json: #1 opend: the plan has no event with this name; the nearest is opened (unplanned-event; plan.json:17)

      """)
    XCTAssertEqual(check.code, 1)
    XCTAssertEqual(
      error("check", path("sessions")),
      "tracking check: sessions/a/session.json is a session; name the plan to check it against with --plan")
    XCTAssertEqual(
      error("check", path("empty"), "--plan", path("plan.json")),
      "error: empty: is a folder without sessions")
    XCTAssertEqual(
      error("report", path("sessions")),
      "error: sessions: is a folder; name a session, such as sessions/a/session.json")
  }
}
