import TrackingModel
import TrackingServer

/// The subject of a check: the journal of a server, or a recorded timeline.
package protocol EntryTimeline: Sendable {
  /// Returns the entries from a number on, in the order of arrival.
  func entries(from number: Int) -> JournalEntries
  /// The number of changes to earlier entries: responses to requests, and redeliveries.
  var revision: Int { get }
  func rejections(since mark: JournalMark) -> [RejectedSubmission]
  /// Returns the events lost after a mark: numbered by a double, but never received.
  func lostEvents(since mark: JournalMark) -> [LostEvents]
  /// Returns the redeliveries of events by SDKs after a mark.
  func redeliveries(since mark: JournalMark) -> [Redelivery]
}

extension EntryTimeline {
  func received(since mark: JournalMark) -> [JournalEntry] { Array(entries(from: mark.entry)) }
}

extension TrackingJournal: EntryTimeline {}

/// A timeline as a value, such as an earlier one with changes.
package struct RecordedTimeline: EntryTimeline {
  private let entries: [JournalEntry]

  package init(_ entries: [JournalEntry]) {
    self.entries = entries
  }

  package let revision = 0

  /// Entries with a number beyond all others are copies, and stay behind the original.
  package func entries(from number: Int) -> JournalEntries {
    let last = entries.firstIndex { $0.number == number - 1 } ?? entries.lastIndex { $0.number < number }
    return JournalEntries(entries[((last ?? -1) + 1)...])
  }

  package func rejections(since mark: JournalMark) -> [RejectedSubmission] { [] }
  package func lostEvents(since mark: JournalMark) -> [LostEvents] { [] }
  package func redeliveries(since mark: JournalMark) -> [Redelivery] { [] }
}

/// A timeline up to a mark, so that entries that arrive during a look are left for the next one.
struct PastTimeline: EntryTimeline {
  private let timeline: any EntryTimeline
  private let end: JournalMark

  init(of timeline: any EntryTimeline, until end: JournalMark) {
    (self.timeline, self.end) = (timeline, end)
  }

  var revision: Int { timeline.revision }

  func entries(from number: Int) -> JournalEntries {
    let entries = timeline.entries(from: number)
    // Avoids a copy: usually, nothing has arrived since.
    guard timeline.entries(from: max(end.entry, number)).contains(where: { _ in true }) else { return entries }
    // Keep responses that were added since: the next look doesn't see these requests again.
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
