import TestSupport
import VendorFormats

@testable import TrackingServer

/// Requests whose bodies are compressed.
final class CodedBodyTests: ServerTestCase {
  // {"name":"added_to_cart","params":{"id":42,"note":"café"}}
  private static let gzip = bytes(
    "H4sIAAAAAAAAA6tWykvMTVWyUkpMSUlNiS/Jj09OLCpR0lEqSCxKzC1WsqpWykxRsjIx0lHKyy8BKUxOTDu8Uqm2FgD4ngFMOgAAAA==")
  private static let zlib = bytes(
    "eNqrVspLzE1VslJKTElJTYkvyY9PTiwqUdJRKkgsSswtVrKqVspMUbIyMdJRyssvASlMTkw7vFKpthYAPTETqg==")
  // t=google&q=2
  private static let form = bytes("H4sIAAAAAAACAyuxTc/PT89JVSu0NQIAWDftFAwAAAA=")
  private static let event = TrackingEvent(name: "added_to_cart", params: ["id": 42, "note": "café"])

  private static func bytes(_ base64: String) -> [UInt8] { [UInt8](Data(base64Encoded: base64) ?? Data()) }

  /// A body of bytes that are stored and not compressed, which any length can be made of.
  private static func stored(_ count: Int) -> [UInt8] {
    let block = [UInt8](repeating: 0x20, count: 65_535)
    var bytes: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: count, by: 65_535) {
      let length = min(65_535, count - start)
      let (low, high) = (UInt8(length & 0xff), UInt8(length >> 8))
      bytes += [start + length == count ? 1 : 0, low, high, ~low, ~high] + block.prefix(length)
    }
    let sums = (0..<count).reduce((UInt32(1), UInt32(0))) { sums, _ in
      let low = (sums.0 + 0x20) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    for shift in [8, 0] { bytes.append(UInt8(sums.1 >> UInt32(shift) & 0xff)) }
    for shift in [8, 0] { bytes.append(UInt8(sums.0 >> UInt32(shift) & 0xff)) }
    return bytes
  }

  private func request(_ line: String, _ coding: String, _ body: [UInt8], _ fields: [String] = []) -> [UInt8] {
    let head = RawClient.request(
      line, ["Host: localhost", "Content-Encoding: \(coding)", "Content-Length: \(body.count)"] + fields)
    return Array(head.utf8) + body
  }

  func testACodedEventIsRecordedHoweverItIsCut() throws {
    try withServer { server in
      let client = try RawClient(server)
      for (coding, body) in [("gzip", Self.gzip), ("x-gzip", Self.gzip), ("GZIP", Self.gzip), ("deflate", Self.zlib)] {
        try client.send(request("POST / HTTP/1.1", coding, body))
        XCTAssertEqual(try client.response().status, 204, coding)
      }
      let whole = request("POST / HTTP/1.1", "gzip", Self.gzip)
      for byte in whole { try client.send([byte]) }
      XCTAssertEqual(try client.response().status, 204)
      var chunked = Array(
        RawClient.request(
          "POST / HTTP/1.1", ["Host: localhost", "Content-Encoding: gzip", "Transfer-Encoding: chunked"]
        ).utf8)
      for byte in Self.gzip { chunked += Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8) }
      try client.send(chunked + Array("0\r\n\r\n".utf8))
      XCTAssertEqual(try client.response().status, 204)
      XCTAssertEqual(server.journal.events.map(\.event), Array(repeating: Self.event, count: 6))
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testABrokenStreamIsRefusedWithTheOffset() throws {
    try withServer { server in
      let client = try RawClient(server)
      try client.send(request("POST / HTTP/1.1", "gzip", Array(Self.gzip.dropLast(9)) + [0, 0, 0, 0, 0, 0, 0, 0, 0]))
      let response = try client.response()
      XCTAssertEqual(response.status, 400)
      XCTAssertEqual(
        response.content,
        #"{"error":"the body is not valid gzip data: the checksum (CRC-32) is wrong, at byte 72"}"# + "\n")
      let rejection = try XCTUnwrap(server.journal.rejections.first)
      XCTAssertEqual(rejection.reason, "the body is not valid gzip data: the checksum (CRC-32) is wrong, at byte 72")
      // The bytes as they were sent: what they should have been is not known.
      XCTAssertEqual(rejection.bodySize, Self.gzip.count)
      try client.send(request("POST / HTTP/1.1", "gzip", Array("[]".utf8)))
      XCTAssertEqual(
        try client.response().content,
        #"{"error":"the body is not valid gzip data: a gzip body begins with the bytes 1f 8b, at byte 0"}"# + "\n")
      XCTAssertEqual(server.journal.events, [])
    }
  }

  func testStubsFormatsAndTestsSeeTheDecodedBody() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.request(.post, "/orders", body: .jsonSubset(["name": "added_to_cart"])), .text("matched")),
        StubEndpoint(.post, "/orders", .text("any")))
      try server.stub(.post, "/echo") { .text($0.text) }
      try server.accept(.beacons(at: "/beacons", nameKey: "t"))
      let client = try RawClient(server)
      try client.send(request("POST /orders HTTP/1.1", "gzip", Self.gzip))
      XCTAssertEqual(try client.response().content, "matched")
      try client.send(request("POST /echo HTTP/1.1", "deflate", Self.zlib))
      XCTAssertEqual(try client.response().content, #"{"name":"added_to_cart","params":{"id":42,"note":"café"}}"#)
      XCTAssertEqual(server.journal.requests.first?.request.text.prefix(8), #"{"name":"#)
      XCTAssertEqual(server.journal.requests.first?.bodySize, 58)
      try client.send(
        request("POST /beacons HTTP/1.1", "gzip", Self.form, ["Content-Type: application/x-www-form-urlencoded"]))
      XCTAssertEqual(try client.response().status, 200)
      XCTAssertEqual(
        server.journal.events.map(\.event), [TrackingEvent(name: "google", params: ["q": "2", "t": "google"])])
    }
  }

  func testAnUnknownCodingIsAMatterOfWhoNeedsTheBody() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.post, "/ignored", .text("stub")),
        StubEndpoint(.request(.post, "/needed", body: .jsonSubset(["a": 1])), .text("stub")))
      try server.accept(.beacons(at: "/beacons"))
      let client = try RawClient(server)
      let reason =
        "the body is coded as br, which isn't supported; set the sender's compression to gzip, or switch it off"
      for (path, status) in [("/ignored", 200), ("/needed", 415), ("/beacons", 415), ("/", 415)] {
        try client.send(request("POST \(path) HTTP/1.1", "br", [1, 2, 3]))
        let response = try client.response()
        XCTAssertEqual(response.status, status, path)
        if status == 415 { XCTAssertEqual(response.content, "{\"error\":\"\(reason)\"}\n", path) }
      }
      XCTAssertEqual(server.journal.rejections.map(\.reason), [reason, reason])
      // A client that waits for `100 Continue` need not send its body at all.
      let waiting = try RawClient(server)
      try waiting.send(
        RawClient.request(
          "POST / HTTP/1.1",
          ["Host: localhost", "Content-Encoding: zstd", "Expect: 100-continue", "Content-Length: 100"]))
      XCTAssertEqual(try waiting.response().status, 415)
    }
  }

  func testTheDecodedBodyHasLimits() throws {
    let limits = TrackingServer.Limits(decodedBody: 100_000, decodedRatio: 20)
    try withServer(TrackingServer.Configuration(limits: limits)) { server in
      try server.stub(StubEndpoint(.post, "/upload", .text("taken")))
      let client = try RawClient(server)
      // 700 times the letter a, in 27 bytes.
      let dense = Self.bytes("H4sIAAAAAAAAA0tMHAWjYGgCAIm0aXa8AgAA")
      try client.send(request("POST /upload HTTP/1.1", "gzip", dense))
      let response = try client.response()
      XCTAssertEqual(response.statusLine, "HTTP/1.1 413 Content Too Large")
      XCTAssertEqual(
        response.content,
        "{\"error\":\"the decoded body is larger than the limit of 540 bytes; raise the server's limits.decodedBody or "
          + "limits.decodedRatio\"}\n")
      // On a worker, since it is more than is decoded on the server's thread.
      for (count, status) in [(100_000, 200), (100_001, 413)] {
        try client.send(request("POST /upload HTTP/1.1", "deflate", Self.stored(count)))
        XCTAssertEqual(try client.response().status, status, "\(count)")
      }
      XCTAssertEqual(server.journal.requests.map(\.status), [413, 200, 413])
      XCTAssertEqual(server.journal.requests[1].bodySize, 100_000)
    }
  }
}
