// Declarations that a document's code may use: a test case, and the shop that the documentation's events are about.

import Foundation
import TrackingModel
import TrackingVerifier
import XCTest
import XCUIShims

/// The scope of a document's code: a reader's test case.
nonisolated final class Document: XCTestCase {
  @MainActor lazy var app = XCUIApplication()
  lazy var verifier = TrackingVerifier(with: self)
  lazy var mark = verifier.mark()
  lazy var tracker: any TrackerProtocol = ProviderTracker()
  var configuration = TrackingVerifier.Configuration()
  let minimum = 100
}

/// The scope of test functions of Swift Testing.
struct DocumentTests {}

/// The tracker of a release build.
struct ProviderTracker: TrackerProtocol {
  func trackEvent(_ event: TrackingEvent) {}
}

struct AddedToCart: TrackingSchema {
  static let eventName = "added_to_cart"
  var productID: String
  var quantity: Int
}

struct ProductViewed: TrackingSchema {
  static let eventName = "product_viewed"
  var productID: String
  var rating: Double
}

struct RemovedFromCart: TrackingSchema {
  static let eventName = "removed_from_cart"
  var productID: String
  var quantity: Int
}

struct OrderPlaced: TrackingSchema {
  static let eventName = "order_placed"
  var orderID: String
  var total: Double
}

struct CartModel {
  var tracker: any TrackerProtocol
  func add(productID: String) {}
  func remove(productID: String) {}
}

/// The scenarios of the shop's backend.
enum LaunchState: String, CaseIterable, StubScenario {
  case screenshots

  var stubs: [StubEndpoint] { [] }
}

let stubs: [StubEndpoint] = []
let delegate: (any URLSessionDelegate)? = nil

extension Bundle {
  // SwiftPM makes one for each target with resources.
  static var module: Bundle { .main }
}
