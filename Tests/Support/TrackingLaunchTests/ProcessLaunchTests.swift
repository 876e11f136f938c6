import TestSupport
import TrackingServer
import TrackingSockets

@testable import TrackingLaunch

/// The launch that a process uses: its own, or the one that another process has left.
final class ProcessLaunchTests: XCTestCase {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let server = TrackingServer()

  override func tearDown() {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  private func environment(of server: TrackingServer) throws -> [String: String] {
    try XCTUnwrap(server.endpoint).launchEnvironment
  }

  /// The launch of a process with an environment.
  private func launch(
    _ environment: [String: String] = [:], _ arguments: [String] = ["Shop"],
    refusesWithoutVerifier: Bool = false, isDebugBuild: Bool = true, now: Date = Date()
  ) -> ProcessLaunch {
    ProcessLaunch.find(
      environment: environment, arguments: arguments,
      sharing: .url(folder, refusesWithoutVerifier: refusesWithoutVerifier, lifetime: 60),
      isDebugBuild: isDebugBuild, now: now)
  }

  private var process: String { ProcessInfo.processInfo.processName }

  func testAnotherProcessTakesTheLaunch() throws {
    try server.start()
    let environment = try environment(of: server).merging(["TRACKING_STUBS": "W10", "HOME": "/app"]) { $1 }
    let app = launch(environment, ["Shop", "-StubScenario", "debug"])
    XCTAssertEqual(app.environment, environment)
    XCTAssertNil(app.note)
    let widget = launch(["HOME": "/widget"], ["Widget"])
    XCTAssertEqual(widget.environment, environment.merging(["HOME": "/widget"]) { $1 })
    XCTAssertEqual(widget.arguments, ["Widget", "-StubScenario", "debug"])
    XCTAssertEqual(widget.note, "uses the launch shared by \(process)")
    XCTAssertNil(widget.refusal)
    XCTAssertEqual(server.journal.events, [])
    XCTAssertEqual(server.journal.requests, [])
    XCTAssertEqual(server.journal.rejections, [])
  }

  func testTheLaunchOfTheProcessItselfComesFirst() throws {
    try server.start()
    let other = TrackingServer()
    try other.start()
    defer { other.stop() }
    _ = launch(try environment(of: server))
    XCTAssertEqual(try launch(environment(of: other)).environment, try environment(of: other))
  }

  func testWithoutALaunchThereIsNothing() {
    let launch = launch(["HOME": "/"])
    XCTAssertEqual(launch.environment, ["HOME": "/"])
    XCTAssertEqual(launch.arguments, ["Shop"])
    XCTAssertNil(launch.note)
    XCTAssertNil(launch.refusal)
  }

  func testAfterTheTestTheLaunchIsIgnored() throws {
    try server.start()
    _ = launch(try environment(of: server))
    XCTAssertNotEqual(launch().environment, [:])
    server.stop()
    XCTAssertEqual(launch().environment, [:])
    // The same verifier again: a test that restarts it.
    try server.start()
    _ = launch(try environment(of: server))
    XCTAssertNotEqual(launch().environment, [:])
  }

  func testAnExpiredLaunchIsIgnoredWhileItsVerifierResponds() throws {
    try server.start()
    let now = Date()
    _ = launch(try environment(of: server), now: now)
    XCTAssertEqual(launch(now: now + 60).environment, [:])
  }

  func testAnotherServerOnThePortDoesNotRespond() throws {
    try server.start()
    let port = try XCTUnwrap(server.endpoint?.url.port.flatMap { UInt16(exactly: $0) })
    _ = launch(try environment(of: server))
    server.stop()
    let next = TrackingServer(configuration: .init(port: port))
    try next.start()
    defer { next.stop() }
    XCTAssertEqual(launch().environment, [:])
    XCTAssertEqual(next.journal.rejections, [], "it says nothing about the next test")
    XCTAssertEqual(next.journal.requests, [])
  }

  func testAServerThatNeverRespondsIsIgnored() throws {
    let silent = try Socket.listening(on: SocketAddress(.ipv4, port: 0))
    defer { silent.close() }
    let url = try XCTUnwrap(URL(string: "http://127.0.0.1:\(silent.localPort())"))
    _ = launch(TrackingEndpoint(url: url, session: "token").launchEnvironment)
    XCTAssertEqual(launch().environment, [:])
  }

  func testAReleaseBuildNeitherLeavesNorTakesALaunch() throws {
    try server.start()
    _ = launch(try environment(of: server), isDebugBuild: false)
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
    _ = launch(try environment(of: server))
    XCTAssertEqual(launch(isDebugBuild: false).environment, [:])
    XCTAssertEqual(launch(refusesWithoutVerifier: true, isDebugBuild: false).refusal, nil)
  }

  func testAfterTheTestTheProviderCanBeRefused() throws {
    try server.start()
    let url = try XCTUnwrap(server.endpoint).url.absoluteString
    let now = Date()
    _ = launch(try environment(of: server), now: now)
    XCTAssertNil(launch(refusesWithoutVerifier: true, now: now).refusal)
    server.stop()
    assertText(
      launch(refusesWithoutVerifier: true, now: now + 20).refusal,
      """
      the verifier that launched \(process) doesn't respond at \(url); its launch expires in 40 s, and until then this process \
      refuses the provider and the real backend
      """)
    XCTAssertNil(launch(refusesWithoutVerifier: true, now: now + 60).refusal)
  }

  func testTwoTestsThatShareAFolderBothFail() throws {
    let other = TrackingServer()
    try server.start()
    try other.start()
    defer { other.stop() }
    _ = launch(try environment(of: server))
    _ = launch(try environment(of: other))
    let widget = launch()
    let names = [server, other].map { "\($0.endpoint?.url.absoluteString ?? "") (launched \(process))" }.sorted()
    let reason = """
      2 verifiers respond, and \(process) can't tell which of them its test has started: \(names.joined(separator: ", ")); \
      let tests that run at the same time use different launch folders
      """
    XCTAssertEqual(widget.refusal, reason)
    XCTAssertEqual(widget.environment, [:])
    for server in [server, other] {
      XCTAssertEqual(server.journal.rejections.map(\.description), ["422: LaunchFolder: \(reason)"])
    }
    other.stop()
    XCTAssertEqual(launch().environment, try environment(of: server))
  }

  func testALaunchWithoutASessionIsNotLeft() throws {
    for environment in [
      ["TRACKING_URL": "http://[::1]:1"], ["TRACKING_URL": "nonsense", "TRACKING_SESSION": "a"],
      ["TRACKING_URL": "http://10.0.0.1:80", "TRACKING_SESSION": "a"],
    ] {
      XCTAssertEqual(
        launch(environment).note,
        "the launch can't be shared with the app's other processes: it has no session of a verifier on this machine")
      XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
    }
  }
}
