import TestSupport
import TrackingPlan

@testable import TrackingCommand

/// The outline of a plan, from which the inspector's page copies events as values of their generated types.
///
/// `Scripts/check inspector` compiles what the page copies.
final class PlanOutlineTests: XCTestCase {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "OddNames")
  private let plan = Result { try TrackingPlan(contentsOf: folder.appendingPathComponent("tracking-plan.json")) }

  /// The outline of an event, as JSON with sorted keys.
  private func outline(of event: String, in plan: TrackingPlan) throws -> String? {
    guard case .object(let outline) = plan.outline, case .array(let events) = outline["events"] else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try events.first { value in
      if case .object(let members) = value { members["name"] == .string(event) } else { false }
    }.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
  }

  func testTheGeneratedTypesAreThoseOfThePlan() throws {
    let configuration = try GeneratorConfiguration.beside(Self.folder)
    XCTAssertEqual(
      try SwiftGenerator(plan: plan.get(), configuration: configuration).file(),
      try String(contentsOf: Self.folder.appendingPathComponent("TrackingPlan.swift"), encoding: .utf8))
  }

  func testAnEventHasTheNamesOfItsTypeAndOfTheInitializersLabels() throws {
    XCTAssertEqual(
      try outline(of: "optional first", in: plan.get()),
      #"{"name":"optional first","params":[{"isNullable":true,"name":"total","swift":"total","type":"number"},{"name":"anything","swift":"anything"},{"isOptional":true,"name":"coupon","swift":"coupon","type":"string"},{"isOptional":true,"name":"something","swift":"something"}],"swift":"OddNames.OptionalFirst"}"#
    )
  }

  func testACaseHasTheNameThatTheGeneratorGivesIt() throws {
    XCTAssertEqual(
      try outline(of: "odd cases", in: plan.get()),
      #"{"name":"odd cases","params":[{"cases":{"":"empty","10 %":"value10","Type":"type","default":"default","init":"initValue","nil":"nil","none":"noneValue","self":"selfValue","x-ray":"xRay"},"name":"case","swift":"case","type":"choice"},{"name":"cases","swift":"cases"},{"cases":{"first":"first"},"isOptional":true,"name":"order","swift":"order","type":"choice"}],"swift":"OddNames.OddCases"}"#
    )
    _ = OddNames.OddCases(case: .xRay, cases: [], order: .first)
  }

  func testValuesOfOtherTypesHaveNoType() throws {
    XCTAssertEqual(
      try outline(of: "nested", in: plan.get()),
      #"{"name":"nested","params":[{"name":"page","swift":"page"},{"name":"grid","swift":"grid"},{"name":"price","swift":"price"},{"isOptional":true,"name":"prices","swift":"prices"}],"swift":"OddNames.Nested"}"#
    )
  }

  func testAnEventHasTheNamesOfTheGeneratorsConfiguration() throws {
    XCTAssertEqual(
      try outline(of: "renamed", in: plan.get()),
      #"{"name":"renamed","params":[{"name":"was","swift":"isNow","type":"string"},{"cases":{"a/b":"slash","a_b":"aB"},"name":"kind","swift":"kind","type":"choice"},{"name":"lines","swift":"lines"}],"swift":"OddNames.WithAnotherName"}"#
    )
    XCTAssertEqual(
      try outline(of: "debug_x", in: plan.get()), #"{"name":"debug_x"}"#, "the generator's configuration leaves it out")
  }

  func testAPlanWithoutAFileHasDescriptionOwnerAndNamesOfItsOwn() throws {
    let plan = try TrackingPlan(
      text:
        ##"{"events": {"cart_shown": {"swiftName": "CartSeen", "description": "d", "owner": "o", "deprecated": "use b", "params": {"n": {"type": "integer", "swiftName": "number"}, "c": {"$ref": "#/types/size"}}}}, "types": {"size": {"enum": ["XL"]}}}"##
    )
    XCTAssertEqual(
      try outline(of: "cart_shown", in: plan),
      #"{"deprecated":"use b","description":"d","name":"cart_shown","owner":"o","params":[{"name":"n","swift":"number","type":"integer"},{"cases":{"XL":"xl"},"name":"c","swift":"c","type":"choice"}],"swift":"CartSeen"}"#
    )
  }

  func testAConfigurationThatCannotBeReadLeavesNoNamesInSwift() throws {
    let folder = try temporaryFolder()
    let file = folder.appendingPathComponent("tracking-plan.json")
    try Data(#"{"events": {"a": {}}}"#.utf8).write(to: file)
    try Data("{".utf8).write(to: folder.appendingPathComponent(GeneratorConfiguration.fileName))
    XCTAssertEqual(try outline(of: "a", in: TrackingPlan(contentsOf: file)), #"{"name":"a"}"#)
  }
}
