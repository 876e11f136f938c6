import TrackingModel

/// The ids of items that SDKs delivered, to recognize a *redelivery*; survives a reset, as SDKs retry for longer than a test takes.
///
/// Events that one of our doubles sends again are recognized by their numbers (`SequenceLedger`) and not counted.
struct SDKDeliveryLedger {
  enum Novelty {
    case new
    /// The same content as before, with the number of its entry.
    case again(Int)
    /// Other content under the same id, with the number of the first entry.
    case conflicting(Int)
  }

  private struct Seen {
    let content: Int
    let entry: Int
  }

  /// The minimum number of ids that are remembered; limited, since a server may run for days.
  private static let generation = 65_536

  /// Indexed by the hash of format and id, which needs no memory for keys; among so many, two collide once in 2^32 runs.
  private var current: [Int: Seen] = [:]
  private var previous: [Int: Seen] = [:]
  /// Since the last reset.
  private(set) var redeliveries: [Redelivery] = []
  /// The number of redeliveries with the same content, by the number of the entry.
  private(set) var counts: [Int: Int] = [:]
  /// The items other than events since the last reset, with their counts.
  private(set) var others: [OtherItems: Int] = [:]

  /// The maximum number of names of other items that are counted separately.
  private static let mostOthers = 200

  /// The number of events that were delivered before with the same content.
  func repeated(_ events: [TrackingEvent]) -> Int {
    guard events.first?.origin != nil else { return 0 }
    return events.count { if case .again = novelty(of: $0) { true } else { false } }
  }

  /// Notes an event as the next entry, or as a redelivery of an earlier one.
  ///
  /// - Parameters:
  ///   - order: The journal's revision for a redelivery.
  ///   - most: The maximum number of redeliveries that are kept.
  mutating func note(_ event: TrackingEvent, at place: Int, order: Int, keeping most: Int) -> Novelty {
    let novelty = take(event, entry: place)
    let redelivery: Redelivery? =
      switch novelty {
      case .new: nil
      case .again(let entry): Redelivery(event: event, entry: entry, order: order, isConflicting: false)
      case .conflicting(let entry): Redelivery(event: event, entry: entry, order: order, isConflicting: true)
      }
    if let redelivery, redeliveries.count < most {
      redeliveries.append(redelivery)
      if !redelivery.isConflicting { counts[redelivery.entry, default: 0] += 1 }
    }
    return novelty
  }

  /// Counts an item other than an event, unless it is a redelivery.
  mutating func count(_ item: TrackingEvent, at place: Int) {
    guard let origin = item.origin else { return }
    if case .again = take(item, entry: place) { return }
    let key = OtherItems(format: origin.format, kind: origin.kind, name: item.name.shortened(to: 100))
    let isKept = others.count < Self.mostOthers || others[key] != nil
    let rest = OtherItems(format: origin.format, kind: origin.kind, name: "others")
    others[isKept ? key : rest, default: 0] += 1
  }

  /// The counts of some entries, and of those with a redelivery after the first `known` ones.
  func counts(of numbers: Range<Int>, after known: Int) -> [Int: Int] {
    guard !counts.isEmpty else { return [:] }
    // A reset forgets redeliveries.
    let changed = redeliveries.dropFirst(known > redeliveries.count ? 0 : known)
    // Either may be much larger than the other.
    var found =
      numbers.count < counts.count
      ? Dictionary(uniqueKeysWithValues: numbers.compactMap { number in counts[number].map { (number, $0) } })
      : counts.filter { numbers.contains($0.key) }
    for redelivery in changed { found[redelivery.entry] = counts[redelivery.entry] }
    return found
  }

  /// Forgets redeliveries and other items; ids are still recognized.
  mutating func reset() {
    (redeliveries, counts, others) = ([], [:], [:])
  }

  /// Whether an event was delivered before; doesn't note it.
  private func novelty(of event: TrackingEvent) -> Novelty {
    guard let origin = event.origin, let id = origin.id else { return .new }
    return novelty(of: origin, key: Self.key(origin.format, id), content: Self.content(of: event, origin.kind))
  }

  /// Whether an event was delivered before; a new one is noted under `entry`.
  private mutating func take(_ event: TrackingEvent, entry: Int) -> Novelty {
    guard let origin = event.origin, let id = origin.id else { return .new }
    let (key, content) = (Self.key(origin.format, id), Self.content(of: event, origin.kind))
    let novelty = novelty(of: origin, key: key, content: content)
    if case .new = novelty {
      if current.count >= Self.generation { (previous, current) = (current, [:]) }
      current[key] = Seen(content: content, entry: entry)
    }
    return novelty
  }

  private func novelty(of origin: SDKOrigin, key: Int, content: Int) -> Novelty {
    guard let seen = current[key] ?? (previous.isEmpty ? nil : previous[key]), !origin.isFirstAttempt else {
      return .new
    }
    return seen.content == content ? .again(seen.entry) : .conflicting(seen.entry)
  }

  private static func key(_ format: String, _ id: String) -> Int {
    var hasher = Hasher()
    hasher.combine(format)
    // By bytes: an SDK's id may be any text of any length.
    id.hashText(into: &hasher)
    return hasher.finalize()
  }

  private static func content(of event: TrackingEvent, _ kind: String) -> Int {
    var hasher = Hasher()
    hasher.combine(event)
    hasher.combine(kind)
    return hasher.finalize()
  }
}

/// An event that an SDK has redelivered.
package struct Redelivery: Sendable {
  package let event: TrackingEvent
  /// The number of the first delivery's entry.
  package let entry: Int
  /// The journal's revision for the redelivery.
  package let order: Int
  /// Whether its content differs from the first delivery's, so that it was recorded.
  package let isConflicting: Bool
}

/// Items of one kind and name, other than events, that an SDK sent.
package struct OtherItems: Hashable, Sendable {
  package let format: String
  package let kind: String
  package let name: String
}
