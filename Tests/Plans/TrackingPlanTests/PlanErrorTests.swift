import TestSupport
import TrackingJSON

@testable import TrackingPlan

/// Bad input: each its own sentence, with file, line and the nearest right word.
final class PlanErrorTests: XCTestCase {
  func testTextsThatAreNoJSONAreNamed() {
    XCTAssertEqual(error(""), "plan.json:1: the file is empty")
    XCTAssertEqual(
      error("\u{FEFF}{}"), "plan.json:1: begins with a byte order mark; save the file as UTF-8 without one")
    XCTAssertEqual(
      error("events:\n  a: {}"),
      "plan.json:1: this is YAML, and a plan is JSON; `yq -o=json` converts it")
    XCTAssertEqual(
      error("$schema: moz://mozilla.org/schemas/glean/metrics/2-0-0"),
      "plan.json:1: this is YAML, and a plan is JSON; `yq -o=json` converts it")
    XCTAssertEqual(
      error("{\n  // comment\n}"),
      "plan.json:2: expected a key in quotes, found \"/\"; this looks like JSON5, and a plan is JSON"
    )
    XCTAssertEqual(
      error("{\"events\": {\n\"a\": {},\n}}"),
      "plan.json:3: events: expected a key in quotes, found \"}\"; this looks like JSON5, and a plan is JSON"
    )
    XCTAssertEqual(
      error("{\n\"events\": {\n\"a\": 1"), "plan.json:3: events: expected \",\" or \"}\", found the end of the text")
    XCTAssertEqual(
      error("{\"events\": {\n\"a\": {},\n\"a\": {}}}"), "plan.json:3: events.a: this key appears twice")
  }

  func testUTF16IsNamed() throws {
    let url = try temporaryFolder().appending(path: "utf16.json")
    try XCTUnwrap("{}".data(using: .utf16)).write(to: url)
    XCTAssertThrowsError(try TrackingPlan(contentsOf: url)) { error in
      XCTAssertTrue("\(error)".hasSuffix("this is UTF-16; save the file as UTF-8"), "\(error)")
    }
  }

  func testWordsThatTheFormatDoesNotKnowAreNamedWithTheNearestOne() {
    XCTAssertEqual(
      error("{\"evnts\": {}}"),
      "plan.json:1: not a known plan format: it has no `events`, `rules`, `entries` or `results`; did you mean `events` instead of `evnts`?"
    )
    XCTAssertEqual(
      error("{\"events\": {},\n\"typs\": {}}"), "plan.json:2: `typs` is not a member of a plan; the nearest is `types`")
    XCTAssertEqual(
      error("{\"events\": {\n\"a\": {\n\"parms\": {}}}}"),
      "plan.json:3: events.a: `parms` is not a member of an event; the nearest is `params`")
    XCTAssertEqual(
      error("{\"events\": {\n\"a\": {\"params\": {\n\"quantity\": {\"type\": \"intger\"}}}}}"),
      "plan.json:3: events.a.params.quantity: \"intger\" is not a type; the nearest is \"integer\"")
    XCTAssertEqual(
      error("{\"events\": {\"a\": {\"params\": {\"b\": {\"optional\": \"yes\"}}}}}"),
      "plan.json:1: events.a.params.b: optional must be true or false, found a string")
    XCTAssertEqual(
      error("{\"events\": {\"a\": {\"expires\": \"soon\"}}}"),
      "plan.json:1: events.a.expires: \"soon\" is not a date like 2027-01-01")
    XCTAssertEqual(error("[1]"), "plan.json:1: a plan must be an object, found an array")
  }

  func testAJSONSchemaIsToldThatItIsNoPlan() {
    let reason =
      "plan.json:1: this is a JSON Schema, not a plan; a plan has the schemas of an event's params at `events.NAME.params`"
    for schema in [
      #"{"$schema": "http://json-schema.org/draft-07/schema#", "title": "Order"}"#,
      #"{"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}"#,
      ##"{"$ref": "#/$defs/order", "$defs": {"order": {}}}"##, #"{"allOf": [{"type": "object"}]}"#,
      #"{"type": "object", "patternProperties": {"^a": {}}}"#,
    ] {
      XCTAssertEqual(error(schema), reason, schema)
    }
  }

  func testAMissingParamOfAnyValueIsSaidToBeMissing() throws {
    let plan = try TrackingPlan(text: #"{"events": {"a": {"params": {"b": {}, "c": {"not": {"type": "null"}}}}}}"#)
    XCTAssertEqual(
      findings(plan, "a"),
      ["b is missing, expected any value (line 1)", "c is missing, expected a value that the schema allows (line 1)"])
  }

  func testAKeywordThatIsNotReadMakesOurSchemaUnusable() throws {
    func reason(_ param: String, types: String = "{}") throws -> [String] {
      let plan = try TrackingPlan(
        text: #"{"types": \#(types), "events": {"a": {"params": {"b": \#(param)}}, "c": {}}}"#, name: "plan.json")
      XCTAssertEqual(findings(plan, "c"), [])
      return findings(plan, "a", ["b": -1])
    }
    let prefix = "the plan can't be used: plan.json:1: events.a.params.b"
    let refusal = ": `mininum` is not a keyword of JSON Schema and has no effect; the nearest is `minimum`"
    XCTAssertEqual(try reason(#"{"mininum": 0}"#), [prefix + refusal])
    XCTAssertEqual(try reason(#"{"anyOf": [{"mininum": 0}]}"#), [prefix + refusal])
    XCTAssertEqual(try reason(#"{"properties": {"d": {"mininum": 0}}}"#), [prefix + ".d" + refusal])
    XCTAssertEqual(try reason(##"{"$ref": "#/types/T"}"##, types: #"{"T": {"mininum": 0}}"#), [prefix + refusal])
    XCTAssertEqual(
      try reason(#"{"colour": "red"}"#),
      [prefix + ": `colour` is not a keyword of JSON Schema and has no effect"])
    XCTAssertEqual(
      try reason(#"{"additionalItems": false}"#),
      [prefix + ": `additionalItems` has no effect in draft 2020-12; use `items`"])
    XCTAssertEqual(
      try reason(#"{"uniqueItems": "yes"}"#),
      [prefix + ": uniqueItems must be true or false, found a string, and has no effect"])
    XCTAssertEqual(
      try reason(#"{"then": {"minimum": 0}}"#), [prefix + ": `then` has no effect without `if`"])
    XCTAssertEqual(
      try reason(
        #"{"x-owner": "cart", "optional": true, "personal": "no", "swiftName": "d", "title": "t", "examples": [1]}"#),
      [])
    // In other formats, the standard applies: what isn't a keyword is an annotation.
    let other = try TrackingPlan(
      text: #"""
        {"rules": [{"key": "a", "jsonSchema": {"properties": {"properties": {"properties": {"b": {"mininum": 0}}}}}}]}
        """#)
    XCTAssertEqual(findings(other, "a", ["b": -1]), [])
  }

  func testAKeywordThatIsNotReadMakesTheSchemaOfACheckUnusable() {
    func refusal(_ schema: TrackingValue) -> String {
      do throws(PlanError) {
        _ = try ParamsSchema(JSONTree(of: schema))
        return "none"
      } catch {
        return "\(error)"
      }
    }
    XCTAssertEqual(
      refusal(["properties": ["total": ["mininum": 1]]]),
      "paramsSchema: total: `mininum` is not a keyword of JSON Schema and has no effect; the nearest is `minimum`")
    XCTAssertEqual(
      refusal(["optional": true]), "paramsSchema: `optional` is not a keyword of JSON Schema and has no effect")
    XCTAssertEqual(refusal(["properties": ["total": ["minimum": 1]]]), "none")
  }

  func testMembersOfTheWrongKindAreNamed() {
    XCTAssertEqual(error(#"{"plan": 1, "events": {}}"#), "plan.json:1: plan: must be a string, found a number")
    XCTAssertEqual(
      error(#"{"events": {"a": {"sources": ["iOS", 1]}}}"#),
      "plan.json:1: events.a.sources[1]: must be a string, found a number")
  }

  func testFilesThatCannotBeReadAreNamed() throws {
    XCTAssertThrowsError(try TrackingPlan(contentsOf: URL(fileURLWithPath: "/nowhere/plan.json"))) { error in
      XCTAssertEqual("\(error)", "/nowhere/plan.json: no such file or folder")
    }
    let folder = try temporaryFolder()
    XCTAssertThrowsError(try TrackingPlan(contentsOf: folder)) { error in
      XCTAssertTrue("\(error)".hasSuffix(": the folder contains no .json files"), "\(error)")
    }
  }

  func testASchemaThatCannotBeUsedIsAFindingOfItsEventAlone() throws {
    func reason(_ param: String) throws -> [String] {
      let plan = try TrackingPlan(
        text: "{\"events\": {\"a\": {\"params\": {\n\"b\": \(param)}}, \"c\": {}}}", name: "plan.json")
      XCTAssertEqual(findings(plan, "c"), [])
      return findings(plan, "a", ["b": 1])
    }
    let prefix = "the plan can't be used: plan.json:2: events.a.params.b: "
    XCTAssertEqual(try reason(#"{"pattern": "(["}"#), [prefix + "pattern \"([\" is not a regular expression"])
    XCTAssertEqual(
      try reason(##"{"$ref": "#/types/Curency"}"##),
      [prefix + "\"#/types/Curency\" can't be resolved; a plan can only refer to its own files"])
    XCTAssertEqual(
      try reason(#"{"$ref": "https://example.com/a.json"}"#),
      [prefix + "\"https://example.com/a.json\" can't be resolved; a plan can only refer to its own files"])
    XCTAssertEqual(
      try reason(#"{"minLength": "1"}"#), [prefix + "minLength must be a whole number of at least 0, found \"1\""])
    XCTAssertEqual(try reason(#"{"multipleOf": 0}"#), [prefix + "multipleOf must be above 0"])
    XCTAssertEqual(
      try reason(#"{"enum": "EUR"}"#),
      ["the plan can't be used: plan.json:2: events.a.params.b.enum: expected an array of values, found a string"])
  }

  func testCirclesThatReachNoPartOfTheValueAreFound() throws {
    for types in [
      ##"{"A": {"$ref": "#/types/A"}}"##, ##"{"A": {"$ref": "#/types/B"}, "B": {"anyOf": [{"$ref": "#/types/A"}]}}"##,
    ] {
      let plan = try TrackingPlan(
        text: "{\"types\": \(types), \"events\": {\"a\": {\"params\": {\"b\": {\"$ref\": \"#/types/A\"}}}}}")
      let found = findings(plan, "a", ["b": 1])
      XCTAssertEqual(found.count, 1)
      XCTAssertTrue(found[0].hasSuffix("this $ref refers back to itself without descending into the value"), found[0])
    }
    // One that reaches the next element each time is a tree.
    let plan = try TrackingPlan(
      text:
        ##"{"types": {"T": {"type": "array", "items": {"$ref": "#/types/T"}}}, "events": {"a": {"params": {"b": {"$ref": "#/types/T"}}}}}"##
    )
    XCTAssertEqual(findings(plan, "a", ["b": [[], [[]]]]), [])
    XCTAssertEqual(findings(plan, "a", ["b": [[], [[1]]]]), ["b[1][0][0]: 1 is a number, expected an array (line 1)"])
  }

  func testDepthAndSizeAreLimited() throws {
    let deep = String(repeating: "{\"items\": ", count: 200) + "{}" + String(repeating: "}", count: 200)
    let plan = try TrackingPlan(text: "{\"events\": {\"a\": {\"params\": {\"b\": \(deep)}}}}")
    XCTAssertEqual(findings(plan, "a", ["b": 1]).count, 1)
    XCTAssertTrue(findings(plan, "a", ["b": 1])[0].contains("schemas are nested deeper than 128"))
    let nested = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
    XCTAssertTrue(error("{\"events\": \(nested)}").hasSuffix("nested deeper than 300"))
    let events = (0...10_000).map { "\"e\($0)\": {}" }.joined(separator: ",")
    XCTAssertEqual(error("{\"events\": {\(events)}}"), "plan.json: has 10001 events, more than the limit of 10000")
  }

  func testALongValueIsNotSearchedByAPattern() throws {
    let plan = try TrackingPlan(text: #"{"events": {"a": {"params": {"b": {"pattern": "^x*$"}}}}}"#)
    XCTAssertEqual(findings(plan, "a", ["b": .string(String(repeating: "x", count: 10_000))]), [])
    let found = findings(plan, "a", ["b": .string(String(repeating: "x", count: 10_001))])
    XCTAssertEqual(found.count, 1)
    XCTAssertTrue(found[0].contains("is too long for a pattern (10000 characters at most)"), found[0])
  }
}
