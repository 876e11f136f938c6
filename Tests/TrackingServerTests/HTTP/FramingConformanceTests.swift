import XCTest

@testable import TrackingServer

final class FramingConformanceTests: XCTestCase {
  private func request(_ lines: String, body: String = "", version: String = "1.1") -> String {
    "POST / HTTP/\(version)\r\nHost: a\r\n\(lines)\r\n\r\n\(body)"
  }

  func testContentLength() {
    verify([
      .init("RFC 9112 6.2", request("Content-Length: 5", body: "hello"), .taken("POST", "/", body: "hello")),
      .init("RFC 9112 6.2", request("content-length:5", body: "hello"), .taken("POST", "/", body: "hello")),
      .init("RFC 9112 6.2", request("Content-Length: 0"), .taken("POST", "/", where: { $0.framing == .length(0) })),
      .init(
        "RFC 9110 8.6: 1*DIGIT", request("Content-Length: 0005", body: "hello"), .taken("POST", "/", body: "hello")),
      .init(
        "RFC 9112 6.2: in 1.0", request("Content-Length: 2", body: "ab", version: "1.0"),
        .taken("POST", "/", body: "ab")),
      .init(
        "RFC 9112 6.2: any byte", request("Content-Length: 4", body: "\r\n\r\n"), .taken("POST", "/", body: "\r\n\r\n")),
      .init("RFC 9112 6.3: no framing, no body", request("X: y"), .taken("POST", "/", where: { $0.framing == .none })),
      .init("RFC 9112 6.3: unfinished", request("Content-Length: 5", body: "hell"), .open),
      .init(
        "RFC 9110 9.3.1: GET with a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
        .taken("GET", "/", body: "ab")),
      .init(
        "RFC 9110 9.3.2: HEAD with a body", "HEAD / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab",
        .taken("HEAD", "/", body: "ab")),
    ])
  }

  func testMalformedContentLength() {
    verify([
      .init("RFC 9110 8.6: empty", request("Content-Length:", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: signed", request("Content-Length: +5", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: signed", request("Content-Length: -5", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: signed", request("Content-Length: -0"), .refused(400)),
      .init("RFC 9110 8.6: hexadecimal", request("Content-Length: 0x5", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: hexadecimal", request("Content-Length: a", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: spaced", request("Content-Length: 1 0", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: fraction", request("Content-Length: 5.0", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: exponent", request("Content-Length: 5e0", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: grouped", request("Content-Length: 1_0", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: quoted", request("Content-Length: \"5\"", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: not ASCII", request("Content-Length: \u{B2}", body: "hello"), .refused(400)),
      .init("RFC 9112 6.3: list", request("Content-Length: 5, 5", body: "hello"), .refused(400)),
      .init("RFC 9112 6.3: list", request("Content-Length: 5,", body: "hello"), .refused(400)),
      .init("RFC 9112 6.3: list", request("Content-Length: 5;5", body: "hello"), .refused(400)),
      .init("RFC 9112 6.3: doubled", request("Content-Length: 5\r\nContent-Length: 5", body: "hello"), .refused(400)),
      .init(
        "RFC 9112 6.3: conflicting", request("Content-Length: 5\r\nContent-Length: 6", body: "hello"), .refused(400)),
      .init("RFC 9112 6.3: doubled", request("Content-Length: 0\r\ncontent-length: 5", body: "hello"), .refused(400)),
      .init("RFC 9110 8.6: overflow", request("Content-Length: 9223372036854775807"), .refused(413)),
      .init("RFC 9110 8.6: overflow", request("Content-Length: 9223372036854775808"), .refused(413)),
      .init("RFC 9110 8.6: overflow", request("Content-Length: 18446744073709551621", body: "hello"), .refused(413)),
      .init("RFC 9110 8.6: overflow", request("Content-Length: \(String(repeating: "9", count: 60))"), .refused(413)),
      .init("RFC 9110 8.6: overflow", request("Content-Length: \(String(repeating: "9", count: 60))x"), .refused(400)),
    ])
  }

  func testTransferEncoding() {
    let end = "5\r\nhello\r\n0\r\n\r\n"
    verify([
      .init("RFC 9112 6.1", request("Transfer-Encoding: chunked", body: end), .taken("POST", "/", body: "hello")),
      .init(
        "RFC 9112 7: any case", request("TRANSFER-ENCODING: cHuNkEd", body: end), .taken("POST", "/", body: "hello")),
      .init(
        "RFC 9110 5.5: OWS", request("Transfer-Encoding:\tchunked ", body: end), .taken("POST", "/", body: "hello")),
      .init(
        "RFC 9110 9.3.1: GET with chunks", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(end)",
        .taken("GET", "/", body: "hello", where: { $0.framing == .chunked })),
      .init(
        "RFC 9112 6.3: with a length", request("Transfer-Encoding: chunked\r\nContent-Length: 5", body: end),
        .refused(400)),
      .init(
        "RFC 9112 6.3: with a length", request("Content-Length: 5\r\nTransfer-Encoding: chunked", body: end),
        .refused(400)),
      .init(
        "RFC 9112 6.3: with a length", request("Content-Length: 0\r\nTransfer-Encoding: chunked", body: end),
        .refused(400)),
      .init(
        "RFC 9112 6.3: with a length above the limit",
        request("Content-Length: 99999999999999999999\r\nTransfer-Encoding: chunked", body: end), .refused(400)),
      .init(
        "RFC 9112 6.3: with two lengths",
        request("Content-Length: 5\r\nContent-Length: 5\r\nTransfer-Encoding: chunked", body: end), .refused(400)),
      .init(
        "RFC 9112 6.3: with two lengths around it",
        request("Content-Length: 5\r\nTransfer-Encoding: chunked\r\nContent-Length: 6", body: end), .refused(400)),
      .init(
        "RFC 9112 6.3: with a list of lengths",
        request("Transfer-Encoding: chunked\r\nContent-Length: 5, 5", body: end), .refused(400)),
      .init(
        "RFC 9112 6.3: with a signed length", request("Transfer-Encoding: chunked\r\nContent-Length: +5", body: end),
        .refused(400)),
      .init(
        "RFC 9112 6.3: with an empty length", request("Content-Length:\r\nTransfer-Encoding: chunked", body: end),
        .refused(400)),
      .init("RFC 9112 6.1: in 1.0", request("Transfer-Encoding: chunked", body: end, version: "1.0"), .refused(400)),
      .init(
        "RFC 9112 6.1: in 1.0", request("Transfer-Encoding: chunked\r\nContent-Length: 5", body: end, version: "1.0"),
        .refused(400)),
    ])
  }

  func testOtherTransferCodings() {
    let end = "0\r\n\r\n"
    verify([
      .init("RFC 9112 6.1: unknown coding", request("Transfer-Encoding: gzip, chunked", body: end), .refused(501)),
      .init("RFC 9112 6.1: unknown coding", request("Transfer-Encoding: identity, chunked", body: end), .refused(501)),
      .init("RFC 9112 6.1: unknown coding", request("Transfer-Encoding: gzip\t,\tchunked", body: end), .refused(501)),
      .init("RFC 9112 6.3: chunked is not last", request("Transfer-Encoding: gzip", body: end), .refused(400)),
      .init("RFC 9112 6.3: chunked is not last", request("Transfer-Encoding: identity", body: end), .refused(400)),
      .init("RFC 9112 6.3: chunked is not last", request("Transfer-Encoding: chunked, gzip", body: end), .refused(400)),
      .init(
        "RFC 9112 6.3: chunked is not last", request("Transfer-Encoding: chunked, identity", body: end), .refused(400)),
      .init("RFC 9112 6.1: chunked twice", request("Transfer-Encoding: chunked, chunked", body: end), .refused(400)),
      .init(
        "RFC 9112 6.1: chunked twice", request("Transfer-Encoding: chunked, gzip, chunked", body: end), .refused(400)),
      .init(
        "RFC 9112 6.1: two lines", request("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", body: end),
        .refused(400)),
      .init(
        "RFC 9112 6.1: two lines", request("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", body: end),
        .refused(400)),
      .init(
        "RFC 9112 6.1: two lines", request("Transfer-Encoding: chunked\r\nTransfer-encoding: x", body: end),
        .refused(400)),
    ])
  }

  func testObfuscatedTransferCodings() {
    let end = "0\r\n\r\n"
    verify([
      .init("RFC 9112 7", request("Transfer-Encoding: xchunked", body: end), .refused(400)),
      .init("RFC 9112 7", request("Transfer-Encoding: chunkedx", body: end), .refused(400)),
      .init("RFC 9112 7", request("Transfer-Encoding: chun", body: end), .refused(400)),
      .init("RFC 9112 7: empty", request("Transfer-Encoding:", body: end), .refused(400)),
      .init("RFC 9112 7: no parameters", request("Transfer-Encoding: chunked;q=1", body: end), .refused(400)),
      .init("RFC 9112 7: no parameters", request("Transfer-Encoding: chunked; a", body: end), .refused(400)),
      .init("RFC 9112 7: no parameters", request("Transfer-Encoding: gzip;q=1, chunked", body: end), .refused(400)),
      .init("RFC 9110 5.6.2: quoted", request("Transfer-Encoding: \"chunked\"", body: end), .refused(400)),
      .init("RFC 9110 5.6.2: quoted", request("Transfer-Encoding: 'chunked'", body: end), .refused(400)),
      .init("RFC 9110 5.6.1: empty element", request("Transfer-Encoding: chunked,", body: end), .refused(400)),
      .init("RFC 9110 5.6.1: empty element", request("Transfer-Encoding: ,chunked", body: end), .refused(400)),
      .init("RFC 9110 5.6.2: two words", request("Transfer-Encoding: chunked chunked", body: end), .refused(400)),
      .init("RFC 9110 5.6.2: two words", request("Transfer-Encoding: gzip chunked", body: end), .refused(400)),
      .init("RFC 9110 5.5: vertical tab", request("Transfer-Encoding: \u{0B}chunked", body: end), .refused(400)),
      .init("RFC 9110 5.5: NUL", request("Transfer-Encoding: chunked\u{00}", body: end), .refused(400)),
      .init("RFC 9110 5.5: no-break space", request("Transfer-Encoding: \u{A0}chunked", body: end), .refused(400)),
      .init(
        "RFC 9110 5.5: Kelvin sign", request("Transfer-Encoding: chun\u{E2}\u{84}\u{AA}ed", body: end), .refused(400)),
      .init("RFC 9112 5.2: folded", request("Transfer-Encoding:\r\n chunked", body: end), .refused(400)),
      .init("RFC 9112 5: before the colon", request("Transfer-Encoding\u{0B}: chunked", body: end), .refused(400)),
      .init("RFC 9110 5.5: bare CR", request("Transfer-Encoding: chunked\r", body: end), .refused(400)),
      .init("RFC 9110 5.5: bare CR", request("X: y\rTransfer-Encoding: chunked", body: end), .refused(400)),
      .init("RFC 9110 5.5: bare LF", request("X: y\nTransfer-Encoding: chunked", body: end), .refused(400)),
      .init(
        "RFC 9110 5.1: names that only look alike",
        request("Transfer_Encoding: chunked\r\nX-Transfer-Encoding: chunked\r\nContent_Length: 5"),
        .taken("POST", "/", where: { $0.framing == .none })),
    ])
  }
}
