import TrackingModel

/// Events that did not fit the queue: the first of them, and how many.
struct Losses: Sendable {
  /// How many events are kept to be shown: memory stays bounded however many are lost.
  static let kept = 100

  private(set) var events: [TrackingEvent] = []
  private(set) var count = 0

  mutating func add(_ event: TrackingEvent) {
    count += 1
    if events.count < Self.kept { events.append(event) }
  }
}
