import TrackingServer

/// A moment of a timeline: an entry arrives, or the response to a request is sent.
package struct TimelineMoment: Sendable {
  package let entry: JournalEntry
  let isResponse: Bool

  /// The time of the arrival, or that of the first byte of the response.
  package var instant: ContinuousClock.Instant {
    isResponse ? entry.request?.sending?.instant ?? entry.arrival : entry.arrival
  }

  /// Whether it is a response that was not sent at once.
  var isLaterResponse: Bool { isResponse && entry.request?.hasLaterResponse == true }

  /// The place among entries and responses: a response that is sent at once follows its request directly.
  fileprivate var place: (entry: Int, order: Int) {
    guard isResponse, let sending = entry.request?.sending else { return (entry.number, -1) }
    return (sending.entry, sending.order)
  }

  /// Whether it is earlier than a mark.
  func isBefore(_ mark: JournalMark) -> Bool {
    isResponse ? entry.request?.hasResponse(since: mark) != true : entry.number < mark.entry
  }

  /// Whether it is earlier than another one.
  package static func < (left: TimelineMoment, right: TimelineMoment) -> Bool { left.place < right.place }

  init(entry: JournalEntry, isResponse: Bool) {
    (self.entry, self.isResponse) = (entry, isResponse)
  }

  /// The arrival of an entry.
  package init(_ entry: JournalEntry) {
    self.init(entry: entry, isResponse: false)
  }

  /// Merges arrivals and responses.
  ///
  /// - Parameters:
  ///   - entries: Entries in the order of arrival, also those from before the mark, whose responses may have been sent after it.
  ///   - mark: The place from which on moments count.
  package static func all(of entries: some Sequence<JournalEntry>, since mark: JournalMark) -> [TimelineMoment] {
    var (arrivals, responses): ([(moment: TimelineMoment, place: Int)], [TimelineMoment]) = ([], [])
    var last: (arrival: ContinuousClock.Instant, place: Int)?
    for entry in entries {
      // A copy of an entry has the arrival of the entry before it and a number beyond all others: no response was sent between them.
      let (arrival, number) = (entry.arrival, entry.number)
      let place = if let last, number > last.place + 1, last.arrival == arrival { last.place } else { number }
      last = (arrival, place)
      if number >= mark.entry { arrivals.append((TimelineMoment(entry), place)) }
      if entry.request?.hasResponse(since: mark) == true {
        responses.append(TimelineMoment(entry: entry, isResponse: true))
      }
    }
    responses.sort(by: <)
    var moments: [TimelineMoment] = []
    moments.reserveCapacity(arrivals.count + responses.count)
    var unsent = responses[...]
    for (arrival, place) in arrivals {
      while let response = unsent.first, response.place < (place, -1) { moments.append(unsent.removeFirst()) }
      moments.append(arrival)
    }
    return moments + unsent
  }
}

extension RecordedRequest {
  /// Whether its response was not sent at once.
  var hasLaterResponse: Bool { sending.map { $0.order > 0 } ?? false }

  /// Whether its response was sent after a mark.
  func hasResponse(since mark: JournalMark) -> Bool {
    guard let sending, number >= mark.firstRequest else { return false }
    return number >= mark.entry || sending.order > mark.revision
  }
}
