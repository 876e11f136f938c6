import TrackingModel
import TrackingChecks
import TrackingServer
import TrackingVerifier

/// A check that is repeated on changed timelines, by the same code as the test's wait.
struct ReplayedCheck {
  let kept: KeptCheck
  private let entries: [JournalEntry]
  private let table: PatternTable
  /// The check with known matches.
  private let call: CheckCall
  private let kinds: EntryKinds
  private let interest: JournalInterest
  private let scope: CheckScope
  /// Whether it looks at an entry, by index.
  private var isWanted: [Bool] = []
  /// The indices of the entries that it can look at, and the first that arrived after its result.
  private let range: Range<Int>
  private let end: Int
  /// The index of the first entry that arrived too late to fulfil an expectation.
  private let waitEnd: Int
  /// Whether it can't be repeated, because that needs a closure that mustn't run.
  private(set) var isFrozen = false

  init(_ kept: KeptCheck, in test: KeptTest) {
    self.kept = kept
    entries = test.entries
    table = PatternTable(of: kept, runsClosures: test.runsClosures)
    call = table.call
    func index(_ number: Int) -> Int { test.entries.firstIndex { $0.number >= number } ?? test.entries.count }
    let check = call.check
    (kinds, interest, scope) = (check.kinds, check.kind.interest, check.kind.scope)
    // A response to a request from before the mark may have been sent after it.
    let first = check.readsResponses ? 0 : index(kept.call.origin.entry)
    let last = index(kept.reset)
    end = max(first, min(index(kept.end), last))
    waitEnd = max(first, min(index(kept.waitEnd), last))
    range = first..<max(first, check.kind.bound == nil ? end : last)
    isWanted = entries.map(isOfInterest)
  }

  private var kind: any CheckKind { call.check.kind }

  private func isOfInterest(_ entry: JournalEntry) -> Bool {
    kinds.contains(entry) && entry.event.map { interest.concerns(eventNamed: $0.event.name) } ?? true
  }

  /// Whether its result depends on other checks' matches.
  var dependsOnMatches: Bool { scope == .entriesAndMatches }

  /// Whether one of its patterns matches the entry at an index, or it is about all entries.
  func looksFor(_ index: Int) -> Bool {
    range.contains(index) && isWanted[index]
      && (call.check.isSequence || row(of: index).contains(true) && !kind.patterns.isEmpty)
  }

  private func row(of index: Int) -> PatternTable.Row { table.row(ofUnchanged: kept.seen(entries[index])) }

  /// The rows of changed entries; `nil` if they can't change the result.
  func rows(of edits: [Int: [JournalEntry]]) -> [Int: PatternTable.Row]? {
    guard scope.includesEntries else { return nil }
    var rows: [Int: PatternTable.Row] = [:]
    // Only patterns look at an entry's content.
    let seesContent = kind.patterns.isEmpty && !dependsOnMatches
    var isChanged = false
    for (index, changed) in edits
    where range.contains(index) && (isWanted[index] || changed.contains(where: isOfInterest)) {
      isChanged = isChanged || seesContent || changed.count != 1
      for entry in changed {
        let row = table.row(of: kept.seen(entry))
        rows[entry.number] = row
        isChanged = isChanged || row.contains(nil) || row != self.row(of: index)
      }
    }
    return isChanged ? rows : nil
  }

  /// Repeats the check on the unchanged timeline, running closures with the entries that the test has shown them.
  mutating func runAgain(in ledger: SharedLedger) -> ReplayedResult {
    let result = run(of: [:], [:], in: ledger)
    table.close()
    isFrozen = result == nil
    return result ?? ReplayedResult(isGood: kept.isGood ?? true)
  }

  /// Repeats the check on the changed timeline.
  ///
  /// - Parameter wasGood: Whether the unchanged timeline passes, so that only the changed entries need a look.
  /// - Returns: The result; `nil` if it depends on a closure that mustn't run.
  func run(
    of edits: [Int: [JournalEntry]], _ rows: [Int: PatternTable.Row], in ledger: SharedLedger, wasGood: Bool = false
  ) -> ReplayedResult? {
    guard scope.includesEntries else { return ReplayedResult(isGood: kept.isGood ?? true) }
    guard !isFrozen else { return nil }
    let needed = neededEntries(besides: edits, wasGood: wasGood)
    func timeline(to end: Int) -> RecordedTimeline {
      RecordedTimeline(
        (range.lowerBound..<end).flatMap { index in
          (edits[index] ?? (needed(index) ? [entries[index]] : [])).map(kept.seen)
        })
    }
    return table.with(rows) {
      if let wait = kept.wait {
        result(ofWaitAt: wait.lowerBound, of: timeline, in: ledger)
      } else {
        resultOfExpectation(of: timeline)
      }
    }
  }

  /// Whether the unchanged entry at an index can change the result, in addition to changed ones.
  private func neededEntries(besides edits: [Int: [JournalEntry]], wasGood: Bool) -> (Int) -> Bool {
    switch scope {
    case .eachEntry where wasGood: return { _ in false }
    case .equalEntries where wasGood:
      let changed = edits.flatMap { [entries[$0]] + $1 }
      let names = Set(changed.compactMap { $0.event.map { TextKey($0.event.name) } })
      return { entries[$0].event.map { names.contains(TextKey($0.event.name)) } ?? true }
    default: return { isWanted[$0] }
    }
  }

  /// The result of a wait, which looks at the timeline up to its end.
  private func result(
    ofWaitAt instant: ContinuousClock.Instant, of timeline: (Int) -> RecordedTimeline, in ledger: SharedLedger
  ) -> ReplayedResult {
    var run = CheckRun(call, in: CheckContext(origin: call.origin, ledger: ledger), from: instant)
    run.read(timeline(end))
    let passes = run.passes(at: instant, after: .interrupted)
    // A check when the test ends matches nothing, nor does a silent failure.
    let matched = kept.isAtStop || call.isSilent && !passes ? [] : run.matched
    // The test moves on: a failed wait gets no late match.
    var later = passes ? run.countingOn : nil
    later?.read(timeline(range.upperBound))
    return ReplayedResult(isGood: passes, matched: matched, later: later)
  }

  /// The result of an expectation, whose count a wait must reach, and whose extras count until `stop()`.
  private func resultOfExpectation(of timeline: (Int) -> RecordedTimeline) -> ReplayedResult {
    let bound = kind.bound ?? .atLeast(0)
    let isInverted = bound.least == 0 && bound.most != nil
    var run = CheckRun(expecting: call, from: .now)
    if !isInverted { run.read(timeline(min(waitEnd, range.upperBound))) }
    let isMet = run.matched.count >= bound.least
    run.read(timeline(range.upperBound))
    return ReplayedResult(isGood: isInverted ? run.matched.count <= bound.most ?? .max : isMet, later: run)
  }
}

/// A check's result on a changed timeline.
struct ReplayedResult {
  /// Whether the check passes, and later entries don't exceed it.
  var isGood: Bool
  /// The entries that it matches, or that fail it.
  var matched: [JournalEntry] = []
  /// The run of a count, continued after its wait.
  var later: CheckRun?

  /// The numbers of the entries that no later check can use.
  var used: Set<Int> { Set(matched.map(\.number)).union(later?.allowed ?? []) }
}
