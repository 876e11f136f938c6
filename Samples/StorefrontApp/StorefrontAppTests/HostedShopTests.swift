import StorefrontEvents
import StorefrontKit
import TrackingVerifier
import XCTest

@testable import StorefrontApp

/// Unit tests that run inside of the app, which links the events' package as they do.
nonisolated final class HostedShopTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)

  @MainActor func testTheAppsOwnScreensTrackToTheVerifier() async throws {
    let shop = Shop(catalogue: BundledCatalogue(), tracker: verifier.tracker)
    await shop.open()
    await shop.open(try XCTUnwrap(shop.products.first { $0.id == 42 }))
    shop.addToCart()
    await verifier.wait(for: AddedToCart(productID: 42, quantity: 1, price: 2450))
    let added = await verifier.wait(for: .typed(AddedToCart.self))
    XCTAssertEqual(added?.price, 2450)
  }

  /// If this fails, the app and the tests have a copy of TrackingModel each, and no cast between them succeeds.
  @MainActor func testTheAppsTypesAreThoseOfTheTests() {
    let provider: Any = ProviderTracker()
    XCTAssertTrue(provider is any TrackerProtocol)
  }
}
