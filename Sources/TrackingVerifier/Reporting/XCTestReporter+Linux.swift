#if !canImport(ObjectiveC)
  import Foundation
  import TrackingModel
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case prints the failure.
    static let failsWithoutTest = true

    /// The error of a failed `XCTUnwrap`, which a test may throw without another failure; `nil` if this XCTest has no such type.
    ///
    /// `XCTUnwrap` itself would report the failure in its own words. Found by the type's mangled name (swift-corelibs-xctest, `XCTAssert.swift`).
    static let unreportedError: (any Error)? =
      (_typeByName("6XCTest0A28ErrorWhileUnwrappingOptionalV")
      as? any Error.Type).flatMap { instance(of: $0) }

    /// An instance of a type without stored properties; `nil` for another type.
    private static func instance<Failure: Error>(of type: Failure.Type) -> (any Error)? {
      MemoryLayout<Failure>.size == 0 ? unsafeBitCast((), to: type) : nil
    }

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
