import StubModel
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingChecks
import TrackingRules
import TrackingServer
import TrackingVerifier

/// A check that a test has made, with its result, so that it can be repeated on a changed timeline.
struct KeptCheck: Sendable {
  let call: CheckCall
  /// The time from the beginning of the wait to its end; `nil` for an expectation of XCTest, which has no end before `stop()`.
  let wait: ClosedRange<ContinuousClock.Instant>?
  /// Whether it is a check of `stop()`, which matches nothing.
  var isAtStop = false
  /// The number of the first entry that arrived after the result: by then the test had moved on.
  let end: Int
  /// The number of the first entry that can't fulfil an expectation, because by then the test had moved on; the largest if that isn't known.
  var waitEnd = Int.max
  /// The number of the first entry after the next reset.
  var reset = Int.max
  /// Whether the check passed; `nil` if only XCTest knows.
  var isGood: Bool?
  /// The numbers of the matched entries, in their order.
  var matched: [Int] = []
  /// The reason for which a change that no check notices may be noticed by the test: it has required the result, or may have discarded it.
  var returned = MutationReport.Pin.no

  /// A request as it was when the check ended: a response may have been sent later.
  func seen(_ entry: JournalEntry) -> JournalEntry {
    guard let wait, let request = entry.request, let sending = request.sending, sending.instant > wait.upperBound
    else { return entry }
    return .request(request.withoutResponse)
  }

  /// Whether it checks against a tracking plan.
  var isPlan: Bool { call.check.form.rule is any OutlinedRule }

  /// The condition on an event or a request, in words that can follow "waits for it": `by name`.
  func assertion(about entry: JournalEntry) -> String? {
    if call.check.isSequence { return "by a recorded flow" }
    let pattern = call.check.form.patterns.first { $0.matchesWithoutClosures(entry) != false }
    switch entry {
    case .event:
      return pattern?.events?.assertion
    case .request: return pattern.map { "\($0)" }
    case .rejection: return nil
    }
  }
}

/// A test that has ended, whose checks can be repeated.
struct KeptTest: Sendable {
  /// The test's name, as its framework writes it.
  let name: String
  /// Everything that it received, in the order of arrival.
  let entries: [JournalEntry]
  /// Its checks, in the order of their ends.
  var checks: [KeptCheck]
  /// Whether closures of the test may run again.
  var runsClosures = true
}

/// The parts of an entry that patterns compare.
struct EntryContent: Hashable, Sendable {
  private let event: TrackingEvent?
  private let request: ReceivedRequest?
  private let response: RecordedResponse?
  private let process: String?

  init(_ entry: JournalEntry) {
    (event, process) = (entry.event?.event, entry.process)
    (request, response) = (entry.request?.request, entry.request?.response)
  }
}
