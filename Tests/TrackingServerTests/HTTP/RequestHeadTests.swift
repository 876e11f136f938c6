import XCTest

@testable import TrackingServer

final class RequestHeadTests: XCTestCase {
  private let event = """
    POST /?debug HTTP/1.1\r
    host: [::1]:50123\r
    CONTENT-TYPE: Application/JSON ; charset=utf-8\r
    Content-Length: 2\r
    Tracking-Session: 4f1c\r
    Tracking-Launch: 8a7b.1\r
    Tracking-Sequence: 18446744073709551615\r
    Accept: a/b\r
    X-Empty:\r
    accept: c/d\r
    \r
    {}
    """

  /// Checks the head of a parser that is at the `.request` of these bytes.
  private func check(_ text: String, _ checks: (borrowing RequestHead) -> Void, line: UInt = #line) {
    var parser = RequestParser(limits: .init())
    XCTAssertEqual(parser.receive(text), text.utf8.count, line: line)
    XCTAssertEqual(parser.next(), .head, line: line)
    checks(parser.head)
    XCTAssertEqual(parser.next(), .request, line: line)
    checks(parser.head)
  }

  func testTheHeadOfAnEventPost() {
    check(event) { head in
      XCTAssertEqual(head.method, .post)
      XCTAssertTrue(head.path(equals: "/"))
      XCTAssertFalse(head.path(equals: "/?debug"))
      XCTAssertFalse(head.path(equals: ""))
      XCTAssertTrue(head.host(equals: "[::1]"))
      XCTAssertFalse(head.host(equals: "[::1]:50123"))
      XCTAssertEqual(head.port, 50_123)
      XCTAssertTrue(head.field(.contentType, isMediaType: "application/json"))
      XCTAssertFalse(head.field(.contentType, isMediaType: "application/jso"))
      XCTAssertFalse(head.field(.contentType, equalsIgnoringCase: "application/json"))
      XCTAssertTrue(head.field(.contentType, equalsIgnoringCase: "application/json ; charset=utf-8"))
      XCTAssertTrue(head.field(.contentType, beginsIgnoringCase: "application/"))
      XCTAssertFalse(head.field(.contentType, beginsIgnoringCase: "text/"))
      XCTAssertTrue(head.field(.trackingSession, equals: "4f1c"))
      XCTAssertFalse(head.field(.trackingSession, equals: "4F1C"))
      XCTAssertFalse(head.field(.trackingSession, equals: "4f1"))
      XCTAssertFalse(head.field(.origin, equals: ""))
      XCTAssertFalse(head.field(.origin, beginsIgnoringCase: ""))
      XCTAssertFalse(head.field(.origin, isMediaType: ""))
      XCTAssertFalse(head.has(.origin))
      XCTAssertTrue(head.has(.trackingLaunch))
      XCTAssertEqual(head.value(of: .trackingLaunch), "8a7b.1")
      XCTAssertEqual(head.withValue(of: .trackingLaunch) { $0.count }, 6)
      XCTAssertNil(head.withValue(of: .origin) { $0.count })
      XCTAssertEqual(head.number(in: .trackingSequence), .max)
      XCTAssertNil(head.number(in: .trackingLaunch))
      XCTAssertNil(head.number(in: .contentEncoding))
    }
  }

  func testNumbersThatAreNone() {
    for value in ["", "18446744073709551616", "99999999999999999999999", "-1", "+1", "1 2", "0x1"] {
      check("GET / HTTP/1.1\r\nHost: a\r\nTracking-Sequence: \(value)\r\n\r\n") { head in
        XCTAssertNil(head.number(in: .trackingSequence), value)
      }
    }
  }

  func testFieldsByNameAndInOrder() {
    check(event) { head in
      XCTAssertEqual(head.value(of: "accept"), "a/b, c/d")
      XCTAssertEqual(head.value(of: "x-empty"), "")
      XCTAssertNil(head.value(of: "x-absent"))
      XCTAssertEqual(
        head.fields.map { "\($0.name)=\($0.value)" },
        [
          "host=[::1]:50123", "CONTENT-TYPE=Application/JSON ; charset=utf-8", "Content-Length=2",
          "Tracking-Session=4f1c",
          "Tracking-Launch=8a7b.1", "Tracking-Sequence=18446744073709551615", "Accept=a/b", "X-Empty=", "accept=c/d",
        ])
    }
  }

  func testEveryKnownFieldIsKnownByItsName() {
    for field in KnownField.allCases {
      for name in [field.name, field.name.lowercased(), field.name.uppercased()] {
        let bytes = Array(name.utf8)
        bytes.withUnsafeBufferPointer { bytes in
          XCTAssertEqual(KnownField(bytes, name: ByteRange(start: 0, end: bytes.count)), field)
          XCTAssertNil(KnownField(bytes, name: ByteRange(start: 0, end: bytes.count - 1)))
        }
      }
    }
    for name in [
      "hose", "origi_", "expec-", "tracking-launcH2", "xontent-encoding", "transfer-encodinG0", "tracking-sequencf",
    ] {
      Array(name.utf8).withUnsafeBufferPointer { bytes in
        XCTAssertNil(KnownField(bytes, name: ByteRange(start: 0, end: bytes.count)), name)
      }
    }
  }

  func testEveryMethodIsKnownByItsName() {
    let methods: [(String, RequestMethod)] = [
      ("GET", .get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("PATCH", .patch), ("DELETE", .delete),
      ("OPTIONS", .options), ("TRACE", .trace), ("get", .other), ("GOT", .other), ("PURGE", .other), ("MERGES", .other),
    ]
    for (name, method) in methods {
      check("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n") { head in XCTAssertEqual(head.method, method, name) }
    }
    check("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n") { head in XCTAssertEqual(head.method, .connect) }
  }

  func testAnAbsoluteFormWithoutAPathIsTheRoot() {
    check("GET http://a?b HTTP/1.1\r\nHost: c\r\n\r\n") { head in
      XCTAssertTrue(head.path(equals: "/"))
      XCTAssertFalse(head.path(equals: "/x"))
      XCTAssertFalse(head.path(equals: ""))
      XCTAssertTrue(head.host(equals: "A"))
      XCTAssertFalse(head.host(equals: "c"))
    }
  }

  func testWithoutAnAuthorityThereIsNoHost() {
    check("GET / HTTP/1.0\r\n\r\n") { head in
      XCTAssertFalse(head.host(equals: ""))
      XCTAssertNil(head.hostName)
      XCTAssertNil(head.port)
    }
  }
}
