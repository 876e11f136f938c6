import TrackingModel
import TrackingPatterns
import TrackingServer
import StubModel

/// One match of a pattern; later ones are neither counted nor extras.
struct SingleCheck: CheckForm {
  let pattern: EntryPattern

  var patterns: [EntryPattern] { [pattern] }
  var description: String { "\(pattern)" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm {
    SingleCheck(pattern: pattern(self.pattern))
  }

  func evaluation(in setting: CheckContext) -> any Evaluation {
    CountEvaluation(oneOf: pattern)
  }
}

extension TrackingCheck: ExpressibleByEventPattern where Value == TrackingEvent? {
  /// An event of a pattern.
  public init(_ pattern: EventPattern) { self.init(single: EntryPattern(pattern)) { $0.event?.event } }
}

extension TrackingCheck: ExpressibleByRequestPattern where Value == RecordedRequest? {
  /// A request of a pattern.
  public init(_ pattern: RequestPattern) { self.init(single: EntryPattern(pattern)) { $0.request } }
}

extension TrackingCheck {
  /// A typed event, and not only the event that it was tracked as: `let rated = try await verifier.require(.typed(DriverRated.self) { $0.stars > 3 })`.
  ///
  /// The closure runs as that of a pattern does.
  public static func typed<S: TrackingSchema>(
    _ type: S.Type, _ description: String = "the condition of the closure",
    where condition: (@Sendable (S) -> Bool)? = nil
  ) -> TrackingCheck where Value == S? {
    TrackingCheck(single: .typed(type, description, where: condition)) {
      $0.event.flatMap { try? $0.event.decode(as: type) }
    }
  }

  private init<Entry>(single pattern: EntryPattern, read: @escaping @Sendable (JournalEntry) -> Entry?)
  where Value == Entry? {
    self.init(SingleCheck(pattern: pattern)) { matched, failure in failure == nil ? matched.first.flatMap(read) : nil
    }
  }

  /// The parts of entries that a count of this check returns.
  package func entries<Entry>(of outcome: CheckOutcome) -> [Entry] where Value == Entry? {
    outcome.matched.compactMap { makeValue([$0], nil) }
  }
}

extension TrackingCheck<CheckOutcome> {
  /// The check of a wait for a single event or request.
  package static func one(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(SingleCheck(pattern: pattern))
  }
}

// MARK: - Modifiers

extension TrackingCheck {
  private func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> TrackingCheck {
    TrackingCheck(form.mapping(pattern), value: makeValue)
  }

  /// An event or a request that matches this pattern and the other.
  public func and<Entry>(_ other: TrackingCheck) -> TrackingCheck where Value == Entry? {
    mapping { $0.and(other.form.patterns[0]) }
  }

  /// An event or a request that matches this pattern, the other, or both.
  public func or<Entry>(_ other: TrackingCheck) -> TrackingCheck where Value == Entry? {
    mapping { $0.or(other.form.patterns[0]) }
  }

  /// An event or a request that doesn't match this pattern.
  public func not<Entry>() -> TrackingCheck where Value == Entry? { mapping { $0.not() } }

  /// An event without params that the pattern does not name, as ``EventPattern/exact()`` says.
  public func exact() -> TrackingCheck where Value == TrackingEvent? { mapping { $0.exact() } }

  /// An event of a sender that writes everything as text, as ``EventPattern/lenient()`` says.
  public func lenient() -> TrackingCheck where Value == TrackingEvent? { mapping { $0.lenient() } }

  /// An event that a process tracked, as ``EventPattern/from(_:)`` says.
  public func from(_ process: String) -> TrackingCheck where Value == TrackingEvent? { mapping { $0.from(process) } }

  /// A request with a response of this status; without a status, with any response, even one that a fault cut off.
  public func responded(_ status: Int? = nil) -> TrackingCheck where Value == RecordedRequest? {
    mapping { $0.responded(status) }
  }

  /// A request with a response of one of these statuses: `.responded(in: 500...599)`.
  public func responded(in statuses: ClosedRange<Int>) -> TrackingCheck where Value == RecordedRequest? {
    mapping { $0.responded(in: statuses) }
  }
}
