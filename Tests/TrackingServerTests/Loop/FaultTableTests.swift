import TestSupport
@testable import TrackingServer

/// Each position of a fault times each effect, as a client on a bare socket sees it.
final class FaultTableTests: ServerTestCase {
  private let garbage = "\u{15}\u{3}\u{1} this is no HTTP \u{0}\u{7F}"
  private let head =
    "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 10\r\n\r\n"

  /// The part of the response that a client receives before the fault.
  private func expectedResponse(_ position: HTTPFault.Position) -> String {
    switch position {
    case .accept, .requestHead, .requestBody, .response: ""
    case .responseBody: head + "01234"
    case .afterResponse: head + "0123456789"
    }
  }

  /// The last part of the request, which triggers the fault, and the part before it, which must not.
  private func sent(_ position: HTTPFault.Position) -> (before: String, last: String) {
    let request = RawClient.request("PUT /books HTTP/1.1", ["Host: localhost"], "0123456789")
    switch position {
    case .accept: return ("", "")
    case .requestHead: return (String(request.dropLast(11)), "\r\n")
    case .requestBody: return (String(request.dropLast(6)), "4")
    case .response, .responseBody, .afterResponse: return (String(request.dropLast()), "9")
    }
  }

  func testEachFaultIsSeenByAClientAsItIsNamed() throws {
    for position in HTTPFault.Position.allCases {
      for effect in HTTPFault.Effect.allCases {
        try withServer { server in
          let fault = HTTPFault(effect, at: position)
          if position == .accept {
            server.stubs.inject(fault, times: 1, of: server.stubs.makeOwner())
          } else {
            try server.stub(StubEndpoint(.put, "/books", .text("0123456789").failing(fault)))
          }
          try assert(fault, of: server)
        }
      }
    }
  }

  private func assert(_ fault: HTTPFault, of server: TrackingServer) throws {
    if fault == HTTPFault(.reset, at: .accept) { return XCTAssertEqual(try endOfNewConnection(server), .reset) }
    let client = try RawClient(server)
    let (before, last) = sent(fault.position)
    if !last.isEmpty {
      try client.send(before)
      try settle(server)
      XCTAssertTrue(client.hearsNothing, "\(fault) before it was due")
      XCTAssertEqual(server.journal.requests, [], "\(fault) before it was due")
      try client.send(last)
    }
    var expected = expectedResponse(fault.position)
    if fault.effect == .garbage {
      // A byte less than is missing of the body, which would be whole otherwise.
      expected += fault.position == .responseBody ? String(garbage.prefix(4)) : garbage
    }
    let wantedEnd: RawClient.End =
      switch fault.effect {
      case .close, .garbage, .halfClose: .closed
      case .reset: .reset
      case .stall: .none
      }
    let atMost = fault.effect == .stall ? bytesOnTheWire(expected) : .max
    let (bytes, end) = try client.readToEnd(atMost: atMost)
    XCTAssertEqual(undated(bytes), expected, "\(fault)")
    XCTAssertEqual(end, wantedEnd, "\(fault)")
    if fault.effect == .reset { XCTAssertEqual(client.failure, ECONNRESET, "\(fault)") }
    // A stall says nothing when it has come.
    if fault.effect == .stall { try settle(server) }
    if fault.effect == .stall || fault.effect == .halfClose {
      // A fault that sends nothing has happened only after this; later bytes are no longer part of the request.
      try settle(server)
      // Far more than the system keeps: the server continues to read.
      XCTAssertNoThrow(try client.send([UInt8](repeating: 0, count: 20_000_000)), "\(fault)")
    }
    try settle(server)
    if fault.effect == .stall { XCTAssertTrue(client.hearsNothing, "\(fault)") }
    assertRequest(of: server, fault)
  }

  private func assertRequest(of server: TrackingServer, _ fault: HTTPFault) {
    guard fault.position != .accept else { return XCTAssertEqual(server.journal.requests, [], "\(fault)") }
    let hasStatus = fault.position == .responseBody || fault.position == .afterResponse
    XCTAssertEqual(
      server.journal.requests.map { "\($0)" },
      ["PUT /books -> \(hasStatus ? "200" : "no response") by PUT /books, \(fault)"], "\(fault)")
    XCTAssertEqual(
      server.journal.requests.map(\.bodySize),
      [fault.position == .requestHead ? 0 : fault.position == .requestBody ? 5 : 10], "\(fault)")
  }

  private func undated(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).replacing(/Date: [^\r]*/, with: "Date: now")
  }

  private func bytesOnTheWire(_ text: String) -> Int {
    text.replacing("Date: now", with: "Date: Sat, 21 Nov 2026 10:00:00 GMT").utf8.count
  }
}
