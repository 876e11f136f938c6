import TrackingModel
import TrackingServer
import TrackingVerifier

/// The closures in the patterns of a question, which may see only what the test has shown them.
///
/// They run while the question is asked again of the unchanged timeline, which asks each pattern about the same entries as the test did.
final class PatternClosures: Sendable {
  private struct State {
    /// By the entries' numbers and the indices of the patterns.
    var answers: [Int: [Int: Bool]] = [:]
    var mayRun: Bool
    /// Whether the current answer depends on a closure that mustn't run.
    var isUnknown = false
  }

  private let patterns: [EntryPattern]
  private let limit: Int
  private let state: Locked<State>

  /// - Parameter limit: The number of the first entry that the test hasn't looked at.
  init(of patterns: [EntryPattern], limit: Int, areAllowed: Bool) {
    self.patterns = patterns
    self.limit = limit
    state = Locked(State(mayRun: areAllowed))
  }

  /// Whether a pattern matches an entry; `false` and an unknown answer if its closures mustn't run.
  func matches(_ column: Int, _ entry: JournalEntry) -> Bool {
    let (known, mayRun) = state.withLock { ($0.answers[entry.number]?[column], $0.mayRun) }
    // Afterwards a mutant may have the number.
    guard mayRun, entry.number < limit else { return unknown() }
    if let known { return known }
    // With no lock held: it is the test's own code.
    let isMatch = patterns[column].matches(entry)
    state.withLock { $0.answers[entry.number, default: [:]][column] = isMatch }
    return isMatch
  }

  /// Notes that the current answer is unknown.
  func unknown() -> Bool {
    state.withLock { $0.isUnknown = true }
    return false
  }

  /// Whether the answer since the last call is unknown.
  func takeIsUnknown() -> Bool {
    state.withLock { state in
      defer { state.isUnknown = false }
      return state.isUnknown
    }
  }

  /// Lets no closure run from here on, and returns the answers by entry and pattern.
  func finish() -> [Int: [Int: Bool]] {
    state.withLock { state in
      state.mayRun = false
      return state.answers
    }
  }

  func haveSeen(_ number: Int, _ column: Int) -> Bool { state.withLock { $0.answers[number]?[column] != nil } }
}
