import TestSupport
import TrackingVerifier

/// An app of several real processes, of which the test launches one: the others share its launch through a folder.
final class SharedLaunchTests: XCTestCase {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  /// The folder of the programs, beside the probe, because a hard link can't lead to another file system.
  private lazy var programs =
    (try? ProbeProcess.executable().deletingLastPathComponent().appending(path: UUID().uuidString)) ?? folder
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30, settling: 0.05))

  override func setUp() {
    for folder in [folder, programs] {
      try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  override func tearDown() {
    for folder in [folder, programs] { try? FileManager.default.removeItem(at: folder) }
  }

  /// A process of the app, under the name of an executable.
  private func process(
    _ name: String, _ environment: [String: String] = [:], refusesProvider: Bool = false
  ) throws -> ProbeProcess {
    let executable = programs.appending(path: name)
    if !FileManager.default.fileExists(atPath: executable.path) {
      // A copy that was just written can't be executed while another process still has its descriptor.
      try FileManager.default.linkItem(at: ProbeProcess.executable(), to: executable)
    }
    var variables = ["LAUNCH_FOLDER": folder.appending(path: "group").path]
    if refusesProvider { variables["LAUNCH_FOLDER_REFUSES"] = "1" }
    return try ProbeProcess(environment: environment.merging(variables) { $1 }, executable: executable)
  }

  /// The app, launched by the test and ready: it has left its launch.
  private func launchApp(_ verifier: TrackingVerifier) throws -> ProbeProcess {
    verifier.start()
    let app = try process("Shop", verifier.launchEnvironment)
    let mark = verifier.mark()
    app.send("track 1 1")
    verifier.wait(for: .named("counted", params: ["number": 1]).from("Shop"), since: mark)
    return app
  }

  func testEventsOfThreeProcessesNameTheirs() throws {
    let app = try launchApp(verifier)
    let widget = try process("ShopWidget")
    widget.send("track 2 2")
    verifier.wait(for: .named("counted", params: ["number": 2]).from("ShopWidget"))
    let push = try process("ShopPush")
    push.send("track 3 4")
    verifier.wait(
      for: .inOrder([.any.from("Shop"), .any.from("ShopWidget"), .any.from("ShopPush"), .any.from("ShopPush")]))
    verifier.wait(for: .named("counted").from("ShopPush"), count: 2)
    for process in [app, widget, push] { XCTAssertEqual(process.finish(), "") }
  }

  func testAFailureHasAColumnOfProcesses() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30, reporter: reporter))
    let app = try launchApp(verifier)
    let widget = try process("ShopWidget")
    widget.send("track 2 2")
    verifier.wait(for: .any.from("ShopWidget"))
    verifier.wait(for: .named("counted", params: ["number": 2]).from("Shop"), timeout: 0.1)
    let message = try XCTUnwrap(reporter.messages.first).timeless.replacing(/swift:[0-9]+/, with: "swift:N")
    assertText(
      message,
      """
      No event counted(…) from "Shop" arrived within 0.1 s; #2 is from "ShopWidget"

      Expected: (an event named "counted" with number: 2) from the process "Shop"

      Nearest is #2, N ms before the wait began (- expected, + arrived):
            counted
          - from the process "Shop"
          + from the process "ShopWidget"
            (1 param as expected)
      #2 was tracked at AppProbe.swift:N

      Received, by time since the wait began:
          #1  +N ms  Shop        counted(number: 1)
          #2  +N ms  ShopWidget  counted(number: 2)
      """)
    XCTAssertNotNil(
      message.firstMatch(of: /#1 .* Shop +counted\(number: 1\)\n.*#2 .* ShopWidget +counted\(number: 2\)/), message)
    XCTAssertEqual(app.finish() + widget.finish(), "")
  }

  func testAProcessTakesTheLaunchOfAnAppThatWasKilled() throws {
    let app = try launchApp(verifier)
    app.kill()
    let widget = try process("ShopWidget")
    widget.send("track 2 2")
    verifier.wait(for: .any.from("ShopWidget"))
    widget.kill()
    // The system launches the app again, without the test's environment.
    let relaunched = try process("Shop")
    relaunched.send("track 3 3")
    verifier.wait(for: .named("counted", params: ["number": 3]).from("Shop"))
    XCTAssertEqual(relaunched.finish(), "")
  }

  func testAfterTheTestAProcessHasNoDouble() throws {
    let app = try launchApp(verifier)
    verifier.stop()
    XCTAssertEqual(try process("ShopWidget").finish(), "no endpoint was passed\n")
    app.kill()
  }

  func testTheNextTestHasItsOwnLaunch() throws {
    let first = try launchApp(verifier)
    first.kill()
    verifier.stop()
    let next = TrackingVerifier(with: self, configuration: .init(timeout: 30))
    let app = try launchApp(next)
    let widget = try process("ShopWidget")
    widget.send("track 2 2")
    next.wait(for: .any.from("ShopWidget"))
    XCTAssertEqual(verifier.events.count, 1)
    XCTAssertEqual(app.finish() + widget.finish(), "")
  }

  func testAProcessCanRefuseTheProviderAfterTheTest() throws {
    let app = try launchApp(verifier)
    verifier.stop()
    let widget = try process("ShopWidget", refusesProvider: true)
    widget.send("track 1 3")
    widget.send("flush")
    XCTAssertEqual(widget.finish(), "not delivered: 3 tracked: 0 delivered, 0 pending, 3 failed\n")
    app.kill()
  }

  func testTwoTestsThatShareAFolderFailAndReachNoProvider() throws {
    let reporters = (RecordingReporter(), RecordingReporter())
    let first = TrackingVerifier(with: self, configuration: .init(timeout: 30, reporter: reporters.0))
    let second = TrackingVerifier(with: self, configuration: .init(timeout: 30, reporter: reporters.1))
    let apps = [try launchApp(first), try launchApp(second)]
    let widget = try process("ShopWidget")
    widget.send("track 2 2")
    widget.send("flush")
    XCTAssertEqual(widget.finish(), "not delivered: 1 tracked: 0 delivered, 0 pending, 1 failed\n")
    for app in apps { XCTAssertEqual(app.finish(), "") }
    first.stop()
    second.stop()
    for reporter in [reporters.0, reporters.1] {
      let message = try XCTUnwrap(reporter.messages.first)
      XCTAssertTrue(
        message.replacing(/\s+/, with: " ").contains(
          "2 verifiers respond, and ShopWidget can't tell which of them its test has started"), message)
    }
  }

  func testTheAppsStubsRespondInItsOtherProcesses() throws {
    verifier.start()
    let stubs = [StubEndpoint(.get, "/greeting", .text("from the test"))]
    let environment = verifier.launchEnvironment.merging(verifier.stubsEnvironment(for: stubs)) { $1 }
    let app = try process("Shop", environment)
    app.send("get http://api.example/greeting")
    verifier.wait(for: .request(.get, "/greeting"))
    let widget = try process("ShopWidget")
    widget.send("get http://api.example/greeting")
    verifier.wait(for: .request(.get, "/greeting"), count: 2)
    XCTAssertEqual(app.finish(), "200 from the test\n")
    XCTAssertEqual(widget.finish(), "200 from the test\n")
    XCTAssertEqual(verifier.requests.map(\.process), ["Shop", "ShopWidget"])
  }

  func testFindingTheTestUsesUpNoFault() throws {
    let app = try launchApp(verifier)
    verifier.inject(HTTPFault(.close, at: .response), times: 1)
    let widget = try process("ShopWidget")
    widget.send("track 2 2")
    verifier.wait(for: .any.from("ShopWidget"))
    let url = verifier.baseURL.appending(path: "books")
    for _ in 0..<2 { app.send("get \(url.absoluteString)") }
    let responses = app.finish().split(separator: "\n")
    XCTAssertEqual(responses.count, 2)
    XCTAssertEqual(responses.map { $0.hasPrefix("404 ") }, [false, true], "\(responses)")
    XCTAssertEqual(widget.finish(), "")
  }
}
