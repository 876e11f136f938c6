import TestSupport
import TrackingJSON
import TrackingPlan

@testable import TrackingCommand

final class PlanCommandTests: PlanToolTestCase {
  func testUnknownCommandsAndOptionsAreNamedWithTheNearestOne() {
    XCTAssertEqual(run("chck").error, "tracking: there is no verb chck; the nearest is check\n")
    XCTAssertEqual(run().code, 2)
    XCTAssertEqual(run("--help").code, 0)
    XCTAssertTrue(run("coverage", "--help").output.hasPrefix("Reports which events, params and values"))
    XCTAssertEqual(
      run("check", "--frmat", "x").error,
      "tracking check: unknown option --frmat; the nearest is --format\nusage: tracking check <plan> ... [<options>]\n       tracking check <session> ... --plan <plan> [<options>]\n"
    )
    XCTAssertEqual(
      run("generate").error.split(separator: "\n").first, "tracking generate: <plan> is missing")
    XCTAssertEqual(
      run("compare", "a", "b", "c").error.split(separator: "\n").first,
      "tracking compare: unexpected argument \"c\"")
  }

  func testOutputThatCannotBeWrittenIsCode2WithTheReason() throws {
    try write(#"{"events": {"fine": {}}}"#, to: "plan.json")
    for words in [
      ["check", path("plan.json")], ["check", path("plan.json"), "--json"], ["help"], ["compare", "--help"],
    ] {
      var error = ""
      let code = Command.run(
        words, output: .init(standard: { _ in throw POSIXError(.ENOSPC) }, error: { error += $0 }))
      XCTAssertEqual(code, 2)
      XCTAssertEqual(error, "tracking: standard output can't be written: No space left on device\n")
    }
  }

  func testCheckFindsWhatIsWrongWithThePlanItself() throws {
    try write(
      """
      {"events": {
        "a": {"params": {
          "b": {"type": "integer", "minimun": 1},
          "c": {"enum": []},
          "d": {"type": "integer", "minimum": 5, "maximum": 2},
          "e": {"pattern": "(["}}},
        "f": {"draft": true, "expires": "2020-01-01"},
        "g": {"params": {"h": {"type": "string"}},
          "examples": [{"h": 1}],
          "counterexamples": [{"h": "x"}]},
        "G": {}
      }}
      """, to: "plan.json")
    let result = run("check", path("plan.json"))
    XCTAssertEqual(result.code, 1)
    assertText(
      result.output,
      """
      plan.json:3: events.a.params.b: `minimun` is not a keyword of JSON Schema and has no effect; the nearest is `minimum`
      plan.json:4: events.a.params.c: enum is empty, so no value is valid
      plan.json:5: events.a.params.d: minimum 5 is above maximum 2, so no value is valid
      plan.json:6: events.a.params.e: pattern "([" is not a regular expression
      plan.json:7: events.f.params: the event expired on 2020-01-01
      plan.json:7: events.f.params: is a draft; review it and remove `draft`
      plan.json:9: events.g.examples[0]: h: 1 is a number, expected a string
      plan.json:10: events.g.counterexamples[0]: is valid, expected an invalid one
      plan.json:8: the event g and the event G are both G in Swift; give one of them a `swiftName`, in the plan or under `names` in tracking-plan-generator.json

      """)
    try write(#"{"events": {"fine": {}}}"#, to: "plan.json")
    XCTAssertEqual(run("check", path("plan.json")).output, "plan: 1 event, no problems\n")
    XCTAssertEqual(run("check", path("plan.json"), "--json").output, "{\n  \"problems\": []\n}\n")
    try write(#"{"events": {"a": {"params": {"b": {"minimun": 1}}}}}"#, to: "plan.json")
    let asJSON = run("check", path("plan.json"), "--json")
    XCTAssertEqual(asJSON.code, 1)
    XCTAssertTrue(asJSON.output.contains(#""path": "events.a.params.b""#), asJSON.output)
    XCTAssertTrue(asJSON.output.contains("minimun"), asJSON.output)
  }

  func testASubschemaThatDescribesAPartIsNoProblem() throws {
    try write(
      ##"""
      {"types": {"Base": {"type": "object", "properties": {"a": {"type": "integer"}}}}, "events": {
        "not": {"params": {"v": {"properties": {"kind": {"type": "string"}, "n": {"optional": true}},
          "not": {"properties": {"n": {"const": 1}}, "required": ["kind"]}}},
          "examples": [{"v": {"kind": "cash", "n": 2}}], "counterexamples": [{"v": {"kind": "card", "n": 1}}]},
        "extended": {"params": {"v": {"$ref": "#/types/Base", "properties": {"b": {"type": "string"}}}},
          "examples": [{"v": {"a": 1, "b": "x"}}],
          "counterexamples": [{"v": {"a": 1}}, {"v": {"b": "x"}}, {"v": {"a": 1, "b": "x", "c": 1}}]}
      }}
      """##, to: "plan.json")
    let result = run("check", path("plan.json"))
    XCTAssertEqual(result.output, "plan: 2 events, no problems\n")
    XCTAssertEqual(result.code, 0)
  }

  func testAPlanWithoutEventsIsAProblem() throws {
    for text in [
      #"{"events": {}}"#, #"{"types": {"A": {"type": "string"}}}"#, #"{"rules": {"events": []}}"#,
      #"{"entries": [{"entityType": "profile", "name": "a", "schemaJson": {}}]}"#,
    ] {
      try write(text, to: "plan.json")
      let result = run("check", path("plan.json"))
      XCTAssertEqual(result.output, "plan.json: contains no events, so nothing was checked\n")
      XCTAssertEqual(result.error, "tracking check: 1 problem\n")
      XCTAssertEqual(result.code, 1)
      try observe("T.test", [(TrackingEvent(name: "a"), isMatched: true)], checkedAgainst: "plan.json")
      let coverage = run(
        "coverage", "--plan", path("plan.json"), path("observed"), "--minimum", "100", "--allow-unchecked")
      XCTAssertEqual(
        coverage.error, "tracking coverage: events: not known, because the plan has no events that count\n")
      XCTAssertEqual(coverage.code, 1)
    }
  }

  func testCheckKnowsTheLimitsOfProviders() throws {
    try write(#"{"events": {"ga_opened": {"params": {"a-b": {"type": "string"}}}}}"#, to: "plan.json")
    let result = run("check", path("plan.json"), "--limits", "firebase")
    XCTAssertEqual(result.code, 1)
    assertText(
      result.output,
      """
      plan.json:1: events.ga_opened.params: the event's name begins with ga_, which firebase reserves
      plan.json:1: events.ga_opened.params: the param's name a-b must be letters, digits and underscores and begin with a letter for firebase

      """)
    XCTAssertTrue(run("check", path("plan.json"), "--limits", "fierbase").error.contains("the nearest is firebase"))
  }

  func testPlansAndSessionsMayComeThroughPipes() throws {
    let plan = #"{"events": {"a": {"params": {"b": {"type": "integer"}}}}}"#
    let session = """
      {"format": "tracking-session", "version": 1, "entries": [{"kind": "event", "name": "a", "params": {"b": "1"}}]}
      """
    try write(plan, to: "plan.json")
    /// The path of a pipe that another thread writes to, as a shell's `<(...)` is.
    func pipe(_ text: String) -> String {
      let path = path("pipe-\(UUID())")
      XCTAssertEqual(mkfifo(path, 0o600), 0)
      Thread.detachNewThread { FileHandle(forWritingAtPath: path)?.write(Data(text.utf8)) }
      return path
    }
    XCTAssertEqual(run("check", pipe(plan)).code, 0)
    XCTAssertEqual(run("compare", pipe(plan), pipe(plan)).output, "no event changed\n")
    XCTAssertEqual(run("check", path("plan.json"), "--plan", path("plan.json")).code, 2)
    let result = run("check", pipe(session), "--plan", pipe(plan))
    XCTAssertEqual(result.code, 1, result.error)
    XCTAssertTrue(result.output.contains("#1 a: b: \"1\" is a string, expected an integer"), result.output)
  }

  func testCheckFindsWhatHasNoEffectAndWhatIsNeverValid() throws {
    try write(
      """
      {"events": {"a": {"params": {
        "b": {"type": "string", "required": false},
        "c": {"type": "string", "format": "phone"},
        "d": {"type": "array", "uniqueItems": "true", "maxItems": 2.5},
        "e": {"type": []},
        "f": {"type": "string", "then": {"minLength": 1}},
        "g": {"type": "array", "additionalItems": false},
        "h": {"type": "integer", "enum": ["1", 2]},
        "i": {"type": "object", "properties": {"j": {}}, "required": ["k"]},
        "l": {"type": "integer", "default": "1"}
      }}}, "types": {
        "M": {"type": "object", "properties": {"n": {"$ref": "#/types/N", "default": 3}}, "required": []},
        "N": {"type": "string", "default": true}
      }}
      """, to: "plan.json")
    assertText(
      run("check", path("plan.json")).output,
      """
      plan.json:2: events.a.params.b: `required` is a list of names and has no effect as false; a param is required unless it has `"optional": true`
      plan.json:3: events.a.params.c: the format "phone" is not checked; the checked ones are date-time, date, time, uuid, uri, email, ipv4, ipv6, hostname
      plan.json:4: events.a.params.d: uniqueItems must be true or false, found a string, and has no effect
      plan.json:4: events.a.params.d: maxItems must be a whole number, found 2.5
      plan.json:5: events.a.params.e: type is empty, so no value is valid
      plan.json:6: events.a.params.f: `then` has no effect without `if`
      plan.json:7: events.a.params.g: `additionalItems` has no effect in draft 2020-12; use `items`
      plan.json:8: events.a.params.h: the value "1" of enum is not of the type "integer", so it is never valid
      plan.json:9: events.a.params.i: the member "k" is required and not allowed, so no object is valid
      plan.json:10: events.a.params.l: the default "1" is not valid
      plan.json:12: types.M.n: the default 3 is not valid
      plan.json:13: types.N: the default true is not valid

      """)
  }

  func testCheckFindsListedValuesThatTheSchemaItselfRefuses() throws {
    try write(
      ##"""
      {"events": {"a": {"params": {
        "b": {"const": "a", "enum": ["b"]},
        "c": {"const": "a", "enum": ["a", "b"]},
        "d": {"const": 1, "type": "string"},
        "e": {"type": "string", "enum": ["a", "abc"], "minLength": 2},
        "f": {"$ref": "#/types/Currency", "enum": ["EUR", "XXX"]},
        "g": {"type": "array", "items": {"const": "a", "pattern": "^b"}}
      }}}, "types": {"Currency": {"enum": ["EUR", "USD"]}}}
      """##, to: "plan.json")
    assertText(
      run("check", path("plan.json")).output,
      """
      plan.json:2: events.a.params.b: the value "a" of const is not in enum, so no value is valid
      plan.json:4: events.a.params.d: the value 1 of const is not of the type "string", so no value is valid
      plan.json:5: events.a.params.e: the value "a" of enum breaks another rule of its schema, so it is never valid
      plan.json:6: events.a.params.f: the value "XXX" of enum breaks another rule of its schema, so it is never valid
      plan.json:7: events.a.params.g[]: the value "a" of const breaks another rule of its schema, so no value is valid

      """)
  }

  func testATypeOfAnotherFileIsComparedWithItsOwnFile() throws {
    for (folder, type) in [("old", "string"), ("same", "string"), ("new", "boolean")] {
      try write(##"{"types": {"Id": {"type": "integer"}}, "events": {"a": {}}}"##, to: "\(folder)/a.json")
      try write(
        ##"{"types": {"Id": {"type": "\##(type)"}}, "events": {"b": {"params": {"n": {"$ref": "#/types/Id"}}}}}"##,
        to: "\(folder)/b.json")
    }
    XCTAssertEqual(run("compare", path("old"), path("same")).output, "no event changed\n")
    XCTAssertEqual(
      run("compare", path("old"), path("new")).output,
      "b: changed\n  n: type changed from string to boolean (breaks apps in the field)\n")
  }

  func testCheckUsesTheNamesBesideThePlan() throws {
    try write(#"{"events": {"g": {}, "G": {}}}"#, to: "plan.json")
    XCTAssertEqual(run("check", path("plan.json")).code, 1)
    try write(#"{"names": {"G": "Other"}}"#, to: "tracking-plan-generator.json")
    XCTAssertEqual(run("check", path("plan.json")).output, "plan: 2 events, no problems\n")
  }

  func testALineBreakInANameBeginsNoLine() throws {
    let name = "a\n::error::forged"
    try write(
      #"{"format": "tracking-session", "version": 1, "entries": [{"kind": "event", "name": \#(JSONTree.quoted(name)), "params": {}}]}"#,
      to: "session.json")
    try write(#"{"events": {"b": {}}}"#, to: "plan.json")
    let check = run("check", path("session.json"), "--plan", path("plan.json"))
    XCTAssertTrue(check.output.hasPrefix("session.json: #1 a\\u{a}::error::forged: "), check.output)
    try observe("T.t", [(TrackingEvent(name: name), false)])
    for form in ["text", "markdown", "github"] {
      let report = run("coverage", "--plan", path("plan.json"), path("observed"), "--report", form).output
      XCTAssertFalse(report.contains("\n::error::"), report)
    }
  }

  func testALineBreakInAnotherFileBeginsNoLine() throws {
    let forged = JSONTree.quoted("x\n::error::forged\r\n::error::forged")
    for (words, text) in [
      (["serve", "--scenario"], #"[{"request": \#(forged)}]"#), (["serve", "--scenario"], #"[{\#(forged): 1}]"#),
      (["serve", "--scenario"], #"[{"request": "GET /a", "file": \#(forged)}]"#),
      (["serve", "--scenario"], #"[{"request": "GET /a", "fault": {"at": \#(forged), "effect": "reset"}}]"#),
      (["serve", "--accept"], #"{"request": \#(forged), "name": "n"}"#), (["serve", "--accept"], #"{\#(forged): 1}"#),
      (["serve", "--accept"], #"{"request": "POST /a", "name": "n", "where": \#(forged)}"#),
      (["serve", "--plan"], #"{"events": {"a": {"params": {"b": {"type": \#(forged)}}}}}"#),
      (["check"], #"{"events": {"a": {"params": {"b": {"type": \#(forged)}}}}}"#),
      (["check"], #"{"events": {\#(forged): 1}}"#), (["report"], #"{"format": \#(forged)}"#), (["wait"], forged),
    ] {
      try write(text, to: "file.json")
      let (code, output, error) = run(words + (words == ["wait"] ? [text] : [path("file.json")]))
      XCTAssertNotEqual(code, 0, "\(words) \(text)")
      let lines = (output + error).split(whereSeparator: \.isNewline)
      XCTAssertFalse(lines.contains { $0.drop(while: \.isWhitespace).hasPrefix("::") }, output + error)
    }
  }

  // MARK: Comparing

  private func diff(_ old: String, _ new: String, _ words: String...) throws -> (output: String, code: Int32) {
    try write("{\"events\": {\(old)}}", to: "old.json")
    try write("{\"events\": {\(new)}}", to: "new.json")
    var output = ""
    let code = Command.run(
      ["compare", path("old.json"), path("new.json")] + words,
      output: .init(standard: { output += $0 }, error: { _ in }))
    return (output, code)
  }

  func testAComparisonOfPlansListsTheChangesByEventAndParam() throws {
    let a = #""a": {"params": {"n": {"type": "integer"}, "s": {"enum": ["x", "y"]}}}"#
    XCTAssertEqual(try diff(a, a, "--fail-on", "any").output, "no event changed\n")
    XCTAssertEqual(try diff(a, "", "--json").output, try diff(a, "", "--report", "json").output)
    let b =
      #""a": {"deprecated": "use b", "params": {"n": {"type": "number"}, "s": {"enum": ["x"]}, "q": {}}}, "b": {}"#
    assertText(
      try diff(a, b).output,
      """
      a: changed
        deprecated: use b
        n: type changed from integer to number
        s: lost values: "y" (breaks apps in the field)
        q: added, required (breaks apps in the field)
      b: added

      """)
    assertText(
      try diff(a, b, "--report", "markdown").output,
      """
      | event | change | apps in the field |
      |---|---|---|
      | `a` | changed<br>deprecated: use b<br>`n`: type changed from integer to number<br>`s`: lost values: "y" **(breaks)**<br>`q`: added, required **(breaks)** | **breaks** |
      | `b` | added | fine |

      """)
    assertText(
      try diff(a, #""a": {"params": {"n": {"type": "integer"}}}, "b": {}"#, "--json").output,
      """
      [
        {
          "breaksApps": true,
          "change": "changed",
          "changes": [
            {
              "breaksApps": true,
              "kind": "removed",
              "param": "s",
              "text": "removed"
            }
          ],
          "name": "a"
        },
        {
          "breaksApps": false,
          "change": "added",
          "changes": [],
          "name": "b"
        }
      ]

      """)
  }

  func testAChangeFailsForAppsIfTheyMaySendWhatIsRefused() throws {
    for (old, new, code) in [
      ("", #""a": {}"#, 0), (#""a": {}"#, "", 1),
      (#""a": {"params": {"n": {}}}"#, #""a": {}"#, 1), (#""a": {"params": {"n": {}}}"#, #""a": {"open": true}"#, 0),
      (#""a": {"open": true}"#, #""a": {}"#, 1), (#""a": {}"#, #""a": {"open": true}"#, 0),
      (#""a": {}"#, #""a": {"params": {"n": {}}}"#, 1),
      (#""a": {}"#, #""a": {"params": {"n": {"optional": true}}}"#, 0),
      (#""a": {"params": {"n": {"type": "integer"}}}"#, #""a": {"params": {"n": {"type": "string"}}}"#, 1),
      (#""a": {"params": {"n": {"enum": [1, 2]}}}"#, #""a": {"params": {"n": {"enum": [1]}}}"#, 1),
      (#""a": {"params": {"n": {"enum": [1]}}}"#, #""a": {"params": {"n": {"enum": [1, 2]}}}"#, 0),
    ] as [(String, String, Int32)] {
      XCTAssertEqual(try diff(old, new, "--fail-on", "apps").code, code, "\(old) \(new)")
      XCTAssertEqual(try diff(old, new, "--fail-on", "any").code, 1, "\(old) \(new)")
    }
    XCTAssertEqual(
      run("compare", path("old.json"), path("new.json"), "--fail-on", "any").error,
      "tracking compare: 1 event changed: a\n")
    _ = try diff(#""a": {}"#, "")
    XCTAssertEqual(
      run("compare", path("old.json"), path("new.json"), "--fail-on", "apps").error,
      "tracking compare: 1 event changed in a way that breaks apps: a\n")
  }

  func testKeywordsBesideAReferenceAreCompared() throws {
    let types = #""types": {"Id": {"type": "string"}}"#
    try write("{\(types), \"events\": {\"a\": {\"params\": {\"n\": {\"$ref\": \"#/types/Id\"}}}}}", to: "old.json")
    try write(
      "{\(types), \"events\": {\"a\": {\"params\": {\"n\": {\"$ref\": \"#/types/Id\", \"maxLength\": 3}}}}}",
      to: "new.json")
    XCTAssertEqual(
      run("compare", path("old.json"), path("new.json")).output,
      "a: changed\n  n: rules changed from none to {\"allOf\":[{\"type\":\"string\"}],\"maxLength\":3} (breaks apps in the field)\n"
    )
  }

  func testASchemaOfAnotherFileThatChangedIsSaid() throws {
    for (folder, type) in [("old", "string"), ("same", "string"), ("new", "integer")] {
      try write(
        ##"{"events": {"a": {"params": {"n": {"$ref": "types.json#/types/Id"}}}}}"##, to: "\(folder)/events.json")
      try write(#"{"types": {"Id": {"type": "\#(type)"}}, "events": {}}"#, to: "\(folder)/types.json")
    }
    XCTAssertEqual(run("compare", path("old"), path("same")).output, "no event changed\n")
    XCTAssertEqual(
      run("compare", path("old"), path("new")).output,
      "a: changed\n  rules may have changed in schemas that the event refers to (breaks apps in the field)\n")
  }

  func testDocumentationAloneIsNoChange() throws {
    XCTAssertEqual(
      try diff(
        #""a": {"description": "x", "params": {"n": {"type": "integer"}}}"#,
        #""a": {"description": "y", "params": {"n": {"type": "integer", "description": "z"}}}"#
      ).output,
      "no event changed\n")
  }

  // MARK: Draft

  private func observeForDraft() throws {
    try observe(
      "T.t",
      (0..<30).map { index in
        var params: [TrackingParam: TrackingValue] = [
          "n": .int(index), "price": .double(Double(index) + 0.5),
          "source": index.isMultiple(of: 2) ? "list" : "search",
          "at": "2026-11-21T10:00:00Z", "items": [["id": .string("\(index)")]],
        ]
        if index > 0 { params["coupon"] = .string(String(repeating: "x", count: index)) }
        return (TrackingEvent(name: "added", params: params), false)
      })
  }

  func testADraftIsGuessedFromWhatCame() throws {
    try observeForDraft()
    assertText(
      run("draft", path("observed"), "--name", "Shop").output,
      """
      {
        "plan": "Shop",
        "events": {
          "added": {
            "draft": true,
            "params": {
              "at": { "type": "string", "format": "date-time" },
              "coupon": { "type": "string", "optional": true },
              "items": {
                "type": "array",
                "items": { "type": "object", "properties": { "id": { "type": "string" } } }
              },
              "n": { "type": "integer" },
              "price": { "type": "number" },
              "source": { "enum": ["list", "search"] }
            }
          }
        }
      }

      """)
  }

  func testADraftOfWhatAPlanLacks() throws {
    try observe(
      "T.u",
      [
        (TrackingEvent(name: "b", params: ["x": "1", "y": 1]), true), (TrackingEvent(name: "z"), true),
        (TrackingEvent(name: "m"), true),
      ])
    try write(
      #"{"plan": "Shop", "events": {"b": {"params": {"x": {"type": "string"}}}, "m": {"params": {}}}}"#, to: "plan.json"
    )
    assertText(
      run("draft", path("observed"), "--plan", path("plan.json")).output,
      """
      {
        "plan": "Shop",
        "events": {
          "b": {
            "params": { "y": { "type": "integer", "draft": true } }
          },
          "z": { "draft": true, "params": {} }
        }
      }

      """)
    XCTAssertEqual(
      run("draft", path("observed"), "--plan", path("plan.json"), "--output", path("lacking.json"), "--json").output,
      "{\n  \"events\": [\n    \"z\"\n  ],\n  \"file\": \"lacking.json\",\n  \"params\": [\n    \"b.y\"\n  ]\n}\n")
    try write(#"{"events": {"b": {"open": true}, "m": {}, "z": {}}}"#, to: "plan.json")
    XCTAssertFalse(run("draft", path("observed"), "--plan", path("plan.json")).output.contains("\"x\""))
  }
}
