import XCTest

@testable import TrackingServer

final class HostConformanceTests: XCTestCase {
  private func request(_ host: String) -> String { "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n" }

  private func named(_ host: String, _ port: Int? = nil) -> ConformanceRow.Outcome {
    .taken("GET", "/", where: { $0.host == host && $0.port == port })
  }

  func testPresence() {
    verify([
      .init("RFC 9112 3.2: missing", "GET / HTTP/1.1\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: missing", "GET / HTTP/1.1\r\nX-Host: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: doubled", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: doubled", "GET / HTTP/1.1\r\nHost: a\r\nhOsT: b\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: doubled", "GET / HTTP/1.1\r\nHost:\r\nHost:\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: in 1.0", "GET / HTTP/1.0\r\n\r\n", .taken("GET", "/", where: { $0.host == nil })),
      .init("RFC 9112 3.2: doubled in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: malformed in 1.0", "GET / HTTP/1.0\r\nHost: a b\r\n\r\n", .refused(400)),
    ])
  }

  func testNames() {
    verify([
      .init("RFC 9110 7.2", request("localhost"), named("localhost")),
      .init("RFC 9110 7.2", request("localhost:8080"), named("localhost", 8080)),
      .init("RFC 9110 7.2: any case", "GET / HTTP/1.1\r\nHOST: LocalHost\r\n\r\n", named("LocalHost")),
      .init("RFC 9110 7.2", request("127.0.0.1:50123"), named("127.0.0.1", 50123)),
      .init("RFC 9112 3.2: empty", request(""), named("")),
      .init("RFC 3986 3.2.2: reg-name", request("a-b.c_d~e!$&'()*+;=:1"), named("a-b.c_d~e!$&'()*+;=", 1)),
      .init("RFC 3986 3.2.2: reg-name", request("a%20b"), named("a%20b")),
      .init("RFC 3986 3.2.2: reg-name", request("a%2"), .refused(400)),
      .init("RFC 3986 3.2.2: reg-name", request("a%zz"), .refused(400)),
      .init("RFC 3986 3.2.2: reg-name", request("a b"), .refused(400)),
      .init("RFC 3986 3.2.2: reg-name", request("a\tb"), .refused(400)),
      .init("RFC 9110 7.2: no list", request("a, b"), .refused(400)),
      .init("RFC 9110 7.2: no list", request("a,b"), .refused(400)),
      .init("RFC 9110 7.2: no URL", request("http://a"), .refused(400)),
      .init("RFC 9110 7.2: no path", request("a/b"), .refused(400)),
      .init("RFC 9110 7.2: no query", request("a?b"), .refused(400)),
      .init("RFC 9110 7.2: no fragment", request("a#b"), .refused(400)),
      .init("RFC 9110 7.2: no backslash", request("a\\b"), .refused(400)),
      .init("RFC 9110 7.2: ASCII", request("\u{E4}"), .refused(400)),
      .init("RFC 9110 5.5: NUL", request("a\u{00}"), .refused(400)),
      .init("RFC 9110 5.5: bare CR", request("a\rb"), .refused(400)),
      .init("RFC 9110 5.5: bare LF", request("a\nb"), .refused(400)),
      .init("RFC 9112 5.2: folded", request("a\r\n b"), .refused(400)),
      .init("RFC 9112 5.1: before the colon", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", .refused(400)),
      .init("RFC 9110 4.2.4: user information", request("u@a"), .refused(400)),
      .init("RFC 9110 4.2.4: user information", request("u:p@a"), .refused(400)),
    ])
  }

  func testPorts() {
    verify([
      .init("RFC 3986 3.2.3", request("a:65535"), named("a", 65_535)),
      .init("RFC 3986 3.2.3", request("a:00080"), named("a", 80)),
      .init("RFC 3986 3.2.3: empty", request("a:"), named("a")),
      .init("RFC 3986 3.2.3: above 16 bits", request("a:65536"), .refused(400)),
      .init("RFC 3986 3.2.3: far above", request("a:99999999999999999999999"), .refused(400)),
      .init("RFC 3986 3.2.3", request("a:b"), .refused(400)),
      .init("RFC 3986 3.2.3", request("a:-1"), .refused(400)),
      .init("RFC 3986 3.2.3", request("a:+1"), .refused(400)),
      .init("RFC 3986 3.2.3", request("a:1:2"), .refused(400)),
      .init("RFC 3986 3.2.3", request("a: 1"), .refused(400)),
      .init("RFC 9110 4.2.1: no host", request(":80"), .refused(400)),
    ])
  }

  func testAddressLiterals() {
    verify([
      .init("RFC 3986 3.2.2", request("[::1]"), named("[::1]")),
      .init("RFC 3986 3.2.2", request("[::1]:80"), named("[::1]", 80)),
      .init("RFC 3986 3.2.2", request("[::]"), named("[::]")),
      .init("RFC 3986 3.2.2", request("[1::]"), named("[1::]")),
      .init("RFC 3986 3.2.2", request("[1:2:3:4:5:6:7:8]"), named("[1:2:3:4:5:6:7:8]")),
      .init("RFC 3986 3.2.2", request("[FE80:0:0:0:abcd::9]"), named("[FE80:0:0:0:abcd::9]")),
      .init("RFC 3986 3.2.2", request("[1:2:3:4:5:6:7::]"), named("[1:2:3:4:5:6:7::]")),
      .init("RFC 3986 3.2.2: IPv4 part", request("[::ffff:127.0.0.1]"), named("[::ffff:127.0.0.1]")),
      .init("RFC 3986 3.2.2: IPv4 part", request("[1:2:3:4:5:6:1.2.3.4]"), named("[1:2:3:4:5:6:1.2.3.4]")),
      .init("RFC 3986 3.2.2: IPv4 part", request("[::1.2.3]"), .refused(400)),
      .init("RFC 3986 3.2.2: IPv4 part", request("[::1.2.3.256]"), .refused(400)),
      .init("RFC 3986 3.2.2: IPv4 part", request("[::01.2.3.4]"), .refused(400)),
      .init("RFC 3986 3.2.2: IPv4 part", request("[::1.2.3.4:5]"), .refused(400)),
      .init("RFC 3986 3.2.2: IPv4 part", request("[1:2:3:4:5:6:7:1.2.3.4]"), .refused(400)),
      .init("RFC 3986 3.2.2: IPv4 part", request("[127.0.0.1]"), .refused(400)),
      .init("RFC 3986 3.2.2: eight groups", request("[1:2:3:4:5:6:7]"), .refused(400)),
      .init("RFC 3986 3.2.2: eight groups", request("[1:2:3:4:5:6:7:8:9]"), .refused(400)),
      .init("RFC 3986 3.2.2: eight groups", request("[1:2:3:4::5:6:7:8]"), .refused(400)),
      .init("RFC 3986 3.2.2: one run", request("[1::2::3]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[:::]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[:1]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[1:]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[::1:]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[1:2:3:4:5:6:7:8:]"), .refused(400)),
      .init("RFC 3986 3.2.2: four digits", request("[::12345]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[::g]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[]"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[::1"), .refused(400)),
      .init("RFC 3986 3.2.2", request("::1"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[::1]80"), .refused(400)),
      .init("RFC 3986 3.2.2", request("[::1]]"), .refused(400)),
      .init("RFC 3986 3.2.2: IPvFuture", request("[v1.a]"), .refused(400)),
      .init("RFC 6874 2: zone", request("[fe80::1%25lo]"), .refused(400)),
      .init("RFC 6874 2: zone", request("[fe80::1%lo]"), .refused(400)),
    ])
  }
}
