#if !canImport(ObjectiveC)
  import Foundation
  import TrackingModel
  import XCTest

  extension XCTestReporter {
    /// `XCTFail` without a running test case prints the failure.
    static let failsWithoutTest = true

    /// The error of a failed `XCTUnwrap`, which a test may throw without another failure; `nil` if this XCTest lacks the type.
    ///
    /// `XCTUnwrap` itself would report its own failure. Found by the type's mangled name (swift-corelibs-xctest, `XCTAssert.swift`).
    static let unreportedError: (any Error)? =
      (_typeByName("6XCTest0A28ErrorWhileUnwrappingOptionalV")
      as? any Error.Type).flatMap { instance(of: $0) }

    /// Creates an instance of a type without stored properties; `nil` for other types.
    private static func instance<Failure: Error>(of type: Failure.Type) -> (any Error)? {
      MemoryLayout<Failure>.size == 0 ? unsafeBitCast((), to: type) : nil
    }

    static let appsNeedScenes = false

    /// Writes an attachment to the directory that the environment sets, if any.
    static func attach(_ attachment: JournalAttachment, to testCase: XCTestCase?) -> String? {
      TestVariable.attachments.value().map { attachment.written(to: URL(fileURLWithPath: $0, isDirectory: true)) }
    }
  }

  extension TestCaseReference {
    /// Always `false`: XCTest on Linux doesn't run synchronous tests in tasks.
    var mayRunSynchronouslyInTask: Bool { false }
  }
#endif
