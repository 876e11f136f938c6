import StubModel
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingChecks
import TrackingRules
import TrackingServer
import TrackingVerifier

/// A question that a test has asked, with its answer, so that it can be asked again of a changed timeline.
struct KeptCheck: Sendable {
  let asked: CheckCall
  /// The time from the beginning of the wait to its end; `nil` for an expectation of XCTest, which has no end before the stop.
  let wait: ClosedRange<ContinuousClock.Instant>?
  /// Whether it is a check at the stop, which matches nothing.
  var isAtStop = false
  /// The number of the first entry that arrived after the answer: the test had gone on by then.
  let end: Int
  /// The number of the first entry that can't fulfil an expectation, because the test had gone on by then; the largest if that isn't known.
  var waitEnd = Int.max
  /// The number of the first entry after the next reset.
  var reset = Int.max
  /// Whether the answer was yes; `nil` if only XCTest knows.
  var isGood: Bool?
  /// The numbers of the entries that the answer named, in their order.
  var matched: [Int] = []
  /// The reason for which a change that no question notices may be noticed by the test: it has required the answer, or may have discarded it.
  var returned = MutationReport.Pin.no

  /// A request as it was when the question was answered: an answer may have been sent later.
  func seen(_ entry: JournalEntry) -> JournalEntry {
    guard let wait, let request = entry.request, let sending = request.sending, sending.instant > wait.upperBound
    else { return entry }
    return .request(request.unanswered)
  }

  /// Whether it asks about a tracking plan.
  var isPlan: Bool { asked.check.form.rule is any OutlinedRule }

  /// The condition on an event or a request, in words that can follow "waits for it": `by name`.
  func assertion(about entry: JournalEntry) -> String? {
    if asked.check.isSequence { return "by a recorded flow" }
    let pattern = asked.check.form.patterns.first { $0.matchesWithoutClosures(entry) != false }
    switch entry {
    case .event:
      return pattern?.events?.assertion
    case .request: return pattern.map { "\($0)" }
    case .rejection: return nil
    }
  }
}

/// A test that has ended, as it can be asked again.
struct KeptTest: Sendable {
  /// The test's name, as its framework writes it.
  let name: String
  /// Everything that it received, in the order of arrival.
  let entries: [JournalEntry]
  /// Its questions, in the order of their answers.
  var checks: [KeptCheck]
  /// Whether closures of the test may run again.
  var runsClosures = true
}

/// The parts of an entry that patterns compare.
struct EntryContent: Hashable, Sendable {
  private let event: TrackingEvent?
  private let request: ReceivedRequest?
  private let answer: RecordedResponse?
  private let process: String?

  init(_ entry: JournalEntry) {
    (event, process) = (entry.event?.event, entry.process)
    (request, answer) = (entry.request?.request, entry.request?.answer)
  }
}
