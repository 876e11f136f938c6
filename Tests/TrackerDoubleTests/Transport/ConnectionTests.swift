import TestSupport

@testable import TrackerDouble
@testable import TrackingSockets

final class ConnectionTests: DoubleTestCase {
  private let request = Array("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n".utf8)
  private var soon: ContinuousClock.Instant { .now + .seconds(30) }

  private func connection(port: UInt16) -> HTTPConnection {
    HTTPConnection(to: [SocketAddress(.preferred, port: port)])
  }

  func testAConnectionThatThePeerHasClosedIsReplaced() throws {
    let port = try freePort()
    let connection = connection(port: port)
    for _ in 1...10 {
      let peer = try ScriptedPeer(port: port)
      XCTAssertEqual(try connection.exchange(request, until: soon).status, 204)
      XCTAssertEqual(try connection.exchange(request, until: soon).status, 204)
      XCTAssertEqual(peer.connections.all, [1])
      peer.stop()
    }
  }

  func testErrorsSayWhatHappened() throws {
    let port = try freePort()
    XCTAssertThrowsError(try connection(port: port).exchange(request, until: soon)) {
      XCTAssertEqual(
        "\($0)",
        "connect on \(SocketAddress(.preferred, port: port)) failed: Connection refused (errno \(ECONNREFUSED))")
    }
    let actions: [(ScriptedPeer.Action, String)] = [
      (.close, "the connection was closed before a response arrived"),
      (
        .reset,
        "the connection broke before a response arrived: recv failed: Connection reset by peer (errno \(ECONNRESET))"
      ),
      (.lastResponse("SSH-2.0\r\n"), "the peer doesn't use HTTP/1.1"),
      (.lastResponse("HTTP/1.1 abc\r\n\r\n"), "the response is malformed: status line"),
      (
        .response("HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 70_000))"),
        "the response's head is longer than 65536 bytes"
      ),
    ]
    for (action, text) in actions {
      let peer = try peer(respond: { _ in action })
      XCTAssertThrowsError(try connection(port: peer.port).exchange(request, until: soon)) {
        XCTAssertEqual("\($0)", text)
      }
    }
    let silent = try peer(respond: { _ in .response("") })
    XCTAssertThrowsError(try connection(port: silent.port).exchange(request, until: .now + .milliseconds(20))) {
      XCTAssertEqual("\($0)", "no response arrived in time")
    }
    try XCTSkipUnless(SocketAddress.Host.available.count == 2, "this machine has one family of addresses")
    let both = HTTPConnection(to: SocketAddress.named("localhost", port: port))
    XCTAssertThrowsError(try both.exchange(request, until: soon)) {
      XCTAssertEqual(
        "\($0)",
        "connect on [::1]:\(port) failed: Connection refused (errno \(ECONNREFUSED)); "
          + "connect on 127.0.0.1:\(port) failed: Connection refused (errno \(ECONNREFUSED))")
    }
  }
}
