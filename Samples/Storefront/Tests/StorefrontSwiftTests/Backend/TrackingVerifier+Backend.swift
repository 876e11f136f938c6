import StorefrontDriver
import TrackingTesting

extension TrackingVerifier.Configuration {
  /// The suite's own, for an app that expects its backend's URL in `STOREFRONT_BACKEND`.
  static var backend: Self {
    var configuration = storefront
    configuration.endpointVariables = ["STOREFRONT_BACKEND": .url]
    return configuration
  }
}

extension StubResponse {
  /// The one product that these tests need.
  static let lamp = json(["id": 42, "name": "Desk lamp", "price": 2450, "rating": 4.5])
}
