import StubModel
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingChecks
import TrackingRules
import TrackingServer
import TrackingVerifier

/// A check of a test with its result, to be repeated on a changed timeline.
struct KeptCheck: Sendable {
  let call: CheckCall
  /// The time from the wait's beginning to its end; `nil` for an expectation of XCTest, which has no end before `stop()`.
  let wait: ClosedRange<ContinuousClock.Instant>?
  /// Whether it is a check of `stop()`, which matches nothing.
  var isAtStop = false
  /// The number of the first entry that arrived after the result, when the test had moved on.
  let end: Int
  /// The number of the first entry that arrived too late to fulfil an expectation; the largest number if that isn't known.
  var waitEnd = Int.max
  /// The number of the first entry after the next reset.
  var reset = Int.max
  /// Whether the check passed; `nil` if only XCTest knows.
  var isGood: Bool?
  /// The numbers of the matched entries, in order.
  var matched: [Int] = []
  /// The use of the result, because of which the test may notice changes that no check notices: it is required, or may be discarded.
  var returned = MutationReport.Pin.no

  /// A request as it was when the check ended: a response may have been sent later.
  func seen(_ entry: JournalEntry) -> JournalEntry {
    guard let wait, let request = entry.request, let sending = request.sending, sending.instant > wait.upperBound
    else { return entry }
    return .request(request.withoutResponse)
  }

  var isPlan: Bool { call.check.kind.rule is any OutlinedRule }

  /// The condition on an event or a request, in words that complete "waits for it": `by name`.
  ///
  /// `nil` if the check doesn't need the entry, or accepts any.
  func assertion(about entry: JournalEntry) -> String? {
    if call.check.isSequence { return "by a recorded flow" }
    let kind = call.check.kind
    let pattern = kind.patterns.dropFirst(kind.absent.count).first { $0.matchesWithoutClosures(entry) != false }
    switch entry {
    case .event:
      return pattern?.events?.assertion
    case .request: return pattern.map { "\($0)" }
    case .rejection: return nil
    }
  }
}

/// A finished test, whose checks can be repeated.
struct KeptTest: Sendable {
  let name: String
  /// All received entries, in the order of arrival.
  let entries: [JournalEntry]
  /// The test's checks, in the order of their ends.
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
