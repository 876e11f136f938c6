import TestSupport
import TrackingPlan

@testable import TrackingCommand

final class PlanDiffTests: XCTestCase {
  /// The verdicts for apps of a change of one event's params, in Segment's format, in which a schema is JSON Schema.
  private func verdict(
    _ old: String, _ new: String, draft: String = "draft-07", definitions: (String, String) = ("", "")
  ) throws -> PlanDiff.Verdict {
    func plan(_ schema: String, _ more: String) throws -> TrackingPlan {
      try TrackingPlan(
        text: """
          {"rules": [{"key": "e", "type": "TRACK", "version": 1, "jsonSchema": {\(more)
            "$schema": "http://json-schema.org/\(draft)/schema#", "type": "object",
            "properties": {"properties": {"type": "object", "properties": {"p": \(schema)}}}}}]}
          """)
    }
    let diff = PlanDiff(from: try plan(old, definitions.0), to: try plan(new, definitions.1))
    return diff.events.first?.apps.verdict ?? .fine
  }

  func testTheWidestRangeOfIntegersIsCompared() throws {
    let widest = #"{"type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807}"#
    XCTAssertEqual(try verdict(widest, #"{"type": "integer", "minimum": 0}"#), .cannotTell)
    XCTAssertEqual(try verdict(#"{"type": "integer", "minimum": 0, "maximum": 9}"#, widest), .fine)
  }

  func testEqualBoundsOfIntegersAllowTheSameValues() throws {
    // Ranges of fewer values are compared value by value.
    let old = #"{"type": "integer", "minimum": 5, "maximum": 900}"#
    for same in [#"{"minimum": 5}"#, #"{"maximum": 900}"#, #"{"exclusiveMinimum": 4}"#, #"{"exclusiveMaximum": 901}"#] {
      XCTAssertEqual(try verdict(old, same), .fine, same)
    }
    for other in [#"{"minimum": 6}"#, #"{"maximum": 899}"#, #"{"exclusiveMinimum": 5}"#, #"{"exclusiveMaximum": 900}"#]
    {
      XCTAssertNotEqual(try verdict(old, other), .fine, other)
    }
  }

  func testNegativeMultiplesAreCompared() throws {
    XCTAssertEqual(
      try verdict(#"{"multipleOf": -9223372036854775808}"#, #"{"multipleOf": -1}"#), .fine)
  }

  func testAReferenceToAnyPlaceIsFollowed() throws {
    func shapes(_ maximum: Int) -> String {
      #""x-shapes": {"code": {"type": "string", "maxLength": \#(maximum)}},"#
    }
    let list = ##"{"type": "array", "items": {"$ref": "#/x-shapes/code"}}"##
    XCTAssertEqual(try verdict(list, list, definitions: (shapes(5), shapes(3))), .breaks)
    XCTAssertEqual(try verdict(list, list, definitions: (shapes(5), shapes(5))), .fine)
  }

  func testAKeywordThatADraftDoesNotKnowProvesNothing() throws {
    XCTAssertEqual(try verdict(#"{"const": "a"}"#, #"{"enum": ["a"]}"#, draft: "draft-04"), .breaks)
  }

  func testAlternativesInTwoPartsAreNotCertain() throws {
    let old =
      #"{"allOf": [{"anyOf": [{"minimum": 5}, {"maximum": 2}]}, {"anyOf": [{"minimum": 7}, {"minimum": 6}]}], "type": "integer"}"#
    XCTAssertEqual(try verdict(old, #"{"type": "integer", "minimum": 5}"#), .cannotTell)
  }
}
