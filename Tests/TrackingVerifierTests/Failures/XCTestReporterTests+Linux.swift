#if os(Linux)
  import TestSupport

  @testable import TrackingVerifier

  /// On Linux, where XCTest has no attachments, the reporter writes files instead.
  final class XCTestReporterTests: XCTestCase {
    private let attachment = JournalAttachment(
      form: .json, fileName: "CartTests.testBuying-1-session.json", text: "{}\n")

    override func tearDown() {
      unsetenv("TRACKING_ATTACHMENTS")
      unsetenv("SWIFT_TESTING_XCTEST_INTEROP_MODE")
      super.tearDown()
    }

    func testTheEnvironmentNamesTheirDirectory() throws {
      let directory = try temporaryFolder().appending(path: "kept")
      setenv("TRACKING_ATTACHMENTS", directory.path, 1)
      let path = try XCTUnwrap(XCTestReporter(for: self).keep([attachment]).first)
      XCTAssertEqual(path, directory.appendingPathComponent(attachment.fileName).path)
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{}\n")
    }

    /// Elsewhere attaching to a test that has ended raises an exception.
    func testATestThatHasEndedKeepsNothing() throws {
      let directory = try temporaryFolder().appending(path: "kept")
      setenv("TRACKING_ATTACHMENTS", directory.path, 1)
      let test = XCTestCase(name: "testSomething") { _ in }
      test.run()
      let kept = XCTestReporter(for: test).keep([attachment])
      // Thrown, because after the end of the inner test case XCTest forgets the outer one.
      struct Unexpected: Error { let kept: [String] }
      guard kept == [], !FileManager.default.fileExists(atPath: directory.path) else { throw Unexpected(kept: kept) }
    }

    /// Swift Testing would end the process at an assertion outside of a test (ST-0021); here the assertion would fail this test.
    func testInTheModeStrictAFailureOutsideOfATestIsNoAssertion() {
      setenv("SWIFT_TESTING_XCTEST_INTEROP_MODE", "strict", 1)
      XCTestReporter.reportOutsideOfTest(
        CheckFailure(kind: .misuse, message: "reported outside of a test", location: .wholeTest))
    }

    func testWithoutADirectoryNothingIsKept() {
      setenv("TRACKING_ATTACHMENTS", "", 1)
      XCTAssertEqual(XCTestReporter(for: self).keep([attachment]), [])
      unsetenv("TRACKING_ATTACHMENTS")
      XCTAssertEqual(XCTestReporter(for: self).keep([attachment]), [])
    }
  }
#endif
