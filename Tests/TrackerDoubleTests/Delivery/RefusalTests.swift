import TestSupport
@testable import TrackerDouble
@testable import TrackingSockets

final class RefusalTests: DoubleTestCase {
  func testARefusedArrayIsSentAgainOneByOneAndOnlyTheInvalidEventFails() throws {
    let statuses = ["400 Bad Request", "413 Content Too Large", "415 Unsupported Media Type"]
    for status in statuses {
      let failures = Recorder<DeliveryFailure>()
      let gate = Gate()
      let peer = try peer(respond: { request in
        if request.number == 1 { gate.pass() }
        guard request.events.contains(where: { $0.name == "event 4" }) else { return .response(Responses.noContent) }
        return .response(
          Responses.status(status, body: #"{"error":"a price is a number","path":"params.price","offset":41}"#))
      })
      let tracker = tracker(for: peer) { $0.onFailure = { failures.append($0) } }
      tracker.track(1...1)
      peer.requests.wait { $0.count == 1 }
      tracker.track(2...6)
      gate.open()
      XCTAssertFalse(tracker.flush(timeout: long))
      XCTAssertEqual(peer.requests.all.map(\.events.count), [1, 5, 1, 1, 1, 1, 1])
      XCTAssertEqual(peer.requests.all.map(\.sequence), [1, 2, 2, 3, 4, 5, 6])
      XCTAssertEqual(peer.recorded, names(1...3) + names(5...6))
      XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 6, delivered: 5, failed: 1))
      XCTAssertEqual(
        failures.all.map(\.description),
        [
          "1 tracked event was not delivered (\"event 4\"): the server responded with \(status): a price is a number, at params.price"
        ])
    }
  }

  func testAfterwardsArraysAreUsedAgain() throws {
    let gates = [Gate(), Gate()]
    let peer = try peer(respond: { request in
      if request.sequence == 1 { gates[0].pass() }
      if request.sequence == 3, !request.isArray { gates[1].pass() }
      return .response(request.number == 2 ? Responses.status("400 Bad Request") : Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    peer.requests.wait { $0.count == 1 }
    tracker.track(2...3)
    gates[0].open()
    peer.requests.wait { $0.count == 4 }
    tracker.track(4...9)
    gates[1].open()
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.events.count), [1, 2, 1, 1, 6])
  }

  func testAForbiddenDoubleFailsAllThatIsPending() throws {
    let gate = Gate()
    let peer = try peer(respond: { request in
      gate.pass()
      return .response(Responses.status("403 Forbidden", body: #"{"error":"wrong session"}"#))
    })
    let tracker = tracker(for: peer, session: "stale") { $0.batchLimit = 10 }
    tracker.track(1...50)
    gate.open()
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 50, delivered: 0, failed: 50))
    XCTAssertEqual(peer.requests.all.count, 1)
    XCTAssertEqual(failures.all.map(\.count), [50])
    XCTAssertEqual(failures.all.first?.events.map(\.name), names(1...50))
    XCTAssertEqual(failures.all.first?.reason, "the server responded with 403 Forbidden: wrong session")
    XCTAssertEqual(
      lines.all,
      [
        "TrackerDouble: 50 tracked events were not delivered "
          + "(\"event 1\", \"event 2\", \"event 3\", \"event 4\", \"event 5\", 45 more): "
          + "the server responded with 403 Forbidden: wrong session"
      ])
  }

  func testAForbiddenDoubleSendsItsLaterEvents() throws {
    let peer = try peer(respond: { request in
      .response(request.number == 1 ? Responses.status("403 Forbidden") : Responses.noContent(session: "s"))
    })
    let tracker = tracker(for: peer, session: "s")
    tracker.track(1...1)
    XCTAssertFalse(tracker.flush(timeout: long))
    tracker.track(2...2)
    _ = tracker.flush(timeout: long)
    XCTAssertEqual(peer.recorded, names(2...2))
  }

  func testA403WithTheSessionsTokenFailsOnlyTheEventsItRefuses() throws {
    let gate = Gate()
    let peer = try peer(respond: { request in
      gate.pass()
      let status = request.number == 1 ? "403 Forbidden" : "204 No Content"
      return .response("HTTP/1.1 \(status)\r\nTracking-Session: s\r\nContent-Length: 0\r\n\r\n")
    })
    let tracker = tracker(for: peer, session: "s")
    tracker.track(1...1)
    peer.requests.wait { $0.count == 1 }
    tracker.track(2...3)
    gate.open()
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(2...3))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 3, delivered: 2, failed: 1))
    XCTAssertEqual(
      failures.all.map(\.description),
      ["1 tracked event was not delivered (\"event 1\"): the server responded with 403 Forbidden"])
  }

  func testOtherResponsesAreFinal() throws {
    for status in ["404 Not Found", "301 Moved Permanently", "304 Not Modified", "405", "411 Length Required", "431 "] {
      let failures = Recorder<DeliveryFailure>()
      let response = Responses.status(status, body: status.hasPrefix("304") ? "" : "<html>")
      let peer = try peer(respond: { _ in .response(response) })
      let tracker = tracker(for: peer) { $0.onFailure = { failures.append($0) } }
      tracker.track(1...1)
      XCTAssertFalse(tracker.flush(timeout: long))
      XCTAssertEqual(peer.requests.all.count, 1)
      XCTAssertEqual(
        failures.all.map(\.reason), ["the server responded with \(status.trimmingCharacters(in: .whitespaces))"])
    }
  }

  func testAResponseBeforeTheRequestIsReadIsReceived() throws {
    // The peer looks at the head alone, responds and closes.
    let listener = try Listener(port: 0)
    defer { listener.close() }
    let thread = Thread {
      while listener.sockets[0].wait(for: Int32(POLLIN), until: .now + .seconds(30)) {
        guard let socket = try? listener.sockets[0].accept() else { return }
        _ = socket.wait(for: Int32(POLLIN), until: .now + .seconds(30))
        let response = Array(Responses.status("413 Content Too Large", body: #"{"error":"too large"}"#).utf8)
        _ = response.withUnsafeBytes(socket.send)
        socket.shutdownWriting()
        var space = [UInt8](repeating: 0, count: 65_536)
        while socket.wait(for: Int32(POLLIN), until: .now + .seconds(30)) {
          guard case .bytes = space.withUnsafeMutableBytes(socket.receive) else { break }
        }
        socket.close()
        return
      }
    }
    thread.start()
    let tracker = tracker(for: endpoint(port: listener.address.port))
    tracker.trackEvent(
      TrackingEvent(name: "large", params: ["text": .string(String(repeating: "x", count: 8_000_000))]))
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(failures.all.map(\.reason), ["the server responded with 413 Content Too Large: too large"])
  }
}
