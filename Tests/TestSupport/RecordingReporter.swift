import TrackingModel
import Foundation
import TrackingSockets
import TrackingVerifier
import XCTest

/// Collects the failures that a verifier reports, so that tests can inspect them.
package final class RecordingReporter: AttachmentReporter {
  private let recorded = Locked<[CheckFailure]>([])
  private let warned = Locked<[(text: String, location: CodeLocation)]>([])
  private let kept = Locked<[JournalAttachment]>([])
  private let place: String?

  /// - Parameter place: The folder that the reporter claims to have written attachments to; `nil` if it names none.
  package init(keepingAt place: String? = nil) {
    self.place = place
  }

  package var failures: [CheckFailure] { recorded.withLock { $0 } }
  package var messages: [String] { failures.map(\.message) }
  /// The messages on one line each.
  package var sentences: [String] { messages.map { $0.replacing("\n", with: " ") } }
  package var kinds: [CheckFailure.Kind] { failures.map(\.kind) }
  package var lines: [UInt] { failures.map(\.location.line) }
  package var warnings: [String] { warned.withLock { $0.map(\.text) } }
  package var linesOfWarnings: [UInt] { warned.withLock { $0.map(\.location.line) } }
  package var attachments: [JournalAttachment] { kept.withLock { $0 } }

  package func report(_ failure: CheckFailure) {
    if let problem = FirstLine.problem(of: failure.message) {
      XCTFail("The first line of a failure isn't a headline: \(problem).\n\(failure.message)")
    }
    recorded.withLock { $0.append(failure) }
  }

  package func warn(_ text: String, at location: CodeLocation) {
    warned.withLock { $0.append((text, location)) }
  }

  package func keep(_ attachments: [JournalAttachment]) -> [String] {
    kept.withLock { $0 += attachments }
    return attachments.compactMap { attachment in place.map { "\($0)/\(attachment.fileName)" } }
  }
}
