import Foundation
import TrackingSockets
import TrackingVerifier
import XCTest

/// Keeps the failures that a verifier reports, so that tests can look at them.
final class RecordingReporter: FailureReporter {
  private let recorded = Locked<[VerificationFailure]>([])
  private let kept = Locked<[JournalAttachment]>([])
  private let place: String?

  /// A reporter that says of each attachment that it is at a place.
  init(keepingAt place: String? = nil) {
    self.place = place
  }

  var failures: [VerificationFailure] { recorded.withLock { $0 } }
  var messages: [String] { failures.map(\.message) }
  /// The messages without their line breaks, where they are one sentence each.
  var sentences: [String] { messages.map { $0.replacing("\n", with: " ") } }
  var kinds: [VerificationFailure.Kind] { failures.map(\.kind) }
  var lines: [UInt] { failures.map(\.location.line) }
  var attachments: [JournalAttachment] { kept.withLock { $0 } }

  func report(_ failure: VerificationFailure) {
    recorded.withLock { $0.append(failure) }
  }

  func keep(_ attachment: JournalAttachment, for testCase: XCTestCase?) -> String? {
    kept.withLock { $0.append(attachment) }
    return place.map { "\($0)/\(attachment.fileName)" }
  }
}
