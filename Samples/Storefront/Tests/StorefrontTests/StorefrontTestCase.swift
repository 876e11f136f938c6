import StorefrontDriver
import TrackingVerifier
import XCTest

/// A test for which the app has been launched, and reports to a verifier of the test's own.
class StorefrontTestCase: XCTestCase {
  lazy var verifier: TrackingVerifier = .init(with: self, configuration: .storefront)
  let app = StorefrontApp()

  override func setUpWithError() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    quitAtEnd(app)
    try app.launch()
  }
}

extension XCTestCase {
  /// Quits an app when the test ends, before the verifier stops.
  func quitAtEnd(_ app: StorefrontApp) {
    // The test has ended when the block runs, so no other code uses the app.
    nonisolated(unsafe) let app = app
    addTeardownBlock { app.quit() }
  }
}
