import TestSupport
import VendorFormats

@testable import TrackingServer

/// Refused bodies that were meant as events, whichever part of the server refuses them.
final class RefusedSubmissionTests: ServerTestCase {
  // {"batch":[{"type":"track","event":"purchase","messageId":"1","anonymousId":"a"}]}
  private static let gzip = [UInt8](
    Data(
      base64Encoded:
        "H4sIAAAAAAACA6tWSkosSc5QsoquViqpLEhVslIqKUpMzlbSUUotS80rAfILSouSMxKLU4FCuanFxYnpqZ4pQGFDID8xLz+vMje/tBgskqhUG1sLADcysb9RAAAA"
    )!)
  /// The same body without the header and the trailer of gzip.
  private static var rawDeflate: [UInt8] { Array(gzip.dropFirst(10).dropLast(8)) }

  private func post(_ path: String, _ body: [UInt8], _ fields: String..., over client: RawClient) throws -> Int {
    let head = RawClient.request(
      "POST \(path) HTTP/1.1", ["Host: localhost", "Content-Length: \(body.count)"] + fields)
    try client.send(Array(head.utf8) + body)
    return try client.response().status
  }

  func testABodyThatIsNotItsCodingIsARejectionOfItsEvents() throws {
    let limits = TrackingServer.Limits(decodedBody: 60)
    let bodies: [(name: String, body: [UInt8], coding: String, reason: String)] = [
      (
        "not gzip", Array("{}".utf8), "gzip",
        "400: the body is not valid gzip data: a gzip body begins with the bytes 1f 8b, at byte 0"
      ),
      ("raw deflate", Self.rawDeflate, "gzip", ""), ("cut off", Array(Self.gzip.dropLast(20)), "gzip", ""),
      ("bytes behind it", Self.gzip + [0, 1], "gzip", ""), ("too large", Self.gzip, "gzip", ""),
      ("another coding", Self.gzip, "deflate", ""), ("not deflate", Array("{}".utf8), "deflate", ""),
      ("an unknown coding", Self.gzip, "br", ""),
    ]
    for (name, body, coding, reason) in bodies {
      try withServer(.init(limits: name == "too large" ? limits : .init())) { server in
        try server.accept(.segment)
        try server.stub(StubEndpoint(.post, "/upload", .text("taken")))
        let client = try RawClient(server)
        let status = try post("/v1/b", body, "Content-Encoding: \(coding)", over: client)
        let rejection = try XCTUnwrap(server.journal.rejections.first, name)
        XCTAssertEqual(rejection.status, status, name)
        if !reason.isEmpty { XCTAssertEqual("\(rejection)", reason, name) }
        XCTAssertEqual(server.journal.requests.map(\.isRejectedSubmission), [true], name)
        // The same body for a stub isn't an event.
        _ = try post("/upload", body, "Content-Encoding: \(coding)", over: client)
        _ = try post("/v1/b", Self.gzip, "Content-Encoding: gzip", over: client)
        XCTAssertEqual(server.journal.rejections.count, name == "too large" ? 2 : 1, name)
        XCTAssertEqual(server.journal.events.count, name == "too large" ? 0 : 1, name)
      }
    }
  }

  func testGzipWithoutItsNameIsARejectionIfItIsBroken() throws {
    try withServer { server in
      try server.accept(.segment)
      XCTAssertEqual(try post("/v1/b", Array(Self.gzip.dropLast(4)), over: RawClient(server)), 400)
      XCTAssertEqual(server.journal.rejections.map(\.status), [400])
    }
  }

  func testASubmissionOfAnSDKThatAFullJournalRefusesIsARejection() throws {
    try withServer(.init(limits: .init(journalEvents: 1))) { server in
      try server.accept(.segment)
      let client = try RawClient(server)
      XCTAssertEqual(try post("/v1/b", Self.gzip, over: client), 200)
      let body = #"{"batch":[{"type":"track","event":"purchase","messageId":"2","anonymousId":"a"}]}"#
      XCTAssertEqual(try post("/v1/b", Array(body.utf8), over: client), 507)
      XCTAssertEqual(server.journal.rejections.map(\.status), [507])
      XCTAssertEqual(server.journal.refusedAsFull, 1)
    }
  }

  /// A double sends the events again after a 503, and its numbers show a loss; other senders' events are lost in silence.
  func testWithoutAThreadASubmissionWithoutNumbersIsARejection() throws {
    let mayGo = DispatchSemaphore(value: 0)
    try withServer(.init(limits: .init(workers: 1))) { server in
      let inside = Locked(0)
      try server.accept(
        AcceptedFormat("Shop", .post, "/collect") { _ in
          inside.withLock { $0 += 1 }
          mayGo.wait()
          return []
        })
      let blocked = try RawClient(server)
      try blocked.send(RawClient.request("POST /collect HTTP/1.1", ["Host: localhost"], "a"))
      eventually("it blocks") { inside.withLock { $0 } == 1 }
      let client = try RawClient(server)
      XCTAssertEqual(try post("/collect", [1], over: client), 503)
      XCTAssertEqual(server.journal.rejections.map(\.status), [503])
      // More than is decoded on the server's thread, so that it needs another one.
      let large = Self.stored(Array(#"{"name":"a"}"#.utf8) + Array(repeating: 0x20, count: 70_000))
      for (fields, count) in [(["Tracking-Launch: p.1", "Tracking-Sequence: 1"], 1), ([], 2)] {
        let head = RawClient.request(
          "POST / HTTP/1.1",
          ["Host: localhost", "Content-Encoding: deflate", "Content-Length: \(large.count)"] + fields)
        try client.send(Array(head.utf8) + large)
        XCTAssertEqual(try client.response().status, 503)
        XCTAssertEqual(server.journal.rejections.count, count, "\(fields)")
      }
      XCTAssertEqual(server.journal.requests.count { $0.problem != nil }, 3)
      mayGo.signal()
      XCTAssertEqual(try blocked.response().status, 200)
    }
  }

  func testAnIncompleteSubmissionWithNumbersIsNoRejection() throws {
    try withServer(.init(limits: .init(requestTimeout: 0.05))) { server in
      let numbered = ["Tracking-Launch: p.1", "Tracking-Sequence: 1"]
      for (fields, count) in [(numbered, 0), ([], 1)] {
        let client = try RawClient(server)
        try client.send(RawClient.request("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 12"] + fields) + "{")
        XCTAssertEqual(try client.response().status, 408)
        XCTAssertEqual(server.journal.rejections.count, count)
      }
    }
  }

  func testARefusalBeforeTheHeadRejectsNothing() throws {
    try withServer(.init(limits: .init(connections: 1))) { server in
      let first = try RawClient(server)
      try first.send("PO")
      XCTAssertEqual(try RawClient(server).response().status, 503)
      XCTAssertEqual(server.journal.rejections, [])
    }
    try withServer(.init(limits: .init(requestTimeout: 0.05))) { server in
      let client = try RawClient(server)
      try client.send("PO")
      XCTAssertEqual(try client.response().status, 408)
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testARejectedEventIsNotLost() throws {
    let limits = TrackingServer.Limits(body: 100, journalEvents: 4)
    try withServer(.init(limits: limits)) { server in
      let session = "Tracking-Session: \(server.session)"
      func post(_ body: String, _ sequence: Int, _ type: String = "application/json") throws -> Int {
        let fields = [session, "Tracking-Launch: p.1", "Tracking-Sequence: \(sequence)", "Content-Type: \(type)"]
        return try RawClient(server).exchange(
          RawClient.request("POST / HTTP/1.1", ["Host: localhost"] + fields, body)
        ).status
      }
      let event = #"{"name":"a"}"#
      XCTAssertEqual(try post(event, 1), 204)
      // Unreadable, too large, and not JSON.
      XCTAssertEqual(try post(#"{"name":}"#, 2), 400)
      XCTAssertEqual(try post(String(repeating: " ", count: 101), 3), 413)
      XCTAssertEqual(try post(event, 4, "text/html"), 415)
      XCTAssertEqual(try post(event, 5), 204)
      // A full journal refuses several events that it has read.
      XCTAssertEqual(try post("[\(event), \(event), \(event)]", 6), 507)
      XCTAssertEqual(try post(event, 9), 204)
      XCTAssertEqual(server.journal.rejections.map(\.status), [400, 413, 415, 507])
      XCTAssertEqual(server.journal.rejections.map(\.launch), Array(repeating: "p.1", count: 4))
      XCTAssertEqual(server.journal.lostEvents(since: .beginning), [])
      XCTAssertEqual(try post(#"{"name":}"#, 11), 400)
      XCTAssertEqual(
        server.journal.lostEvents(since: .beginning), [LostEvents(launch: "p.1", numbers: [10...10], tracked: 11)])
      // Reported by a check before the mark, not by one after it.
      let mark = server.journal.mark()
      XCTAssertEqual(try post(event, 12), 204)
      XCTAssertEqual(server.journal.lostEvents(since: mark), [])
    }
  }

  func testTheLaunchOfAnotherSessionIsNotKnownByItsRejections() throws {
    try withServer { server in
      let client = try RawClient(server)
      XCTAssertEqual(
        try client.post("{}", "Tracking-Launch: p.1", "Tracking-Sequence: 2", "Tracking-Session: another").status, 403)
      XCTAssertEqual(server.journal.rejections.map(\.launch), ["p.1"])
      XCTAssertFalse(server.journal.hasLaunches)
    }
  }

  /// Bytes that are stored in zlib's format and not compressed.
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: content.count, by: 65_535) {
      let part = content[start..<min(start + 65_535, content.count)]
      let (low, high) = (UInt8(part.count & 0xff), UInt8(part.count >> 8))
      bytes += [part.endIndex == content.count ? 1 : 0, low, high, ~low, ~high] + part
    }
    let sums = content.reduce((UInt32(1), UInt32(0))) { sums, byte in
      let low = (sums.0 + UInt32(byte)) % 65_521
      return (low, (sums.1 + low) % 65_521)
    }
    for sum in [sums.1, sums.0] { for shift in [8, 0] { bytes.append(UInt8(sum >> UInt32(shift) & 0xff)) } }
    return bytes
  }
}
