#if canImport(Darwin)
  import Foundation
  import XCTest

  // The behaviour of Apple's frameworks alone.

  nonisolated extension AppleContractTests {
    // MARK: XCTest

    func testTheNameOfAThrowingTestHasItsSelector() throws {
      XCTAssertEqual(name, "-[AppleContractTests testTheNameOfAThrowingTestHasItsSelectorAndReturnError:]")
    }

    func testTheNameOfAnAsynchronousTestHasItsSelector() async {
      XCTAssertEqual(name, "-[AppleContractTests testTheNameOfAnAsynchronousTestHasItsSelectorWithCompletionHandler:]")
    }

    func testANestedWaitIsInterruptedWhenTheOuterOneTimesOut() {
      let inner = Guarded<XCTWaiter.Result?>(nil)
      DispatchQueue.main.async {
        let result = XCTWaiter().wait(for: [XCTestExpectation(description: "never")], timeout: 30)
        inner.withLock { $0 = result }
      }
      XCTAssertEqual(XCTWaiter().wait(for: [XCTestExpectation(description: "never")], timeout: 0.1), .timedOut)
      XCTAssertEqual(inner.withLock { $0 }, .interrupted)
    }

    // MARK: URLProtocol

    private func served(_ request: URLRequest, uploading body: Data? = nil) async throws -> URLRequest {
      if let body {
        _ = try await URLSession.responding.upload(for: request, from: body)
      } else {
        _ = try await URLSession.responding.data(for: request)
      }
      return try XCTUnwrap(ServedRequests.all.withLock { $0.last { $0.url == request.url } })
    }

    private func post(_ name: String) -> URLRequest {
      var request = URLRequest(url: URL(string: "http://a.example/\(name)/200")!)
      request.httpMethod = "POST"
      return request
    }

    func testAProtocolGetsABodyAsAStream() async throws {
      var request = post("stream")
      request.httpBody = Data("body".utf8)
      let seen = try await served(request)
      XCTAssertNil(seen.httpBody)
      XCTAssertNotNil(seen.httpBodyStream)
    }

    func testAProtocolDoesNotGetTheBodyOfAnUpload() async throws {
      let seen = try await served(post("upload"), uploading: Data("body".utf8))
      XCTAssertNil(seen.httpBody)
      XCTAssertNil(seen.httpBodyStream)
    }

    func testAProtocolGetsAPropertyOfARequestThatIsData() async throws {
      let copy = try XCTUnwrap((post("property") as NSURLRequest).mutableCopy() as? NSMutableURLRequest)
      URLProtocol.setProperty(Data("body".utf8), forKey: "AppleContractTests", in: copy)
      let seen = try await served(copy as URLRequest, uploading: Data("body".utf8))
      XCTAssertEqual(URLProtocol.property(forKey: "AppleContractTests", in: seen) as? Data, Data("body".utf8))
    }

    func testATaskGetsAProtocolsResponse401WithItsChallenge() async throws {
      let (data, response) = try await URLSession.responding.data(from: URL(string: "http://a.example/401")!)
      XCTAssertEqual(data, Data("responded".utf8))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 401)
      XCTAssertEqual((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "WWW-Authenticate"), "Basic")
    }

    func testAWebSocketShowsInTheRequestThatAProtocolGets() async {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [RequestedProtocol.self]
      let task = URLSession(configuration: configuration).webSocketTask(with: URL(string: "ws://localhost:1/chat")!)
      task.resume()
      _ = try? await task.receive()
      let requested = RequestedProtocol.requests.withLock { $0 }
      XCTAssertFalse(requested.isEmpty)
      for request in requested {
        let isUpgrade = ["Upgrade", "Sec-WebSocket-Key"].contains { request.value(forHTTPHeaderField: $0) != nil }
        XCTAssertTrue(request.url?.scheme == "ws" || isUpgrade, "\(request) \(request.allHTTPHeaderFields ?? [:])")
      }
    }

    // MARK: Sockets

    /// A listener on a port that the system chooses, on `::1` or `127.0.0.1`.
    static func listener(_ family: Int32) throws -> (socket: Int32, port: UInt16) {
      let socket = socket(family, SOCK_STREAM, 0)
      var address = sockaddr_storage()
      var length = socklen_t(0)
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
          guard family == AF_INET6 else { return }
          $0.pointee.sin6_family = sa_family_t(AF_INET6)
          $0.pointee.sin6_addr = in6addr_loopback
          length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        }
        pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          guard family == AF_INET else { return }
          $0.pointee.sin_family = sa_family_t(AF_INET)
          $0.pointee.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
          length = socklen_t(MemoryLayout<sockaddr_in>.size)
        }
        pointer.pointee.ss_len = UInt8(length)
      }
      let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, length) == 0 && listen(socket, 8) == 0 && getsockname(socket, $0, &length) == 0
        }
      }
      guard isListening else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      // `sin_port` and `sin6_port` are at the same place.
      let port = withUnsafeBytes(of: address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian }
      return (socket, port)
    }

    /// The next connection to a listener; `nil` if none arrives within 30 seconds.
    static func connection(to listener: Int32) -> Int32? {
      var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, 30_000) == 1 else { return nil }
      let socket = accept(listener, nil, nil)
      return socket < 0 ? nil : socket
    }

    private func pair() throws -> (client: Int32, server: Int32) {
      let (listener, port) = try Self.listener(AF_INET)
      defer { close(listener) }
      let client = socket(AF_INET, SOCK_STREAM, 0)
      var address = sockaddr_in()
      (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
      address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
      let isConnected = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
      }
      XCTAssertTrue(isConnected, "\(errno)")
      var on: Int32 = 1
      setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
      return (client, try XCTUnwrap(Self.connection(to: listener)))
    }

    func testAProcessListensOnBothLoopbackFamilies() throws {
      for family in [AF_INET6, AF_INET] {
        let (listener, port) = try Self.listener(family)
        XCTAssertGreaterThan(port, 0)
        close(listener)
      }
    }

    func testTheCountOfUnacknowledgedBytesFallsToZero() throws {
      let (client, server) = try pair()
      defer { for socket in [client, server] { close(socket) } }
      XCTAssertEqual(send(client, "body", 4, 0), 4)
      let deadline = ContinuousClock.now + .seconds(30)
      var (count, length) = (Int32.max, socklen_t(MemoryLayout<Int32>.size))
      while count > 0, ContinuousClock.now < deadline {
        XCTAssertEqual(getsockopt(client, SOL_SOCKET, SO_NWRITE, &count, &length), 0)
        sched_yield()
      }
      XCTAssertEqual(count, 0)
    }

    func testASendToAClosedPeerFailsWithEPIPEOrEPROTOTYPE() throws {
      let (client, server) = try pair()
      defer { close(client) }
      close(server)
      let deadline = ContinuousClock.now + .seconds(30)
      while send(client, "body", 4, 0) >= 0 || errno == EAGAIN, ContinuousClock.now < deadline {
        sched_yield()
      }
      XCTAssertTrue([EPIPE, EPROTOTYPE].contains(errno), "\(errno)")
    }
  }

  /// A failure off the main thread that ends a test, which is the last test of its class: if the belief is wrong, the process ends with it.
  nonisolated final class AppleFailureContractTests: XCTestCase {
    private let steps = Guarded<[String]>([])

    override func tearDown() {
      XCTAssertEqual(steps.withLock { $0 }, ["before", "after"])
      super.tearDown()
    }

    func testAFailureOffTheMainThreadDoesNotLeaveItsThread() {
      continueAfterFailure = false
      XCTExpectFailure("the failure that this test is about")
      let steps = steps
      let ended = expectation(description: "the block has ended")
      DispatchQueue.global().async {
        steps.withLock { $0.append("before") }
        XCTFail("expected")
        steps.withLock { $0.append("after") }
        ended.fulfill()
      }
      wait(for: [ended], timeout: 30)
    }
  }

  nonisolated private final class RequestedProtocol: URLProtocol {
    static let requests = Guarded<[URLRequest]>([])

    override static func canInit(with request: URLRequest) -> Bool {
      requests.withLock { $0.append(request) }
      return false
    }
  }
#endif
