import TrackingModel
import TrackingServer

/// One change of a recorded timeline: entries in place of others.
struct TimelineChange: Sendable {
  /// The entries in place of the one at an index.
  struct Edit: Sendable {
    let index: Int
    /// The entries, each with the index of the one that has the same content; `nil` for new content.
    let entries: [(entry: JournalEntry, source: Int?)]
  }

  /// In the order of arrival.
  let edits: [Edit]
  /// Whether closures of the test may see the new content.
  var isReadable = true

  /// Another entry at an index.
  static func replaced(_ index: Int, _ entry: JournalEntry, isReadable: Bool) -> TimelineChange {
    TimelineChange(edits: [Edit(index: index, entries: [(entry, nil)])], isReadable: isReadable)
  }

  static func dropped(_ index: Int) -> TimelineChange { TimelineChange(edits: [Edit(index: index, entries: [])]) }

  /// An entry that arrives a second time, directly after the first.
  static func doubled(_ index: Int, in entries: [JournalEntry]) -> TimelineChange {
    // Another number, so that two waits can match one each.
    let copy = entries[index].with(number: (entries.last?.number ?? 0) + 1)
    return TimelineChange(edits: [Edit(index: index, entries: [(entries[index], index), (copy, index)])])
  }

  /// Two events that arrive in each other's place.
  static func exchanged(_ first: Int, _ second: Int, in entries: [JournalEntry]) -> TimelineChange {
    TimelineChange(edits: [
      Edit(index: first, entries: [(entries[second].inPlace(of: entries[first]), second)]),
      Edit(index: second, entries: [(entries[first].inPlace(of: entries[second]), first)]),
    ])
  }

  /// Whether one entry has other content, and all others are unchanged.
  var isReplacement: Bool { edits.count == 1 && edits[0].entries.count == 1 }

  /// The entries of a range of indices after the change, as far as they are wanted; changed ones always are.
  func entries(of entries: [JournalEntry], in range: Range<Int>, where isWanted: (JournalEntry) -> Bool)
    -> [JournalEntry]
  {
    var list: [JournalEntry] = []
    var pending = edits[...]
    for index in range {
      while let edit = pending.first, edit.index < index { pending.removeFirst() }
      if let edit = pending.first, edit.index == index {
        list += edit.entries.map(\.entry)
      } else if isWanted(entries[index]) {
        list.append(entries[index])
      }
    }
    return list
  }

  /// The names of the events that it removes and adds, and whether it removes or adds a request.
  func subjects(in entries: [JournalEntry]) -> (names: Set<TextKey>, requests: Bool) {
    let involved = edits.flatMap { [entries[$0.index]] + $0.entries.map(\.entry) }
    return (
      Set(involved.compactMap { $0.event.map { TextKey($0.event.name) } }), involved.contains { $0.request != nil }
    )
  }
}

extension JournalEntry {
  /// The same entry with another number.
  fileprivate func with(number: Int) -> JournalEntry {
    switch self {
    case .event(let event): .event(event.with(number: number))
    case .request(let request): .request(request.with(number: number))
    case .rejection: self
    }
  }

  /// The same event in the place of another one.
  fileprivate func inPlace(of other: JournalEntry) -> JournalEntry {
    guard let event, let other = other.event else { return self }
    return .event(event.inPlace(of: other))
  }
}
