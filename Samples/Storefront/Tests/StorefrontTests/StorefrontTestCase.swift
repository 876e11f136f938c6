import StorefrontDriver
import TrackingVerifier
import XCTest

/// A test for which the app has been launched, and reports to a verifier of the test's own.
class StorefrontTestCase: XCTestCase {
  lazy var verifier = TrackingVerifier(with: self, configuration: .storefront)
  let app = StorefrontApp()

  override func setUpWithError() throws {
    verifier.start()
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    // Before the verifier stops.
    addTeardownBlock(app.quit)
    try app.launch()
  }
}
