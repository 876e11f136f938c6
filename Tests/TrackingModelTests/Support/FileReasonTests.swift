import Foundation
import TestSupport

final class FileReasonTests: XCTestCase {
  /// An error of Foundation, with the system's error some levels down.
  private func error(_ causes: any Error...) -> any Error {
    causes.reversed().reduce(nil as NSError?) { cause, error in
      NSError(
        domain: (error as NSError).domain, code: (error as NSError).code,
        userInfo: cause.map { [NSUnderlyingErrorKey: $0] } ?? [:])
    } ?? NSError(domain: "", code: 0)
  }

  func testTheSystemsErrorAtTheBottomIsTheReason() {
    XCTAssertEqual(
      FileReason.of(error(CocoaError(.fileReadNoSuchFile), POSIXError(.ENOENT))), "No such file or directory")
    XCTAssertEqual(
      FileReason.of(error(CocoaError(.fileWriteUnknown), CocoaError(.fileWriteNoPermission), POSIXError(.EACCES))),
      "Permission denied")
    XCTAssertEqual(FileReason.of(error(POSIXError(.EISDIR))), "Is a directory")
  }

  func testAFileThatIsMissingIsNamedAlikeByEveryCall() throws {
    let missing = try temporaryFolder().appending(path: "none")
    let calls: [() throws -> Void] = [
      { _ = try Data(contentsOf: missing) },
      { _ = try String(contentsOf: missing, encoding: .utf8) },
      { _ = try FileManager.default.contentsOfDirectory(at: missing, includingPropertiesForKeys: nil) },
      { try Data().write(to: missing.appending(path: "file"), options: .atomic) },
    ]
    for call in calls {
      XCTAssertThrowsError(try call()) { XCTAssertEqual(FileReason.of($0), "No such file or directory") }
    }
  }

  func testAnotherErrorsOwnTextIsTheReason() {
    struct Own: LocalizedError { var errorDescription: String? { "the disk is out of ink" } }
    XCTAssertEqual(FileReason.of(Own()), "the disk is out of ink")
  }
}
