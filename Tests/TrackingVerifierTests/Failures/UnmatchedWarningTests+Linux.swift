#if os(Linux)
  import TestSupport
  import TrackingModel
  import XCTest

  @testable import TrackingServer
  @testable import TrackingVerifier

  /// Requests without a stub, at the end of a test that failed for another reason.
  ///
  /// Here, since elsewhere a test case is made by the name of its method.
  final class UnmatchedWarningTests: XCTestCase {
    private struct BackendError: Error {
      let status: Int
    }

    /// Thrown, because the end of the inner test case makes XCTest forget the outer one, and an assertion after it would be lost.
    private struct Unexpected: Error {
      let warnings: [String]
    }

    private let reporter = RecordingReporter()

    /// Runs a test that sends requests without a stub, and returns the warnings of its verifier.
    private func warnings(
      checksAtStop: [TrackingCheck<CheckOutcome>] = [], _ paths: [String],
      _ body: @escaping (TrackingVerifier) throws -> Void
    ) -> [String] {
      let reporter = reporter
      let test = XCTestCase(name: "testSomething") { test in
        let verifier = TrackingVerifier(
          with: test,
          configuration: .init(timeout: 0, settling: 0, checksAtStop: checksAtStop, reporter: reporter))
        verifier.use()
        for path in paths {
          verifier.journal.record(
            RecordedRequest(
              ReceivedRequest(method: "GET", path: path), connection: 1, exchange: 1,
              response: RecordedResponse(status: 404, isUnmatched: path != "/stubbed", nearestStub: "GET /books")))
        }
        try body(verifier)
      }
      test.run()
      return reporter.warnings
    }

    func testATestThatThrowsNamesTheRequestsThatMatchedNoStub() throws {
      let found = warnings(["/book", "/stubbed", "/me", "/me"]) { _ in throw BackendError(status: 404) }
      let expected = [
        """
        3 requests matched no stub, which may be why the test failed:
            GET /book
                nearest is GET /books
            GET /me (twice)
                nearest is GET /books
        """
      ]
      guard found == expected else { throw Unexpected(warnings: found) }
    }

    func testATestThatPassesHasNoSuchWarning() throws {
      let found = warnings(["/book"]) { _ in }
      guard found.isEmpty else { throw Unexpected(warnings: found) }
    }

    func testAFailureThatListsTheRequestsIsEnough() throws {
      let found = warnings(["/book"]) { verifier in verifier.wait(for: .named("a")) }
      guard found.isEmpty, reporter.messages.first?.contains("GET /book") == true else {
        throw Unexpected(warnings: found + reporter.messages)
      }
      let atStop = warnings(checksAtStop: [.noUnmatchedRequests], ["/book"]) { _ in }
      guard atStop.isEmpty else { throw Unexpected(warnings: atStop) }
    }

    func testAFailureOfTheVerifierIsAFailureOfTheTest() throws {
      let found = warnings(["/book"]) { verifier in
        verifier.tracker.trackEvent(.tapped)
        verifier.wait(for: .none(of: .any))
      }
      guard found.count == 1, found[0].hasPrefix("1 request matched no stub, which may be why the test failed:\n")
      else {
        throw Unexpected(warnings: found)
      }
    }
  }
#endif
