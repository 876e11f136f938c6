import TestSupport
import TrackingPlan

@testable import TrackingAudit

final class ValueChangeTests: XCTestCase {
  private func changed(_ value: TrackingValue) -> [TrackingValue] {
    ValueChange.changes(of: value).compactMap { $0.applied(to: value) }
  }

  func testEachKindOfValueHasItsChanges() {
    let cases: [(TrackingValue, [TrackingValue])] = [
      (nil, ["x"]), (true, [false, 1, nil]), (false, [true, 0, nil]),
      (120, [121, 119, 0, "120", nil]), (1, [2, 0, "1", nil]), (-1, [0, -2, "-1", nil]), (0, [1, -1, "0", nil]),
      (9.5, [10.5, 8.5, 0, "9.5", nil]), ("EUR", ["EURx", "xUR", "", "eur", nil]), ("x", ["xx", "y", "", "X", nil]),
      ("", ["x", nil]), ("12", ["12x", "x2", "", 12, nil]), ("1.5", ["1.5x", "x.5", "", 1.5, nil]),
      ("true", ["truex", "xrue", "", "TRUE", true, nil]), ("7!", ["7!x", "x!", "", nil]),
      ("2026-11-21T10:00:00.000Z", ["2026-11-21T10:00:01.000Z", "", nil]),
      ("2026-11-21T10:00:59+01:00", ["2026-11-21T10:00:58+01:00", "", nil]),
      ([], [["x"], "[]", nil]), ([1], [[], [1, 1], "[1]", nil]), ([1, 2], [[1], [1, 2, 2], [2, 1], "[1, 2]", nil]),
      ([1, 1], [[1], [1, 1, 1], "[1, 1]", nil]), ([:], [["unexpected": 1], "{}", nil]),
      (["a": 1], [["a": 1, "unexpected": 1], #"{"a": 1}"#, nil]),
    ]
    for (value, expected) in cases { XCTAssertEqual(changed(value), expected, "\(value)") }
  }

  func testNumbersAtTheEndOfTheirRangeHaveANeighbour() {
    XCTAssertEqual(changed(.int(.max)).first, .int(.max - 1))
    XCTAssertEqual(changed(.int(.min)).first, .int(.min + 1))
    XCTAssertEqual(changed(.unsigned(.max)).first, .unsigned(.max - 1))
    XCTAssertEqual(changed(.double(1e300)).first, .double(1e300.nextUp))
    XCTAssertEqual(changed(.double(1e300)).dropFirst().first, .double(1e300.nextDown))
  }

  func testNoChangeIsTheValueItself() {
    var values: [TrackingValue] = [nil, true, 0, 1, -1, 0.5, "", "a", "A", "0", "null", [nil], [[]], ["a": []]]
    values += [.double(.nan), .double(.infinity), .double(-0.0), .unsigned(.max), "2026-11-21t10:00:00z"]
    for value in values {
      let changed = changed(value)
      XCTAssertFalse(changed.contains(value), "\(value)")
      XCTAssertEqual(Set(changed).count, changed.count, "\(value)")
      XCTAssertFalse(changed.isEmpty, "\(value)")
    }
  }

  func testAClosureSeesNoValueThatCouldTrapIt() {
    for value: TrackingValue in [nil, true, 0, -1, -1.0, -1.5, "a", [1], ["a": -1], "2026-11-21T10:00:00Z"] {
      for change in ValueChange.changes(of: value) where change.isSafe(for: value) {
        let changed = change.applied(to: value)
        XCTAssertEqual(changed?.kind, value.kind)
        XCTAssertFalse([.null, "", 0, -0.5].contains(changed), "\(value)")
      }
    }
  }

  func testPathsAreWrittenAsAPlanAndAsAPatternWritesThem() {
    let sites = ValueSite.all(in: ["b": [["x.y": 1], []], "a": ["c": nil]])
    XCTAssertEqual(sites.map(\.path.general), ["a", "a.c", "b", "b[]", "b[].x.y", "b[]"])
    XCTAssertEqual(sites.map(\.path.description), ["a", "a.c", "b", "b[0]", "b[0].x.y", "b[1]"])
    let event = TrackingEvent(name: "e", params: ["b": [["x.y": 1], []], "a": ["c": nil]])
    XCTAssertEqual(
      event.changing(sites[4], by: .oneMore),
      TrackingEvent(name: "e", params: ["b": [["x.y": 2], []], "a": ["c": nil]]))
    XCTAssertEqual(
      event.changing(sites[1], by: .dropped), TrackingEvent(name: "e", params: ["b": [["x.y": 1], []], "a": [:]]))
    XCTAssertEqual(
      event.changing(sites[0], by: .dropped), TrackingEvent(name: "e", params: ["b": [["x.y": 1], []]]))
  }

  /// `Scripts/check inspector` tests the page's swift.js with the same cases.
  func testSwiftIsWrittenAlikeEverywhere() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../../Inspector/swift.cases.json")
    let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    for pair in cases.literals { XCTAssertEqual(pair[0].swiftLiteral, pair[1]) }
    for pair in cases.matchers {
      guard case .string(let swift) = pair[1] else { return XCTFail("\(pair)") }
      XCTAssertEqual(SwiftText.matcher(pair[0]), swift)
    }
    for pair in cases.methods { XCTAssertEqual(SwiftText.method(pair[0]), pair[1]) }
    for type in cases.types {
      let label = SwiftName.label(SwiftName.member(type.param, prefix: "param"))
      let value = try XCTUnwrap(SwiftText.matcher(type.value))
      XCTAssertEqual("\(SwiftName.type(type.event, prefix: "Event"))(\(label): \(value))", type.swift)
    }
    XCTAssertGreaterThan(cases.literals.count * cases.matchers.count * cases.methods.count * cases.types.count, 0)
  }

  private struct Cases: Decodable {
    struct PlannedType: Decodable {
      let event: String
      let param: String
      let value: TrackingValue
      let swift: String
    }

    let literals: [[String]]
    let matchers: [[TrackingValue]]
    let methods: [[String]]
    let types: [PlannedType]
  }

  func testAValueThatDiffersFromRunToRunHasNoMatcher() {
    XCTAssertNil(SwiftText.matcher(["at": "2026-11-21T10:00:00Z"]))
    XCTAssertNil(SwiftText.matcher("6F9619FF-8B86-D011-B42D-00CF4FC964FF"))
  }

  /// `Scripts/check inspector` reads the same list for the page's rule.
  func testValuesThatDifferFromRunToRunAreThoseOfTheInspector() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "volatile-values.json")
    let examples = try JSONDecoder().decode([String: [TrackingValue]].self, from: Data(contentsOf: file))
    for (form, values) in examples {
      for value in values {
        XCTAssertEqual(SwiftText.volatileKind(of: value) ?? "none", form, "\(value)")
        XCTAssertEqual(SwiftText.matcher(["a": [value]]) == nil, form != "none", "\(value)")
      }
    }
    XCTAssertEqual(Set(examples.keys), ["none", "UUID", "date", "time", "token"])
  }
}
