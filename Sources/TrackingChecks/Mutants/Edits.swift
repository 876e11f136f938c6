import TrackingModel
import TrackingServer
import TrackingVerifier

/// A change of a timeline as entries in place of others.
struct Edits {
  /// The origin of an entry in a changed timeline.
  enum Source {
    /// The content of the entry at an index.
    case index(Int)
    case mutant(isNearest: Bool)
  }

  /// The entries in place of the one at an index.
  struct Edit {
    let index: Int
    let entries: [(entry: JournalEntry, source: Source)]
  }

  /// In the order of arrival.
  let list: [Edit]
  /// The names of the events that are involved.
  let names: [TextKey]
  let changesRequests: Bool
  /// Whether one entry has another content, and all others are unchanged.
  let isReplacement: Bool
  /// The comparisons of the changed entries, by question and number.
  var rows: [Int: [Int: ReplayedQuestion.Row]] = [:]

  /// No change.
  init() {
    (list, names, changesRequests, isReplacement) = ([], [], false, true)
  }

  init(_ change: TimelineChange, of entries: [JournalEntry]) {
    var involved: [JournalEntry]
    switch change {
    case .replaced(let index, let entry, let isNearest):
      list = [Edit(index: index, entries: [(entry, .mutant(isNearest: isNearest))])]
      involved = [entries[index], entry]
    case .dropped(let index):
      list = [Edit(index: index, entries: [])]
      involved = [entries[index]]
    case .doubled(let index):
      let entry = entries[index]
      // Another number, so that two waits can match one each.
      let copy = entry.with(number: (entries.last?.number ?? 0) + 1)
      list = [Edit(index: index, entries: [(entry, .index(index)), (copy, .index(index))])]
      involved = [entry]
    case .exchanged(let first, let second):
      list = [
        Edit(index: first, entries: [(entries[second].inPlace(of: entries[first]), .index(second))]),
        Edit(index: second, entries: [(entries[first].inPlace(of: entries[second]), .index(first))]),
      ]
      involved = [entries[first], entries[second]]
    }
    names = Array(Set(involved.compactMap { $0.event.map { TextKey($0.event.name) } }))
    changesRequests = involved.contains { $0.request != nil }
    if case .replaced = change { isReplacement = true } else { isReplacement = false }
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
