#if !canImport(ObjectiveC)
  import Foundation
  import TrackingModel
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case prints the failure.
    static let failsWithoutTest = true

    /// Writes an attachment into the directory that the environment names, if it names one.
    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      TestVariable.attachments.value().map { attachment.written(to: URL(fileURLWithPath: $0, isDirectory: true)) }
    }
  }
#endif
