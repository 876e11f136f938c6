import TrackingServer

/// A kind of entry that can be waited for.
protocol WaitedEntry: Sendable {
  var number: Int { get }
  var arrival: ContinuousClock.Instant { get }

  init?(_ entry: JournalEntry)
}

extension RecordedEvent: WaitedEntry {
  init?(_ entry: JournalEntry) {
    guard case .event(let event) = entry else { return nil }
    self = event
  }
}

extension RecordedRequest: WaitedEntry {
  init?(_ entry: JournalEntry) {
    guard case .request(let request) = entry else { return nil }
    self = request
  }
}
