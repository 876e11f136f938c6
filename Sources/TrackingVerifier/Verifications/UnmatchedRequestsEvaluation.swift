import TrackingServer

/// Looks out for requests that nothing serves.
struct UnmatchedRequestsEvaluation: Evaluation {
  private let mark: JournalMark
  private var requests: [RecordedRequest] = []

  init(since mark: JournalMark) {
    self.mark = mark
  }

  var standing: Standing { requests.isEmpty ? .holding : .broken }
  var claimed: [RecordedEvent] { [] }

  /// Events say nothing of requests.
  func take(_ event: RecordedEvent) -> Bool { false }

  mutating func look(at journal: Journal) {
    requests = journal.requests(since: mark).filter(\.isUnmatched)
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    let beginning = requests.count == 1 ? "One came:" : "\(requests.count) came:"
    let lines = RequestList.linesWithNearestStubs(of: requests)
    return Explanation(kind: .unmatchedRequest, result: ([beginning] + lines).joined(separator: "\n"))
  }
}
