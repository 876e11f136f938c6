import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

/// The entries that match a check's patterns, computed once, so that a change costs the comparison of one entry.
///
/// Closures of the test see only the entries that the test has shown them, and the nearest changes: they run while the check is repeated on the
/// unchanged timeline, which compares each pattern with the same entries as the test did.
final class PatternTable: Sendable {
  /// Whether an entry matches, by pattern; `nil` if that depends on a closure that hasn't seen it.
  typealias Row = [Bool?]

  private struct State {
    var rows: [Int: Row] = [:]
    var edited: [Int: Row] = [:]
    /// The outcomes of the patterns whose closures have seen an entry.
    var outcomes: [[EntryContent: Bool]]
    /// Whether closures may run.
    var isOpen: Bool
    /// Whether the current result depends on a closure that hasn't seen an entry.
    var isUnknown = false
  }

  private let patterns: [EntryPattern]
  private let kept: KeptCheck
  private let state: Locked<State>

  init(of kept: KeptCheck, runsClosures: Bool) {
    self.kept = kept
    patterns = kept.call.check.kind.patterns + kept.call.check.kind.ignored
    state = Locked(State(outcomes: patterns.map { _ in [:] }, isOpen: runsClosures))
  }

  /// The check with patterns that look up their matches.
  var call: CheckCall {
    var call = kept.call
    var column = 0
    let kind = call.check.kind.mapping { pattern in
      defer { column += 1 }
      return pattern.knowing { [self, column] in matches(column, $0) }
    }
    call.check = TrackingCheck<CheckOutcome>(kind)
    return call
  }

  /// The row of an unchanged entry, which is compared once.
  func row(ofUnchanged entry: JournalEntry) -> Row {
    if let row = state.withLock({ $0.rows[entry.number] }) { return row }
    let row = row(of: entry)
    state.withLock { $0.rows[entry.number] = row }
    return row
  }

  /// Compares an entry, without running closures.
  func row(of entry: JournalEntry) -> Row {
    let row = patterns.map { $0.matchesWithoutClosures(entry) }
    guard row.contains(nil) else { return row }
    let content = EntryContent(entry)
    // While closures run, each sees the entries that the test has shown it, and the nearest changes.
    return state.withLock { state in state.isOpen ? row : zip(row, state.outcomes).map { $0 ?? $1[content] } }
  }

  /// Whether a pattern matches an entry; if a closure would have to decide, the whole result is unknown.
  private func matches(_ column: Int, _ entry: JournalEntry) -> Bool {
    let (edited, mayRun) = state.withLock { ($0.edited[entry.number], $0.isOpen) }
    if let isMatch = (edited ?? row(ofUnchanged: entry))[column] { return isMatch }
    guard mayRun else {
      state.withLock { $0.isUnknown = true }
      return false
    }
    // With no lock held, since it is the test's own code.
    let isMatch = patterns[column].matches(entry)
    let near = entry.nearest.map { (EntryContent($0), patterns[column].matches($0)) }
    state.withLock {
      $0.rows[entry.number]?[column] = isMatch
      $0.outcomes[column].merge(near + [(EntryContent(entry), isMatch)]) { $1 }
    }
    return isMatch
  }

  /// No closure runs after this call.
  func close() { state.withLock { $0.isOpen = false } }

  /// Runs `body` with the rows of changed entries; returns `nil` if the result depends on a closure that hasn't seen an entry.
  func with<Result>(_ edited: [Int: Row], _ body: () -> Result) -> Result? {
    state.withLock { ($0.edited, $0.isUnknown) = (edited, false) }
    let result = body()
    return state.withLock { state in
      state.edited = [:]
      return state.isUnknown
    } ? nil : result
  }
}
