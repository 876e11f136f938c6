import XCTest

@testable import TrackingServer

final class RequestLineConformanceTests: XCTestCase {
  private func line(_ line: String) -> String { "\(line)\r\nHost: a\r\n\r\n" }

  func testMethods() {
    verify([
      .init("RFC 9110 9.3", line("GET / HTTP/1.1"), .taken("GET", "/")),
      .init("RFC 9110 9.3", line("HEAD / HTTP/1.1"), .taken("HEAD", "/")),
      .init("RFC 9110 9.3", line("POST / HTTP/1.1"), .taken("POST", "/", where: { $0.framing == .none })),
      .init("RFC 9110 9.3", line("PUT / HTTP/1.1"), .taken("PUT", "/")),
      .init("RFC 9110 9.3", line("DELETE / HTTP/1.1"), .taken("DELETE", "/")),
      .init("RFC 9110 9.3", line("TRACE / HTTP/1.1"), .taken("TRACE", "/")),
      .init("RFC 5789 2", line("PATCH / HTTP/1.1"), .taken("PATCH", "/")),
      .init("RFC 9110 9.1: any token", line("M-SEARCH / HTTP/1.1"), .taken("M-SEARCH", "/")),
      .init("RFC 9110 5.6.2", line("!#$%&'*+-.^_`|~09azAZ / HTTP/1.1"), .taken("!#$%&'*+-.^_`|~09azAZ", "/")),
      .init("RFC 9110 9.1: case-sensitive", line("get / HTTP/1.1"), .taken("get", "/")),
      .init("RFC 9112 3.1: token", line("G(T / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3.1: token", line("GE:T / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3.1: token", line("GET\u{00} / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3.1: token", line("G\u{C9}T / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3.1: not empty", line(" / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3.1: not empty", line("/ HTTP/1.1"), .refused(400)),
    ])
  }

  func testSpaces() {
    verify([
      .init("RFC 9112 3: single SP", line("GET  / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: single SP", line("GET /  HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: single SP", line("GET\t/ HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: single SP", line("GET /\tHTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: nothing before", line(" GET / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: nothing behind", line("GET / HTTP/1.1 "), .refused(400)),
      .init("RFC 9112 3: nothing behind", line("GET / HTTP/1.1\t"), .refused(400)),
      .init("RFC 9112 3: no space in a target", line("GET /a b HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: only SP", line("GET\u{0B}/\u{0B}HTTP/1.1"), .refused(400)),
      .init("RFC 9112 3: only SP", line("GET\u{A0}/ HTTP/1.1"), .refused(400)),
    ])
  }

  func testVersions() {
    verify([
      .init("RFC 9112 2.3", line("GET / HTTP/1.1"), .taken("GET", "/", where: { $0.version == .http11 })),
      .init("RFC 9112 2.3", line("GET / HTTP/1.0"), .taken("GET", "/", where: { $0.version == .http10 })),
      .init("RFC 9110 2.5: later minor", line("GET / HTTP/1.2"), .taken("GET", "/", where: { $0.version == .http11 })),
      .init("RFC 9110 2.5: later minor", line("GET / HTTP/1.9"), .taken("GET", "/", where: { $0.version == .http11 })),
      .init("RFC 9110 15.6.6", line("GET / HTTP/2.0"), .refused(505)),
      .init("RFC 9110 15.6.6", line("GET / HTTP/3.0"), .refused(505)),
      .init("RFC 9110 15.6.6", line("GET / HTTP/0.9"), .refused(505)),
      .init("RFC 9113 3.4: preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refused(505)),
      .init("RFC 1945 3.1: HTTP/0.9", "GET /\r\n", .refused(400)),
      .init("RFC 1945 3.1: HTTP/0.9", "GET / \r\n", .refused(400)),
      .init("RFC 9112 2.3: one digit", line("GET / HTTP/1.10"), .refused(400)),
      .init("RFC 9112 2.3: one digit", line("GET / HTTP/01.1"), .refused(400)),
      .init("RFC 9112 2.3: two numbers", line("GET / HTTP/2"), .refused(400)),
      .init("RFC 9112 2.3: two numbers", line("GET / HTTP/1."), .refused(400)),
      .init("RFC 9112 2.3: case-sensitive", line("GET / http/1.1"), .refused(400)),
      .init("RFC 9112 2.3", line("GET / HTTP/1,1"), .refused(400)),
      .init("RFC 9112 2.3", line("GET / HTTP/A.1"), .refused(400)),
      .init("RFC 9112 2.3", line("GET / HTTP/1.A"), .refused(400)),
      .init("RFC 9112 2.3", line("GET / HTTPS/1.1"), .refused(400)),
      .init("RFC 9112 2.3", line("GET / ICY/1.1"), .refused(400)),
      .init("RFC 9112 2.3", line("GET / HTTP /1.1"), .refused(400)),
    ])
  }

  func testEmptyLinesBeforeTheRequest() {
    verify([
      .init("RFC 9112 2.2: one is ignored", "\r\n" + line("GET / HTTP/1.1"), .taken("GET", "/")),
      .init("RFC 9112 2.2: bounded", "\r\n\r\n" + line("GET / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 2.2: bare LF", "\n" + line("GET / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 2.2: bare CR", "\r" + line("GET / HTTP/1.1"), .refused(400)),
      .init("RFC 9112 2.2: a lone CR says nothing yet", "\r", .open),
    ])
  }

  func testLineEnds() {
    verify([
      .init("RFC 9112 2.2: bare LF", "GET / HTTP/1.1\nHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: bare CR", "GET / HTTP/1.1\rHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: bare CR", "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: two CR", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: NUL", "GET / HTTP/1.1\u{00}\r\nHost: a\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: all bare LF", "GET / HTTP/1.1\nHost: a\n\n", .refused(400)),
      .init("RFC 8446 5.1: TLS", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}\u{00}\u{01}\u{FC}\u{03}\u{03}", .refused(400)),
      .init("RFC 9112 3: not a method", "{\"name\": \"x\"}", .refused(400)),
      .init("RFC 9112 3: unfinished", "GET / HTT", .open),
    ])
  }
}
