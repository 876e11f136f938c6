import TestAppLauncher
import TestSupport
import TrackingVerifier

/// One launch of a program for the tests of a class, in the shape that the article UITests shows.
final class SharedProgramTests: XCTestCase {
  private static let server = TrackingServer()
  private static let app = TestApp("AppProbe")
  private static let launch = Result {
    try server.start()
    app.launchEnvironment.merge(server.endpoint?.launchEnvironment ?? [:]) { $1 }
    try app.launch()
  }
  private lazy var verifier: TrackingVerifier = .init(
    with: self, server: Self.server, configuration: .init(settling: 0.05))

  override class func setUp() { _ = launch }
  override class func tearDown() { app.terminate() }
  override func setUpWithError() throws {
    try Self.launch.get()
    verifier.start()
  }

  func testTheFirstTestSeesItsOwnEvents() throws { try assertTwoEvents() }

  func testTheSecondTestUsesTheSameLaunch() throws { try assertTwoEvents() }

  private func assertTwoEvents() throws {
    addTeardownBlock { XCTAssertNil(Self.app.exitStatus) }
    try Self.app.type("track 1 2")
    verifier.wait(for: .named("counted"), count: 2)
    XCTAssertEqual(verifier.events.count, 2)
  }
}
