import TestSupport

@testable import TrackerDouble
@testable import TrackingSockets

final class DeliveryTests: DoubleTestCase {
  func testASingleEventIsPostedAsAnObjectWithExactlyTheseBytes() throws {
    let peer = try peer(respond: { _ in .response(Responses.noContent(session: "token")) })
    let tracker = tracker(for: peer, session: "token")
    tracker.trackEvent(.init(name: "button_tapped", params: [.screen: "main", "count": 3]))
    XCTAssertTrue(tracker.flush(timeout: long))

    let request = try XCTUnwrap(peer.requests.all.first)
    assertText(
      request.head,
      """
      POST / HTTP/1.1\r
      Host: \(SocketAddress(.preferred, port: peer.port))\r
      Content-Type: application/json\r
      Content-Length: 61\r
      Tracking-Session: token\r
      Tracking-Launch: \(request.launch)\r
      Tracking-Sequence: 1\r
      \r

      """)
    XCTAssertEqual(
      String(decoding: request.body, as: UTF8.self), #"{"name":"button_tapped","params":{"count":3,"screen":"main"}}"#)
    XCTAssertNotNil(request.launch.wholeMatch(of: /[0-9a-z]+\.[0-9]+\.[!-~]+/), request.launch)
  }

  func testWithoutASessionNoSessionIsSent() throws {
    let peer = try peer()
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertNil(peer.requests.all.first?.field("Tracking-Session"))
  }

  func testAQueueThatHasBuiltUpIsPostedInArrays() throws {
    let gate = Gate()
    let peer = try peer(respond: { request in
      if request.number == 1 { gate.pass() }
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    peer.requests.wait { $0.count == 1 }
    tracker.track(2...250)
    gate.open()
    XCTAssertTrue(tracker.flush(timeout: long))

    let requests = peer.requests.all
    XCTAssertEqual(requests.map(\.sequence), [1, 2, 102, 202])
    XCTAssertEqual(requests.map(\.events.count), [1, 100, 100, 49])
    XCTAssertEqual(requests.map(\.isArray), [false, true, true, true])
    XCTAssertEqual(peer.recorded, names(1...250))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 250, delivered: 250, failed: 0))
  }

  func testOneConnectionCarriesAllPosts() throws {
    let peer = try peer()
    let tracker = tracker(for: peer) { $0.batchLimit = 1 }
    tracker.track(1...500)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.sequence), Array(1...500))
    XCTAssertEqual(peer.requests.all.map(\.isArray), Array(repeating: false, count: 500))
    XCTAssertEqual(peer.connections.all, [1])
  }

  func testTenThousandEventsOfATightLoopArriveOnceAndInOrder() throws {
    let peer = try peer()
    let tracker = tracker(for: peer)
    tracker.track(1...10_000)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...10_000))
    XCTAssertEqual(peer.requests.all.map(\.events.count).reduce(0, +), 10_000, "without a retry, none is posted twice")
    XCTAssertLessThanOrEqual(peer.requests.all.map(\.events.count).max() ?? 0, 100)
  }

  func testAnyUnicodeArrivesUnchanged() throws {
    let peer = try peer()
    let tracker = tracker(for: peer)
    let texts = [
      "", "\0", "\u{1F}\u{7F}", "\"\\/\r\n\t", "é e\u{301}", "日本語", "👩‍👩‍👧‍👦🇩🇪", "\u{2028}\u{2029}", "\u{FFFD}\u{10FFFF}", "ﷺ",
    ]
    let events = texts.map { TrackingEvent(name: $0, params: [.custom(key: $0): .string($0)]) }
    for event in events { tracker.trackEvent(event) }
    XCTAssertTrue(tracker.flush(timeout: long))
    let received = peer.requests.all.flatMap(\.events)
    XCTAssertEqual(received, events)
    XCTAssertEqual(received.map { Array($0.name.utf8) }, texts.map { Array($0.utf8) }, "byte for byte, not normalised")
  }

  func testALargeEventIsSentWhole() throws {
    let peer = try peer()
    let tracker = tracker(for: peer)
    let event = TrackingEvent(
      name: "large", params: ["text": .string(String(repeating: "0123456789", count: 800_000))])
    tracker.trackEvent(event)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(
      peer.requests.all.first?.body.count, 8_000_000 + #"{"name":"large","params":{"text":""}}"#.utf8.count)
  }

  func testEightThreadsLoseNothingAndTheCountsAddUpAtEveryMoment() throws {
    let peer = try peer()
    let tracker = tracker(for: peer)
    let done = Recorder<Int>()
    for thread in 1...8 {
      let worker = Thread {
        for number in 1...500 {
          tracker.trackEvent(TrackingEvent(name: "\(thread) \(number)", params: [:]))
          let counts = tracker.delivery
          if counts.pending < 0 || counts.tracked != counts.delivered + counts.pending + counts.failed {
            XCTFail("\(counts)")
          }
        }
        done.append(thread)
      }
      worker.start()
    }
    done.wait { $0.count == 8 }
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 4_000, delivered: 4_000, failed: 0))
    for thread in 1...8 {
      XCTAssertEqual(peer.recorded.filter { $0.hasPrefix("\(thread) ") }, (1...500).map { "\(thread) \($0)" })
    }
  }

  func testLocalhostIsTriedOverBothAddresses() throws {
    let ipv4 = try Socket.listening(on: SocketAddress(.ipv4, port: 0))
    let peer = try ScriptedPeer(listeners: [ipv4], port: ipv4.localPort())
    addTeardownBlock { peer.stop() }
    let tracker = tracker(for: TrackingEndpoint(url: URL(string: "http://localhost:\(peer.port)")!))
    tracker.track(1...3)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...3))
    XCTAssertEqual(peer.requests.all.first?.field("Host"), "localhost:\(peer.port)")
  }

  func testTheURLsPathIsTheTarget() throws {
    let peer = try peer()
    let address = SocketAddress(.preferred, port: peer.port)
    let tracker = tracker(for: TrackingEndpoint(url: URL(string: "http://\(address)/track%20me?a=b")!))
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.first?.head.hasPrefix("POST /track%20me?a=b HTTP/1.1\r\n"), true)
  }

  func testTwoDoublesOfOneProcessAreDistinguished() throws {
    let peer = try peer()
    let first = tracker(for: peer)
    let second = tracker(for: peer)
    first.track(1...1)
    second.track(1...1)
    XCTAssertTrue(first.flush(timeout: long))
    XCTAssertTrue(second.flush(timeout: long))
    let launches = peer.requests.all.map(\.launch)
    XCTAssertEqual(Set(launches).count, 2, "\(launches)")
    XCTAssertEqual(Set(launches.map { $0.prefix { $0 != "." } }).count, 1, "one process, one token: \(launches)")
    XCTAssertEqual(peer.requests.all.map(\.sequence), [1, 1])
  }
}
