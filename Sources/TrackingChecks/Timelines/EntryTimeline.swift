import TrackingModel
import TrackingServer

/// The subject of a check: the journal of a server, or a recorded timeline.
package protocol EntryTimeline: Sendable {
  /// The entries from a number on, in the order of arrival.
  func entries(from number: Int) -> JournalEntries
  /// The number of changes to earlier entries: responses added to requests, and redeliveries.
  var revision: Int { get }
  /// The submissions that were rejected after a mark.
  func rejections(since mark: JournalMark) -> [RejectedSubmission]
  /// The events that doubles numbered after a mark and that never arrived.
  func lostEvents(since mark: JournalMark) -> [LostEvents]
  /// The events that SDKs delivered again after a mark.
  func redeliveries(since mark: JournalMark) -> [Redelivery]
}

extension EntryTimeline {
  /// The entries after a mark, in the order of arrival.
  func received(since mark: JournalMark) -> [JournalEntry] { Array(entries(from: mark.entry)) }
}

extension TrackingJournal: EntryTimeline {}

/// The entries of a timeline as a value, such as one that was received earlier and has been changed since.
package struct RecordedTimeline: EntryTimeline {
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

/// A timeline as far as a mark, so that what arrives while it is looked at is left for the next look.
struct PastTimeline: EntryTimeline {
  private let timeline: any EntryTimeline
  private let end: JournalMark

  init(of timeline: any EntryTimeline, until end: JournalMark) {
    (self.timeline, self.end) = (timeline, end)
  }

  var revision: Int { timeline.revision }

  func entries(from number: Int) -> JournalEntries {
    let entries = timeline.entries(from: number)
    // Usually nothing has arrived since, so nothing is copied.
    guard timeline.entries(from: max(end.entry, number)).contains(where: { _ in true }) else { return entries }
    // With the responses that have been added since: the next look doesn't see these requests again.
    return JournalEntries(entries.prefix { $0.number < end.entry })
  }

  func rejections(since mark: JournalMark) -> [RejectedSubmission] {
    timeline.rejections(since: mark).filter { $0.number < end.entry }
  }

  func lostEvents(since mark: JournalMark) -> [LostEvents] {
    timeline.lostEvents(since: mark).compactMap { $0.known(at: end.sequences[$0.launch] ?? 0) }
  }

  func redeliveries(since mark: JournalMark) -> [Redelivery] {
    timeline.redeliveries(since: mark).filter { $0.order <= end.revision }
  }
}
