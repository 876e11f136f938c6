import Foundation
import TrackingModel
import TrackingPlan
import XCTest

@testable import TrackingPlanKit

/// What the inspector copies of a planned event: that the compiler takes it is shown by the same source standing in a test.
///
/// The types are generated from the plan in `OddNames`.
final class CopiedSourceTests: XCTestCase {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
    "OddNames")
  private let plan = Result { try TrackingPlan(contentsOf: folder.appendingPathComponent("tracking-plan.json")) }

  /// The lines of this file.
  private let lines = (try? String(contentsOfFile: #filePath, encoding: .utf8))?.components(separatedBy: "\n") ?? []

  /// Expects that the line of the call has in its parentheses what is copied for the event.
  private func isCopied(_ event: some TrackingSchema, line: Int = #line) throws {
    let source = try plan.get().swiftSource(of: TrackingEvent(event))
    let text = lines[line - 1].trimmingCharacters(in: .whitespaces)
    XCTAssertEqual(source.map { "try isCopied(\($0))" }, text, line: UInt(line))
  }

  private func source(_ name: String, _ params: [TrackingParam: TrackingValue]) throws -> String? {
    try plan.get().swiftSource(of: TrackingEvent(name: name, params: params))
  }

  func testTheGeneratedTypesAreThoseOfThePlan() throws {
    let configuration = try GeneratorConfiguration.beside(Self.folder)
    XCTAssertEqual(
      try SwiftGenerator(plan: plan.get(), configuration: configuration).file(),
      try String(contentsOf: Self.folder.appendingPathComponent("TrackingPlan.swift"), encoding: .utf8))
  }

  // One call a line, as it is copied.
  // swift-format-ignore
  func testEachEventIsCopiedAsAValueOfItsGeneratedType() throws {
    try isCopied(OddNames.Nothing())
    try isCopied(OddNames.Keywords(`inout`: "a", let: 1, var: -2, default: true, selfValue: "b", initValue: "c", as: "d"))
    try isCopied(OddNames.Keywords(`inout`: "", let: 1, var: 2, default: false, selfValue: "", initValue: "", as: "", in: "e"))
    try isCopied(OddNames.WörterLeerzeichen日本(straße: "\"quoted\" \\(x)\n\t\u{202E}", param2faCode: "", set: "🦊", é: "e\u{301}"))
    try isCopied(OddNames.OddCases(case: .default, cases: [.a, .bC]))
    try isCopied(OddNames.OddCases(case: .initValue, cases: [], order: .first))
    try isCopied(OddNames.OddCases(case: .noneValue, cases: []))
    try isCopied(OddNames.OddCases(case: .selfValue, cases: []))
    try isCopied(OddNames.OddCases(case: .value10, cases: []))
    try isCopied(OddNames.OddCases(case: .empty, cases: []))
    try isCopied(OddNames.OddCases(case: .type, cases: []))
    try isCopied(OddNames.OddCases(case: .xRay, cases: []))
    try isCopied(OddNames.OddCases(case: .nil, cases: []))
    try isCopied(OddNames.Nested(page: OddNames.Nested.Page(url: URL(string: "https://a.example/?q=%20")!, views: [OddNames.Nested.Page.Views(at: Date(timeIntervalSince1970: 1700000000.123), by: UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!), OddNames.Nested.Page.Views(at: Date(timeIntervalSince1970: -1.5))]), grid: [[1, nil], []], price: OddNames.PriceTag(amount: 2, currency: .eur)))
    try isCopied(OddNames.Nested(page: OddNames.Nested.Page(url: URL(string: "a")!, views: []), grid: [], price: OddNames.PriceTag(amount: 1e+300, currency: .us), prices: [OddNames.PriceTag(amount: -0.5, currency: .noneValue)]))
    try isCopied(OddNames.OptionalFirst(total: nil, anything: .null))
    try isCopied(OddNames.OptionalFirst(total: 1.5, anything: ["a": [1, .null, 2.5, "x", true, [:]], "b": .unsigned(18446744073709551615)], coupon: "c", something: .null))
    try isCopied(OddNames.WithAnotherName(isNow: "x", kind: .slash, lines: [OddNames.WithAnotherName.Line(productID: 42)]))
  }

  func testAnEventThatNoValueOfItsTypeEqualsHasNoSource() throws {
    XCTAssertNotNil(try source("optional first", ["total": 1, "anything": 2]))
    for params: [TrackingParam: TrackingValue] in [
      ["anything": 1], ["total": "1", "anything": 2], ["total": 1, "anything": 2, "more": 3],
      ["total": 1, "anything": 2, "coupon": nil], ["total": 9_007_199_254_740_993, "anything": 2],
    ] {
      XCTAssertNil(try source("optional first", params), "\(params)")
    }
    XCTAssertNil(try source("odd cases", ["case": "other", "cases": []]))
    XCTAssertNil(try source("odd cases", ["case": "nil", "cases": ["a", nil]]))
    XCTAssertNil(try source("unknown", [:]))
    XCTAssertNil(try source("debug_x", [:]), "the generator's configuration leaves it out")
  }

  func testADateAndAnIdentifierThatComeInAnotherFormHaveNoSource() throws {
    func nested(_ at: TrackingValue, _ by: TrackingValue, _ url: TrackingValue = "https://a.example") throws -> String?
    {
      try source(
        "nested",
        [
          "page": ["url": url, "views": [["at": at, "by": by]]], "grid": [],
          "price": ["amount": 1, "currency": "EUR"],
        ])
    }
    let (date, id): (TrackingValue, TrackingValue) = (
      "2026-11-21T10:00:00.000Z", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    )
    XCTAssertNotNil(try nested(date, id))
    XCTAssertNil(try nested("2026-11-21T11:00:00+01:00", id))
    XCTAssertNil(try nested("yesterday", id))
    XCTAssertNil(try nested(date, "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"))
    XCTAssertNil(try nested(date, id, ""))
  }

  func testAPlanWithoutAFolderHasTheNamesOfNoConfiguration() throws {
    let plan = try TrackingPlan(
      text:
        #"{"events": {"cart_shown": {"swiftName": "CartSeen", "params": {"n": {"type": "integer", "swiftName": "number"}}}}}"#
    )
    XCTAssertEqual(plan.swiftSource(of: TrackingEvent(name: "cart_shown", params: ["n": 3])), "CartSeen(number: 3)")
  }

  func testAConfigurationThatCannotBeReadLeavesNoSource() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("tracking-plan.json")
    try Data(#"{"events": {"a": {}}}"#.utf8).write(to: file)
    try Data("{".utf8).write(to: folder.appendingPathComponent(GeneratorConfiguration.fileName))
    XCTAssertNil(try TrackingPlan(contentsOf: file).swiftSource(of: TrackingEvent(name: "a")))
  }
}
