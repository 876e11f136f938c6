/// A place in a journal: what was received up to here, and what after it.
package struct JournalMark: Hashable, Sendable {
  /// The number of the first event after the mark.
  package let event: Int
  /// How many submissions had been rejected.
  let rejections: Int
  /// How many requests had been recorded.
  package let requests: Int
  /// The highest sequence number of each launch so far.
  let sequences: [String: UInt64]

  /// The beginning of every journal.
  package static let beginning = JournalMark(event: 1, rejections: 0, requests: 0, sequences: [:])
}
