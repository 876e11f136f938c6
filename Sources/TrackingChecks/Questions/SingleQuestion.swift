import TrackingModel
import TrackingPatterns
import TrackingServer
import StubModel

/// One match of a pattern; later ones are neither counted nor extras.
struct SingleQuestion: QuestionForm {
  let pattern: EntryPattern

  var patterns: [EntryPattern] { [pattern] }
  var description: String { "\(pattern)" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any QuestionForm {
    SingleQuestion(pattern: pattern(self.pattern))
  }

  func evaluation(in setting: QuestionSetting) -> any Evaluation {
    CountEvaluation(.atLeast(1), of: pattern, countsOn: false)
  }
}

extension Question: ExpressibleByEventPattern where Answer == TrackingEvent? {
  /// An event of a pattern.
  public init(_ pattern: EventPattern) { self.init(single: EntryPattern(pattern)) { $0.event?.event } }
}

extension Question: ExpressibleByRequestPattern where Answer == RecordedRequest? {
  /// A request of a pattern.
  public init(_ pattern: RequestPattern) { self.init(single: EntryPattern(pattern)) { $0.request } }
}

extension Question {
  /// A typed event, and not only the event that it was tracked as: `let rated = try await verifier.require(.typed(DriverRated.self) { $0.stars > 3 })`.
  ///
  /// The closure runs as that of a pattern does.
  public static func typed<S: TrackingSchema>(
    _ type: S.Type, _ description: String = "the condition of the closure",
    where condition: (@Sendable (S) -> Bool)? = nil
  ) -> Question where Answer == S? {
    Question(single: .typed(type, description, where: condition)) {
      $0.event.flatMap { try? $0.event.decode(as: type) }
    }
  }

  private init<Entry>(single pattern: EntryPattern, read: @escaping @Sendable (JournalEntry) -> Entry?)
  where Answer == Entry? {
    self.init(SingleQuestion(pattern: pattern)) { matched, failure in failure == nil ? matched.first.flatMap(read) : nil
    }
  }

  /// The parts of entries that a count of this question returns.
  package func entries<Entry>(_ matched: [JournalEntry]) -> [Entry] where Answer == Entry? {
    matched.compactMap { answer([$0], nil) }
  }
}

extension Verification {
  /// The question of a wait for a single event or request.
  package static func one(_ pattern: EntryPattern) -> Verification { Verification(SingleQuestion(pattern: pattern)) }
}

// MARK: - Modifiers

extension Question {
  private func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> Question {
    Question(form.mapping(pattern), answer: makeAnswer)
  }

  /// An event or a request that matches this pattern and the other.
  public func and<Entry>(_ other: Question) -> Question where Answer == Entry? {
    mapping { $0.and(other.form.patterns[0]) }
  }

  /// An event or a request that matches this pattern, the other, or both.
  public func or<Entry>(_ other: Question) -> Question where Answer == Entry? {
    mapping { $0.or(other.form.patterns[0]) }
  }

  /// An event or a request that doesn't match this pattern.
  public func not<Entry>() -> Question where Answer == Entry? { mapping { $0.not() } }

  /// An event without params that the pattern does not name, as ``EventPattern/exact()`` says.
  public func exact() -> Question where Answer == TrackingEvent? { mapping { $0.exact() } }

  /// An event of a sender that writes everything as text, as ``EventPattern/lenient()`` says.
  public func lenient() -> Question where Answer == TrackingEvent? { mapping { $0.lenient() } }

  /// An event that a process tracked, as ``EventPattern/from(_:)`` says.
  public func from(_ process: String) -> Question where Answer == TrackingEvent? { mapping { $0.from(process) } }

  /// A request with an answer of this status; without one, with any answer, also one that a fault cut off.
  public func answered(_ status: Int? = nil) -> Question where Answer == RecordedRequest? {
    mapping { $0.answered(status) }
  }

  /// A request with an answer of one of these statuses: `.answered(in: 500...599)`.
  public func answered(in statuses: ClosedRange<Int>) -> Question where Answer == RecordedRequest? {
    mapping { $0.answered(in: statuses) }
  }
}
