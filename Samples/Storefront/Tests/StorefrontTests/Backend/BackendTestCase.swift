import StorefrontDriver
import TrackingVerifier
import XCTest

/// A test whose verifier is the app's backend too; the app is launched when the test has set the backend's responses.
class BackendTestCase: XCTestCase {
  lazy var verifier: TrackingVerifier = .init(with: self, configuration: .backend)
  let app = StorefrontApp()

  override func setUp() {
    verifier.stub(.get, "/products", .json(file: "products"))
    quitAtEnd(app)
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
  }
}

extension TrackingVerifier.Configuration {
  /// The suite's own, for an app that expects its backend's URL in `STOREFRONT_BACKEND`.
  static var backend: Self {
    var configuration = storefront
    configuration.endpointVariables = ["STOREFRONT_BACKEND": .url]
    configuration.stubFolder = .bundle(.module, folder: "Stubs")
    return configuration
  }
}
