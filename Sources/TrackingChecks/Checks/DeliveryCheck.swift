import TrackingServer

struct DeliveryCheck: CheckKind {
  var kinds: EntryKinds { .events }
  var interest: JournalInterest { JournalInterest(eventNames: nil, rejections: true) }
  var description: String { "every tracked event to arrive, and no submission to be rejected" }
  var scope: CheckScope { .delivery }

  func evaluation(in context: CheckContext) -> any Evaluation {
    DeliveryEvaluation(since: context.origin, except: context.reported)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if every event tracked with a `TrackerDouble` arrived, and no submission was rejected.
  ///
  /// A lost event shows as a gap in the double's numbering once a later event has arrived. Submissions of an app that another test
  /// launched don't count.
  public static var delivery: TrackingCheck<CheckOutcome> { TrackingCheck<CheckOutcome>(DeliveryCheck()) }
}

private struct DeliveryEvaluation: Evaluation {
  private let mark: JournalMark
  private let reported: ReportedProblems
  private var rejections: [RejectedSubmission] = []
  private var lost: [LostEvents] = []

  init(since mark: JournalMark, except reported: ReportedProblems) {
    self.mark = mark
    self.reported = reported
  }

  /// Lost events may still arrive; a rejection is final.
  var state: CheckState { !rejections.isEmpty ? .broken : lost.isEmpty ? .holding : .open }
  var matched: [JournalEntry] { [] }

  /// Every entry restarts the settling time, because delivery is still in progress.
  func take(_ moment: TimelineMoment) -> Bool { true }

  mutating func look(at timeline: any EntryTimeline) {
    rejections = reported.new(timeline.rejections(since: mark)).filter { !$0.isOfAnotherSession }
    lost = reported.new(timeline.lostEvents(since: mark))
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    let losses = "\(lost.reduce(0) { $0 + $1.count }) of \(lost.reduce(0) { $0 + $1.tracked }) tracked events"
    guard let last = rejections.last else {
      let place = lost.count == 1 ? "of launch \(lost[0].launch) " : ""
      return "\(losses) \(place)\(facts.scale.isOver ? "never arrived" : "haven't arrived yet")\(numbers)"
    }
    let also = lost.isEmpty ? "" : "; \(losses) never arrived"
    return rejections.count == 1
      ? "1 submission was rejected (\(last.status)): \(cutting: Self.reason(of: last).text)\(also)"
      : "\(rejections.count) submissions were rejected, the last one (\(last.status)): \(cutting: Self.reason(of: last).text)\(also)"
  }

  /// Returns the reason with its place in the body ("params.price: a number must not start with 0"), and the advice that follows it.
  private static func reason(of rejection: RejectedSubmission) -> (text: String, advice: String?) {
    let path = rejection.path.map { "\($0): " } ?? ""
    // Not within a name that the app has sent.
    let parts = rejection.reason.split(separator: "; ", maxSplits: 1)
    guard parts.count == 2, parts[0].count(where: { $0 == "\"" }).isMultiple(of: 2) else {
      return (path + rejection.reason, nil)
    }
    return (path + parts[0], parts[1].prefix(1).uppercased() + parts[1].dropFirst() + ".")
  }

  /// ": numbers 2, 3 and 5" of a single launch.
  private var numbers: Headline {
    guard lost.count == 1 else { return "" }
    return ": \(lost[0].count == 1 ? "number" : "numbers") \(cutting: CountText.list(lost[0].numberTexts))"
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var explanation = Explanation(kind: rejections.isEmpty ? .lost : .rejected)
    if rejections.count == 1 { explanation.details = Self.reason(of: rejections[0]).advice ?? "" }
    return explanation
  }
}
