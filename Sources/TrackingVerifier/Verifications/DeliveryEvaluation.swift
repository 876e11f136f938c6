import TrackingServer

/// Looks out for submissions that were rejected and for events that were tracked and never arrived.
struct DeliveryEvaluation: Evaluation {
  private let mark: JournalMark
  private var rejections: [RejectedSubmission] = []
  private var lost: [LostEvents] = []

  init(since mark: JournalMark) {
    self.mark = mark
  }

  /// What is lost may be on its way yet; what was rejected is not.
  var standing: Standing { !rejections.isEmpty ? .broken : lost.isEmpty ? .holding : .open }
  var claimed: [RecordedEvent] { [] }

  /// Delivery is under way for as long as anything arrives.
  func take(_ event: RecordedEvent) -> Bool { true }

  mutating func look(at journal: Journal) {
    rejections = journal.rejections(since: mark).filter { !$0.isOfAnotherSession }
    lost = journal.lostEvents(since: mark)
  }

  /// What was rejected and what was lost stands in every failure; there is nothing to add.
  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    Explanation(kind: rejections.isEmpty ? .lost : .rejected, result: "")
  }
}
