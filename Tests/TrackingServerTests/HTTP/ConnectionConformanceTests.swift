import XCTest

@testable import TrackingServer

final class ConnectionConformanceTests: XCTestCase {
  private func request(_ lines: String, version: String = "1.1") -> String {
    "GET / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n\r\n"
  }

  private func posting(_ lines: String, body: String = "ab", version: String = "1.1") -> String {
    "POST / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n\r\n\(body)"
  }

  private let persists = ConformanceRow.Outcome.taken("GET", "/", where: { $0.keepsAlive })
  private let closes = ConformanceRow.Outcome.taken("GET", "/", where: { !$0.keepsAlive })

  func testPersistence() {
    verify([
      .init("RFC 9112 9.3: 1.1 persists", request("X: y"), persists),
      .init("RFC 9112 9.3: 1.0 does not", request("X: y", version: "1.0"), closes),
      .init("RFC 9112 9.3", request("Connection: close"), closes),
      .init("RFC 9112 9.3", request("Connection: keep-alive"), persists),
      .init("RFC 9112 9.3", request("Connection: Keep-Alive", version: "1.0"), persists),
      .init("RFC 9110 7.6.1: any case", request("CONNECTION: CLOSE"), closes),
      .init("RFC 9110 7.6.1: list", request("Connection: upgrade , \tclose"), closes),
      .init("RFC 9110 7.6.1: list", request("Connection: ,,close,"), closes),
      .init("RFC 9110 7.6.1: two lines", request("Connection: x\r\nConnection: close"), closes),
      .init("RFC 9112 9.3: close goes first", request("Connection: keep-alive, close", version: "1.0"), closes),
      .init("RFC 9112 9.3: close goes first", request("Connection: close\r\nConnection: keep-alive"), closes),
      .init("RFC 9110 7.6.1: whole options", request("Connection: closed, disclose"), persists),
      .init("RFC 9110 7.6.1: empty", request("Connection:"), persists),
      .init("RFC 9112 C.2.2: not for us", request("Proxy-Connection: close"), persists),
    ])
  }

  func testUpgradeIsIgnored() {
    verify([
      .init("RFC 9110 7.8", request("Upgrade: websocket\r\nConnection: Upgrade"), persists),
      .init(
        "RFC 9113 3.1: h2c", request("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA"),
        persists),
      .init("RFC 9110 7.8: in 1.0", request("Upgrade: websocket\r\nConnection: Upgrade", version: "1.0"), closes),
      .init("RFC 2817 3.1: TLS", request("Upgrade: TLS/1.2, HTTP/1.1\r\nConnection: Upgrade"), persists),
      .init(
        "RFC 9110 7.8: with a body", posting("Upgrade: h2c\r\nConnection: Upgrade\r\nContent-Length: 2"),
        .taken("POST", "/", body: "ab", where: { $0.keepsAlive })),
    ])
  }

  func testExpectations() {
    let waits = ConformanceRow.Outcome.taken("POST", "/", body: "ab", where: { $0.expectsContinue })
    let doesNot = ConformanceRow.Outcome.taken("POST", "/", body: "ab", where: { !$0.expectsContinue })
    verify([
      .init("RFC 9110 10.1.1", posting("Content-Length: 2\r\nExpect: 100-continue"), waits),
      .init("RFC 9110 10.1.1: any case", posting("expect: 100-CONTINUE\r\nContent-Length: 2"), waits),
      .init("RFC 9110 10.1.1: list", posting("Content-Length: 2\r\nExpect: 100-continue, 100-continue"), waits),
      .init(
        "RFC 9110 10.1.1: chunked",
        posting("Transfer-Encoding: chunked\r\nExpect: 100-continue", body: "2\r\nab\r\n0\r\n\r\n"),
        waits),
      .init("RFC 9110 10.1.1: none", posting("Content-Length: 2"), doesNot),
      .init("RFC 9110 5.6.1: empty list", posting("Content-Length: 2\r\nExpect:"), doesNot),
      .init("RFC 9110 10.1.1: 1.0", posting("Content-Length: 2\r\nExpect: 100-continue", version: "1.0"), doesNot),
      .init("RFC 9110 10.1.1: 1.0", posting("Content-Length: 2\r\nExpect: x", version: "1.0"), doesNot),
      .init(
        "RFC 9110 10.1.1: no content", request("Expect: 100-continue"),
        .taken("GET", "/", where: { !$0.expectsContinue })),
      .init(
        "RFC 9110 10.1.1: no content", request("Content-Length: 0\r\nExpect: 100-continue"),
        .taken("GET", "/", where: { !$0.expectsContinue })),
      .init("RFC 9110 15.5.18", posting("Content-Length: 2\r\nExpect: 200-ok"), .refused(417)),
      .init("RFC 9110 15.5.18", posting("Content-Length: 2\r\nExpect: 100-continue, x"), .refused(417)),
      .init("RFC 9110 15.5.18", posting("Content-Length: 2\r\nExpect: 100-continue\r\nExpect: x"), .refused(417)),
      .init("RFC 9110 15.5.18", posting("Content-Length: 2\r\nExpect: 100-continue;a=b"), .refused(417)),
    ])
  }
}
