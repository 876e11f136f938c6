import Foundation
import TrackingVerifier

/// Keeps what a verifier finds, in place of failing the test.
///
/// `@unchecked Sendable`: the lock guards `kept`.
final class RecordingReporter: AttachmentReporter, @unchecked Sendable {
  private let lock = NSLock()
  private var kept: [String] = []

  /// The messages so far.
  var messages: [String] { lock.withLock { kept } }

  func report(_ failure: CheckFailure) {
    lock.withLock { kept.append(failure.message) }
  }

  /// Attaches observations to the test, so that its events count for the plan's coverage.
  func keep(_ attachments: [JournalAttachment]) -> [String] {
    XCTestReporter().keep(attachments.filter(\.isObservation))
  }
}
