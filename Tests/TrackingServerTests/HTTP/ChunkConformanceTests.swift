import XCTest

@testable import TrackingServer

final class ChunkConformanceTests: XCTestCase {
  private func chunked(_ body: String) -> String {
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
  }

  private func taken(_ body: String) -> ConformanceRow.Outcome { .taken("POST", "/", body: body) }

  func testSizes() {
    let ten = "0123456789"
    verify([
      .init("RFC 9112 7.1", chunked("0\r\n\r\n"), taken("")),
      .init("RFC 9112 7.1", chunked("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n"), taken("abc")),
      .init("RFC 9112 7.1: hexadecimal", chunked("a\r\n\(ten)\r\n0\r\n\r\n"), taken(ten)),
      .init("RFC 9112 7.1: hexadecimal", chunked("A\r\n\(ten)\r\n0\r\n\r\n"), taken(ten)),
      .init("RFC 9112 7.1: hexadecimal", chunked("14\r\n\(ten + ten)\r\n0\r\n\r\n"), taken(ten + ten)),
      .init("RFC 9112 7.1: last-chunk = 1*0", chunked("000\r\n\r\n"), taken("")),
      .init("RFC 9112 7.1: leading zeros", chunked("000000000000000a\r\n\(ten)\r\n0\r\n\r\n"), taken(ten)),
      .init(
        "RFC 9112 7.1: data that looks like framing", chunked("7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n"), taken("0\r\n\r\n\r\n")
      ),
      .init("RFC 9112 7.1: too many digits", chunked("00000000000000001\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: overflow", chunked("10000000000000001\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: overflow", chunked("ffffffffffffffff\r\na\r\n0\r\n\r\n"), .refused(413)),
      .init("RFC 9112 7.1: overflow", chunked("8000000000000000\r\na\r\n0\r\n\r\n"), .refused(413)),
      .init(
        "RFC 9112 7.1: overflow of the sum", chunked("1\r\na\r\n7fffffffffffffff\r\nb\r\n0\r\n\r\n"), .refused(413)),
      .init("RFC 9112 7.1: empty", chunked("\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: not a digit", chunked("g\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: prefix", chunked("0x1\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: suffix", chunked("1h\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: signed", chunked("+1\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: signed", chunked("-1\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: signed", chunked("-0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: grouped", chunked("0_1\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: leading space", chunked(" 1\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: trailing space", chunked("1 \r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: inner space", chunked("1 0\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: NUL", chunked("1\u{00}\r\na\r\n0\r\n\r\n"), .refused(400)),
    ])
  }

  func testLineEnds() {
    verify([
      .init("RFC 9112 7.1: bare LF behind a size", chunked("1\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: bare CR behind a size", chunked("1\ra\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: two CR behind a size", chunked("1\r\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: bare LF behind data", chunked("1\r\na\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: bare CR behind data", chunked("1\r\na\r0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: CR and no LF behind data", chunked("1\r\na\rX0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: no CR and LF behind data", chunked("1\r\naX\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: nothing behind data", chunked("1\r\na0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: more data than its size", chunked("1\r\nab\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: less data than its size", chunked("3\r\na\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1: bare LF at the end", chunked("0\r\n\n"), .refused(400)),
      .init("RFC 9112 7.1: bare LF at the end", chunked("0\n\n"), .refused(400)),
      .init("RFC 9112 8: unfinished", chunked("1\r\na\r\n0\r\n\r"), .open),
      .init("RFC 9112 8: unfinished", chunked("1\r\na\r"), .open),
      .init("RFC 9112 8: unfinished", chunked("5\r\nhel"), .open),
    ])
  }

  func testExtensions() {
    verify([
      .init("RFC 9112 7.1.1", chunked("1;a\r\nx\r\n0\r\n\r\n"), taken("x")),
      .init("RFC 9112 7.1.1", chunked("1;a=b\r\nx\r\n0;c\r\n\r\n"), taken("x")),
      .init("RFC 9112 7.1.1", chunked("1;a=b;c;d=\"e\"\r\nx\r\n0\r\n\r\n"), taken("x")),
      .init("RFC 9112 7.1.1: quoted", chunked("1;a=\"; \\\"b\\\\\t\u{E4}\"\r\nx\r\n0\r\n\r\n"), taken("x")),
      .init("RFC 9112 7.1.1: quoted", chunked("1;a=\"\"\r\nx\r\n0\r\n\r\n"), taken("x")),
      .init("RFC 9112 7.1.1: BWS", chunked("1 ;\ta = b ; c\r\nx\r\n0\r\n\r\n"), taken("x")),
      .init("RFC 9112 7.1.1: BWS ends nothing", chunked("1;a \r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: BWS ends nothing", chunked("1;a=b \r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: no name", chunked("1;\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: no name", chunked("1;;a\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: no name", chunked("1;=b\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: no value", chunked("1;a=\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: no value", chunked("1;a=;b\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: two values", chunked("1;a=b c\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: two values", chunked("1;a=\"b\"c\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: open quote", chunked("1;a=\"b\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: open quote", chunked("1;a=\"b\\\"\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: open quote", chunked("1;a=\"\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: bare LF", chunked("1;a\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: bare LF in quotes", chunked("1;a=\"\n\"\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: bare CR", chunked("1;a\rb\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: CR in quotes", chunked("1;a=\"\r\"\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: NUL", chunked("1;a\u{00}\r\nx\r\n0\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.1: no semicolon", chunked("1,a\r\nx\r\n0\r\n\r\n"), .refused(400)),
    ])
  }

  func testTrailers() {
    verify([
      .init(
        "RFC 9112 7.1.2: dropped", chunked("1\r\na\r\n0\r\nX: y\r\nZ:\r\n\r\n"),
        .taken("POST", "/", body: "a", where: { $0.fields == ["Host: a", "Transfer-Encoding: chunked"] })),
      .init(
        "RFC 9110 6.5.1: no framing from trailers", chunked("1\r\na\r\n0\r\nContent-Length: 5\r\nHost: b\r\n\r\n"),
        .taken("POST", "/", body: "a", where: { $0.host == "a" })),
      .init(
        "RFC 9110 6.5.1: no framing from trailers", chunked("1\r\na\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        taken("a")),
      .init(
        "RFC 9110 6.5.1: no connection options from trailers", chunked("1\r\na\r\n0\r\nConnection: close\r\n\r\n"),
        .taken("POST", "/", body: "a", where: { $0.keepsAlive })),
      .init("RFC 9112 7.1.2: folded", chunked("0\r\nX: y\r\n z\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: folded before the first", chunked("0\r\n\tX: y\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: no colon", chunked("0\r\nX\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: no colon", chunked("0\r\nGET / HTTP/1.1\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: no name", chunked("0\r\n: y\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: before the colon", chunked("0\r\nX : y\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: bare LF", chunked("0\r\nX: y\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: bare CR", chunked("0\r\nX: y\rz\r\n\r\n"), .refused(400)),
      .init("RFC 9112 7.1.2: NUL", chunked("0\r\nX: \u{00}\r\n\r\n"), .refused(400)),
    ])
  }
}
