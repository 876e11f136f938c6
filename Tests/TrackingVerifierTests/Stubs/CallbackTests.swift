import TestSupport
import TrackingServer
import TrackingVendors
import TrackingVerifier

/// Closures of a test may use the verifier in every way, wherever a stub, a format or a response to events calls them.
///
/// Each request has a short timeout, so that a closure that can't continue fails its test instead of hanging it.
final class CallbackTests: XCTestCase {
  private let reporter = RecordingReporter()
  private let calls = Locked(0)
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 5, settling: 0, reporter: reporter))

  override func setUp() async throws {
    verifier.start()
  }

  /// Uses the verifier as a closure of a test may, and counts the call.
  private func makeCallback() -> @Sendable () -> Bool {
    let (verifier, calls) = (verifier, calls)
    let earlier = verifier.stub(.get, "/earlier", .ok)
    return {
      XCTAssertFalse(Thread.current.name?.hasPrefix("TrackingServer") ?? false, "the server's thread")
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      let later = verifier.stub(.get, "/later/\(call)", .ok)
      verifier.tracker.trackEvent(TrackingEvent(name: "called_back", params: ["call": call]))
      let event = verifier.wait(for: .named("called_back", params: ["call": .equal(to: call)]))
      return event != nil && earlier.count == 0 && later.count == 0 && verifier.unusedStubs.count > 1
    }
  }

  /// The status of the response to a request.
  private func status(_ method: String, _ target: String, _ fields: [String: String] = [:], body: String = "")
    async throws -> Int?
  {
    try await Self.status(of: verifier.baseURL, method, target, fields, body)
  }

  private static func status(
    of base: URL, _ method: String, _ target: String, _ fields: [String: String] = [:], _ body: String = ""
  ) async throws -> Int? {
    var request = URLRequest(url: try XCTUnwrap(URL(string: target, relativeTo: base)), timeoutInterval: 10)
    request.httpMethod = method
    request.httpBody = body.isEmpty ? nil : Data(body.utf8)
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    let (_, response) = try await Self.session.data(for: request)
    return (response as? HTTPURLResponse)?.statusCode
  }

  /// Without the cookies of other tests, which the shared session would send in place of a request's.
  private static let session = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    return URLSession(configuration: configuration)
  }()

  private func checkCalls(_ expected: PartialRangeFrom<Int>, file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertTrue(expected.contains(calls.withLock(\.self)), "\(calls.withLock(\.self)) calls", file: file, line: line)
    XCTAssertEqual(reporter.messages, [], file: file, line: line)
  }

  func testAPredicate() async throws {
    let call = makeCallback()
    verifier.stub(.request(.get, "/a", where: .satisfying("called back") { _ in call() }), .status(201))
    let status = try await status("GET", "/a")
    XCTAssertEqual(status, 201)
    checkCalls(1...)
  }

  func testMatchersOfEachPartOfARequest() async throws {
    let call = makeCallback()
    let matcher = ValueMatcher.satisfying("called back") { _ in call() }
    verifier.stub(.request(.post, "/query", query: ["q": matcher]), .status(201))
    verifier.stub(.request(.post, "/header", headers: ["X-Test": matcher]), .status(202))
    verifier.stub(.request(.post, "/cookie", cookies: ["c": matcher]), .status(203))
    verifier.stub(.request(.post, "/host", host: matcher), .status(205))
    verifier.stub(.request(.post, "/body", body: .json(["n": matcher])), .status(206))
    verifier.stub(.request(.post, "/form", body: .formSubset(["n": matcher])), .status(207))
    var statuses: [Int?] = []
    statuses.append(try await status("POST", "/query?q=1"))
    statuses.append(try await status("POST", "/header", ["X-Test": "1"]))
    statuses.append(try await status("POST", "/cookie", ["Cookie": "c=1"]))
    statuses.append(try await status("POST", "/host"))
    statuses.append(try await status("POST", "/body", body: #"{"n": 1}"#))
    statuses.append(try await status("POST", "/form", body: "n=1"))
    XCTAssertEqual(statuses, [201, 202, 203, 205, 206, 207])
    checkCalls(6...)
  }

  func testConditionsOfTheNearestStubOfAnUnmatchedRequest() async throws {
    let call = makeCallback()
    let matcher = ValueMatcher.satisfying("never") { _ in !call() }
    verifier.stub(.request(.get, "/a", query: ["q": matcher]), .ok)
    let status = try await status("GET", "/b?q=1")
    XCTAssertEqual(status, 404)
    checkCalls(1...)
  }

  func testClosuresThatRespond() async throws {
    let call = makeCallback()
    verifier.stub(.get, "/thread") { _ in call() ? .status(201) : nil }
    verifier.stub(.get, "/task") { _ in
      await Task.yield()
      return await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: call() ? .status(202) : nil) }
      }
    }
    var statuses: [Int?] = []
    statuses.append(try await status("GET", "/thread"))
    statuses.append(try await status("GET", "/task"))
    XCTAssertEqual(statuses, [201, 202])
    checkCalls(2...)
  }

  func testAResponseToEvents() async throws {
    let call = makeCallback()
    verifier.respondToEvents { _ in call() ? .status(204) : .status(500) }
    let status = try await status("POST", "/", ["Content-Type": "application/json"], body: #"{"name": "sent"}"#)
    XCTAssertEqual(status, 204)
    checkCalls(1...)
  }

  func testAFormat() async throws {
    let call = makeCallback()
    verifier.accept(
      AcceptedFormat("Shop", .post, "/collect") { _ in call() ? [TrackingEvent(name: "collected")] : nil })
    let status = try await status("POST", "/collect", body: "x")
    XCTAssertEqual(status, 200)
    await verifier.wait(for: .named("collected"))
    checkCalls(1...)
  }

  func testAConditionThatIsCalledWhileItsStubIsRemoved() async throws {
    let handle = Locked<StubHandle?>(nil)
    let later = verifier.stub(.get, "/a", .status(202))
    let removing = verifier.stub(
      .request(
        .get, "/a",
        where: .satisfying("removing") { _ in
          handle.withLock(\.self)?.remove()
          return true
        }), .status(201))
    handle.withLock { $0 = removing }
    let status = try await status("GET", "/a")
    XCTAssertEqual(status, 202, "a removed stub doesn't respond")
    XCTAssertEqual([removing.count, later.count], [0, 1])
  }

  func testAConditionThatBlocksDelaysNoOtherRequest() async throws {
    let gate = DispatchSemaphore(value: 0)
    verifier.stub(
      .request(
        .get, "/blocked",
        where: .satisfying("released") { _ in
          gate.wait()
          return true
        }), .status(201))
    verifier.stub(.get, "/free", .status(202))
    let base = verifier.baseURL
    async let blocked = Self.status(of: base, "GET", "/blocked")
    await verifier.wait(for: .request(.get, "/blocked"))
    let free = try await status("GET", "/free")
    gate.signal()
    let statuses = try await [blocked, free]
    XCTAssertEqual(statuses, [201, 202])
  }
}
