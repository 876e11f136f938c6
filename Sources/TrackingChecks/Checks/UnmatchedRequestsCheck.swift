import TrackingPatterns
import TrackingServer

struct UnmatchedRequestsCheck: CheckKind {
  private var context = CheckContext()
  private var requests: [RecordedRequest] = []

  init() {}

  var kinds: EntryKinds { .requests }
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: true) }
  var words: Headline { "every request to match a stub" }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.context = context
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if each request is a submission of events or gets its response from a stub.
  ///
  /// In ``TrackingVerifier/Configuration/checksAtStop``, it fails the test for every other request.
  public static var noUnmatchedRequests: TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(UnmatchedRequestsCheck())
  }
}

// MARK: - Reading

extension UnmatchedRequestsCheck {
  var state: CheckState { requests.isEmpty ? .holding : .broken }
  var matched: [JournalEntry] { requests.map(JournalEntry.request) }

  func take(_ moment: TimelineMoment) -> Bool { false }

  mutating func look(at timeline: any EntryTimeline) {
    let received = timeline.received(since: context.origin).compactMap(\.request)
    requests = context.reported.new(received.filter(\.isUnmatched))
  }

  func explain(_ finding: Finding) -> Explanation {
    let first = requests.first.map { JournalEntry.request($0).words } ?? ""
    let lines = UnmatchedList.lines(of: requests)
    return Explanation(
      kind: .unmatchedRequest,
      headline: requests.count == 1
        ? "1 request matched no stub: \(first)"
        : "\(requests.count) requests matched no stub; the first is \(first)",
      details: lines.count == 1 ? "" : lines.map { "    \($0)" }.joined(separator: "\n"),
      notes: Dictionary(uniqueKeysWithValues: requests.map { ($0.number, "unmatched") }))
  }
}
