import TrackingModel
import TrackingChecks
import TrackingServer

/// Asks the questions of a test again of its changed timeline, without waiting: the recorded times of arrival decide.
///
/// Each question sees the entries that had arrived when it was answered, because the test had gone on by then.
struct Replay {
  private let test: KeptTest
  private var checks: [ReplayedCheck]
  /// The answers about the unchanged timeline.
  private var base: [ReplayedResult] = []

  init(_ test: KeptTest) {
    self.test = test
    var checks = test.checks.map { ReplayedCheck($0, in: test) }
    base = Self.answers(of: test) { checks[$0].askAgain(in: $1) }
    self.checks = checks
  }

  /// The first question that answers the unchanged timeline otherwise than it did, such as one with a closure that counts its calls.
  var unrepeatable: KeptCheck? {
    zip(checks, base).first { call, answer in
      guard let isGood = call.kept.isGood, !call.isFrozen else { return false }
      return isGood != answer.isGood || zip(call.kept.matched, answer.matched).contains { $0 != $1.number }
    }?.0.kept
  }

  /// Whether an entry is a match for a question.
  func call(_ place: Int, looksFor entry: Int) -> Bool { checks[place].looksFor(entry) }

  /// The indices of the questions whose answer contains an entry.
  func checks(returning entry: Int) -> [Int] {
    base.indices.filter { place in base[place].matched.contains { $0.number == test.entries[entry].number } }
  }

  /// Whether two entries arrived between the same questions, so that an app could have sent them in the other order.
  func areExchangeable(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (test.entries[first].number, test.entries[second].number)
    return !test.checks.contains { call in
      [call.asked.origin.entry, call.end, call.waitEnd].contains { first < $0 && $0 <= second }
    }
  }

  /// Asks the questions about other entries in place of those at some indices.
  ///
  /// - Returns: The indices of the questions whose answer is another one, and of those that couldn't be asked without a closure of the test.
  func effect(of edits: [Int: [JournalEntry]]) -> (noticed: [Int], untried: [Int]) {
    let rows = checks.map { $0.rows(of: edits) }
    guard rows.contains(where: { $0 != nil }) else { return ([], []) }
    var untried: [Int] = []
    var isOtherUsed = false
    let answers = Self.answers(of: test) { place, ledger in
      let (call, base) = (checks[place], base[place])
      guard rows[place] != nil || isOtherUsed && call.dependsOnMatches && !call.isFrozen else { return base }
      let answer = call.ask(
        of: edits, rows[place] ?? [:], in: ledger, wasGood: base.isGood && !call.dependsOnMatches)
      guard let answer else {
        untried.append(place)
        return base
      }
      isOtherUsed = isOtherUsed || answer.used != base.used
      return answer
    }
    return (base.indices.filter { answers[$0].isGood != base[$0].isGood && !untried.contains($0) }, untried)
  }

  /// The answers of all questions in their order, with a ledger as the verifier's from each reset to the next.
  private static func answers(
    of test: KeptTest, _ ask: (_ place: Int, SharedLedger) -> ReplayedResult
  ) -> [ReplayedResult] {
    var answers: [ReplayedResult] = []
    while answers.count < test.checks.count {
      let first = answers.count
      let part = test.checks[first...].prefix { $0.reset == test.checks[first].reset }
      // The questions that continue have read everything.
      let ledger = SharedLedger(of: RecordedTimeline([]))
      for (place, kept) in zip(part.indices, part) {
        answers.append(ask(place, ledger))
        ledger.record(answers[place].matched, of: kept.asked, continuing: answers[place].later)
      }
      // A count that holds may be exceeded later, also by an entry that another wait no longer matches.
      for (place, kept) in zip(part.indices, part) where !kept.asked.isSilent {
        if let later = answers[place].later, !ledger.value.extras(of: later).isEmpty { answers[place].isGood = false }
      }
    }
    return answers
  }
}
