import TrackingModel
import TrackingChecks
import TrackingServer
import TrackingVerifier

/// A check that runs again on changed timelines, as the test's wait ran it.
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
  /// The index of the first entry that can't fulfil an expectation.
  private let waitEnd: Int
  /// Whether it can't run again, because that needs a closure that mustn't run.
  private(set) var isFrozen = false

  init(_ kept: KeptCheck, in test: KeptTest) {
    self.kept = kept
    entries = test.entries
    table = PatternTable(of: kept, runsClosures: test.runsClosures)
    call = table.call
    func index(_ number: Int) -> Int { test.entries.firstIndex { $0.number >= number } ?? test.entries.count }
    let check = call.check
    (kinds, interest, scope) = (check.kinds, check.form.interest, check.form.scope)
    // A response may have been sent after the mark to a request from before it.
    let first = check.ordersResponses ? 0 : index(kept.asked.origin.entry)
    let last = index(kept.reset)
    end = max(first, min(index(kept.end), last))
    waitEnd = max(first, min(index(kept.waitEnd), last))
    range = first..<max(first, check.form.bound == nil ? end : last)
    isWanted = entries.map(isOfInterest)
  }

  private var form: any CheckForm { call.check.form }

  private func isOfInterest(_ entry: JournalEntry) -> Bool {
    kinds.contains(entry) && entry.event.map { interest.concerns(eventNamed: $0.event.name) } ?? true
  }

  /// Whether its result depends on what other checks have matched.
  var dependsOnMatches: Bool { scope == .entriesAndMatches }

  /// Whether one of its patterns matches the entry at an index, or it looks for all entries.
  func looksFor(_ index: Int) -> Bool {
    range.contains(index) && isWanted[index]
      && (call.check.isSequence || row(of: index).contains(true) && !form.patterns.isEmpty)
  }

  private func row(of index: Int) -> PatternTable.Row { table.row(ofUnchanged: kept.seen(entries[index])) }

  /// The rows of changed entries; `nil` if the result can't be another one.
  func rows(of edits: [Int: [JournalEntry]]) -> [Int: PatternTable.Row]? {
    guard scope.includesEntries else { return nil }
    var rows: [Int: PatternTable.Row] = [:]
    // Only patterns see more of an entry than that it is there.
    let seesContent = form.patterns.isEmpty && !dependsOnMatches
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

  /// Runs the check on the unchanged timeline; closures get the entries that the test has shown them.
  mutating func askAgain(in ledger: SharedLedger) -> WaitResult {
    let answer = ask(of: [:], [:], in: ledger)
    table.close()
    isFrozen = answer == nil
    return answer ?? WaitResult(isGood: kept.isGood ?? true)
  }

  /// Runs the check on the changed timeline.
  ///
  /// - Parameters:
  ///   - rows: The rows of the changed entries.
  ///   - wasGood: Whether the unchanged timeline was as it should be, so that only the changed entries need a look.
  /// - Returns: The result; `nil` if it depends on a closure that mustn't run.
  func ask(
    of edits: [Int: [JournalEntry]], _ rows: [Int: PatternTable.Row], in ledger: SharedLedger, wasGood: Bool = false
  ) -> WaitResult? {
    guard scope.includesEntries else { return WaitResult(isGood: kept.isGood ?? true) }
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

  /// Whether the unchanged entry at an index can change the result, beside changed ones.
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
  ) -> WaitResult {
    var run = CheckRun(call, in: CheckContext(origin: call.origin, ledger: ledger), from: instant)
    run.read(timeline(end))
    var result = run.conclusion(.interrupted, at: instant)
    // The test has gone on: a failed wait doesn't pass later.
    if !result.isGood { result.later = nil }
    // A check when the test ends matches nothing, nor does a silent failure.
    if kept.isAtStop || !result.isMatching { result.matched = [] }
    result.later?.read(timeline(range.upperBound))
    return result
  }

  /// The result of an expectation, whose count must be met by a wait, and whose extras are looked for until `stop()`.
  private func resultOfExpectation(of timeline: (Int) -> RecordedTimeline) -> WaitResult {
    let bound = form.bound ?? .atLeast(0)
    let isInverted = bound.least == 0 && bound.most != nil
    var run = CheckRun(expecting: call, from: .now)
    if !isInverted { run.read(timeline(min(waitEnd, range.upperBound))) }
    let isMet = run.matched.count >= bound.least
    run.read(timeline(range.upperBound))
    return changed(WaitResult(isGood: isInverted ? run.matched.count <= bound.most ?? .max : isMet)) {
      $0.later = run
    }
  }
}

extension WaitResult {
  /// The numbers of the entries that it leaves to no later check.
  var used: Set<Int> { Set(matched.map(\.number)).union(later?.allowed ?? []) }
}
