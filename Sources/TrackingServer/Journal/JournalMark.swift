/// A place in a journal, between two entries.
package struct JournalMark: Hashable, Sendable {
  package let entry: Int
  /// The highest sequence number of each launch so far.
  package let sequences: [String: UInt64]
  /// The journal's revision: a response with a greater `ResponseMoment.order` was sent after the mark.
  package var revision = 0
  /// The number of the first request whose response may count.
  package var firstRequest = 1

  /// The mark without responses to requests from before it.
  package var withoutEarlierRequests: JournalMark {
    var mark = self
    mark.firstRequest = entry
    return mark
  }

  package static let beginning = JournalMark(entry: 1, sequences: [:])
}

extension TrackingJournal.State {
  var mark: JournalMark {
    JournalMark(
      entry: log.nextNumber, sequences: launches.lastNumbers, revision: revision)
  }
}
