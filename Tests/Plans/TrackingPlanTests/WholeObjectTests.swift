import TestSupport

@testable import TrackingPlan

/// The rules that a plan implies for schemas of whole objects, and not for those of parts.
final class WholeObjectTests: XCTestCase {
  private let types = """
    "Base": {"type": "object", "properties": {"a": {"type": "integer"}, "o": {"type": "string", "optional": true}}},
    "Open": {"type": "object"}, "Card": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]},
    "Named": {"$ref": "#/types/Base"}
    """

  /// Checks a param's values against its schema in our format.
  private func check(
    _ schema: String, _ values: [(TrackingValue, [String])], file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let plan = try TrackingPlan(text: #"{"types": {\#(types)}, "events": {"e": {"params": {"v": \#(schema)}}}}"#)
    for (value, expected) in values {
      let found = plan.findings(in: TrackingEvent(name: "e", params: ["v": value])).map { finding in
        finding.path.isEmpty ? finding.reason : "\(finding.path) \(finding.reason)"
      }
      XCTAssertEqual(found, expected, "\(schema) \(value)", file: file, line: line)
    }
  }

  func testNotDescribesAPart() throws {
    let card = #"{"properties": {"kind": {"const": "card"}}, "required": ["kind"]}"#
    for (condition, text) in [
      (card, "an object"), (##"{"$ref": "#/types/Card"}"##, "an object"),
      (#"{"anyOf": [\#(card)]}"#, "a value that the schema allows"),
    ] {
      try check(
        #"{"properties": {"kind": {}, "n": {"optional": true}}, "not": \#(condition)}"#,
        [
          (["kind": "cash", "n": 1], []),
          (["kind": "card", "n": 1], [#"v {"kind": "card", "n": 1}, expected anything but \#(text)"#]),
          (["kind": "cash", "m": 1], ["v.m is not in the plan; the nearest is n"]),
          ([:], ["v.kind is missing, expected any value"]),
        ])
    }
  }

  func testAConditionDescribesAPart() throws {
    try check(
      """
      {"properties": {"kind": {}, "number": {"optional": true}, "note": {"optional": true}},
       "if": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]},
       "then": {"required": ["number"]}, "else": {"properties": {"till": {}}}}
      """,
      [
        (["kind": "card", "number": 1, "note": 1], []), (["kind": "card", "note": 1], ["v.number is missing"]),
        (["kind": "cash", "note": 1, "till": 2], []),
        (["kind": "card", "number": 1, "till": 2], ["v.till is not in the plan"]),
      ])
    // A condition that isn't met names a planned member, too.
    try check(
      #"{"if": {"properties": {"kind": {"const": "card"}}}, "then": {"properties": {"n": {}}}, "else": {"properties": {"m": {}}}}"#,
      [
        (["kind": "cash", "m": 1], []), (["kind": "cash", "n": 1], ["v.n is not in the plan"]),
        (["kind": "card", "n": 1], []), (["m": 1], ["v.m is not in the plan"]),
      ])
  }

  func testAllOfNamesTheMembersTogether() throws {
    try check(
      #"{"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {}}, "required": ["b"]}]}"#,
      [
        (["a": 1, "b": 2], []), (["b": 2], ["v.a is missing, expected an integer"]),
        (["a": 1, "b": 2, "c": 3], ["v.c is not in the plan"]),
        (["a": "x", "b": 2, "c": 3], [#"v.a "x" is a string, expected an integer"#]),
      ])
    try check(
      #"{"properties": {"email": {"optional": true}}, "allOf": [{"properties": {"email": {"minLength": 3}}}]}"#,
      [([:], []), (["email": "ab"], [#"v.email "ab" has 2 characters, expected a string of at least 3 characters"#])])
  }

  func testAlternativesDescribeParts() throws {
    try check(
      #"{"properties": {"id": {}}, "anyOf": [{"properties": {"email": {}}, "required": ["email"]}, {"properties": {"phone": {}}, "required": ["phone"]}]}"#,
      [
        (["id": 1, "email": 2], []), (["id": 1, "email": 2, "phone": 3], []),
        (["id": 1, "email": 2, "fax": 3], ["v.fax is not in the plan"]),
      ])
    try check(
      #"{"oneOf": [{"properties": {"kind": {"const": "card"}, "n": {}}, "required": ["kind", "n"]}, {"properties": {"kind": {"const": "cash"}}, "required": ["kind"]}]}"#,
      [
        (["kind": "card", "n": 1], []), (["kind": "cash"], []), (["kind": "cash", "n": 1], ["v.n is not in the plan"]),
      ])
    // An object none of whose schemas names a member is open, as without alternatives.
    try check(#"{"type": "object", "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, [(["a": 1, "c": 2], [])])
    try check(#"{"anyOf": [{"type": "object"}, {"type": "string"}]}"#, [(["a": 1], []), ("x", [])])
  }

  func testContainsAndDependentSchemasDescribeParts() throws {
    try check(
      #"{"items": {"properties": {"sku": {}, "n": {}}}, "contains": {"properties": {"sku": {"const": "lamp"}}}}"#,
      [
        ([["sku": "lamp", "n": 1]], []),
        ([["sku": "lamp", "n": 1, "m": 2]], ["v[0].m is not in the plan; the nearest is n"]),
        ([["sku": "lamp"]], ["v[0].n is missing, expected any value"]),
      ])
    try check(
      #"{"properties": {"a": {"optional": true}}, "dependentSchemas": {"a": {"properties": {"b": {"minimum": 3}}, "required": ["b"]}}}"#,
      [
        (["a": 1, "b": 3], []), ([:], []), (["a": 1], ["v.b is missing, expected a number of at least 3"]),
        (["b": 3], ["v.b is not in the plan"]),
      ])
  }

  func testATypeMayBeExtended() throws {
    for type in ["Base", "Named"] {
      try check(
        ##"{"$ref": "#/types/\##(type)", "properties": {"b": {}}}"##,
        [
          (["a": 1, "b": 2], []), (["a": 1, "b": 2, "o": "x"], []), (["a": 1], ["v.b is missing, expected any value"]),
          (["b": 1], ["v.a is missing, expected an integer"]), (["a": 1, "b": 2, "c": 3], ["v.c is not in the plan"]),
        ])
    }
    try check(
      ##"{"$ref": "#/types/Base", "required": ["o"]}"##,
      [
        (["a": 1, "o": "x"], []), (["a": 1], ["v.o is missing"]),
        (["a": 1, "o": "x", "b": 1], ["v.b is not in the plan"]),
      ])
    try check(##"{"$ref": "#/types/Open", "minProperties": 1}"##, [(["x": 1], [])])
  }

  func testTheOnlySubschemaIsWhole() throws {
    let base = ##"{"$ref": "#/types/Base"}"##
    for schema in [
      base, ##"{"$ref": "#/types/Named", "description": "d", "type": "object"}"##, #"{"allOf": [\#(base)]}"#,
      #"{"anyOf": [{"type": "null"}, \#(base)]}"#, #"{"oneOf": [\#(base), {"type": "string"}]}"#,
      ##"{"$ref": "#/types/Base", "not": {"required": ["x"]}}"##,
    ] {
      try check(schema, [(["a": 1, "o": "x"], [])])
      let plan = try TrackingPlan(text: #"{"types": {\#(types)}, "events": {"e": {"params": {"v": \#(schema)}}}}"#)
      for value in [[:], ["a": 1, "b": 2]] as [TrackingValue] {
        XCTAssertNotEqual(plan.findings(in: TrackingEvent(name: "e", params: ["v": value])), [], "\(schema) \(value)")
      }
    }
  }

  func testRequiredAndAdditionalPropertiesAreImpliedIndependently() throws {
    try check(
      #"{"properties": {"a": {}}, "required": []}"#,
      [([:], []), (["z": 1], ["v.z is not in the plan; the nearest is a"])])
    try check(
      #"{"properties": {"a": {}}, "additionalProperties": true}"#,
      [([:], ["v.a is missing, expected any value"]), (["a": 1, "z": 1], [])])
    try check(
      #"{"properties": {"b": {}}, "allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": true}"#,
      [(["b": 1, "z": 1], []), (["a": 1], ["v.b is missing, expected any value"])])
  }

  func testAVendorsConditionAloneDoesNotCloseAnEvent() throws {
    let condition = #""if": {"required": ["a"]}, "then": {"required": ["b"]}"#
    let plan = try TrackingPlan(
      text: #"{"entries": [{"entityType": "event", "name": "e", "schemaJson": {"type": "object", \#(condition)}}]}"#)
    XCTAssertEqual(findings(plan, "e", ["a": 1, "b": 2]), [])
    XCTAssertEqual(findings(plan, "e", ["a": 1]), ["b is missing (line 1)"])
  }

  func testVendorsSchemasAreClosedByTheirSubschemas() throws {
    let rules = #"{"properties": {"a": {}}, "allOf": [{"properties": {"b": {}}}]}"#
    for draft in ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"] {
      let plan = try TrackingPlan(
        text:
          #"{"entries": [{"entityType": "event", "name": "e", "schemaJson": {"$schema": "\#(draft)", "properties": {"v": \#(rules)}}}]}"#
      )
      XCTAssertEqual(findings(plan, "e", ["v": ["a": 1, "b": 2]]), [])
      XCTAssertEqual(findings(plan, "e", ["v": ["a": 1, "c": 2]]), ["v.c is not in the plan (line 1)"])
    }
  }
}
