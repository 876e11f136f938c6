#if canImport(ObjectiveC)
  import Foundation
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case has been seen to raise an assertion, which would end a process of Swift Testing.
    static let failsWithoutTest = false

    /// The error that a test may throw without another failure; `nil`, because here only `XCTUnwrap` makes it.
    static let unreportedError: (any Error)? = nil

    /// Adds an attachment to the test's result, which shows it.
    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      let copy = XCTAttachment(data: Data(attachment.text.utf8), uniformTypeIdentifier: attachment.form.uniformType)
      copy.name = attachment.fileName
      copy.lifetime = .keepAlways
      testCase?.add(copy)
      return nil
    }
  }

  extension JournalAttachment.Form {
    fileprivate var uniformType: String {
      switch self {
      case .json, .observation: "public.json"
      case .report: "public.html"
      case .timeline, .flow: "public.plain-text"
      }
    }
  }
#endif
