#if !canImport(ObjectiveC)
  import Foundation
  import TrackingModel
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case prints the failure.
    static let failsWithoutTest = true

    /// A reason for which an app ends at launch; there is none here.
    static let endAtLaunch: String? = nil

    /// Writes an attachment into the directory that the environment names, if it names one.
    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      TestVariable.attachments.value().map { attachment.written(to: URL(fileURLWithPath: $0, isDirectory: true)) }
    }
  }

  extension TestCaseReference {
    /// Whether XCTest runs a synchronous test in a task, which it doesn't here.
    var mayRunSynchronouslyInTask: Bool { false }
  }
#endif
