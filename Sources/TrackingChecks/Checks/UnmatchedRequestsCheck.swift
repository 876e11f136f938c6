import TrackingServer

struct UnmatchedRequestsCheck: CheckKind {
  var kinds: EntryKinds { .requests }
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: true) }
  var description: String { "every request to match a stub" }

  func evaluation(in context: CheckContext) -> any Evaluation {
    UnmatchedRequestsEvaluation(since: context.origin, except: context.reported)
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

private struct UnmatchedRequestsEvaluation: Evaluation {
  private let mark: JournalMark
  private let reported: ReportedProblems
  private var requests: [RecordedRequest] = []

  init(since mark: JournalMark, except reported: ReportedProblems) {
    self.mark = mark
    self.reported = reported
  }

  var state: CheckState { requests.isEmpty ? .holding : .broken }
  var matched: [JournalEntry] { requests.map(JournalEntry.request) }

  func take(_ moment: TimelineMoment) -> Bool { false }

  mutating func look(at timeline: any EntryTimeline) {
    requests = reported.new(timeline.received(since: mark).compactMap(\.request).filter(\.isUnmatched))
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    let first = requests.first.map { "\($0.method) \($0.target)" } ?? ""
    return requests.count == 1
      ? "1 request matched no stub: \(cutting: first)"
      : "\(requests.count) requests matched no stub; the first is \(cutting: first)"
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let lines = UnmatchedList.lines(of: requests)
    return Explanation(
      kind: .unmatchedRequest,
      details: lines.count == 1 ? "" : lines.map { "    \($0)" }.joined(separator: "\n"),
      notes: Dictionary(uniqueKeysWithValues: requests.map { ($0.number, "unmatched") }))
  }
}
