import TestSupport
import TrackingModel
import TrackingPlan
import XCTest

@testable import TrackingPlanKit

final class ConvertTests: PlanToolTestCase {
  /// A plan of Segment with one event, whose params have this schema.
  private func segment(_ schema: String, draft: String = "draft-07") -> String {
    """
    {"rules": [{"key": "e", "type": "TRACK", "version": 1, "jsonSchema": {
      "$schema": "http://json-schema.org/\(draft)/schema#", "type": "object",
      "properties": {"properties": \(schema)}}}]}
    """
  }

  func testWhatOurFormatHasNoPlaceForIsNamed() throws {
    try write(
      segment(
        #"{"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": 1, "anyOf": [{"required": ["a"]}], "additionalProperties": {"type": "string"}}"#
      ), to: "plan.json")
    let result = run("convert", path("plan.json"), "--output", path("out.json"))
    XCTAssertEqual(result.code, 1)
    assertText(
      result.error,
      """
      left out: e: minProperties has no place in our format for an event as a whole
      left out: e: anyOf has no place in our format for an event as a whole
      left out: e: the schema in additionalProperties; the event is open instead
      tracking-plan: 3 parts of the plan left out; --allow-losses accepts that

      """)
    XCTAssertEqual(run("convert", path("plan.json"), "--allow-losses").code, 0)
  }

  func testAConvertedPlanJudgesEventsAlike() throws {
    for (schema, draft) in [
      ("{}", "draft-07"), (#"{"anyOf": [{"type": "object"}, {"required": ["a"]}]}"#, "draft-07"),
      (#"{"type": "object", "properties": {}}"#, "draft-07"),
      (
        #"{"type": "object", "properties": {"a": {"type": "number", "minimum": 1, "exclusiveMinimum": true}}}"#,
        "draft-04"
      ),
      (#"{"type": "object", "properties": {"a": {"const": 3}}}"#, "draft-04"),
      (#"{"type": "object", "properties": {"a": true, "b": false}, "required": ["a"]}"#, "draft-07"),
      (
        #"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}}}"#,
        "draft-07"
      ),
      (
        #"{"type": "object", "properties": {"a": {"items": [{"type": "integer"}], "additionalItems": false}}}"#,
        "draft-07"
      ),
      (
        #"{"type": "object", "properties": {"a": {"type": "object", "additionalProperties": true, "dependencies": {"x": ["y"], "z": {"required": ["x"]}}}}}"#,
        "draft-07"
      ),
      (
        #"{"type": "object", "properties": {"a": {"type": "integer", "optional": true}}, "required": ["a"]}"#,
        "draft-07"
      ),
      (
        #"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a", "b"], "additionalProperties": true}"#,
        "draft-07"
      ),
    ] {
      try write(segment(schema, draft: draft), to: "plan.json")
      let result = run("convert", path("plan.json"), "--output", path("out.json"))
      XCTAssertEqual(result.code, schema.contains("anyOf") ? 1 : 0, "\(schema): \(result.error)")
      let (old, new) = (
        try TrackingPlan(contentsOf: folder.appendingPathComponent("plan.json")),
        try TrackingPlan(contentsOf: folder.appendingPathComponent("out.json"), format: .trackingPlan)
      )
      let values: [TrackingValue] = [
        1, 2, 3, "x", .null, ["b": 1], ["b": "x"], [:], [1], ["x"], [1, 2], ["x": 1], ["x": 1, "y": 2], ["z": 1],
        ["z": 1, "x": 1, "y": 1],
      ]
      for value in values {
        for params in [["a": value], ["b": value], ["a": value, "b": value], [:]] as [[TrackingParam: TrackingValue]] {
          let event = TrackingEvent(name: "e", params: params)
          XCTAssertEqual(
            old.findings(in: event).isEmpty, new.findings(in: event).isEmpty, "\(event) by \(schema)")
        }
      }
    }
  }

  func testAnEventThatAllowsAnyParamsStaysOpen() throws {
    for schema in ["", #", "type": "object""#, #", "required": ["a"]"#, #", "type": "object", "description": "any""#] {
      try write(
        """
        {"$schema": "http://iglucentral.com/schemas/com.snowplowanalytics.self-desc/schema/jsonschema/1-0-0#",
         "self": {"vendor": "com.shop", "name": "anything", "format": "jsonschema", "version": "1-0-0"}\(schema)}
        """, to: "schemas/com.shop/anything/jsonschema/1-0-0")
      XCTAssertEqual(run("convert", path("schemas"), "--output", path("out.json")).error, "")
      let old = try TrackingPlan(contentsOf: folder.appendingPathComponent("schemas"))
      let new = try TrackingPlan(contentsOf: folder.appendingPathComponent("out.json"))
      for params in [[:], ["surplus": 1], ["a": 1], ["a": "x", "surplus": 1]] as [[TrackingParam: TrackingValue]] {
        let event = TrackingEvent(name: "anything", params: params)
        XCTAssertEqual(old.findings(in: event).isEmpty, new.findings(in: event).isEmpty, "\(event) by {\(schema)}")
      }
    }
  }

  func testDefinitionsOfOneNameStayApart() throws {
    func rule(_ name: String, _ values: String) -> String {
      """
      {"key": "\(name)", "type": "TRACK", "version": 1, "jsonSchema": {"$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object", "definitions": {"Kind": {"enum": [\(values)]}},
        "properties": {"properties": {"type": "object", "properties": {"kind": {"$ref": "#/definitions/Kind"}}}}}}
      """
    }
    try write(#"{"rules": [\#(rule("a", #""x""#)), \#(rule("b", #""y""#))]}"#, to: "plan.json")
    let result = run("convert", path("plan.json"), "--output", path("out.json"))
    XCTAssertEqual(result.code, 0, result.error)
    let plan = try TrackingPlan(contentsOf: folder.appendingPathComponent("out.json"))
    XCTAssertEqual(plan.findings(in: TrackingEvent(name: "a", params: ["kind": "x"])), [])
    XCTAssertEqual(plan.findings(in: TrackingEvent(name: "b", params: ["kind": "y"])), [])
    XCTAssertEqual(plan.findings(in: TrackingEvent(name: "b", params: ["kind": "x"])).count, 1)
  }
}
