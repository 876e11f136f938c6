import TestSupport
@testable import TrackingSockets

final class ResponseReaderTests: XCTestCase {
  private func read(_ text: String, cutAt cut: Int? = nil, headLimit: Int = 65_536, bodyLimit: Int = 65_536)
    -> Result<ReceivedResponse?, ResponseError>
  {
    let bytes = Array(text.utf8)
    return Result { () throws(ResponseError) in
      var reader = ResponseReader(headLimit: headLimit, bodyLimit: bodyLimit)
      for part in [bytes[..<(cut ?? 0)], bytes[(cut ?? 0)...]] where !part.isEmpty {
        part.withUnsafeBytes { reader.append($0) }
        if let response = try reader.response() { return response }
      }
      return nil
    }
  }

  private func response(
    _ status: Int, _ phrase: String, session: String? = nil, body: String = "", keeps: Bool = true
  ) -> ReceivedResponse {
    ReceivedResponse(status: status, phrase: phrase, session: session, body: Array(body.utf8), keepsConnection: keeps)
  }

  func testWholeResponsesAreReadWholeAndCutAtEveryByte() {
    let rows: [(String, ReceivedResponse)] = [
      ("HTTP/1.1 204 No Content\r\n\r\n", response(204, "No Content")),
      ("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", response(204, "No Content")),
      ("HTTP/1.1 200 OK\r\ncontent-length:2\r\n\r\nok", response(200, "OK", body: "ok")),
      ("HTTP/1.1 200 \r\nContent-Length: 0 \t\r\n\r\n", response(200, "")),
      ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", response(200, "")),
      ("HTTP/1.1 204 x\r\nTRACKING-SESSION:  a b\r\n\r\n", response(204, "x", session: "a b")),
      ("HTTP/1.1 204 x\r\nConnection: x, Close\r\n\r\n", response(204, "x", keeps: false)),
      ("HTTP/1.1 204 x\r\nConnection: closed\r\n\r\n", response(204, "x")),
      ("HTTP/1.0 204 x\r\n\r\n", response(204, "x", keeps: false)),
      ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nA: b\r\n\r\nHTTP/1.1 204 y\r\n\r\n", response(204, "y")),
      ("HTTP/1.1 200 OK\r\n\r\n", response(200, "OK", keeps: false)),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", response(200, "OK", keeps: false)),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\nContent-Length: 5\r\n\r\n", response(200, "OK", keeps: false)),
      ("HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\n", response(200, "OK", keeps: false)),
    ]
    for (text, expected) in rows {
      for cut in 0..<text.utf8.count {
        XCTAssertEqual(try read(text, cutAt: cut).get(), expected, text)
      }
    }
  }

  func testAResponseIsReadOnlyAtItsEnd() {
    let text = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    for count in 1..<text.utf8.count {
      XCTAssertEqual(read(String(decoding: text.utf8.prefix(count), as: UTF8.self)), .success(nil))
    }
  }

  func testBytesAfterAResponseEndTheConnection() {
    XCTAssertEqual(read("HTTP/1.1 204 x\r\n\r\nH"), .success(response(204, "x", keeps: false)))
  }

  func testMalformedResponsesAreRefused() {
    let rows: [(String, ResponseError)] = [
      ("S", .notHTTP),
      ("SSH-2.0-OpenSSH_9.2\r\n", .notHTTP),
      ("HTTP/2.0 200 OK\r\n\r\n", .notHTTP),
      ("http/1.1 200 OK\r\n\r\n", .notHTTP),
      ("HTTP/1.x 200 OK\r\n\r\n", .malformed("status line")),
      ("HTTP/1.1  200 OK\r\n\r\n", .malformed("status line")),
      ("HTTP/1.1 20 OK\r\n\r\n", .malformed("status line")),
      ("HTTP/1.1 2000 OK\r\n\r\n", .malformed("status line")),
      ("HTTP/1.1 099 OK\r\n\r\n", .malformed("status line")),
      ("HTTP/1.1 \r\n\r\n", .malformed("status line")),
      ("HTTP/1.1 101 x\r\n\r\n", .malformed("101 without a request to upgrade")),
      ("HTTP/1.1 200 OK\r\n: x\r\n\r\n", .malformed("field name")),
      ("HTTP/1.1 200 OK\r\nA : x\r\n\r\n", .malformed("field name")),
      ("HTTP/1.1 200 OK\r\nno colon\r\n\r\n", .malformed("field name")),
      ("HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n", .malformed("field name")),
      ("HTTP/1.1 200 OK\r\nA: b\nB: c\r\n\r\n", .malformed("field value")),
      ("HTTP/1.1 200 OK\r\nA: \0\r\n\r\n", .malformed("field value")),
      ("HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", .malformed("line end")),
      ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", .malformed("Content-Length")),
      ("HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n", .malformed("Content-Length")),
      ("HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\n", .malformed("Content-Length")),
      ("HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n", .malformed("Content-Length")),
      ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", .malformed("Content-Length")),
      ("HTTP/1.1 204 x\r\nTracking-Session: a\r\nTracking-Session: b\r\n\r\n", .malformed("two Tracking-Session")),
    ]
    for (text, expected) in rows {
      for cut in 0..<text.utf8.count {
        XCTAssertEqual(read(text, cutAt: cut), .failure(expected), text)
      }
    }
  }

  func testHeadAndBodyAreBounded() {
    let long = "HTTP/1.1 200 OK\r\nA: \(String(repeating: "x", count: 100))\r\nContent-Length: 5\r\n\r\n12345"
    XCTAssertEqual(read(long, headLimit: 100), .failure(.tooLong(limit: 100)))
    XCTAssertEqual(read(String(long.prefix(110)), headLimit: 100), .failure(.tooLong(limit: 100)))
    let interim = String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 5)
    XCTAssertEqual(read(interim, headLimit: 100), .failure(.tooLong(limit: 100)), "interim responses count, too")
    XCTAssertEqual(read(long, bodyLimit: 4), .success(response(200, "OK", keeps: false)))
  }
}
