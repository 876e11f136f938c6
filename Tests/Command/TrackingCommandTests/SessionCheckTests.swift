import TestSupport
@testable import TrackingCommand

/// `check`, `coverage` and `draft` with a `session.json` in place of a plan or of observations.
final class SessionCheckTests: PlanToolTestCase {
  private let plan = """
    {"events": {
      "added": {"params": {
        "id": {"type": "string"},
        "items": {"type": "array", "items": {"type": "object", "properties": {
          "price": {"type": "number"}}}, "optional": true},
        "old": {"type": "boolean", "optional": true, "deprecated": "use new"}}},
      "opened": {}
    }}
    """

  private func session(
    _ entries: String..., version: String = "1", more: String = "", to name: String = "session.json"
  ) throws {
    try write(plan, to: "plan.json")
    try write(
      """
      {"format":"tracking-session","version":\(version),"title":"CartTests.testAdding"\(more),"entries":[
      \(entries.joined(separator: ",\n"))
      ]}
      """, to: name)
  }

  private func check(_ words: String...) -> (code: Int32, output: String, error: String) {
    var (output, error) = ("", "")
    let code = Command.run(
      ["check", path("session.json"), "--plan", path("plan.json")] + words,
      output: .init(standard: { output += $0 }, error: { error += $0 }))
    return (code, output.replacing(folder.path + "/", with: ""), error.replacing(folder.path + "/", with: ""))
  }

  func testFindingsNameTheEventTheParamTheValueTheRuleAndTheLineOfThePlan() throws {
    try session(
      #"{"kind":"event","number":1,"name":"added","params":{"id":1}}"#,
      #"{"kind":"event","number":2,"name":"added","params":{"id":"a","old":true}}"#,
      #"{"kind":"event","number":3,"name":"added","params":{"items":[{"price":1},{"price":"2"}],"extra":null}}"#,
      #"{"kind":"event","number":4,"name":"opend"}"#, #"{"kind":"event","number":5,"name":"opened","params":{}}"#)
    let result = check()
    assertText(
      result.output,
      """
      session.json: #1 added: id: 1 is a number, expected a string (type; plan.json:3)
      session.json: #2 added: warning: old is deprecated: use new (deprecated; plan.json:6)
      session.json: #3 added: id is missing, expected a string (required; plan.json:3)
      session.json: #3 added: items[1].price: "2" is a string, expected a number (type; plan.json:5)
      session.json: #3 added: extra is not in the plan (unplanned-param; plan.json:2)
      session.json: #4 opend: the plan has no event with this name; the nearest is opened (unplanned-event; plan.json:7)

      """)
    XCTAssertEqual(result.error, "tracking check: session.json: 5 findings in 3 of 5 events\n")
    XCTAssertEqual(result.code, 1)
  }

  func testFindingsNameTheLineOfTheApp() throws {
    try session(
      #"{"kind":"event","number":1,"name":"opend","at":"Shop/Home.swift:41"}"#,
      #"{"kind":"event","number":2,"name":"opend","at":"Shop/Model.swift:7"}"#,
      #"{"kind":"event","number":3,"name":"opened","at":"Cart/Model.swift:8"}"#,
      #"{"kind":"event","number":4,"name":"opend","at":"home.py"}"#)
    let finding = "the plan has no event with this name; the nearest is opened (unplanned-event; plan.json:7)"
    assertText(
      check().output,
      """
      session.json: #1 opend: \(finding), tracked at Home.swift:41
      session.json: #2 opend: \(finding), tracked at Shop/Model.swift:7
      session.json: #4 opend: \(finding), tracked at home.py

      """)
    XCTAssertTrue(check("--json").output.contains(#""at": "Shop/Home.swift:41""#), check("--json").output)
    try session(#"{"kind":"event","number":1,"name":"opened","at":7}"#)
    XCTAssertEqual(check().error, "session.json:2: error: entries[0].at: expected a string, found a number\n")
  }

  func testFindingsAsJSON() throws {
    try session(
      #"{"kind":"event","number":7,"name":"added","params":{"id":"a","items":[{"price":1},{"price":"2"}]}}"#)
    let result = check("--json")
    assertText(
      result.output,
      """
      {
        "events": 1,
        "findings": [
          {
            "event": "added",
            "file": "plan.json",
            "isFailure": true,
            "line": 5,
            "number": 7,
            "param": "items[1].price",
            "reason": "\\"2\\" is a string, expected a number",
            "rule": "type",
            "session": "session.json",
            "value": "2"
          }
        ]
      }

      """)
    XCTAssertEqual(result.code, 1)
  }

  func testAFindingHasTheValueOfItsOwnParam() throws {
    let long = String(repeating: "k", count: 300)
    // Names with dots and brackets, of which each may be read as a path to another value.
    try session(
      #"{"kind":"event","number":1,"name":"added","params":{"id":"a","a.b":1,"a":{"b":2},"c[0]":3,"c":[4],"\#(long)":5}}"#
    )
    for _ in 1...8 {
      var values: [String: Double] = [:]
      let found = try JSONSerialization.jsonObject(with: Data(check("--json").output.utf8)) as? [String: Any]
      for finding in found?["findings"] as? [[String: Any]] ?? [] {
        values[String((finding["param"] as? String ?? "").prefix(4))] = (finding["value"] as? NSNumber)?.doubleValue
      }
      XCTAssertEqual(values, ["a.b": 1, "c[0]": 3, "kkkk": 5])
    }
  }

  func testASessionWithoutFindingsSaysHowManyEventsWereChecked() throws {
    try session(
      #"{"kind":"event","number":1,"name":"opened","params":{},"findings":[{"message":"of another plan"}]}"#,
      #"{"kind":"request","number":2,"method":"GET","target":"/"}"#, #"{"kind":"note","number":0,"text":"Pays"}"#)
    XCTAssertEqual(check().output, "session.json: 1 event, no findings\n")
    XCTAssertEqual(check().error, "")
    XCTAssertEqual(check().code, 0)
    XCTAssertEqual(check("--json").output, "{\n  \"events\": 1,\n  \"findings\": []\n}\n")
  }

  func testASessionWithWarningsPassesAndItsSummaryCountsThem() throws {
    try session(#"{"kind":"event","number":1,"name":"old"}"#, #"{"kind":"event","number":2,"name":"opened"}"#)
    try write(
      #"{"events": {"opened": {}, "old": {"expires": "2020-01-01", "deprecated": "use opened"}}}"#, to: "plan.json")
    let result = check()
    assertText(
      result.output,
      """
      session.json: #1 old: warning: the event is deprecated: use opened (deprecated; plan.json:1)
      session.json: #1 old: warning: the event expired on 2020-01-01 (expired; plan.json:1)
      session.json: 2 events, 2 warnings

      """)
    XCTAssertEqual(result.error, "")
    XCTAssertEqual(result.code, 0)
  }

  func testWhatWasNotCheckedIsSaid() throws {
    try session(
      #"{"kind":"event","number":4,"name":"opened"}"#,
      #"{"kind":"rejection","number":5,"status":400,"reason":"no JSON"}"#,
      more: #","omittedEntries":3,"lost":[{"launch":"a.1","count":2,"tracked":5,"numbers":[[2,3]]}]"#)
    assertText(
      check().error,
      """
      session.json: 3 entries left out when it was written: not checked
      session.json: 1 rejected submission: not checked; `report` lists them
      session.json: 2 events tracked and never received: not checked

      """)
    XCTAssertEqual(check().code, 0)
  }

  func testANumberOfLostEventsThatIsTooLargeEndsNothing() throws {
    try session(
      #"{"kind":"event","number":4,"name":"opened"}"#, more: #","lost":[{"count":9223372036854775807},{"count":1}]"#)
    XCTAssertEqual(
      check().error, "session.json: 9223372036854775807 events tracked and never received: not checked\n")
  }

  func testASessionWithoutEventsFails() throws {
    try session()
    XCTAssertEqual(
      check().error, "tracking check: session.json: contains no events, so nothing was checked\n")
    XCTAssertEqual(check().output, "")
    XCTAssertEqual(check().code, 1)
  }

  func testWhatIsNoSessionOfThisVersionIsRefusedWithTheReason() throws {
    func error(_ text: String) throws -> String {
      try write(plan, to: "plan.json")
      try write(text, to: "session.json")
      let result = check()
      XCTAssertEqual(result.code, 2, text)
      return result.error.replacing("error: session.json", with: "").replacing("session.json", with: "")
    }
    XCTAssertEqual(
      try error(#"{"entries":7,"version":2,"format":"tracking-session"}"#),
      ":1: error: is a session of version 2, and this tool reads version 1; update the tool\n")
    XCTAssertEqual(
      try error(plan), ":1: error: is not a session: it has no member \"format\" with the value \"tracking-session\"\n")
    XCTAssertEqual(try error(""), ": is empty, expected a session\n")
    XCTAssertEqual(try error("[]"), ":1: error: expected an object, found an array\n")
    XCTAssertEqual(
      try error(#"{"format":"tracking-session"}"#), ":1: error: the member \"version\" is missing\n")
    XCTAssertEqual(
      try error(#"{"format":"tracking-session","version":1}"#), ":1: error: the member \"entries\" is missing\n")
    XCTAssertEqual(
      try error(#"{"format":"tracking-session","version":1,"entries":[{"kind":"event","name":1}]}"#),
      ":1: error: entries[0].name: expected a string, found a number\n")
    XCTAssertEqual(
      try error(#"{"format":"tracking-session","version":1,"entries":[{"kind":"note"},{"name":"a"}]}"#),
      ":1: error: entries[1]: the member \"kind\" is missing\n")
    XCTAssertEqual(
      try error("{\"format\":\"tracking-session\",\"version\":1,\"entries\":[\n{\"kind\":\"event\""),
      ":2: error: entries[0]: expected \",\" or \"}\", found the end of the text\n")
  }

  func testASessionNeedsAPlanAndAPlanNeedsNone() throws {
    try session(#"{"kind":"event","number":1,"name":"opened"}"#)
    func error(_ words: String...) -> String? {
      var error = ""
      XCTAssertEqual(
        Command.run(["check"] + words, output: .init(standard: { _ in }, error: { error += $0 })), 2)
      return error.replacing(folder.path + "/", with: "").split(separator: "\n").first.map(String.init)
    }
    XCTAssertEqual(
      error(path("session.json")),
      "tracking check: session.json is a session; name the plan to check it against with --plan")
    XCTAssertEqual(
      error(path("session.json"), path("plan.json")),
      "tracking check: session.json is a session and plan.json is not; name the plan of a session with --plan"
    )
    XCTAssertEqual(
      error(path("plan.json"), "--personal-data"),
      "tracking check: plan.json is not a session; name the plan of a session with --plan")
    XCTAssertEqual(
      error(path("none.json"), "--plan", path("plan.json")),
      "error: none.json: can't be read: No such file or directory")
  }

  func testLimitsAndPersonalDataNeedNoPlan() throws {
    try session(#"{"kind":"event","number":1,"name":"ga_opened","params":{"user":"jane@example.com"}}"#)
    let limits = run("check", path("session.json"), "--limits", "firebase")
    XCTAssertEqual(
      limits.output,
      "session.json: #1 ga_opened: the event's name begins with ga_, which firebase reserves (limit)\n")
    XCTAssertEqual(limits.code, 1)
    let personal = run("check", path("session.json"), "--personal-data")
    XCTAssertTrue(personal.output.contains("(personal-data)"), personal.output)
    XCTAssertEqual(personal.code, 1)
  }

  func testSessionsCountForCoverageAndMakeADraft() throws {
    try session(
      #"{"kind":"event","number":1,"name":"added","params":{"id":"a"},"isMatched":true}"#,
      #"{"kind":"event","number":2,"name":"closed","params":{"after":3}}"#)
    try FileManager.default.copyItem(
      at: folder.appendingPathComponent("session.json"), to: folder.appendingPathComponent("copy.json"))
    let coverage = run("coverage", "--plan", path("plan.json"), path("session.json"), path("copy.json"))
    assertText(
      coverage.output,
      """
      2 events planned: 1 matched, 0 arrived but not matched, 1 never arrived.   params 1/3 (33 %)   values 0/0 (100 %)

      never arrived:      opened (line 7)
      params:             added.items: never seen (line 4)
                          added.items[].price: never seen (line 5)
      not in the plan:    closed, once in CartTests.testAdding
      checked:            0 of 1 test was checked against the plan "plan" (\(try digest()))

      """)
    let draft = run("draft", path("session.json"), "--plan", path("plan.json"), "-o", path("draft.json"), "--json")
    XCTAssertEqual(
      draft.output, "{\n  \"events\": [\n    \"closed\"\n  ],\n  \"file\": \"draft.json\",\n  \"params\": []\n}\n")
    XCTAssertTrue(try read("draft.json").contains(#""after""#))
    try session(to: "empty.json")
    XCTAssertEqual(
      run("coverage", "--plan", path("plan.json"), path("empty.json")).error,
      "error: empty.json: contains no events\n")
  }
}
