import TrackingModel

/// The ids under which SDKs delivered items, so that one that is sent again is recognized.
///
/// It outlives a reset, as SDKs retry for longer than a test takes.
struct DeliveryLedger {
  struct ID: Hashable {
    let format: String
    let id: String
  }

  enum Verdict {
    case new
    /// The same content as before; the number of its entry.
    case again(Int)
    /// Another content under the same id; the number of the first entry.
    case conflicting(Int)
  }

  private struct Seen {
    let content: Int
    let entry: Int
  }

  /// The ids that are remembered at least, since a server may run for days.
  private static let generation = 65_536

  private var current: [ID: Seen] = [:]
  private var previous: [ID: Seen] = [:]

  /// Whether an event was delivered before; does not note it.
  func verdict(on event: TrackingEvent) -> Verdict {
    guard let origin = event.origin, let id = origin.id else { return .new }
    let key = ID(format: origin.format, id: id)
    guard let seen = current[key] ?? previous[key], !origin.isFirstAttempt else { return .new }
    return seen.content == Self.content(of: event, origin.kind) ? .again(seen.entry) : .conflicting(seen.entry)
  }

  /// Notes an event that is recorded as an entry.
  mutating func note(_ event: TrackingEvent, entry: Int) {
    guard let origin = event.origin, let id = origin.id else { return }
    if current.count >= Self.generation { (previous, current) = (current, [:]) }
    current[ID(format: origin.format, id: id)] = Seen(content: Self.content(of: event, origin.kind), entry: entry)
  }

  /// Two contents have the same hash once in 2^64 times.
  private static func content(of event: TrackingEvent, _ kind: String) -> Int {
    var hasher = Hasher()
    hasher.combine(event)
    hasher.combine(kind)
    return hasher.finalize()
  }
}

/// An event that an SDK delivered again.
package struct Redelivery: Sendable {
  /// The event as it arrived.
  package let event: TrackingEvent
  /// The number of the entry that it had become the first time.
  package let entry: Int
  /// The number of the next entry at its arrival.
  package let place: Int
  /// Whether it had another content than the first time, so that it was recorded.
  package let isConflicting: Bool
}

/// Items of one kind and name that an SDK sent and that are no events.
package struct OtherItems: Hashable, Sendable {
  package let format: String
  package let kind: String
  package let name: String
}
