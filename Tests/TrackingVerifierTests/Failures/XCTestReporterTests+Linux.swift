#if os(Linux)
  import Foundation
  import TrackingReporting
  import XCTest

  @testable import TrackingVerifier

  /// On Linux, where XCTest has no attachments, the reporter writes files instead.
  final class XCTestReporterTests: XCTestCase {
    private let attachment = JournalAttachment(
      form: .json, fileName: "CartTests.testBuying-1-session.json", text: "{}\n")

    override func tearDown() {
      unsetenv("TRACKING_ATTACHMENTS")
      super.tearDown()
    }

    func testTheEnvironmentNamesTheirDirectory() throws {
      let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: directory) }
      setenv("TRACKING_ATTACHMENTS", directory.path, 1)
      let path = try XCTUnwrap(XCTestReporter(for: self).keep([attachment]).first)
      XCTAssertEqual(path, directory.appendingPathComponent(attachment.fileName).path)
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{}\n")
    }

    func testWithoutADirectoryNothingIsKept() {
      setenv("TRACKING_ATTACHMENTS", "", 1)
      XCTAssertEqual(XCTestReporter(for: self).keep([attachment]), [])
      unsetenv("TRACKING_ATTACHMENTS")
      XCTAssertEqual(XCTestReporter(for: self).keep([attachment]), [])
    }
  }
#endif
