import Foundation
import TrackingModel
import XCTest

@testable import TrackingInspector

struct Bought: TrackingSchema, Equatable {
  static let eventName = "bought"
  enum Currency: String, Codable { case eur, usd }
  struct Line: Codable, Equatable {
    var product: Int
    var gift: Bool
  }
  var title: String
  var total: Double
  var currency: Currency
  var lines: [Line]
  var coupon: String?
  enum CodingKeys: String, CodingKey { case title = "name", total, currency, lines, coupon }
}

final class SwiftSourceTests: XCTestCase {
  private let bought = Bought(
    title: "a \"lamp\"\u{202E}", total: 24.5, currency: .eur, lines: [.init(product: 42, gift: true)], coupon: nil)

  func testATypedEventIsWrittenAsItsInitializer() {
    XCTAssertEqual(
      SwiftSource.of(TrackingEvent(bought), as: Bought.self),
      #"Bought(title: "a \"lamp\"\u{202E}", total: 24.5, currency: .eur, lines: [Bought.Line(product: 42, gift: true)], coupon: nil)"#
    )
  }

  func testAnEventThatIsNotOfTheTypeHasNoSource() {
    XCTAssertNil(SwiftSource.of(TrackingEvent(name: "bought", params: [:]), as: Bought.self))
  }

  func testLiteralsOfAllKinds() {
    XCTAssertEqual(SwiftSource.literal(["a": [1, 2]]), #"["a": [1, 2]]"#)
    XCTAssertEqual(SwiftSource.literal([String: Int]()), "[:]")
    XCTAssertEqual(SwiftSource.literal(Date(timeIntervalSince1970: 1.5)), "Date(timeIntervalSince1970: 1.5)")
    XCTAssertEqual(SwiftSource.literal(Optional(3) as Any), "3")
    XCTAssertEqual(SwiftSource.literal(Result<Int, Never>.success(1)), ".success(1)")
  }

  func testATypeWithoutAMemberwiseInitializerHasNoSource() {
    final class Box { let value = 1 }
    XCTAssertNil(SwiftSource.literal(Box()))
    XCTAssertNil(SwiftSource.literal(Double.nan))
  }
}
