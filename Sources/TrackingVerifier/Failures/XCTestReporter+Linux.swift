#if !canImport(ObjectiveC)
  import Foundation
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case prints the failure.
    static let failsWithoutTest = true

    /// Writes an attachment into the directory that the environment names, if it names one.
    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      guard let directory = ProcessInfo.processInfo.environment["TRACKING_ATTACHMENTS"], !directory.isEmpty else {
        return nil
      }
      return attachment.written(to: URL(fileURLWithPath: directory, isDirectory: true))
    }
  }
#endif
