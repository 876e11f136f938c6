import XCTest

@testable import TrackingServer

final class TargetConformanceTests: XCTestCase {
  private func request(_ target: String, method: String = "GET", host: String = "a") -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
  }

  func testOriginForm() {
    verify([
      .init("RFC 9112 3.2.1", request("/"), .taken("GET", "/", where: { $0.form == .origin && $0.query == nil })),
      .init(
        "RFC 9112 3.2.1", request("/a/b.c?d=e&f"),
        .taken("GET", "/a/b.c?d=e&f", where: { $0.path == "/a/b.c" && $0.query == "d=e&f" })),
      .init("RFC 9112 3.2.1", request("/?"), .taken("GET", "/?", where: { $0.path == "/" && $0.query == "" })),
      .init("RFC 3986 3.4", request("/?a?b/c"), .taken("GET", "/?a?b/c", where: { $0.query == "a?b/c" })),
      .init("RFC 3986 3.3: empty segments", request("//b/"), .taken("GET", "//b/", where: { $0.path == "//b/" })),
      .init(
        "RFC 3986 3.3: an authority isn't a host here", request("//b/"),
        .taken("GET", "//b/", where: { $0.host == "a" })),
      .init("RFC 3986 3.3", request("/-._~!$&'()*+,;=:@"), .taken("GET", "/-._~!$&'()*+,;=:@")),
      .init("as clients send it", request("/?a[b]={c}|^`"), .taken("GET", "/?a[b]={c}|^`")),
      .init("RFC 9112 3.2.1: a slash first", request("a"), .refused(400)),
      .init("RFC 9112 3.2.1: a slash first", request("?a"), .refused(400)),
      .init("RFC 9112 3.2.1: a slash first", request("localhost/a"), .refused(400)),
    ])
  }

  func testPercentEncoding() {
    verify([
      .init(
        "RFC 3986 2.1", request("/%41%e4%C3?%00"), .taken("GET", "/%41%e4%C3?%00", where: { $0.path == "/%41%e4%C3" })),
      .init("RFC 3986 2.1", request("/%"), .refused(400)),
      .init("RFC 3986 2.1", request("/%4"), .refused(400)),
      .init("RFC 3986 2.1", request("/%4g"), .refused(400)),
      .init("RFC 3986 2.1", request("/%g4"), .refused(400)),
      .init("RFC 3986 2.1", request("/%%41"), .refused(400)),
      .init("RFC 3986 2.1", request("/%u0041"), .refused(400)),
      .init("RFC 3986 2.1", request("/?%2"), .refused(400)),
      .init("RFC 3986 2.1", request("/%-1"), .refused(400)),
      .init(
        "RFC 3986 2.1: in absolute form", request("http://b%41/%2F?%25"),
        .taken(
          "GET", "http://b%41/%2F?%25", where: { $0.host == "b%41" && $0.path == "/%2F" && $0.query == "%25" })),
      .init("RFC 3986 2.1: in absolute form", request("http://b/%4"), .refused(400)),
      .init("RFC 3986 2.1: in absolute form", request("http://b%4/"), .refused(400)),
      .init("RFC 3986 2.1: in absolute form", request("http://b/?%zz"), .refused(400)),
      .init("RFC 3986 2.1: no separator by encoding", request("http:%2F%2Fb/"), .refused(400)),
    ])
  }

  func testForbiddenBytes() {
    verify([
      .init("RFC 9112 3.2: no fragment", request("/#a"), .refused(400)),
      .init("RFC 9112 3.2: no fragment", request("/?a#b"), .refused(400)),
      .init("RFC 3986 2: ASCII", request("/\u{E4}"), .refused(400)),
      .init("RFC 3986 2: ASCII", request("/\u{80}"), .refused(400)),
      .init("RFC 3986 2: no controls", request("/\u{00}"), .refused(400)),
      .init("RFC 3986 2: no controls", request("/\u{01}"), .refused(400)),
      .init("RFC 3986 2: no controls", request("/\u{1F}"), .refused(400)),
      .init("RFC 3986 2: no controls", request("/\u{7F}"), .refused(400)),
      .init("RFC 3986 2: no backslash", request("/\\b"), .refused(400)),
      .init("RFC 3986 2", request("/\"b\""), .refused(400)),
      .init("RFC 3986 2", request("/<b>"), .refused(400)),
    ])
  }

  func testAbsoluteForm() {
    verify([
      .init(
        "RFC 9112 3.2.2: goes before Host", request("http://b:81/c?d"),
        .taken(
          "GET", "http://b:81/c?d", where: { $0.host == "b" && $0.port == 81 && $0.path == "/c" && $0.query == "d" })),
      .init("RFC 9110 4.2.3: empty path", request("http://b"), .taken("GET", "http://b", where: { $0.path == "/" })),
      .init(
        "RFC 9110 4.2.3: empty path", request("http://b?c"),
        .taken("GET", "http://b?c", where: { $0.path == "/" && $0.query == "c" })),
      .init(
        "RFC 3986 3.1: scheme in any case", request("HtTp://b/"), .taken("GET", "HtTp://b/", where: { $0.host == "b" })),
      .init(
        "RFC 9112 3.2.2", request("http://[::1]:8080/"),
        .taken("GET", "http://[::1]:8080/", where: { $0.form == .absolute && $0.host == "[::1]" && $0.port == 8080 })),
      .init("RFC 9112 3.2: Host all the same", "GET http://b/ HTTP/1.1\r\n\r\n", .refused(400)),
      .init("RFC 9112 3.2: Host all the same", request("http://b/", host: "a b"), .refused(400)),
      .init(
        "RFC 9112 3.2.2: in 1.0", "GET http://b/ HTTP/1.0\r\n\r\n",
        .taken("GET", "http://b/", where: { $0.host == "b" })),
      .init("RFC 9110 4.2.1: no host", request("http:///a"), .refused(400)),
      .init("RFC 9110 4.2.1: no host", request("http://"), .refused(400)),
      .init("RFC 9110 4.2.1: no host", request("http://:80/"), .refused(400)),
      .init("RFC 9110 4.2.4: user information", request("http://u@b/"), .refused(400)),
      .init("RFC 9110 4.2.4: user information", request("http://u:p@b/"), .refused(400)),
      .init("RFC 3986 3.2.3: port", request("http://b:x/"), .refused(400)),
      .init("RFC 3986 3.2.3: port", request("http://b:65536/"), .refused(400)),
      .init("RFC 9112 3.2.2: no other scheme", request("https://b/"), .refused(400)),
      .init("RFC 9112 3.2.2: no other scheme", request("ftp://b/"), .refused(400)),
      .init("RFC 9112 3.2.2", request("http:/b"), .refused(400)),
      .init("RFC 9112 3.2.2", request("http:b"), .refused(400)),
    ])
  }

  func testAsteriskForm() {
    verify([
      .init("RFC 9112 3.2.4", request("*", method: "OPTIONS"), .taken("OPTIONS", "*", where: { $0.form == .asterisk })),
      .init("RFC 9112 3.2.4: a path is fine too", request("/", method: "OPTIONS"), .taken("OPTIONS", "/")),
      .init("RFC 9112 3.2.4: OPTIONS only", request("*"), .refused(400)),
      .init("RFC 9112 3.2.4: OPTIONS only", request("*", method: "POST"), .refused(400)),
      .init("RFC 9112 3.2.4", request("*a", method: "OPTIONS"), .refused(400)),
      .init("RFC 9112 3.2.4", request("*?a", method: "OPTIONS"), .refused(400)),
      .init("RFC 9112 3.2.4", request("**", method: "OPTIONS"), .refused(400)),
    ])
  }

  func testAuthorityForm() {
    verify([
      .init(
        "RFC 9112 3.2.3", request("b:443", method: "CONNECT"),
        .taken(
          "CONNECT", "b:443", where: { $0.form == .authority && $0.host == "b" && $0.port == 443 && $0.path == "" })),
      .init("RFC 9112 3.2.3", request("[::1]:443", method: "CONNECT"), .taken("CONNECT", "[::1]:443")),
      .init("RFC 9112 3.2.3: CONNECT only", request("b:443"), .refused(400)),
      .init("RFC 9110 9.3.6: port", request("b", method: "CONNECT"), .refused(400)),
      .init("RFC 9110 9.3.6: port", request("b:", method: "CONNECT"), .refused(400)),
      .init("RFC 9110 9.3.6: port", request("b:99999", method: "CONNECT"), .refused(400)),
      .init("RFC 9112 3.2.3: nothing else", request("/", method: "CONNECT"), .refused(400)),
      .init("RFC 9112 3.2.3: nothing else", request("http://b:80/", method: "CONNECT"), .refused(400)),
      .init("RFC 9112 3.2.3: nothing else", request("*", method: "CONNECT"), .refused(400)),
    ])
  }
}
