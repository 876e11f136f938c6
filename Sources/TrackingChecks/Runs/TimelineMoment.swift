import TrackingServer

/// A moment in a timeline: the arrival of an entry, or the sending of a response.
package struct TimelineMoment: Sendable {
  package let entry: JournalEntry
  let isResponse: Bool

  package var instant: ContinuousClock.Instant {
    isResponse ? entry.request?.sending?.instant ?? entry.arrival : entry.arrival
  }

  /// Whether this is a delayed response.
  var isLaterResponse: Bool { isResponse && entry.request?.hasLaterResponse == true }

  /// "arrived"; "was responded to" for a delayed response.
  var verb: String { isLaterResponse ? "was responded to" : "arrived" }

  /// "#2", or "the response to #2" for a delayed one.
  var name: String { "\(isLaterResponse ? "the response to " : "")#\(entry.number)" }

  /// The position among entries and responses: an immediate response directly follows its request.
  var place: (entry: Int, order: Int) {
    guard isResponse, let sending = entry.request?.sending else { return (entry.number, -1) }
    return (sending.entry, sending.order)
  }

  func isBefore(_ mark: JournalMark) -> Bool {
    isResponse ? entry.request?.hasResponse(since: mark) != true : entry.number < mark.entry
  }

  package static func < (left: TimelineMoment, right: TimelineMoment) -> Bool { left.place < right.place }

  init(entry: JournalEntry, isResponse: Bool) {
    (self.entry, self.isResponse) = (entry, isResponse)
  }

  package init(_ entry: JournalEntry) {
    self.init(entry: entry, isResponse: false)
  }

  /// Merges arrivals and responses since a mark.
  ///
  /// - Parameter entries: In the order of arrival, with entries from before the mark, whose responses may have been sent after it.
  package static func all(of entries: some Sequence<JournalEntry>, since mark: JournalMark) -> [TimelineMoment] {
    var (arrivals, responses): ([(moment: TimelineMoment, place: Int)], [TimelineMoment]) = ([], [])
    var last: (arrival: ContinuousClock.Instant, place: Int)?
    for entry in entries {
      // A copy of an entry has the previous entry's arrival and a number beyond all others: no response was sent in between.
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
  var hasLaterResponse: Bool { sending.map { $0.order > 0 } ?? false }

  func hasResponse(since mark: JournalMark) -> Bool {
    guard let sending, number >= mark.firstRequest else { return false }
    return number >= mark.entry || sending.order > mark.revision
  }
}
