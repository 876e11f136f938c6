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
      let kinds: [CheckFailure.Kind]
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

    func testAVerifierThatIsFirstUsedInTheTeardownSaysSo() throws {
      let sentence = """
        This verifier was first used during the teardown of LateVerifierTest.testSomething, too late to be stopped \
        automatically XCTest takes no more teardown blocks then. Use the verifier first in setUp() or in the test.
        """
      let uses: [(sentences: [String], use: LateVerifierTest.Use)] = [
        ([sentence], { $0.wait(for: .named("a")) }),
        ([sentence + " Its server does not start."], { $0.start() }),
        // Said once by what returns nothing.
        ([sentence], { $0.tracker.trackEvent(.tapped) }),
        ([sentence], { $0.stub(.get, "/a", .ok) }),
        ([sentence], { verifier in for _ in 1...2 { verifier.inject(HTTPFault(.reset, at: .accept)) } }),
        ([sentence], { _ = $0.stubsEnvironment(for: []) }),
        ([sentence], { $0.expectation(for: .named("a"), count: 1).isInverted = true }),
      ]
      for occasion in LateVerifierTest.Occasion.allCases {
        for follows in [false, true] {
          for (sentences, use) in uses {
            let reporter = RecordingReporter()
            let test = LateVerifierTest(name: "testSomething") { test in
              guard let test = test as? LateVerifierTest else { return }
              (test.reporter, test.occasion, test.use) = (reporter, occasion, use)
              if occasion == .teardownBlock { test.addTeardownBlock { [weak test] in test?.useLate() } }
              if follows { TrackingVerifier(with: test, configuration: .init(reporter: reporter)).start() }
            }
            test.run()
            guard reporter.sentences == sentences else {
              throw Unexpected(kinds: reporter.kinds, sentences: reporter.sentences)
            }
          }
        }
      }
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

  /// A test case that uses a verifier for the first time in its teardown.
  private final class LateVerifierTest: XCTestCase {
    typealias Use = (TrackingVerifier) -> Void

    enum Occasion: CaseIterable {
      case teardownBlock, asyncTearDown, throwingTearDown, tearDown
    }

    var reporter: RecordingReporter? = RecordingReporter()
    var occasion: Occasion?
    var use: Use?

    override func tearDown() async throws {
      if occasion == .asyncTearDown { useLate() }
    }

    override func tearDownWithError() throws {
      if occasion == .throwingTearDown { useLate() }
    }

    override func tearDown() {
      if occasion == .tearDown { useLate() }
    }

    func useLate() {
      use?(TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter)))
    }
  }
#endif
