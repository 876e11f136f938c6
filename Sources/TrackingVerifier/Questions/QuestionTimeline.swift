import TrackingModel
import TrackingServer

/// The subject of a question: the journal of a server, or a recorded timeline.
protocol QuestionTimeline: Sendable {
  /// The entries after a mark, in the order of arrival.
  func received(since mark: JournalMark) -> [JournalEntry]
  /// The submissions that were rejected after a mark.
  func rejections(since mark: JournalMark) -> [RejectedSubmission]
  /// The events that doubles numbered after a mark and that never arrived.
  func lostEvents(since mark: JournalMark) -> [LostEvents]
  /// The events that SDKs delivered again after a mark.
  func redeliveries(since mark: JournalMark) -> [Redelivery]
}

extension Journal: QuestionTimeline {
  func received(since mark: JournalMark) -> [JournalEntry] { Array(entries(since: mark)) }
}

/// A timeline as a value, such as one that was received earlier and has been changed since.
struct RecordedTimeline: QuestionTimeline {
  var entries: [JournalEntry]
  var lost: [LostEvents] = []
  var redelivered: [Redelivery] = []

  func received(since mark: JournalMark) -> [JournalEntry] { entries.filter { $0.number >= mark.entry } }

  func rejections(since mark: JournalMark) -> [RejectedSubmission] { received(since: mark).compactMap(\.rejection) }

  func lostEvents(since mark: JournalMark) -> [LostEvents] { lost }

  func redeliveries(since mark: JournalMark) -> [Redelivery] { redelivered.filter { $0.place >= mark.entry } }
}

/// A moment of a timeline: an entry arrives, or the answer to a request is sent.
struct TimelineMoment: Sendable {
  let entry: JournalEntry
  let isAnswer: Bool

  /// The time of the arrival, or that of the first byte of the answer.
  var instant: ContinuousClock.Instant {
    isAnswer ? entry.request?.sending?.instant ?? entry.arrival : entry.arrival
  }

  /// The moment at which the answer of the same request was sent, if it has been.
  var ofAnswer: TimelineMoment { TimelineMoment(entry: entry, isAnswer: entry.request?.sending != nil) }

  /// Whether it is an answer that was not sent at once.
  var isLaterAnswer: Bool { isAnswer && entry.request?.hasLaterAnswer == true }

  /// The place among entries and answers: an answer that is sent at once follows its request directly.
  fileprivate var place: (entry: Int, order: Int) {
    guard isAnswer, let sending = entry.request?.sending else { return (entry.number, -1) }
    return (sending.entry, sending.order)
  }

  /// Whether it is earlier than a mark.
  func isBefore(_ mark: JournalMark) -> Bool {
    isAnswer ? entry.request?.isAnswered(since: mark) != true : entry.number < mark.entry
  }

  /// Whether it is earlier than another one.
  static func < (left: TimelineMoment, right: TimelineMoment) -> Bool { left.place < right.place }

  init(entry: JournalEntry, isAnswer: Bool) {
    (self.entry, self.isAnswer) = (entry, isAnswer)
  }

  /// The arrival of an entry.
  init(_ entry: JournalEntry) {
    self.init(entry: entry, isAnswer: false)
  }

  /// Merges arrivals and answers.
  ///
  /// - Parameters:
  ///   - entries: Entries in the order of arrival, also those from before the mark, whose answers may have been sent after it.
  ///   - mark: The place from which on moments count.
  static func all(of entries: some Sequence<JournalEntry>, since mark: JournalMark) -> [TimelineMoment] {
    var (arrivals, answers): ([TimelineMoment], [TimelineMoment]) = ([], [])
    for entry in entries {
      if entry.number >= mark.entry { arrivals.append(TimelineMoment(entry)) }
      if entry.request?.isAnswered(since: mark) == true { answers.append(TimelineMoment(entry: entry, isAnswer: true)) }
    }
    answers.sort(by: <)
    var moments: [TimelineMoment] = []
    moments.reserveCapacity(arrivals.count + answers.count)
    var next = 0
    for arrival in arrivals {
      while next < answers.count, answers[next] < arrival {
        moments.append(answers[next])
        next += 1
      }
      moments.append(arrival)
    }
    return moments + answers[next...]
  }
}

extension RecordedRequest {
  /// Whether its answer was not sent at once.
  var hasLaterAnswer: Bool { sending.map { $0.order > 0 } ?? false }

  /// Whether its answer was sent after a mark.
  func isAnswered(since mark: JournalMark) -> Bool {
    guard let sending else { return false }
    return number >= mark.entry || sending.order > mark.revision
  }
}

extension Verification {
  /// Asks the question about everything that had arrived at a time.
  ///
  /// - Parameter condition: A condition on events beside the question's patterns.
  func evaluation(
    over timeline: some QuestionTimeline, in setting: QuestionSetting, until deadline: ContinuousClock.Instant,
    where condition: (TrackingEvent) -> Bool = { _ in true }
  ) -> any Evaluation {
    var evaluation = form.evaluation(in: setting)
    for moment in moments(of: timeline, since: setting.origin) where moment.instant <= deadline {
      guard kinds.contains(moment.entry), moment.entry.event.map({ condition($0.event) }) ?? true else { continue }
      _ = evaluation.take(moment)
      if evaluation.state.isFinal, !evaluation.countsOn { break }
    }
    evaluation.look(at: timeline)
    return evaluation
  }

  /// The moments that the question is about; answers only if it asks about their order.
  func moments(of timeline: some QuestionTimeline, since mark: JournalMark) -> [TimelineMoment] {
    guard ordersAnswers else {
      return timeline.received(since: mark).map { TimelineMoment($0) }
    }
    return TimelineMoment.all(of: timeline.received(since: .beginning), since: mark)
  }

  /// Whether it asks about the order in which answers are sent.
  var ordersAnswers: Bool { form.isOrdered && form.interest.revisions }
}
