import TrackingModel
import TrackingServer

/// The subject of a question: the journal of a server, or a recorded timeline.
package protocol QuestionTimeline: Sendable {
  /// The entries from a number on, in the order of arrival.
  func entries(from number: Int) -> JournalEntries
  /// The number of changes to earlier entries: answers added to requests, and redeliveries.
  var revision: Int { get }
  /// The submissions that were rejected after a mark.
  func rejections(since mark: JournalMark) -> [RejectedSubmission]
  /// The events that doubles numbered after a mark and that never arrived.
  func lostEvents(since mark: JournalMark) -> [LostEvents]
  /// The events that SDKs delivered again after a mark.
  func redeliveries(since mark: JournalMark) -> [Redelivery]
}

extension QuestionTimeline {
  /// The entries after a mark, in the order of arrival.
  func received(since mark: JournalMark) -> [JournalEntry] { Array(entries(from: mark.entry)) }
}

extension Journal: QuestionTimeline {}

/// The entries of a timeline as a value, such as one that was received earlier and has been changed since.
package struct RecordedTimeline: QuestionTimeline {
  private let entries: [JournalEntry]

  package init(_ entries: [JournalEntry]) {
    self.entries = entries
  }

  package let revision = 0

  /// A copy of an entry, which has a number beyond all others, stays behind it.
  package func entries(from number: Int) -> JournalEntries {
    let last = entries.firstIndex { $0.number == number - 1 } ?? entries.lastIndex { $0.number < number }
    return JournalEntries(entries[((last ?? -1) + 1)...])
  }

  package func rejections(since mark: JournalMark) -> [RejectedSubmission] { [] }
  package func lostEvents(since mark: JournalMark) -> [LostEvents] { [] }
  package func redeliveries(since mark: JournalMark) -> [Redelivery] { [] }
}
