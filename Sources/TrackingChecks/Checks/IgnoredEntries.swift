import TrackingServer

/// The patterns of entries that a check ignores, and why it can't tell for some entries.
struct IgnoredEntries: Sendable {
  let patterns: [EntryPattern]
  /// By entry number.
  private var doubts: [Int: String] = [:]
  /// The numbers of the requests that their responses may let a pattern match.
  private var pending: Set<Int> = []

  init(_ patterns: [EntryPattern]) { self.patterns = patterns }

  /// Whether a pattern matches the entry; an entry for which that can't be told counts, with a doubt.
  mutating func contains(_ entry: JournalEntry) -> Bool {
    for pattern in patterns {
      switch pattern.ignores(entry) {
      case .no:
        guard pattern.awaitsResponse(of: entry) else { continue }
        pending.insert(entry.number)
        doubts[entry.number] = "it has no response yet"
      case .undecided(let reason): doubts[entry.number] = reason
      case .yes: return true
      }
    }
    return false
  }

  /// Whether the entry counts only until its response is known.
  func isPending(_ entry: JournalEntry) -> Bool { pending.contains(entry.number) }

  /// A sentence for each entry that should perhaps have been ignored.
  func doubts(about entries: [JournalEntry]) -> [String] {
    entries.compactMap { entry in
      doubts[entry.number].map { "Can't tell whether #\(entry.number) should be ignored: \($0)." }
    }
  }
}
