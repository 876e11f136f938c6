import XCTest

@testable import TrackingServer

final class LimitConformanceTests: XCTestCase {
  private let line = "GET /abc HTTP/1.1\r\n"
  private let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

  func testTheRequestLine() {
    let size = line.utf8.count
    let taken = "\(line)Host: a\r\n\r\n"
    verify([
      .init("RFC 9112 3: one over", taken, .refused(414), limits: .init(requestHead: size - 1)),
      .init("RFC 9112 3: over without an end", "GET /abcdef", .refused(414), limits: .init(requestHead: 10)),
      .init("RFC 9112 3: not yet over", "GET /abcdef", .open, limits: .init(requestHead: 11)),
      // The line fits, and what does not is the header section.
      .init("RFC 6585 5", taken, .refused(431), limits: .init(requestHead: size)),
      .init(
        "RFC 9112 2.2: the empty line is not counted", "\r\n" + taken, .taken("GET", "/abc"),
        limits: .init(requestHead: size + 11)),
    ])
  }

  func testTheHeaderSection() {
    let head = "\(line)Host: a\r\nX: \(String(repeating: "y", count: 40))\r\n\r\n"
    let size = head.utf8.count
    verify([
      .init("RFC 6585 5: exactly", head, .taken("GET", "/abc"), limits: .init(requestHead: size)),
      .init("RFC 6585 5: one over", head, .refused(431), limits: .init(requestHead: size - 1)),
      .init("RFC 6585 5: two over", head, .refused(431), limits: .init(requestHead: size - 2)),
      .init("RFC 6585 5: over inside a field", head, .refused(431), limits: .init(requestHead: size - 20)),
    ])
  }

  func testTheNumberOfFields() {
    let head = "\(line)Host: a\r\nX: y\r\nX: z\r\n\r\n"
    verify([
      .init("RFC 6585 5: exactly", head, .taken("GET", "/abc"), limits: .init(fieldCount: 3)),
      .init("RFC 6585 5: one over", head, .refused(431), limits: .init(fieldCount: 2)),
    ])
  }

  func testTheBody() {
    let sized = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"
    let chunks = "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
    verify([
      .init("RFC 9110 15.5.14: exactly", sized + "hello", .taken("POST", "/", body: "hello"), limits: .init(body: 5)),
      .init("RFC 9110 15.5.14: one over", sized + "hello", .refused(413), limits: .init(body: 4)),
      .init("RFC 9110 15.5.14: told before it comes", sized, .refused(413), limits: .init(body: 4)),
      .init(
        "RFC 9110 15.5.14: exactly", chunkedHead + chunks, .taken("POST", "/", body: "hello"), limits: .init(body: 5)),
      .init("RFC 9110 15.5.14: one over", chunkedHead + chunks, .refused(413), limits: .init(body: 4)),
      .init(
        "RFC 9110 15.5.14: told by the sizes", chunkedHead + "2\r\nhe\r\n3\r\n", .refused(413), limits: .init(body: 4)),
      .init("RFC 9110 15.5.14: nothing at all", chunkedHead + "0\r\n\r\n", .taken("POST", "/"), limits: .init(body: 0)),
      .init("RFC 9110 15.5.14: nothing at all", sized, .refused(413), limits: .init(body: -1)),
    ])
  }

  func testChunkExtensions() {
    let room = chunkedHead.utf8.count
    // A name of this length with its semicolon takes the room exactly; so do two that share it.
    let whole = String(repeating: "e", count: room - 1)
    let half = String(repeating: "e", count: room / 2 - 1)
    let rest = String(repeating: "e", count: room - room / 2 - 1)
    let limits = TrackingServer.Limits(requestHead: room)
    verify([
      .init(
        "RFC 9112 7.1.1: exactly", chunkedHead + "1;\(whole)\r\na\r\n0\r\n\r\n", .taken("POST", "/", body: "a"),
        limits: limits),
      .init("RFC 9112 7.1.1: one over", chunkedHead + "1;\(whole)e\r\na\r\n0\r\n\r\n", .refused(413), limits: limits),
      .init("RFC 9112 7.1.1: over without an end", chunkedHead + "1;\(whole)\(whole)", .refused(413), limits: limits),
      .init(
        "RFC 9112 7.1.1: shared with the trailers", chunkedHead + "1;\(whole)\r\na\r\n0\r\nX:\r\n\r\n", .refused(431),
        limits: limits),
      .init(
        "RFC 9112 7.1.1: in total", chunkedHead + "1;\(half)\r\na\r\n1;\(rest)\r\nb\r\n0\r\n\r\n",
        .taken("POST", "/", body: "ab"), limits: limits),
      .init(
        "RFC 9112 7.1.1: in total", chunkedHead + "1;\(half)\r\na\r\n1;\(rest)e\r\nb\r\n0\r\n\r\n", .refused(413),
        limits: limits),
    ])
  }

  func testTrailers() {
    let room = chunkedHead.utf8.count
    let limits = TrackingServer.Limits(requestHead: room, fieldCount: 2)
    let field = "X: \(String(repeating: "y", count: room - 5))\r\n"
    verify([
      .init("RFC 6585 5: exactly", chunkedHead + "0\r\n\(field)\r\n", .taken("POST", "/"), limits: limits),
      .init("RFC 6585 5: one over", chunkedHead + "0\r\nX\(field)\r\n", .refused(431), limits: limits),
      .init("RFC 6585 5: over without an end", chunkedHead + "0\r\nX: \(field)\(field)", .refused(431), limits: limits),
      .init("RFC 6585 5: two fields", chunkedHead + "0\r\nA: b\r\nA: b\r\n\r\n", .taken("POST", "/"), limits: limits),
      .init(
        "RFC 6585 5: three fields", chunkedHead + "0\r\nA: b\r\nA: b\r\nA: b\r\n\r\n", .refused(431), limits: limits),
    ])
  }

  func testTheLargestLimitsDoNotOverflow() {
    let limits = TrackingServer.Limits(requestHead: .max, fieldCount: .max, body: .max)
    verify([
      .init(
        "no sum of offsets traps", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775807\r\n\r\nabc",
        .refused(413),
        limits: limits),
      .init("no sum of sizes traps", chunkedHead + "1\r\na\r\n7fffffffffffffff\r\nb", .refused(413), limits: limits),
      .init("no sum of sizes traps", chunkedHead + "1\r\na\r\n1fffffffffffffff\r\nb", .refused(413), limits: limits),
      .init(
        "taken all the same", chunkedHead + "1;e\r\na\r\n0\r\nX: y\r\n\r\n", .taken("POST", "/", body: "a"),
        limits: limits),
    ])
  }
}
