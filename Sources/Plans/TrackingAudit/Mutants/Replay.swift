import TrackingModel
import TrackingChecks
import TrackingServer

/// Repeats a test's checks on its changed timeline, without waiting: the recorded times of arrival decide.
///
/// Each check sees the entries that had arrived when it ended, because then the test moved on.
struct Replay {
  private let test: KeptTest
  private var checks: [ReplayedCheck]
  private var base: [ReplayedResult] = []

  init(_ test: KeptTest) {
    self.test = test
    var checks = test.checks.map { ReplayedCheck($0, in: test) }
    base = Self.results(of: test) { checks[$0].runAgain(in: $1) }
    self.checks = checks
  }

  /// The first check whose repetition has another result on the unchanged timeline, for example because its closure counts calls.
  var unrepeatable: KeptCheck? {
    zip(checks, base).first { call, result in
      guard let isGood = call.kept.isGood, !call.isFrozen else { return false }
      return isGood != result.isGood || zip(call.kept.matched, result.matched).contains { $0 != $1.number }
    }?.0.kept
  }

  func check(_ place: Int, looksFor entry: Int) -> Bool { checks[place].looksFor(entry) }

  /// The indices of the checks whose result contains an entry.
  func checks(returning entry: Int) -> [Int] {
    base.indices.filter { place in base[place].matched.contains { $0.number == test.entries[entry].number } }
  }

  /// Whether two entries arrived between the same checks, so that an app could have sent them in the other order.
  func areExchangeable(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (test.entries[first].number, test.entries[second].number)
    return !test.checks.contains { kept in
      [kept.call.origin.entry, kept.end, kept.waitEnd].contains { first < $0 && $0 <= second }
    }
  }

  /// Repeats the checks with the entries at some indices replaced; returns the indices of the checks whose result changes, and of those that would
  /// need a closure of the test.
  func effect(of edits: [Int: [JournalEntry]]) -> (noticed: [Int], untried: [Int]) {
    let rows = checks.map { $0.rows(of: edits) }
    guard rows.contains(where: { $0 != nil }) else { return ([], []) }
    var untried: [Int] = []
    var isOtherUsed = false
    let results = Self.results(of: test) { place, ledger in
      let (call, base) = (checks[place], base[place])
      guard rows[place] != nil || isOtherUsed && call.dependsOnMatches && !call.isFrozen else { return base }
      let result = call.run(
        of: edits, rows[place] ?? [:], in: ledger, wasGood: base.isGood && !call.dependsOnMatches)
      guard let result else {
        untried.append(place)
        return base
      }
      isOtherUsed = isOtherUsed || result.used != base.used
      return result
    }
    return (base.indices.filter { results[$0].isGood != base[$0].isGood && !untried.contains($0) }, untried)
  }

  /// The results of all checks in order, with a new ledger after each reset, as the verifier has.
  private static func results(
    of test: KeptTest, _ run: (_ place: Int, SharedLedger) -> ReplayedResult
  ) -> [ReplayedResult] {
    var results: [ReplayedResult] = []
    while results.count < test.checks.count {
      let first = results.count
      let part = test.checks[first...].prefix { $0.reset == test.checks[first].reset }
      // Checks that continue have read everything.
      let ledger = SharedLedger(of: RecordedTimeline([]))
      for (place, kept) in zip(part.indices, part) {
        results.append(run(place, ledger))
        ledger.record(results[place].matched, of: kept.call, continuing: results[place].later)
      }
      // A count that holds may be exceeded later, perhaps by an entry that another wait no longer matches.
      for (place, kept) in zip(part.indices, part) where !kept.call.isSilent {
        if let later = results[place].later, !ledger.value.extras(of: later).isEmpty { results[place].isGood = false }
      }
    }
    return results
  }
}
