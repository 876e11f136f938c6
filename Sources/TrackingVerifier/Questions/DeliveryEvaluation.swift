import TrackingServer

/// Looks for rejected submissions, and for tracked events that never arrived.
struct DeliveryEvaluation: Evaluation {
  private let mark: JournalMark
  private let reported: ReportedProblems
  private var rejections: [RejectedSubmission] = []
  private var lost: [LostEvents] = []

  /// - Parameter reported: What an earlier failure has reported and is not asked about again.
  init(since mark: JournalMark, except reported: ReportedProblems) {
    self.mark = mark
    self.reported = reported
  }

  /// Lost events may still arrive; a rejection is final.
  var state: QuestionState { !rejections.isEmpty ? .broken : lost.isEmpty ? .holding : .open }
  var matched: [JournalEntry] { [] }

  /// Delivery continues as long as anything arrives.
  func take(_ entry: JournalEntry) -> Bool { true }

  mutating func look(at journal: Journal) {
    rejections = reported.new(journal.rejections(since: mark)).filter { !$0.isOfAnotherSession }
    lost = reported.new(journal.lostEvents(since: mark))
  }

  /// Every failure lists rejected and lost events; there is nothing to add.
  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    Explanation(kind: rejections.isEmpty ? .lost : .rejected, result: "")
  }
}

/// Looks for events that an SDK delivers again.
struct RedeliveryEvaluation: Evaluation {
  private let mark: JournalMark
  private let pattern: EventPattern
  private(set) var matched: [JournalEntry] = []
  private var isMet = false

  init(since mark: JournalMark, of pattern: EventPattern) {
    self.mark = mark
    self.pattern = pattern
  }

  var state: QuestionState { isMet ? .met : .open }

  func take(_ entry: JournalEntry) -> Bool { false }

  mutating func look(at journal: Journal) {
    let found = journal.redeliveries(since: mark).filter { !$0.isConflicting && pattern.mismatch(of: $0.event) == nil }
    isMet = !found.isEmpty
    matched = found.prefix(1).compactMap { found in journal.entries(from: found.entry).first { $0.event != nil } }
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    Explanation(kind: .tooFew, result: "No SDK delivered such an event a second time.")
  }
}

/// Looks for requests that no stub matches.
struct UnmatchedRequestsEvaluation: Evaluation {
  private let mark: JournalMark
  private let reported: ReportedProblems
  private var requests: [RecordedRequest] = []

  init(since mark: JournalMark, except reported: ReportedProblems) {
    self.mark = mark
    self.reported = reported
  }

  var state: QuestionState { requests.isEmpty ? .holding : .broken }
  var matched: [JournalEntry] { requests.map(JournalEntry.request) }

  func take(_ entry: JournalEntry) -> Bool { false }

  mutating func look(at journal: Journal) {
    requests = reported.new(journal.requests(since: mark).filter(\.isUnmatched))
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let beginning = requests.count == 1 ? "One request was not:" : "\(requests.count) requests were not:"
    return Explanation(
      kind: .unmatchedRequest,
      result: ([beginning] + UnmatchedList.lines(of: requests).map { "    \($0)" }).joined(separator: "\n"),
      notes: Dictionary(uniqueKeysWithValues: requests.map { ($0.number, "unmatched") }))
  }
}

/// Waits until each stub was used.
struct UnusedStubsEvaluation: Evaluation {
  private let unused: @Sendable () -> [String]
  private var sentences: [String]

  /// - Parameter unused: A sentence for each stub that wasn't used yet.
  init(_ unused: @escaping @Sendable () -> [String]) {
    self.unused = unused
    sentences = unused()
  }

  var state: QuestionState { sentences.isEmpty ? .met : .open }
  var matched: [JournalEntry] { [] }

  func take(_ entry: JournalEntry) -> Bool { false }

  mutating func look(at journal: Journal) {
    sentences = unused()
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    Explanation(kind: .unusedStub, result: sentences.joined(separator: "\n"))
  }
}

/// Problems that a failure has reported, so that the stop does not report them again.
struct ReportedProblems: Sendable {
  private var numbers: Set<Int> = []
  private var lost: Set<LostEvents> = []

  static let none = ReportedProblems()

  mutating func add(_ rejections: [RejectedSubmission], _ requests: [RecordedRequest], _ lost: [LostEvents]) {
    numbers.formUnion(rejections.map(\.number))
    numbers.formUnion(requests.map(\.number))
    self.lost.formUnion(lost)
  }

  func new(_ rejections: [RejectedSubmission]) -> [RejectedSubmission] {
    rejections.filter { !numbers.contains($0.number) }
  }

  func new(_ requests: [RecordedRequest]) -> [RecordedRequest] { requests.filter { !numbers.contains($0.number) } }

  func new(_ lost: [LostEvents]) -> [LostEvents] { lost.filter { !self.lost.contains($0) } }
}
