import StorefrontDriver
import TrackingVerifier
import XCTest

/// The tracker that the app chooses at launch; only the logging one writes a line that begins with "tracked".
final class CompositionRootTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)
  private let app = StorefrontApp()

  func testAnAppThatNoTestLaunchedLogsItsEvents() throws {
    app.launchArguments = []
    XCTAssertEqual(try logOfALaunch(), ["tracked screen_viewed(screen: \"home\")"])
  }

  func testAnAppWhoseTestIsGoneDoesNotFallBackToTheLog() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    verifier.stop()
    XCTAssertEqual(try logOfALaunch(), [])
  }

  /// The lines in which the app logged an event, up to when its first screen was there.
  private func logOfALaunch() throws -> [Substring] {
    try app.launch()
    XCTAssert(try app.screen.hasPrefix("Storefront"))
    app.terminate()
    return app.log.split(separator: "\n").filter { $0.hasPrefix("tracked") }
  }
}
