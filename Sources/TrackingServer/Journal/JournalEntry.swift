/// What a journal numbers in the order of arrival, and what can be waited for: an event, or a request.
package protocol JournalEntry: Sendable {
  associatedtype Entries: Sequence<Self>

  /// Its place among its like, from 1.
  var number: Int { get }
  /// When it was received.
  var arrival: ContinuousClock.Instant { get }

  /// Those that a journal has from a number on.
  static func entries(in journal: Journal, from number: Int) -> [Self]
  /// The same without a copy of them all.
  static func eachEntry(in journal: Journal, from number: Int) -> Entries
  /// Those from a number on; where there are none, a promise to say when there may be.
  static func news(
    in journal: Journal, from number: Int, orWake wake: @escaping @Sendable () -> Void
  ) -> Journal.News<Self>
}

extension RecordedEvent: JournalEntry {
  package static func entries(in journal: Journal, from number: Int) -> [RecordedEvent] {
    journal.events(from: number)
  }

  package static func eachEntry(in journal: Journal, from number: Int) -> some Sequence<RecordedEvent> {
    journal.eachEvent(from: number)
  }

  package static func news(
    in journal: Journal, from number: Int, orWake wake: @escaping @Sendable () -> Void
  ) -> Journal.News<RecordedEvent> {
    journal.news(from: number, orWake: wake)
  }
}

extension RecordedRequest: JournalEntry {
  package static func entries(in journal: Journal, from number: Int) -> [RecordedRequest] {
    journal.requests(from: number)
  }

  package static func eachEntry(in journal: Journal, from number: Int) -> some Sequence<RecordedRequest> {
    journal.requests(from: number)
  }

  package static func news(
    in journal: Journal, from number: Int, orWake wake: @escaping @Sendable () -> Void
  ) -> Journal.News<RecordedRequest> {
    journal.requestNews(from: number, orWake: wake)
  }
}
