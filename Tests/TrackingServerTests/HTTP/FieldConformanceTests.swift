import XCTest

@testable import TrackingServer

final class FieldConformanceTests: XCTestCase {
  private func request(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n" }

  private func isLast(_ field: String) -> (Transcript.Request) -> Bool {
    { $0.fields == ["Host: a", field] }
  }

  func testNames() {
    verify([
      .init("RFC 9112 5", request("X-Y: z"), .taken("GET", "/", where: isLast("X-Y: z"))),
      .init(
        "RFC 9110 5.6.2", request("!#$%&'*+-.^_`|~0aZ: z"), .taken("GET", "/", where: isLast("!#$%&'*+-.^_`|~0aZ: z"))),
      .init("RFC 9112 5: no colon", request("X"), .refused(400)),
      .init("RFC 9112 5: no colon", request("X z"), .refused(400)),
      .init("RFC 9112 5: empty name", request(": z"), .refused(400)),
      .init("RFC 9110 5.1: token", request("X(Y): z"), .refused(400)),
      .init("RFC 9110 5.1: token", request("X/Y: z"), .refused(400)),
      .init("RFC 9110 5.1: token", request("X\u{E4}: z"), .refused(400)),
      .init("RFC 9110 5.1: token", request("X\u{00}: z"), .refused(400)),
      .init("RFC 9110 5.1: token", request("\"X\": z"), .refused(400)),
      .init("RFC 9110 5.1: token", request("X\u{0B}: z"), .refused(400)),
    ])
  }

  func testWhitespaceBeforeTheColon() {
    verify([
      .init("RFC 9112 5.1", request("X : z"), .refused(400)),
      .init("RFC 9112 5.1", request("X\t: z"), .refused(400)),
      .init("RFC 9112 5.1", request("Content-Length : 0"), .refused(400)),
      .init("RFC 9112 5.1", request("Transfer-Encoding : chunked"), .refused(400)),
      .init("RFC 9112 5.1", request("X Y: z"), .refused(400)),
    ])
  }

  func testFolding() {
    verify([
      .init("RFC 9112 5.2", request("X: y\r\n z"), .refused(400)),
      .init("RFC 9112 5.2", request("X: y\r\n\tz"), .refused(400)),
      .init("RFC 9112 5.2", request("X:\r\n y"), .refused(400)),
      .init("RFC 9112 5.2", request("X: y\r\n "), .refused(400)),
      .init("RFC 9112 5.2: looks like a field", request("X: y\r\n Content-Length: 5"), .refused(400)),
      .init("RFC 9112 2.2: before the first field", "GET / HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n", .refused(400)),
    ])
  }

  func testValues() {
    verify([
      .init("RFC 9112 5.1: OWS", request("X:z"), .taken("GET", "/", where: isLast("X: z"))),
      .init("RFC 9112 5.1: OWS", request("X: \t z \t"), .taken("GET", "/", where: isLast("X: z"))),
      .init("RFC 9112 5.1: OWS", request("X: y \t z"), .taken("GET", "/", where: isLast("X: y \t z"))),
      .init("RFC 9110 5.5: empty", request("X:"), .taken("GET", "/", where: isLast("X: "))),
      .init("RFC 9110 5.5: empty", request("X: \t "), .taken("GET", "/", where: isLast("X: "))),
      .init("RFC 9110 5.5: colons", request("X: a:b"), .taken("GET", "/", where: isLast("X: a:b"))),
      .init("RFC 9110 5.5: obs-text", request("X: \u{C3}\u{A4}"), .taken("GET", "/", where: isLast("X: ä"))),
      .init("RFC 9110 5.5: obs-text", request("X: \u{80}\u{FF}"), .taken("GET", "/")),
      .init("RFC 9110 5.5: NUL", request("X: a\u{00}b"), .refused(400)),
      .init("RFC 9110 5.5: bare CR", request("X: a\rb"), .refused(400)),
      .init("RFC 9110 5.5: bare LF", request("X: a\nb"), .refused(400)),
      .init("RFC 9110 5.5: bare LF", request("X: a\nContent-Length: 5"), .refused(400)),
      .init("RFC 9110 5.5: controls", request("X: \u{01}"), .refused(400)),
      .init("RFC 9110 5.5: controls", request("X: a\u{1F}"), .refused(400)),
      .init("RFC 9110 5.5: controls", request("X: a\u{7F}b"), .refused(400)),
      .init("RFC 9110 5.5: controls", request("X: \u{0B}chunked"), .refused(400)),
      .init("RFC 9110 5.5: in a long value", request("X: \(String(repeating: "a", count: 100))\u{08}b"), .refused(400)),
    ])
  }

  func testLineEnds() {
    verify([
      .init("RFC 9112 2.2: bare LF ends nothing", "GET / HTTP/1.1\r\nHost: a\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: bare LF ends no head", "GET / HTTP/1.1\r\nHost: a\r\n\n", .refused(400)),
      .init("RFC 9112 2.2: bare CR ends no head", "GET / HTTP/1.1\r\nHost: a\r\n\rX: y\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.2: two CR", "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", .refused(400)),
      .init("RFC 9112 2.1: unfinished", "GET / HTTP/1.1\r\nHost: a\r\n\r", .open),
    ])
  }

  func testFieldsThatStandOnce() {
    verify([
      .init(
        "RFC 9110 5.3", request("X: y\r\nX: z"),
        .taken("GET", "/", where: { $0.fields == ["Host: a", "X: y", "X: z"] })),
      .init("RFC 9110 5.3", request("Content-Type: a/b\r\nContent-Type: a/b"), .refused(400)),
      .init("RFC 9110 5.3", request("Content-Type: a/b\r\ncontent-type: c/d"), .refused(400)),
      .init("RFC 9110 5.3", request("Origin: null\r\nOrigin: null"), .refused(400)),
      .init("RFC 9110 5.3", request("Content-Encoding: identity\r\nContent-Encoding: gzip"), .refused(400)),
      .init("RFC 9110 5.3", request("Tracking-Session: a\r\nTracking-Session: b"), .refused(400)),
      .init("RFC 9110 5.3", request("Tracking-Launch: a\r\nTracking-Launch: a"), .refused(400)),
      .init("RFC 9110 5.3", request("Tracking-Sequence: 1\r\nTracking-Sequence: 2"), .refused(400)),
    ])
  }
}
