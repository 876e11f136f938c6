#if os(Linux)
  import TestSupport

  @testable import TrackingServer

  /// A root folder without `/dev/urandom`, as some containers have.
  final class HostWithoutDevicesTests: XCTestCase {
    func testEachServerHasASessionOfItsOwn() throws {
      guard !OtherHost.isThis else {
        XCTAssertFalse(FileManager.default.fileExists(atPath: "/dev/urandom"))
        let sessions = (0..<3).map { _ in TrackingServer().session }
        XCTAssertEqual(Set(sessions).count, 3, "\(sessions)")
        for session in sessions {
          XCTAssertNotNil(
            session.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/), session)
        }
        return
      }
      try OtherHost.run(
        "TrackingServerTests.HostWithoutDevicesTests/testEachServerHasASessionOfItsOwn", with: "--mount",
        after: "mount -t tmpfs none /dev")
    }
  }
#endif
