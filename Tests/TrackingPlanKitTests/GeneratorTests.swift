import Foundation
import TrackingModel
import TrackingPlan
import XCTest

@testable import TrackingPlanKit

final class GeneratorTests: PlanToolTestCase {
  private func generated(_ text: String, _ configuration: GeneratorConfiguration = .init()) throws -> String {
    try SwiftGenerator(plan: TrackingPlan(text: text, name: "plan.json"), configuration: configuration).file()
  }

  private func error(_ text: String) -> String {
    do {
      return try generated(text)
    } catch {
      return "\(error)"
    }
  }

  func testAnEventIsAStructWithDefaultsForOptionalParams() throws {
    let code = try generated(
      """
      {"events": {"order_placed": {"description": "Paid. The order is taken.", "params": {
        "order_id": {"type": "string", "format": "uuid", "description": "Its number."},
        "coupon": {"type": "string", "optional": true},
        "total": {"type": ["number", "null"]}}}}}
      """)
    XCTAssertEqual(
      code,
      """
      import Foundation
      import TrackingModel

      /// Paid.
      ///
      /// The order is taken.
      public struct OrderPlaced: TrackingSchema, Hashable {
        /// `order_placed`.
        public static let eventName = "order_placed"

        /// Its number.
        public var orderID: UUID
        /// `total`.
        public var total: Double?
        /// `coupon`.
        public var coupon: String?

        /// An event with its params.
        public init(
          orderID: UUID,
          total: Double?,
          coupon: String? = nil
        ) {
          self.orderID = orderID
          self.total = total
          self.coupon = coupon
        }

        private enum CodingKeys: String, CodingKey {
          case orderID = "order_id"
          case total
          case coupon
        }

        /// Writes `null` where a required param has no value.
        public func encode(to encoder: any Encoder) throws {
          var container = encoder.container(keyedBy: CodingKeys.self)
          try container.encode(self.orderID, forKey: .orderID)
          try container.encode(self.total, forKey: .total)
          try container.encodeIfPresent(self.coupon, forKey: .coupon)
        }
      }

      """)
  }

  func testTheSamePlanGivesTheSameBytesAndAnEventMoreTouchesNoOtherLine() throws {
    let before = try generated(#"{"events": {"c": {"params": {"x": {"enum": ["a"]}}}, "a": {}}}"#)
    XCTAssertEqual(before, try generated(#"{"events": {"a": {}, "c": {"params": {"x": {"enum": ["a"]}}}}}"#))
    let after = try generated(
      #"{"events": {"b": {"params": {"d": {"type": "string", "format": "date-time"}}}, "c": {"params": {"x": {"enum": ["a"]}}}, "a": {}}}"#
    )
    let difference = after.split(separator: "\n", omittingEmptySubsequences: false)
      .difference(from: before.split(separator: "\n", omittingEmptySubsequences: false))
    XCTAssertTrue(difference.removals.isEmpty)
  }

  func testNamesThatClashInSwiftAreAnErrorAndNeverNumbered() {
    XCTAssertEqual(
      error("{\"events\": {\"cart_shown\": {},\n\"Cart Shown\": {}}}"),
      "plan.json:1: the event cart_shown and the event Cart Shown are both CartShown in Swift; give one of them a `swiftName`, in the plan or under `names` in tracking-plan-generator.json"
    )
    XCTAssertTrue(
      error(#"{"events": {"a": {"params": {"b_c": {"type": "string"}, "bC": {"type": "string"}}}}}"#)
        .hasPrefix("plan.json:1: a.b_c and a.bC are both bC in Swift; give one of them a `swiftName`"))
    XCTAssertTrue(
      error(#"{"events": {"a": {"params": {"b": {"enum": ["x-y", "x_y"]}}}}}"#)
        .hasPrefix("plan.json:1: the values \"x-y\" and \"x_y\" of a.b are both xY in Swift"))
  }

  func testNamesBecomeSwiftsAndKeepOffItsWords() {
    XCTAssertEqual(
      [
        "added_to_cart", "Order Completed", "42_--terrible==\"event'++name~!3", "string", "URL opened", "ALL_CAPS",
        "caf\u{E9}",
      ]
      .map { SwiftName.type($0, prefix: "Event") },
      [
        "AddedToCart", "OrderCompleted", "Event42TerribleEventName3", "StringEvent", "URLOpened", "AllCaps",
        "Caf\u{E9}",
      ])
    XCTAssertEqual(
      ["product_id", "Song Name", "URL", "default", "init", "2fa", "EUR", "productId", "$set"].map {
        SwiftName.member($0, prefix: "param")
      },
      ["productID", "songName", "url", "default", "initValue", "param2fa", "eur", "productID", "set"])
    XCTAssertEqual(SwiftName.quoted("default"), "`default`")
  }

  func testCheckFailsAndPrintsTheDifference() throws {
    try write(#"{"events": {"a": {}}}"#, to: "plan.json")
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out")).code, 0)
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out"), "--check").code, 0)
    try write(#"{"events": {"b": {}}}"#, to: "plan.json")
    let stale = run("generate", path("plan.json"), "--output", path("out"), "--check")
    XCTAssertEqual(stale.code, 1)
    XCTAssertEqual(
      stale.output,
      """
      --- out/TrackingPlan.swift
      +++ out/TrackingPlan.swift, generated from the plan
      @@
       import Foundation
       import TrackingModel
       
      -/// The event `a`.
      -public struct A: TrackingSchema, Hashable {
      -  /// `a`.
      -  public static let eventName = "a"
      +/// The event `b`.
      +public struct B: TrackingSchema, Hashable {
      +  /// `b`.
      +  public static let eventName = "b"
       
         /// An event with its params.
         public init() {}

      """)
    XCTAssertEqual(
      stale.error,
      "tracking-plan: out/TrackingPlan.swift is out of date; run generate plan.json --output out\n"
    )
    let asJSON = run("generate", path("plan.json"), "--output", path("out"), "--check", "--json")
    XCTAssertEqual(asJSON.code, 1)
    XCTAssertTrue(asJSON.output.contains(#""change": "outdated""#), asJSON.output)
  }

  func testTheConfigurationBesideThePlanIsUsed() throws {
    try write(#"{"events": {"a": {"params": {"b": {"type": "string"}}}, "debug_x": {}}}"#, to: "plan.json")
    try write(
      #"{"access": "internal", "namespace": "Events", "names": {"a": "First", "a.b": "second"}, "exclude": ["debug_*"]}"#,
      to: "tracking-plan-generator.json")
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out")).code, 0)
    let code = try read("out/TrackingPlan.swift")
    XCTAssertTrue(
      code.contains("enum Events {\n  /// The event `a`.\n  struct First: TrackingSchema, Hashable {"), code)
    XCTAssertTrue(code.contains("    var second: String\n"), code)
    XCTAssertFalse(code.contains("debug_x"), code)
    try write(#"{"acces": "public"}"#, to: "tracking-plan-generator.json")
    XCTAssertEqual(
      run("generate", path("plan.json"), "--output", path("out")).error,
      "tracking-plan-generator.json:1: error: `acces` is not a member of a configuration; the nearest is `access`\n"
    )
  }

  func testSplitFilesExtendTheNamespaceThatOneOfThemDeclares() throws {
    try write(#"{"events": {"a": {}, "b": {}}}"#, to: "plan.json")
    try write(#"{"namespace": "Events"}"#, to: "tracking-plan-generator.json")
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out"), "--split").code, 0)
    XCTAssertEqual(try read("out/Events.swift"), "/// The events of the tracking plan.\npublic enum Events {}\n")
    for name in ["A", "B"] {
      let code = try read("out/\(name).swift")
      let begin = "import Foundation\nimport TrackingModel\n\nextension Events {\n"
      XCTAssertTrue(code.hasPrefix(begin), code)
      XCTAssertTrue(code.contains("  public struct \(name): TrackingSchema, Hashable {\n"), code)
    }
  }

  func testSplitWritesAFileAnEvent() throws {
    try write(
      ##"{"types": {"C": {"enum": ["x"]}}, "events": {"a": {"params": {"c": {"$ref": "#/types/C"}}}, "b": {"params": {"c": {"$ref": "#/types/C"}}}}}"##,
      to: "plan.json")
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out"), "--split").code, 0)
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: path("out")).sorted(), ["A.swift", "B.swift", "C.swift"])
    XCTAssertTrue(try read("out/B.swift").contains("public var c: C\n"))
  }

  // MARK: Clashes

  func testANestedTypeDoesNotTakeThePlaceOfASharedOne() throws {
    try write(
      ##"{"types": {"Currency": {"enum": ["EUR"]}}, "events": {"a": {"params": {"currency": {"enum": ["x"]}, "paid_in": {"$ref": "#/types/Currency"}}}}}"##,
      to: "plan.json")
    let result = run("generate", path("plan.json"), "--output", path("out"))
    XCTAssertEqual(result.code, 2)
    XCTAssertEqual(
      result.error,
      "plan.json:1: error: the type of a.currency and the type Currency of a.paid_in are both Currency in Swift; give one of them a `swiftName`, in the plan or under `names` in tracking-plan-generator.json\n"
    )
    try write(#"{"names": {"a.currency[]": "ListedCurrency"}}"#, to: "tracking-plan-generator.json")
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out")).code, 0)
    let code = try read("out/TrackingPlan.swift")
    XCTAssertTrue(code.contains("public var currency: ListedCurrency\n"), code)
    XCTAssertTrue(code.contains("public var paidIn: Currency\n"), code)
  }

  func testAllClashesAreReportedAtOnce() throws {
    try write(
      """
      {"events": {
        "a": {}, "A": {},
        "b": {"params": {"x_y": {}, "x-y": {}}},
        "c": {"swiftName": "1 a"},
        "d": {"params": {"e": {"swiftName": "in it"}}}
      }}
      """, to: "plan.json")
    try write(#"{"include": ["*", "purchase"]}"#, to: "tracking-plan-generator.json")
    let result = run("generate", path("plan.json"), "--output", path("out"))
    XCTAssertEqual(
      result.error,
      """
      tracking-plan-generator.json:1: error: include: no event of the plan matches "purchase"
      plan.json:2: error: the event a and the event A are both A in Swift; give one of them a `swiftName`, in the plan or under `names` in tracking-plan-generator.json
      plan.json:3: error: b.x_y and b.x-y are both xY in Swift; give one of them a `swiftName`, in the plan or under `names` in tracking-plan-generator.json
      plan.json:4: error: the event c: "1 a" can't be a name in Swift; give it another `swiftName`, in the plan or under `names` in tracking-plan-generator.json
      plan.json:5: error: d.e: "in it" can't be a name in Swift; give it another `swiftName`, in the plan or under `names` in tracking-plan-generator.json

      """)
  }

  func testWordsOfTheGeneratedCodeAreOrdinaryParams() throws {
    try write(
      #"{"events": {"a": {"params": {"await": {"type": "string"}, "hash": {"type": "string"}, "encoder": {"type": "string"}, "container": {"type": ["string", "null"]}}}}}"#,
      to: "plan.json")
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out")).code, 0)
    let code = try read("out/TrackingPlan.swift")
    XCTAssertTrue(code.contains("    self.await = `await`\n"), code)
    XCTAssertTrue(code.contains("  public var hash: String\n"), code)
    XCTAssertTrue(code.contains("    try container.encode(self.container, forKey: .container)\n"), code)
  }

  func testAnIntegerBeyond63BitsIsUnsigned() throws {
    try observe("T.t", [(TrackingEvent(name: "a", params: ["n": .unsigned(.max)]), false)])
    XCTAssertEqual(run("draft", path("observed"), "--output", path("plan.json")).code, 0)
    XCTAssertEqual(run("generate", path("plan.json"), "--output", path("out")).code, 0)
    XCTAssertTrue(try read("out/TrackingPlan.swift").contains("public var n: UInt64\n"))
  }

  func testADashIsStandardOutput() throws {
    try write(#"{"events": {"a": {}}}"#, to: "plan.json")
    XCTAssertTrue(run("generate", path("plan.json"), "-o", "-").output.hasPrefix("import Foundation\n"))
    XCTAssertTrue(run("convert", path("plan.json"), "-o", "-").output.hasPrefix("{\n  \"plan\""))
    XCTAssertFalse(FileManager.default.fileExists(atPath: "-"))
  }
}
