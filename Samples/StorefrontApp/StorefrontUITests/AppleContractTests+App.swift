import XCTest

nonisolated extension AppleContractTests {
  /// The app's tracker connects when it is made, so no element has to be found, and no verifier takes part.
  @MainActor func testASecondProcessReachesTheRunner() throws {
    for (family, host) in [(AF_INET6, "[::1]"), (AF_INET, "127.0.0.1")] {
      let (listener, port) = try Self.listener(family)
      defer { close(listener) }
      let app = XCUIApplication()
      app.launchEnvironment["TRACKING_URL"] = "http://\(host):\(port)"
      app.launchEnvironment["TRACKING_SESSION"] = "contract"
      app.launch()
      let connection = Self.connection(to: listener)
      XCTAssertNotNil(connection, "the app did not reach \(host)")
      if let connection { close(connection) }
      app.terminate()
    }
  }
}
