import TestSupport
import TrackingJSON

@testable import TrackingPlan

/// `tracking-plan.schema.json`, which editors use, agrees with the reader.
final class EditorSchemaTests: XCTestCase {
  private static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent()
  }

  private func schema() throws -> JSONTree {
    try JSONTree(Data(contentsOf: Self.root.appendingPathComponent("tracking-plan.schema.json")), file: 1)
  }

  private func isValid(_ text: String) throws -> Bool {
    let value = try JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))
    return try JSONSchema(schema(), uri: "plan:/schema", draft: .draft2020).isValid(value)
  }

  private func names(_ path: String...) throws -> Set<String> {
    let node = try path.reduce(schema()) { try XCTUnwrap($0[$1]) }
    return Set(try XCTUnwrap(node["properties"]?.members).map(\.key))
  }

  func testItKnowsTheMembersThatTheReaderKnows() throws {
    XCTAssertEqual(try names(), Set(OwnFormat.members))
    XCTAssertEqual(try names("$defs", "event"), Set(OwnFormat.eventMembers.map(\.key)))
    // Keywords of earlier drafts are read for vendors' plans.
    let earlier: Set = [
      "id", "$recursiveAnchor", "$recursiveRef", "$vocabulary", "definitions", "dependencies", "additionalItems",
      "self",
    ]
    XCTAssertEqual(try names("$defs", "schema"), OwnFormat.keywords.subtracting(earlier))
  }

  func testPlansAreValidAndTypicalMistakesAreNot() throws {
    let sample = Self.root.appendingPathComponent("Samples/Storefront/Sources/StorefrontEvents/tracking-plan.json")
    XCTAssertTrue(try isValid(String(contentsOf: sample, encoding: .utf8)))
    XCTAssertTrue(
      try isValid(
        """
        {"$schema": "tracking-plan.schema.json", "types": {"C": {"enum": ["a"]}}, "events": {"a": {"expires": "2027-01-01",
          "deprecated": true, "params": {"c": {"$ref": "#/types/C"}, "n": {"type": ["integer", "null"], "optional": true}}}}}
        """))
    for mistake in [
      #"{"event": {}}"#, #"{"events": {"a": {"parms": {}}}}"#,
      #"{"events": {"a": {"params": {"b": {"type": "int"}}}}}"#,
      #"{"events": {"a": {"params": {"b": {"optional": "yes"}}}}}"#, #"{"events": {"a": {"expires": "soon"}}}"#,
      #"{"events": {"a": {"params": {"b": {"items": {"minimun": 1}}}}}}"#,
    ] {
      XCTAssertFalse(try isValid(mistake), mistake)
    }
  }

  func testAPlanMayNameIt() throws {
    let plan = try TrackingPlan(text: #"{"$schema": "../tracking-plan.schema.json", "events": {"a": {}}}"#)
    XCTAssertEqual(plan.events.map(\.name), ["a"])
  }
}
