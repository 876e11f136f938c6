import Foundation
import XCTest

/// The behaviour of XCTest and Foundation that the package relies on, without its code: each test has the name of an assumption.
///
/// These hold on Linux as well; those of Apple's platforms alone are in an extension. The UI tests of Samples/StorefrontApp compile both files, too,
/// because the runner of UI tests has differed from that of unit tests; so neither file imports a module of this package.
nonisolated final class AppleContractTests: XCTestCase {
  private let steps = Guarded<[String]>([])
  private var expectedSteps: [String] = []

  override func tearDown() {
    XCTAssertEqual(steps.withLock { $0 }, expectedSteps)
    XCTAssertNotNil(testRun?.startDate)
    XCTAssertNil(testRun?.stopDate, "the run of a test has no end before tearDown() has returned")
    super.tearDown()
  }

  func testASynchronousTestRunsOnTheMainThreadOutsideOfATask() {
    XCTAssertTrue(Thread.isMainThread)
    XCTAssertTrue(withUnsafeCurrentTask { $0 == nil })
  }

  func testTeardownBlocksRunOnTheMainThreadLastFirstBeforeTearDown() {
    let steps = steps
    for name in ["first", "second"] {
      addTeardownBlock { steps.withLock { $0.append("\(name) \(Thread.isMainThread)") } }
    }
    expectedSteps = ["second true", "first true"]
  }

  func testAWaitServesTheMainQueue() {
    let served = expectation(description: "the main queue is served")
    DispatchQueue.main.async { served.fulfill() }
    wait(for: [served], timeout: 30)
  }

  func testAWaiterServesTheMainQueue() {
    let served = XCTestExpectation(description: "the main queue is served")
    DispatchQueue.main.async { served.fulfill() }
    XCTAssertEqual(XCTWaiter().wait(for: [served], timeout: 30), .completed)
  }

  func testAnExpectationMayBeFulfilledOnAnyThreadWithALockHeld() {
    let fulfilled = XCTestExpectation(description: "fulfilled")
    let steps = steps
    DispatchQueue.global().async {
      steps.withLock {
        $0.append("fulfilled")
        fulfilled.fulfill()
      }
    }
    XCTAssertEqual(XCTWaiter().wait(for: [fulfilled], timeout: 30), .completed)
    expectedSteps = ["fulfilled"]
  }

  func testASubclassOfAnExpectationMayOverrideItsInversion() {
    let expectation = InversionNote(description: "inverted")
    expectation.isInverted = true
    XCTAssertEqual(expectation.inversions, 1)
    XCTAssertEqual(XCTWaiter().wait(for: [expectation], timeout: 0), .completed)
  }

  func testAClassThatNothingReferencesIsFoundByItsName() {
    let module = String(reflecting: Self.self).prefix { $0 != "." }
    XCTAssertNotNil(NSClassFromString("\(module).FoundByItsName"))
  }

  func testAGenericProtocolRespondsWithASession() async throws {
    let (data, response) = try await URLSession.responding.data(from: URL(string: "http://a.example/204")!)
    XCTAssertEqual(data, Data("responded".utf8))
    XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 204)
  }
}

/// The class of a synchronous test whose `setUp()` is asynchronous, which runs after an asynchronous test.
nonisolated final class AsynchronousAppleContractTests: XCTestCase {
  override func setUp() async throws {}

  func testAnAsynchronousTestRunsInATask() async {
    XCTAssertTrue(withUnsafeCurrentTask { $0 != nil })
  }

  func testASynchronousTestAfterAnAsynchronousSetUpRunsOutsideOfATask() {
    XCTAssertTrue(Thread.isMainThread)
    XCTAssertTrue(withUnsafeCurrentTask { $0 == nil })
  }

  @MainActor func testATestOfTheMainActorRunsOutsideOfATask() {
    XCTAssertTrue(withUnsafeCurrentTask { $0 == nil })
  }
}

nonisolated private final class InversionNote: XCTestExpectation, @unchecked Sendable {
  var inversions = 0

  override var isInverted: Bool {
    didSet { inversions += 1 }
  }
}

nonisolated final class FoundByItsName {}

nonisolated extension URLSession {
  /// A session whose requests all get a response, with the status that is the last part of their path.
  static var responding: URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [RespondingProtocol<Int>.self]
    return URLSession(configuration: configuration)
  }
}

/// A generic class, as those of this package's sessions are.
nonisolated final class RespondingProtocol<Kind>: URLProtocol {
  override static func canInit(with request: URLRequest) -> Bool { true }
  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let url = request.url, let status = Int(url.lastPathComponent),
      let response = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: ["WWW-Authenticate": "Basic"])
    else { return }
    ServedRequests.all.withLock { $0.append(request) }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data("responded".utf8))
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}

nonisolated enum ServedRequests {
  /// The requests with a response, in the order of their responses.
  static let all = Guarded<[URLRequest]>([])
}

/// A value behind a lock.
///
/// `@unchecked Sendable`: the lock guards the value.
nonisolated final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&value)
  }
}
