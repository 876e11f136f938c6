import StorefrontEvents
import StorefrontKit
import Testing
import TrackingTesting

/// The product screen in the test's own process: no server is started.
struct ProductTests {
  @Test("a product in view is reported", .tracking) func appear() async throws {
    let verifier = TrackingVerifier.current
    let product = ProductModel(id: 42, catalogue: BundledCatalogue(), cart: Cart(), tracker: verifier.tracker)
    try await product.load()
    product.appear()
    let viewed = try await verifier.require(.typed(ProductViewed.self))
    #expect(viewed.name == "Desk lamp")
  }
}
