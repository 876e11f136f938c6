import TrackingModel
import TrackingPatterns
import TrackingServer

struct DeliveryCheck: CheckKind {
  private var context = CheckContext()
  private var rejections: [RejectedSubmission] = []
  private var lost: [LostEvents] = []
  /// Events with ``TrackingParam/encodingError``.
  private var incomplete: [RecordedEvent] = []

  var kinds: EntryKinds { .events }
  var interest: JournalInterest { JournalInterest(eventNames: nil, rejections: true) }
  var words: Headline { "every tracked event to arrive, and no submission to be rejected" }
  var scope: CheckScope { .delivery }

  init() {}

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.context = context
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if every event tracked with a `TrackerDouble` arrived, no submission was rejected, and no event lacks a part that couldn't be encoded.
  ///
  /// A lost event shows as a gap in the double's numbering once a later event has arrived. Submissions of an app that another test
  /// launched don't count.
  public static var delivery: TrackingCheck<CheckOutcome> { TrackingCheck<CheckOutcome>(DeliveryCheck()) }
}

// MARK: - Reading

extension DeliveryCheck {
  /// Only lost events may still arrive.
  var state: CheckState { !rejections.isEmpty || !incomplete.isEmpty ? .broken : lost.isEmpty ? .holding : .open }
  var matched: [JournalEntry] { [] }
  var countsOn: Bool { true }

  /// Every entry restarts the settling time, because delivery is still in progress.
  mutating func take(_ moment: TimelineMoment) -> Bool {
    if let event = moment.entry.event, event.event.params[.encodingError] != nil, context.reported.isNew(event) {
      incomplete.append(event)
    }
    return true
  }

  mutating func look(at timeline: any EntryTimeline) {
    rejections = context.reported.new(timeline.rejections(since: context.origin)).filter { !$0.isOfAnotherSession }
    lost = context.reported.new(timeline.lostEvents(since: context.origin))
  }

  func explain(_ finding: Finding) -> Explanation {
    let advice = rejections.count == 1 ? rejections[0].cause.advice : nil
    // One event is in the headline.
    let listed = rejections.isEmpty && incomplete.count == 1 ? [] : incomplete.prefix(Self.mostExplained)
    let events = listed.map { "Not encoded completely: #\($0.number) \($0.event.name): \(Self.error(of: $0))" }
    return Explanation(
      kind: !rejections.isEmpty ? .rejected : incomplete.isEmpty ? .lost : .brokenRule,
      headline: headline(isOver: finding.scale.isOver),
      details: ((advice.map { [$0] } ?? []) + events).joined(separator: "\n"),
      about: incomplete.map(JournalEntry.event))
  }

  private func headline(isOver: Bool) -> Headline {
    if rejections.isEmpty, let last = incomplete.last {
      let event: Headline = "#\(last.number) \(name: last.event.name)"
      return incomplete.count == 1
        ? "\(event) couldn't be encoded completely: \(foreign: Self.error(of: last))"
        : "\(incomplete.count) events couldn't be encoded completely, the last one \(event): \(foreign: Self.error(of: last))"
    }
    guard let last = rejections.last else {
      let place = lost.count == 1 ? "of launch \(lost[0].launch) " : ""
      return "\(lost.words(place, isOver: isOver))\(numbers)"
    }
    let also = lost.isEmpty ? "" : "; \(lost.words(isOver: true))"
    return rejections.count == 1
      ? "1 submission was rejected (\(last.status)): \(foreign: last.cause.text)\(also)"
      : "\(rejections.count) submissions were rejected, the last one (\(last.status)): \(foreign: last.cause.text)\(also)"
  }

  /// ": numbers 2, 3 and 5" of a single launch.
  private var numbers: Headline {
    guard lost.count == 1 else { return "" }
    return ": \(lost[0].count == 1 ? "number" : "numbers") \(name: CountText.list(lost[0].numberTexts))"
  }

  private static let mostExplained = 10

  /// Returns the path and the reason: "order.view: UIView isn't a value".
  private static func error(of event: RecordedEvent) -> String {
    let error = event.event.params[.encodingError]
    return error?.stringValue ?? error?.description ?? ""
  }
}

extension [LostEvents] {
  /// "2 of 6 tracked events never arrived".
  func words(_ place: String = "", isOver: Bool) -> String {
    "\(sum { UInt64($0.count) }) of \(sum(\.tracked)) tracked events \(place)\(isOver ? "never arrived" : "haven't arrived yet")"
  }

  /// Any client may send any numbers, so the sum may not fit.
  private func sum(_ part: (LostEvents) -> UInt64) -> UInt64 {
    reduce(0) { sum, lost in
      let (next, overflow) = sum.addingReportingOverflow(part(lost))
      return overflow ? .max : next
    }
  }
}

extension RejectedSubmission {
  /// The reason with its place in the body ("params.price: a number must not start with 0"), and the advice that follows it.
  var cause: (text: String, advice: String?) {
    let path = path.map { "\($0): " } ?? ""
    // Not within a name that the app has sent.
    let parts = reason.split(separator: "; ", maxSplits: 1)
    guard parts.count == 2, parts[0].count(where: { $0 == "\"" }).isMultiple(of: 2) else { return (path + reason, nil) }
    return (path + parts[0], parts[1].prefix(1).uppercased() + parts[1].dropFirst() + ".")
  }
}
