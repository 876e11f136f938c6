import TestSupport
import TrackingSockets

@testable import StubRecording

/// The bodies of backends' responses, whose heads are read as the double reads them.
final class BackendResponseTests: XCTestCase {
  /// The body that is read of a response that arrives in two pieces, or the reason for none.
  private func body(
    of text: String, cutAt cut: Int, isClosed: Bool = true, isHead: Bool = false, mostBytes: Int = 10
  ) -> String {
    let bytes = Array(text.utf8)
    var (reader, response) = (ResponseReader(), BackendResponse(isHead: isHead, mostBytes: mostBytes))
    do throws(UpstreamFailure) {
      for piece in [bytes[..<cut], bytes[cut...]] {
        piece.withUnsafeBytes { reader.append($0) }
        if let whole = try response.read(&reader, isAtEnd: false) { return String(decoding: whole.body, as: UTF8.self) }
      }
      guard isClosed, let whole = try response.read(&reader, isAtEnd: true) else { return "incomplete" }
      return "\(String(decoding: whole.body, as: UTF8.self)), ended"
    } catch {
      return error.reason
    }
  }

  private func check(
    _ fields: String, _ body: String, is expected: String, isHead: Bool = false, line: UInt = #line
  ) {
    let text = "HTTP/1.1 200 OK\r\n\(fields)\r\n\(body)"
    for cut in 0...text.utf8.count {
      XCTAssertEqual(self.body(of: text, cutAt: cut, isHead: isHead), expected, "cut at \(cut)", line: line)
    }
  }

  func testABodyIsReadToItsEnd() {
    check("Content-Length: 5\r\n", "hello", is: "hello")
    check("Content-Length: 5\r\n", "hello and more", is: "hello")
    check("Transfer-Encoding: Chunked\r\n", "3\r\nhel\r\n2;a=\"b\"\r\nlo\r\n0\r\nSum: 1\r\n\r\n", is: "hello")
    check("", "hello", is: "hello, ended")
    check("Content-Length: 5\r\n", "", is: "", isHead: true)
  }

  func testABodyThatCantBeReadHasItsReason() {
    let isCut = "the connection was closed before the response was complete, or the response isn't HTTP"
    check("Content-Length: 6\r\n", "hello", is: isCut)
    check("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n", is: isCut)
    check(
      "Transfer-Encoding: chunked\r\n", "0x5\r\nhello\r\n",
      is: "the response is malformed: a chunk size is followed by something that is not a chunk extension")
    check("Transfer-Encoding: gzip, chunked\r\n", "", is: "its transfer coding isn't supported; only chunked is")
    let isTooLarge = "its body has more than 0 MiB, which is the most that is recorded"
    check("Content-Length: 11\r\n", "hello", is: isTooLarge)
    check("Transfer-Encoding: chunked\r\n", "b\r\nhello", is: isTooLarge)
    check("", "hello world", is: isTooLarge)
    check("Field : x\r\n", "", is: "the response is malformed: field name")
  }
}
