import TestSupport

@testable import TrackingServer

final class HostileInputTests: XCTestCase {
  private let chunkedHead = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)

  /// Feeds bytes in pieces of `size` until a request or a refusal is read, and returns it.
  private func feed(_ bytes: [UInt8], by size: Int, to parser: inout RequestParser) -> RequestParser.Event {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest = rest.dropFirst(parser.receive(rest.prefix(size)))
      var event = parser.next()
      if event == .head { event = parser.next() }
      if event != .needsMore { return event }
    }
    return .needsMore
  }

  // Were anything quadratic here, so many chunks would take hours; the bound is for that and not for speed.
  func testAQuarterOfAMillionChunksOfOneByte() {
    let bytes =
      chunkedHead + repeatElement(Array("1\r\nx\r\n".utf8), count: 250_000).joined() + Array("0\r\n\r\n".utf8)
    var parser = RequestParser(limits: .init())
    let start = Date()
    XCTAssertEqual(feed(bytes, by: 64 * 1_024, to: &parser), .request)
    XCTAssertLessThan(Date().timeIntervalSince(start), 120)
    XCTAssertEqual(parser.withReceivedBody { $0.count }, 250_000)
    XCTAssertTrue(parser.withReceivedBody { $0.allSatisfy { $0 == UInt8(ascii: "x") } })
    // Framing takes five times the room of the data and must not be kept.
    XCTAssertLessThanOrEqual(parser.bufferCapacity, 2 * 1_024 * 1_024)
  }

  func testManyChunksByteByByte() {
    let bytes =
      chunkedHead + repeatElement(Array("1;a=b\r\nx\r\n".utf8), count: 6_000).joined() + Array("0\r\n\r\n".utf8)
    var parser = RequestParser(limits: .init())
    XCTAssertEqual(feed(bytes, by: 1, to: &parser), .request)
    XCTAssertEqual(parser.withReceivedBody { $0.count }, 6_000)
    XCTAssertEqual(parser.bufferCapacity, ReceiveBuffer.usualCapacity)
  }

  func testAHeadOf64KiBByteByByte() {
    let start = Array("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
    let end = Array("\r\n\r\n".utf8)
    let filling = [UInt8](repeating: UInt8(ascii: "y"), count: 64 * 1_024 - start.count - end.count)
    var parser = RequestParser(limits: .init())
    XCTAssertEqual(feed(start + filling + end, by: 1, to: &parser), .request)
    XCTAssertEqual(parser.head.value(of: "x")?.utf8.count, filling.count)

    var other = RequestParser(limits: .init())
    guard case .refused(let refusal) = feed(start + filling + [0x79] + end, by: 1, to: &other) else {
      return XCTFail("a head above the limit was taken")
    }
    XCTAssertEqual(refusal.status, 431)
  }

  func testAHeadOf10MBIsRefusedAndNotKept() {
    var parser = RequestParser(limits: .init())
    let bytes = Array("GET /".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000)
    guard case .refused(let refusal) = feed(bytes, by: 64 * 1_024, to: &parser) else {
      return XCTFail("a request line above the limit was taken")
    }
    XCTAssertEqual(refusal.status, 414)
    XCTAssertEqual(
      refusal.reason, "the request line is longer than 65536 bytes; raise the server's limits.requestHead")
    XCTAssertLessThanOrEqual(parser.bufferCapacity, 256 * 1_024)
  }

  func testRandomBytesNeverTrapAndNeverDependOnHowTheyAreCut() {
    var random = RandomCases.generator(seed: 0x7261_6365_7472_6163)
    let words = [
      "GET ", "POST ", "OPTIONS ", "CONNECT ", "/", "*", "http://", "a:1", "%41", "%", "?", " HTTP/1.1\r\n",
      " HTTP/1.0\r\n",
      "Host: a\r\n", "Host: [::1]:8\r\n", "Host:", "[::", "]", "Content-Length: 3\r\n", "Content-Length: ", "9", "-",
      "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "\r\n", "\r", "\n", " ",
      "\t", ":",
      ",", "0\r\n\r\n", "3\r\nabc\r\n", "f", ";", "a=\"b\"", "\\", "\u{00}", "\u{7F}", "é", "abc",
    ].map { Array($0.utf8) }
    let valid = Array(
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a\r\nabc\r\n0\r\nX: y\r\n\r\n".utf8)
    for round in 0..<RandomCases.count(6_000) {
      var bytes: [UInt8] = []
      switch round % 3 {
      case 0:
        bytes = (0..<Int.random(in: 1...80, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      case 1:
        for _ in 0..<Int.random(in: 1...20, using: &random) { bytes += words.randomElement(using: &random) ?? [] }
      default:
        bytes = valid + valid
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      }
      let whole = Transcript(of: [bytes[...]])
      let single = Transcript(of: bytes.indices.map { bytes[$0...$0] })
      XCTAssertEqual(single, whole, "\(bytes)")
      let cut = Int.random(in: bytes.indices, using: &random)
      XCTAssertEqual(Transcript(of: [bytes[..<cut], bytes[cut...]]), whole, "\(bytes) at \(cut)")
    }
  }
}
