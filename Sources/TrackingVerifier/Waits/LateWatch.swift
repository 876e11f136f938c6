import TrackingServer

/// A question that a wait gave up, as further events come.
struct LateWatch: Sendable {
  let question: Question
  let scale: Timescale
  private(set) var evaluation: any Evaluation
  /// The number of the first event that was not looked at.
  private(set) var nextEvent: Int
  /// The event that answered the question after all.
  private(set) var answer: RecordedEvent?

  init(_ question: Question, _ scale: Timescale, _ evaluation: any Evaluation, nextEvent: Int) {
    self.question = question
    self.scale = scale
    self.evaluation = evaluation
    self.nextEvent = nextEvent
  }

  /// Looks at the next events, until one answers the question.
  mutating func goOn(_ events: [RecordedEvent]) {
    for event in events where answer == nil {
      nextEvent = event.number + 1
      if evaluation.take(event), evaluation.standing.isGood { answer = event }
    }
  }
}

/// What became of a wait's question after the wait had returned.
enum LateFinding: Sendable {
  /// The answer came after all.
  case answered(LateWatch, RecordedEvent)
  /// More came than the bound allows.
  case exceeded(BoundWatch, [RecordedEvent])
}
