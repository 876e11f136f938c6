import StorefrontDriver
import XCTest

/// The argument that breaks the app.
final class MutationTests: XCTestCase {
  func testAMutationThatIsNotKnownEndsTheAppWithAMessage() throws {
    let app = StorefrontApp()
    app.launchArguments = ["-mutation", "dubled"]
    try app.launch()
    try app.waitForExit()
    XCTAssertEqual(app.exitStatus, 64)
    XCTAssertEqual(
      app.log,
      """
      storefront: -mutation "dubled" is not known; there are missing, doubled, misspelt, misspelt-param, \
      misspelt-value, wrong-type, wrong-order, number-as-text, late, stale-launch, cut-short, wrong-value, extra-param, \
      before-screen, search-early, search-late, viewed-early, two-files

      """)
  }
}
