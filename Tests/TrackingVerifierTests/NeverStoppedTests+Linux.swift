#if os(Linux)
  import TestSupport
  import TrackingModel
  import TrackingVerifier
  import XCTest

  /// The end of a test is the last stop.
  ///
  /// Here, since elsewhere a test case is made by the name of its method.
  final class NeverStoppedTests: XCTestCase {
    /// Thrown, because the end of the inner test case makes XCTest forget the outer one, and an assertion after it would be lost.
    private struct Unexpected: Error {
      let kinds: [VerificationFailure.Kind]
      var sentences: [String] = []
    }

    func testAVerifierThatIsNeverStoppedReportsAtTheEndOfItsTest() throws {
      let reporter = RecordingReporter()
      let test = XCTestCase(name: "testSomething") { test in
        let verifier = TrackingVerifier(
          with: test, configuration: .init(timeout: 0, settling: 0, reporter: reporter))
        verifier.tracker.trackEvent(.tapped)
        verifier.wait(for: .named("button_tapped"), count: 1)
        verifier.tracker.trackEvent(.tapped)
      }
      test.run()
      guard reporter.kinds == [.tooMany] else { throw Unexpected(kinds: reporter.kinds) }
    }

    func testAVerifierThatIsFirstUsedInTheTeardownAfterAnotherOneSaysSo() throws {
      let reporter = RecordingReporter()
      let test = LateVerifierTest(name: "testSomething") { test in
        (test as? LateVerifierTest)?.reporter = reporter
        TrackingVerifier(with: test, configuration: .init(reporter: reporter)).start()
      }
      test.run()
      let sentence = """
        This verifier is first used in the teardown of the test LateVerifierTest.testSomething, when XCTest takes no more \
        teardown blocks, so nothing would stop it: start it in setUp() or in the test.
        """
      guard reporter.kinds == [.misuse, .notStarted],
        reporter.sentences == [sentence, sentence + " Its server does not start."]
      else { throw Unexpected(kinds: reporter.kinds, sentences: reporter.sentences) }
    }

    func testAVerifierThatIsFirstUsedAfterItsTestSaysSo() throws {
      let reporter = RecordingReporter()
      let test = XCTestCase(name: "testSomething") { _ in }
      test.run()
      let verifier = TrackingVerifier(
        with: test, configuration: .init(timeout: 0, settling: 0, reporter: reporter))
      verifier.tracker.trackEvent(.tapped)
      verifier.wait(for: .named("other"))
      guard reporter.kinds == [.misuse] else { throw Unexpected(kinds: reporter.kinds) }
    }
  }

  /// A test case that makes a verifier in its `tearDown()`.
  private final class LateVerifierTest: XCTestCase {
    var reporter = RecordingReporter()

    override func tearDown() {
      let late = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))
      late.wait(for: .named("a"))
      late.start()
    }
  }
#endif
