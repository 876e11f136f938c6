#if canImport(ObjectiveC)
  import Foundation
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case has been seen to raise an assertion, which would end a process of Swift Testing.
    static let failsWithoutTest = false

    /// An error that a test may throw without another failure; `nil`, because on Apple platforms only `XCTUnwrap` creates it.
    static let unreportedError: (any Error)? = nil

    /// Whether an app without scenes may end at launch (Apple's TN3187).
    #if os(macOS)
      static let appsNeedScenes = false
    #else
      static let appsNeedScenes = true
    #endif

    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      let copy = XCTAttachment(data: Data(attachment.text.utf8), uniformTypeIdentifier: attachment.form.uniformType)
      copy.name = attachment.fileName
      copy.lifetime = .keepAlways
      testCase?.add(copy)
      return nil
    }
  }

  extension TestCaseReference {
    /// Whether XCTest is running a synchronous test, whose method has no completion handler.
    ///
    /// It isn't documented that such methods are called outside of tasks.
    var mayRunSynchronouslyInTask: Bool {
      isRunning && value?.name.hasSuffix("\(Self.asynchronousEnding)]") == false
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
