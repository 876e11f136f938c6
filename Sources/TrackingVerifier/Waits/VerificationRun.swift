import Foundation
import TrackingServer
import TrackingSockets

/// A question that is being asked: its evaluation so far, and how long to listen on.
struct VerificationRun {
  private(set) var evaluation: any Evaluation
  private let journal: Journal
  private let settling: Duration
  private let deadline: ContinuousClock.Instant
  /// When last something came that concerns the question; at first, when the wait began.
  private var quietSince: ContinuousClock.Instant

  init(_ evaluation: any Evaluation, in journal: Journal, on scale: Timescale, settling: Duration) {
    self.evaluation = evaluation
    self.journal = journal
    self.settling = settling
    deadline = scale.deadline
    quietSince = scale.began
  }

  /// Looks at the next event, and says whether that decides.
  mutating func take(_ event: RecordedEvent) -> Bool {
    if evaluation.take(event) { quietSince = max(quietSince, event.arrival) }
    return evaluation.standing.isFinal
  }

  /// Looks at what else there is, and says until when to wait for the next event.
  mutating func end() -> ContinuousClock.Instant {
    evaluation.look(at: journal)
    switch evaluation.standing {
    case .open: return deadline
    case .holding: return quietSince + settling
    case .met, .broken: return quietSince
    }
  }
}
