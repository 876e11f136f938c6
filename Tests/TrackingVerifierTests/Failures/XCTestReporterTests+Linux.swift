#if os(Linux)
  import Foundation
  import XCTest

  @testable import TrackingVerifier

  /// Where XCTest has no attachments, they are files.
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
      let path = try XCTUnwrap(XCTestReporter().keep(attachment, for: self))
      XCTAssertEqual(path, directory.appendingPathComponent(attachment.fileName).path)
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{}\n")
    }

    func testWithoutOneNothingIsKept() {
      setenv("TRACKING_ATTACHMENTS", "", 1)
      XCTAssertNil(XCTestReporter().keep(attachment, for: self))
      unsetenv("TRACKING_ATTACHMENTS")
      XCTAssertNil(XCTestReporter().keep(attachment, for: self))
    }
  }
#endif
