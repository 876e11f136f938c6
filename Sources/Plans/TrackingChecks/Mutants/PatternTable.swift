import TrackingModel
import TrackingQuestions
import TrackingServer

/// The entries that match the patterns of a question, so that a change costs the comparison of one entry.
///
/// Closures of the test see only what the test has shown them: they run while the question is asked again of the unchanged timeline, which asks each
/// pattern about the same entries as the test did, and later of the nearest mutants of these entries.
final class PatternTable: Sendable {
  /// Whether an entry matches, by pattern; `nil` if that depends on a closure that mustn't run.
  typealias Row = [Bool?]

  private struct State {
    var rows: [Int: Row] = [:]
    /// The rows of changed entries.
    var edited: [Int: Row] = [:]
    /// By the entries' numbers, the patterns whose closures have seen them.
    var seen: [Int: Set<Int>] = [:]
    var isOpen: Bool
    var isFrozen = false
    /// Whether the current answer depends on a closure that mustn't run.
    var isUnknown = false
  }

  let patterns: [EntryPattern]
  private let kept: KeptQuestion
  /// Whether closures may run with every entry, because a count asks its pattern about all of them.
  private let runsWithAll: Bool
  private let runsClosures: Bool
  private let state: Locked<State>

  init(of kept: KeptQuestion, runsClosures: Bool) {
    var patterns: [EntryPattern] = []
    let form = kept.question?.verification.form
    _ = form?.mapping { pattern in
      patterns.append(pattern)
      return pattern
    }
    self.patterns = patterns
    self.kept = kept
    self.runsClosures = runsClosures
    runsWithAll = runsClosures && form?.bound != nil
    state = Locked(State(isOpen: runsClosures))
  }

  /// The question with patterns that look up their matches.
  var question: AskedQuestion? {
    guard var question = kept.question else { return nil }
    var column = 0
    let form = question.verification.form.mapping { pattern in
      defer { column += 1 }
      return pattern.knowing { [self, column] in matches(column, $0) }
    }
    question.verification = Verification(form)
    return question
  }

  /// Compares an entry of the unchanged timeline.
  func add(_ entry: JournalEntry) {
    let row = row(of: entry) { _ in runsWithAll }
    state.withLock { $0.rows[entry.number] = row }
  }

  /// Whether the question can't be asked again without closures that mustn't run.
  var isFrozen: Bool { state.withLock(\.isFrozen) }

  func freeze() { state.withLock { $0.isFrozen = true } }

  /// Whether the matches of all entries are known.
  var isComplete: Bool { state.withLock { !$0.rows.values.contains { $0.contains(nil) } } }

  /// The row of an entry of the unchanged timeline; `nil` if the question doesn't look at it.
  func row(of number: Int) -> Row? { state.withLock { $0.rows[number] } }

  /// The row of a changed entry.
  ///
  /// - Parameter original: The number of the entry that it is a near mutant of; `nil` if closures mustn't see it.
  func row(of entry: JournalEntry, nearTo original: Int?) -> Row {
    let seen = original.flatMap { number in state.withLock { $0.seen[number] } } ?? []
    return row(of: entry) { original != nil && (runsWithAll || seen.contains($0)) }
  }

  private func row(of entry: JournalEntry, mayRun: (Int) -> Bool) -> Row {
    patterns.enumerated().map { column, pattern in
      let isMatch = pattern.matchesWithoutClosures(entry) ?? (mayRun(column) ? pattern.matches(entry) : nil)
      guard isMatch == true, let question = kept.question, question.hasCondition, let event = entry.event else {
        return isMatch
      }
      return kept.closureAnswers[event.event]
    }
  }

  /// Whether a pattern matches an entry; an answer that would need a closure makes the whole answer unknown.
  private func matches(_ column: Int, _ entry: JournalEntry) -> Bool {
    let (row, mayRun) = state.withLock { ($0.edited[entry.number] ?? $0.rows[entry.number], $0.isOpen) }
    guard let row else { return false }
    if let isMatch = row[column] { return isMatch }
    // A condition that isn't kept has no answer beyond what the wait has looked at.
    guard mayRun, entry.number < kept.looked, !(kept.question?.hasCondition ?? false) else {
      state.withLock { $0.isUnknown = true }
      return false
    }
    // With no lock held: it is the test's own code.
    let isMatch = patterns[column].matches(kept.seen(entry))
    state.withLock {
      $0.rows[entry.number]?[column] = isMatch
      $0.seen[entry.number, default: []].insert(column)
    }
    return isMatch
  }

  /// Lets no closure run from here on.
  func close() { state.withLock { $0.isOpen = false } }

  /// Runs `body` with the rows of changed entries.
  ///
  /// - Returns: The result; `nil` if it depends on a closure that mustn't run.
  func with<Result>(_ edited: [Int: Row], _ body: () -> Result) -> Result? {
    state.withLock { ($0.edited, $0.isUnknown) = (edited, false) }
    let result = body()
    return state.withLock { state in
      state.edited = [:]
      return state.isUnknown
    } ? nil : result
  }
}
