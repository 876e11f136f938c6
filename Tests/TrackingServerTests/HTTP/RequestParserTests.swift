import XCTest

@testable import TrackingServer

final class RequestParserTests: XCTestCase {
  private let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n"

  func testTheHeadIsToldOnceAndTheRequestUntilItIsFinished() {
    var parser = RequestParser(limits: .init())
    XCTAssertEqual(parser.next(), .needsMore)
    _ = parser.receive(head)
    XCTAssertFalse(parser.isIdle)
    XCTAssertEqual(parser.next(), .head)
    XCTAssertFalse(parser.hasReceivedBody)
    XCTAssertEqual(parser.next(), .needsMore)
    XCTAssertEqual(parser.withReceivedBody { $0.count }, 0)
    _ = parser.receive("hello")
    XCTAssertTrue(parser.hasReceivedBody)
    XCTAssertEqual(parser.next(), .request)
    XCTAssertEqual(parser.next(), .request)
    XCTAssertEqual(parser.withReceivedBody { Array($0) }, Array("hello".utf8))
    XCTAssertFalse(parser.isIdle)
    parser.finish()
    XCTAssertTrue(parser.isIdle)
    XCTAssertEqual(parser.next(), .needsMore)
  }

  func testFinishingWithoutARequestChangesNothing() {
    var parser = RequestParser(limits: .init())
    parser.finish()
    _ = parser.receive(head)
    XCTAssertEqual(parser.next(), .head)
    parser.finish()
    _ = parser.receive("hello")
    XCTAssertEqual(parser.next(), .request)
    XCTAssertEqual(parser.withReceivedBody { $0.count }, 5)
  }

  func testARefusalStaysAndWhatFollowsIsDropped() {
    var parser = RequestParser(limits: .init())
    _ = parser.receive("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n")
    let refusal = RequestParser.Event.refused(
      HTTPError(status: 400, reason: "the field Host is in the request more than once"))
    XCTAssertEqual(parser.next(), refusal)
    parser.finish()
    for _ in 0..<100 {
      _ = parser.receive(String(repeating: "GET / HTTP/1.1\r\n\r\n", count: 200))
      XCTAssertEqual(parser.next(), refusal)
    }
    XCTAssertEqual(parser.bufferCapacity, ReceiveBuffer.usualCapacity)
    XCTAssertEqual(parser.head.target, "/")
    XCTAssertFalse(parser.isIdle)
  }

  func testReasonsSayWhatToChange() {
    let start = "POST / HTTP/1.1\r\nHost: a\r\n"
    let reasons: [(String, Int, String)] = [
      ("\u{16}\u{03}", 400, "the client speaks TLS; use http:// and not https://"),
      ("{}", 400, "the request does not begin with a method"),
      ("GET /\r\n", 400, "the request line has no version; end it in HTTP/1.1"),
      ("GET / HTTP/2.0\r\n", 505, "HTTP/2.0 isn't supported; use HTTP/1.1"),
      ("GET / HTTP/1.1\n", 400, "a line ends in LF alone; end every line in CR LF"),
      ("GET / HTTP/1.1\r\n\r\n", 400, "the request has no Host field"),
      (start + "Host: a\r\n", 400, "the field Host is in the request more than once"),
      (start + "X : y\r\n", 400, "whitespace is in a header field name or before its colon"),
      (start + "Content-Length: +1\r\n", 400, "Content-Length is not one decimal number"),
      (
        start + "Content-Length: 67108865\r\n\r\n", 413,
        "the body is larger than the limit of 67108864 bytes; raise the server's limits.body"
      ),
      (
        start + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
        "the request has both Content-Length and Transfer-Encoding; leave one out"
      ),
      (
        start + "Transfer-Encoding: gzip, chunked\r\n", 501,
        "unsupported Transfer-Encoding; only chunked is supported"
      ),
    ]
    for (text, status, reason) in reasons {
      var parser = RequestParser(limits: .init())
      _ = parser.receive(text)
      // A body that is too large is refused behind its head, which may require something else.
      if status == 413 { XCTAssertEqual(parser.next(), .head) }
      XCTAssertEqual(parser.next(), .refused(HTTPError(status: status, reason: reason)))
    }
  }

  func testAReadThatFailsAddsNothing() {
    var parser = RequestParser(limits: .init())
    XCTAssertEqual(parser.receive { _ in -1 }, -1)
    XCTAssertEqual(parser.receive { _ in 0 }, 0)
    XCTAssertTrue(parser.isIdle)
    struct Reset: Error {}
    XCTAssertThrowsError(try parser.receive { _ in throw Reset() })
    XCTAssertTrue(parser.isIdle)
  }

  func testAnEmptyLineBetweenRequestsLeavesTheConnectionIdle() {
    var parser = RequestParser(limits: .init())
    _ = parser.receive(head + "hello\r\n")
    XCTAssertEqual(parser.next(), .head)
    XCTAssertEqual(parser.next(), .request)
    parser.finish()
    XCTAssertFalse(parser.isIdle)
    XCTAssertEqual(parser.next(), .needsMore)
    XCTAssertTrue(parser.isIdle)
  }

  func testFieldsOfOneRequestDoNotShowInTheNext() {
    var parser = RequestParser(limits: .init())
    _ = parser.receive(
      "GET /a HTTP/1.0\r\nHost: a\r\nTracking-Launch: b\r\nConnection: close\r\n\r\nGET /c HTTP/1.0\r\n\r\n")
    XCTAssertEqual(parser.next(), .head)
    XCTAssertEqual(parser.next(), .request)
    parser.finish()
    XCTAssertEqual(parser.next(), .head)
    XCTAssertFalse(parser.head.has(.trackingLaunch))
    XCTAssertNil(parser.head.value(of: "host"))
    XCTAssertNil(parser.head.hostName)
    XCTAssertEqual(parser.head.fields.count, 0)
  }

  func testHeadAndBodyStayRightWhileTheBufferGrows() {
    let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bytes = Array("PUT /grow HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n".utf8) + body
    let pieces = stride(from: 0, to: bytes.count, by: 1_000).map { bytes[$0..<min($0 + 1_000, bytes.count)] }
    let transcript = Transcript(of: pieces)
    XCTAssertNil(transcript.refusal)
    XCTAssertEqual(transcript.requests.map(\.target), ["/grow"])
    XCTAssertEqual(transcript.requests.map(\.fields), [["Host: a", "Content-Length: 300000"]])
    XCTAssertTrue(transcript.requests.first?.body == body)
  }

  func testManyPipelinedRequestsDoNotGrowTheBuffer() {
    let request = Array((head + "hello").utf8)
    let bytes = Array(repeatElement(request, count: 2_000).joined())
    var parser = RequestParser(limits: .init())
    var rest = bytes[...]
    var count = 0
    while !rest.isEmpty {
      rest = rest.dropFirst(parser.receive(rest))
      while case let event = parser.next(), event != .needsMore {
        guard event == .request, parser.withReceivedBody({ $0.count }) == 5 else { continue }
        count += 1
        parser.finish()
      }
    }
    XCTAssertEqual(count, 2_000)
    XCTAssertEqual(parser.bufferCapacity, ReceiveBuffer.usualCapacity)
  }

  func testTheBufferShrinksAfterALargeBody() {
    let large =
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "x", count: 1_000_000)
    // Alone, and with the beginning of a next request behind it.
    for next in ["", head] {
      var parser = RequestParser(limits: .init())
      var rest = Array((large + next).utf8)[...]
      while !rest.isEmpty { rest = rest.dropFirst(parser.receive(rest)) }
      XCTAssertEqual(parser.next(), .head)
      XCTAssertEqual(parser.next(), .request)
      XCTAssertGreaterThan(parser.bufferCapacity, 1_000_000)
      parser.finish()
      XCTAssertLessThanOrEqual(parser.bufferCapacity, ReceiveBuffer.usualCapacity)
      XCTAssertEqual(parser.isIdle, next.isEmpty)
      if !next.isEmpty { XCTAssertEqual(parser.next(), .head) }
      _ = parser.receive(next.isEmpty ? head + "hello" : "hello")
      if next.isEmpty { XCTAssertEqual(parser.next(), .head) }
      XCTAssertEqual(parser.next(), .request)
      XCTAssertEqual(parser.withReceivedBody { Array($0) }, Array("hello".utf8))
    }
  }
}
