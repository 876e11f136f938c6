import TestSupport
@testable import TrackingSockets

/// The fallback to IPv4 alone, on a host without IPv6: this test process again, in a separate network where IPv6 is switched off.
final class HostWithoutIPv6Tests: XCTestCase {
  private static let variable = "TEST_RUNS_WITHOUT_IPV6"

  func testIPv4AloneIsServedWhereThereIsNoIPv6() throws {
    guard ProcessInfo.processInfo.environment[Self.variable] == nil else { return try checkWithoutIPv6() }
    let (status, output) = try runThisTest(
      after: "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && ip link set lo up")
    if status == 77 { throw XCTSkip("separate networks cannot be made here: \(output)") }
    XCTAssertEqual(status, 0, output)
    XCTAssertTrue(output.contains("Executed 1 test, with 0 failures"), output)
  }

  private func checkWithoutIPv6() throws {
    for _ in 1...20 {
      let listener = try Listener(port: 0)
      defer { listener.close() }
      XCTAssertEqual(listener.sockets.count, 1)
      XCTAssertEqual(listener.address.host, .ipv4)
      XCTAssertThrowsError(try Listener(port: listener.address.port)) {
        XCTAssertEqual(
          $0 as? SocketError, .call("bind", errno: EADDRINUSE, address: "127.0.0.1:\(listener.address.port)"))
      }
      let client = try Socket.connected(to: listener.address, until: soon)
      client.close()
      XCTAssertThrowsError(
        try Socket.connected(to: SocketAddress(.ipv6, port: listener.address.port), until: soon))
    }
  }

  private func runThisTest(after preparation: String) throws -> (status: Int32, output: String) {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else { throw XCTSkip("no unshare here") }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = [
      "--net", "sh", "-c", "{ \(preparation); } || exit 77; exec \"$0\" \"$1\"",
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      "TrackingSocketsTests.HostWithoutIPv6Tests/testIPv4AloneIsServedWhereThereIsNoIPv6",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: "1"]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let isRefused = text.contains("unshare failed")
    return (isRefused ? 77 : process.terminationStatus, text)
  }
}
