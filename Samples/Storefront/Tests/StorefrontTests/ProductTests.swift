import StorefrontEvents
import StorefrontKit
import TrackingModel
import TrackingVerifier
import XCTest

/// The product screen in the test's own process, reporting straight to the verifier.
final class ProductTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)

  func testAProductInViewIsReported() async throws {
    let product = model(id: 42)
    try await product.load()
    product.appear()
    await verifier.wait(for: ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
  }

  func testEachProductAddedIsReportedWithHowManyThereAreNow() async throws {
    let product = model(id: 7)
    try await product.load()
    product.addToCart()
    product.addToCart()
    let quantity = product.quantity
    let second = await verifier.wait(for: .typed(AddedToCart.self) { $0.quantity == quantity })
    XCTAssertEqual(second?.quantity, 2)
  }

  func testAProductThatIsNotThereIsReportedAsMissing() async throws {
    do {
      try await model(id: 1).load()
      XCTFail("there is no product 1")
    } catch {
      XCTAssertEqual(error as? CatalogueError, .noProduct(id: 1))
    }
    await verifier.wait(for: TrackingEvent(name: "product_missing", params: [.productID: 1]))
  }

  private func model(id: Int) -> ProductModel {
    ProductModel(id: id, catalogue: BundledCatalogue(), cart: Cart(), tracker: verifier.tracker)
  }
}
