import Dispatch
import TestSupport

@testable import TrackingServer

/// Clients that leave, and servers that stop, while a response is on its way.
final class PendingResponseTests: ServerTestCase {
  private let paths = ["/late", "/pieces", "/stall", "/half", "/work"]

  /// A server that responds to nothing soon; closures return when they are let.
  private func withPendingServer(_ body: (TrackingServer, _ letGo: @escaping () -> Void) throws -> Void) throws {
    let mayGo = DispatchSemaphore(value: 0)
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/late", .ok.delayed(by: 3_600)),
        StubEndpoint(.get, "/pieces", .text("ab").dribbled(over: 3_600, pieces: 2)),
        StubEndpoint(.get, "/stall", .fault(HTTPFault(.stall, at: .response))),
        StubEndpoint(.get, "/half", .fault(HTTPFault(.halfClose, at: .response))),
        StubEndpoint(.get, "/soon", .text("soon").delayed(by: 0.3)))
      try server.stub(.get, "/work") { _ in
        mayGo.wait()
        return .text("work")
      }
      var isWaiting = 0
      defer { for _ in 0..<isWaiting { mayGo.signal() } }
      isWaiting = 8
      try body(server) {
        mayGo.signal()
        isWaiting -= 1
      }
    }
  }

  /// Sends a request that stays without its response, and returns when the server is at it.
  private func pendingClient(_ path: String, _ server: TrackingServer) throws -> RawClient {
    let client = try RawClient(server)
    try client.send(RawClient.get(path))
    try settle(server)
    return client
  }

  func testAClientThatResetsItsConnectionLeavesNothingBehind() throws {
    try withPendingServer { server, _ in
      let before = ProcessCounts.openDescriptors
      for path in paths {
        let client = try pendingClient(path, server)
        client.reset()
        eventually("\(path): \(ProcessCounts.openDescriptors) descriptors, \(before) before") {
          ProcessCounts.openDescriptors <= before
        }
      }
    }
  }

  func testAClientThatClosesItsConnectionIsForgottenWhenItsResponseIsDue() throws {
    try withPendingServer { server, letGo in
      let before = ProcessCounts.openDescriptors
      for path in ["/stall", "/half", "/soon", "/work"] {
        let client = try pendingClient(path, server)
        client.close()
        if path == "/work" { letGo() }
        eventually("\(path): \(ProcessCounts.openDescriptors) descriptors, \(before) before") {
          ProcessCounts.openDescriptors <= before
        }
      }
    }
  }

  func testClientsThatAreGoneCostNoTime() throws {
    try withPendingServer { server, _ in
      var clients: [RawClient] = []
      for path in paths {
        // With and without something unread, ended on one side, closed, reset.
        for leave in [{ $0.endSending() }, { $0.close() }, { $0.reset() }] as [(RawClient) -> Void] {
          let client = try pendingClient(path, server)
          if path != "/work" { try client.send(RawClient.get("/more")) }
          leave(client)
          clients.append(client)
        }
      }
      let other = try RawClient(server)
      let (start, startOfWork) = (ContinuousClock.now, ProcessorTime.ofProcess)
      XCTAssertEqual(try other.get("/soon").content, "soon")
      // A loop that spins takes as much of the processor as it gets.
      XCTAssertLessThan(ProcessorTime.ofProcess - startOfWork, (.now - start) / 10)
    }
  }

  func testAStopWaitsForNothingThatIsPending() throws {
    for path in paths {
      try withPendingServer { server, _ in
        let client = try pendingClient(path, server)
        let start = ContinuousClock.now
        server.stop()
        XCTAssertLessThan(.now - start, .seconds(RawClient.patience / 2), path)
        _ = try client.readToEnd()
        try server.start()
        XCTAssertEqual(try RawClient(server).post(#"{"name":"a"}"#).status, 204, path)
      }
    }
  }

  func testAStopBeforeAFaultIsOverLeavesNothingBehind() throws {
    try leavingNothingBehind {
      for effect in HTTPFault.Effect.allCases {
        try withServer { server in
          try server.stub(StubEndpoint(.get, "/", .text("ab").failing(HTTPFault(effect, at: .responseBody))))
          let clients = try (0..<4).map { _ in try RawClient(server) }
          for client in clients { try client.send(RawClient.get("/")) }
          server.stop()
          server.stop()
        }
      }
    }
  }

  func testAnOutcomeForAConnectionThatIsGoneReachesNoOther() throws {
    try withPendingServer { server, letGo in
      let gone = try pendingClient("/work", server)
      gone.reset()
      let here = try pendingClient("/work", server)
      letGo()
      letGo()
      XCTAssertEqual(try here.response().content, "work")
      XCTAssertTrue(here.hearsNothing)
      XCTAssertEqual(server.journal.requests.filter { $0.target == "/work" }.map(\.hasResponse), [false, true])
    }
  }
}
