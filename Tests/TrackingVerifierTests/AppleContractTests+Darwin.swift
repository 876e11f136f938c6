#if canImport(Darwin)
  import Foundation
  import TestSupport
  import TrackingModel
  import TrackingSockets
  import XCTest

  // The behaviour of Apple's frameworks alone.

  extension AppleContractTests {
    // MARK: XCTest

    func testTheNameOfAThrowingTestHasItsSelector() throws {
      XCTAssertEqual(name, "-[AppleContractTests testTheNameOfAThrowingTestHasItsSelectorAndReturnError:]")
    }

    func testTheNameOfAnAsynchronousTestHasItsSelector() async {
      XCTAssertEqual(name, "-[AppleContractTests testTheNameOfAnAsynchronousTestHasItsSelectorWithCompletionHandler:]")
    }

    func testANestedWaitIsInterruptedWhenTheOuterOneTimesOut() {
      let inner = Locked<XCTWaiter.Result?>(nil)
      DispatchQueue.main.async {
        let result = XCTWaiter().wait(for: [XCTestExpectation(description: "never")], timeout: 30)
        inner.withLock { $0 = result }
      }
      XCTAssertEqual(XCTWaiter().wait(for: [XCTestExpectation(description: "never")], timeout: 0.1), .timedOut)
      XCTAssertEqual(inner.withLock { $0 }, .interrupted)
    }

    // MARK: URLProtocol

    private func responded(_ request: URLRequest, uploading body: Data? = nil) async throws -> URLRequest {
      if let body {
        _ = try await URLSession.answered.upload(for: request, from: body)
      } else {
        _ = try await URLSession.answered.data(for: request)
      }
      return try XCTUnwrap(AnsweredRequests.all.withLock { $0.last { $0.url == request.url } })
    }

    private func post(_ name: String) -> URLRequest {
      var request = URLRequest(url: URL(string: "http://a.example/\(name)/200")!)
      request.httpMethod = "POST"
      return request
    }

    func testAProtocolGetsABodyAsAStream() async throws {
      var request = post("stream")
      request.httpBody = Data("body".utf8)
      let seen = try await answered(request)
      XCTAssertNil(seen.httpBody)
      XCTAssertNotNil(seen.httpBodyStream)
    }

    func testAProtocolDoesNotGetTheBodyOfAnUpload() async throws {
      let seen = try await answered(post("upload"), uploading: Data("body".utf8))
      XCTAssertNil(seen.httpBody)
      XCTAssertNil(seen.httpBodyStream)
    }

    func testAProtocolGetsAPropertyOfARequestThatIsData() async throws {
      let copy = try XCTUnwrap((post("property") as NSURLRequest).mutableCopy() as? NSMutableURLRequest)
      URLProtocol.setProperty(Data("body".utf8), forKey: "AppleContractTests", in: copy)
      let seen = try await answered(copy as URLRequest, uploading: Data("body".utf8))
      XCTAssertEqual(URLProtocol.property(forKey: "AppleContractTests", in: seen) as? Data, Data("body".utf8))
    }

    func testATaskGetsAProtocolsAnswer401WithItsChallenge() async throws {
      let (data, response) = try await URLSession.answered.data(from: URL(string: "http://a.example/401")!)
      XCTAssertEqual(data, Data("responded".utf8))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 401)
      XCTAssertEqual((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "WWW-Authenticate"), "Basic")
    }

    func testAWebSocketShowsInTheRequestThatAProtocolIsAskedAbout() async {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [AskedProtocol.self]
      let task = URLSession(configuration: configuration).webSocketTask(with: URL(string: "ws://localhost:1/chat")!)
      task.resume()
      _ = try? await task.receive()
      let asked = AskedProtocol.requests.withLock { $0 }
      XCTAssertFalse(asked.isEmpty)
      for request in asked {
        let isUpgrade = ["Upgrade", "Sec-WebSocket-Key"].contains { request.value(forHTTPHeaderField: $0) != nil }
        XCTAssertTrue(request.url?.scheme == "ws" || isUpgrade, "\(request) \(request.allHTTPHeaderFields ?? [:])")
      }
    }

    // MARK: Sockets

    private func pair() throws -> (client: Socket, server: Socket) {
      let listener = try Socket.listening(on: SocketAddress(.ipv4, port: 0))
      defer { listener.close() }
      let deadline = ContinuousClock.now + .seconds(30)
      let client = try Socket.connected(to: SocketAddress(.ipv4, port: try listener.localPort()), until: deadline)
      XCTAssertTrue(listener.wait(for: Int32(POLLIN), until: deadline))
      return (client, try XCTUnwrap(try listener.accept()))
    }

    func testTheCountOfUnacknowledgedBytesFallsToZero() throws {
      let (client, server) = try pair()
      defer { for socket in [client, server] { socket.close() } }
      XCTAssertEqual(Foundation.send(client.descriptor, "body", 4, 0), 4)
      let deadline = ContinuousClock.now + .seconds(30)
      var (count, length) = (Int32.max, socklen_t(MemoryLayout<Int32>.size))
      while count > 0, ContinuousClock.now < deadline {
        XCTAssertEqual(getsockopt(client.descriptor, SOL_SOCKET, SO_NWRITE, &count, &length), 0)
        sched_yield()
      }
      XCTAssertEqual(count, 0)
    }

    func testASendToAClosedPeerFailsWithEPIPEOrEPROTOTYPE() throws {
      let (client, server) = try pair()
      defer { client.close() }
      server.close()
      let deadline = ContinuousClock.now + .seconds(30)
      while Foundation.send(client.descriptor, "body", 4, 0) >= 0 || errno == EAGAIN, ContinuousClock.now < deadline {
        sched_yield()
      }
      XCTAssertTrue([EPIPE, EPROTOTYPE].contains(errno), "\(errno)")
    }
  }

  private final class AskedProtocol: URLProtocol {
    static let requests = Locked<[URLRequest]>([])

    override static func canInit(with request: URLRequest) -> Bool {
      requests.withLock { $0.append(request) }
      return false
    }
  }
#endif
