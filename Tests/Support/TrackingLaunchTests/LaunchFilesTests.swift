import TestSupport

@testable import TrackingLaunch

/// Files by which processes share a launch.
final class LaunchFilesTests: XCTestCase {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  private let now = Date(timeIntervalSince1970: 1_000_000)

  override func tearDown() {
    try? FileManager.default.removeItem(at: folder)
  }

  private func files() throws -> LaunchFiles { try LaunchFiles(at: .url(folder)) }

  private func launch(_ session: String, port: Int = 1) throws -> PassedLaunch {
    let endpoint = TrackingEndpoint(url: try XCTUnwrap(URL(string: "http://[::1]:\(port)")), session: session)
    return try XCTUnwrap(PassedLaunch(environment: endpoint.launchEnvironment, arguments: ["app"]))
  }

  private func leave(_ session: String, port: Int = 1, lifetime: TimeInterval = 60, at now: Date? = nil) throws {
    try files().leave(
      launch(session, port: port), of: session, process: "Shop", now: now ?? self.now, lifetime: lifetime)
  }

  private func sessions(at now: Date) throws -> [String?] {
    try files().launches(now: now).map(\.launch.endpoint?.session)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  func testALaunchComesBackWithItsProcess() throws {
    let environment = [
      "TRACKING_URL": "http://[::1]:50123", "TRACKING_SESSION": "a%3Db", "TRACKING_STUBS": "W10", "HOME": "/",
    ]
    let arguments = ["Shop", "-x", "-StubScenario", "debug", "-TrackingURL"]
    let launch = try XCTUnwrap(PassedLaunch(environment: environment, arguments: arguments))
    XCTAssertEqual(launch.environment.keys.sorted(), ["TRACKING_SESSION", "TRACKING_STUBS", "TRACKING_URL"])
    XCTAssertEqual(launch.arguments, ["-StubScenario", "debug", "-TrackingURL"])
    XCTAssertEqual(launch.endpoint?.session, "a=b")
    try files().leave(launch, of: "a=b", process: "Shop", now: now, lifetime: 60)
    let left = try files().launches(now: now)
    XCTAssertEqual(left.map(\.launch), [launch])
    XCTAssertEqual(left.map(\.process), ["Shop"])
  }

  func testALaunchWithoutAnEndpointIsNil() {
    XCTAssertNil(PassedLaunch(environment: ["HOME": "/"], arguments: ["Shop", "-ui-testing"]))
  }

  func testANewLaunchOfASessionReplacesItsEarlierOne() throws {
    try leave("a")
    try leave("a", port: 2, at: now + 30)
    XCTAssertEqual(try names.count, 1)
    XCTAssertEqual(try files().launches(now: now + 80).map(\.launch.endpoint?.url.port), [2])
  }

  func testTheNewestLaunchIsFirst() throws {
    try leave("a", at: now + 1)
    try leave("b", at: now + 3)
    try leave("c", at: now + 2)
    XCTAssertEqual(try sessions(at: now + 10), ["b", "c", "a"])
  }

  func testAnExpiredLaunchIsRemoved() throws {
    try leave("short", lifetime: 60)
    try leave("long", lifetime: 120)
    XCTAssertEqual(try Set(sessions(at: now + 59)), ["short", "long"])
    XCTAssertEqual(try sessions(at: now + 60), ["long"])
    XCTAssertEqual(try names.count, 1)
    try leave("none", lifetime: -1)
    XCTAssertEqual(try sessions(at: now), ["long"])
  }

  func testALaunchLivesForADayAtMost() throws {
    try leave("long", lifetime: .infinity)
    XCTAssertEqual(try sessions(at: now + 86_399), ["long"])
    XCTAssertEqual(try sessions(at: now + 86_400), [])
    // A clock that was set back.
    try leave("future", lifetime: .infinity)
    XCTAssertEqual(try sessions(at: now - 10), [])
  }

  func testOnlyTheUserMayReadALaunch() throws {
    try leave("a")
    let file = folder.appending(path: try XCTUnwrap(names.first))
    func permissions(_ url: URL) throws -> Int? {
      try (FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
    }
    XCTAssertEqual(try permissions(file), 0o600)
    XCTAssertEqual(try permissions(folder), 0o700)
  }

  func testOtherFilesAreLeftAlone() throws {
    try leave("a")
    let file = folder.appending(path: try XCTUnwrap(names.first))
    let content = try Data(contentsOf: file)
    func put(_ name: String, _ content: Data) throws { try content.write(to: folder.appending(path: name)) }
    try put("torn.tracking-launch", content.prefix(content.count / 2))
    try put("empty.tracking-launch", Data())
    try put(
      "later.tracking-launch",
      Data(String(decoding: content, as: UTF8.self).replacing("tracking-launch-1", with: "tracking-launch-2").utf8))
    try put("large.tracking-launch", content + Data(repeating: UInt8(ascii: " "), count: 1 << 20))
    try put("unrelated.json", content)
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "link.tracking-launch"), withDestinationURL: file)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "folder.tracking-launch"), withIntermediateDirectories: false)
    XCTAssertEqual(mkfifo(folder.appending(path: "pipe.tracking-launch").path, 0o600), 0)
    XCTAssertEqual(try sessions(at: now), ["a"])
    XCTAssertEqual(try names.count, 9)
  }

  func testASessionMayHaveAnyCharacters() throws {
    try leave("../a/b")
    try leave("..")
    XCTAssertEqual(try Set(sessions(at: now)), ["../a/b", ".."])
    XCTAssertEqual(try names.count, 2)
  }

  func testAFolderThatDoesNotExistHasNoLaunches() throws {
    XCTAssertEqual(try files().launches(now: now), [])
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path))
  }

  func testAFolderThatCannotBeMadeIsNamed() throws {
    try Data().write(to: folder)
    XCTAssertThrowsError(try leave("a")) { error in
      let text = "\(error)"
      XCTAssertTrue(text.hasPrefix("the launch could not be written to \(folder.path)/"), text)
      XCTAssertTrue(text.contains(".tracking-launch for the app's other processes: "), text)
    }
  }
}
