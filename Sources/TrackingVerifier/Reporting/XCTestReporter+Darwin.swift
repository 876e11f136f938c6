#if canImport(ObjectiveC)
  import Foundation
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case has been seen to raise an assertion, which would end a process of Swift Testing.
    static let failsWithoutTest = false

    /// The error that a test may throw without another failure; `nil`, because here only `XCTUnwrap` makes it.
    static let unreportedError: (any Error)? = nil

    /// A reason for which an app ends at launch, which a failure names (Apple's TN3187); `nil` for none.
    #if os(macOS)
      static let endAtLaunch: String? = nil
    #else
      static let endAtLaunch: String? = """
        An app without scenes (`UIApplicationSceneManifest` in its Info.plist) ends at launch when it is built with the iOS 27 SDK.
        """
    #endif

    /// Adds an attachment to the test's result, which shows it.
    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      let copy = XCTAttachment(data: Data(attachment.text.utf8), uniformTypeIdentifier: attachment.form.uniformType)
      copy.name = attachment.fileName
      copy.lifetime = .keepAlways
      testCase?.add(copy)
      return nil
    }
  }

  extension TestCaseReference {
    /// Whether XCTest runs a synchronous test, whose method has no completion handler.
    ///
    /// Nothing documents that it calls such methods outside of tasks.
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
