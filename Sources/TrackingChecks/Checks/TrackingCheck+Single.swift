import TrackingModel
import TrackingPatterns
import TrackingServer
import StubModel

extension TrackingCheck: ExpressibleByEventPattern where Value == TrackingEvent? {
  /// Passes if an event matches a pattern.
  public init(_ pattern: EventPattern) { self.init(single: EntryPattern(pattern)) { $0.event?.event } }
}

extension TrackingCheck: ExpressibleByRequestPattern where Value == RecordedRequest? {
  /// Passes if a request matches a pattern.
  public init(_ pattern: RequestPattern) { self.init(single: EntryPattern(pattern)) { $0.request } }
}

extension TrackingCheck {
  /// Matches an event and returns its schema type: `let rated = try await verifier.require(.typed(DriverRated.self) { $0.stars > 3 })`.
  ///
  /// The closure runs on the test's thread, and may be called more than once for an event.
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
    self.init(CountCheck(oneOf: pattern)) { matched, failure in failure == nil ? matched.first.flatMap(read) : nil
    }
  }

  package func entries<Entry>(of outcome: CheckOutcome) -> [Entry] where Value == Entry? {
    outcome.matched.compactMap { makeValue([$0], nil) }
  }
}

extension TrackingCheck<CheckOutcome> {
  package static func one(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(CountCheck(oneOf: pattern))
  }
}

// MARK: - Modifiers

extension TrackingCheck {
  private func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> TrackingCheck {
    TrackingCheck(kind.mapping(pattern), value: makeValue)
  }

  /// Matches an event or request that matches this pattern and another one.
  public func and<Entry>(_ other: TrackingCheck) -> TrackingCheck where Value == Entry? {
    mapping { $0.and(other.kind.patterns[0]) }
  }

  /// Matches an event or request that matches this pattern, another one, or both.
  public func or<Entry>(_ other: TrackingCheck) -> TrackingCheck where Value == Entry? {
    mapping { $0.or(other.kind.patterns[0]) }
  }

  /// Matches an event or request that doesn't match this pattern.
  public func not<Entry>() -> TrackingCheck where Value == Entry? { mapping { $0.not() } }

  /// Matches an event without params other than the pattern's; see ``EventPattern/exact()``.
  public func exact() -> TrackingCheck where Value == TrackingEvent? { mapping { $0.exact() } }

  /// Matches an event whose sender writes all values as text; see ``EventPattern/lenient()``.
  public func lenient() -> TrackingCheck where Value == TrackingEvent? { mapping { $0.lenient() } }

  /// Matches an event tracked by a process; see ``EventPattern/from(_:)``.
  public func from(_ process: String) -> TrackingCheck where Value == TrackingEvent? { mapping { $0.from(process) } }

  /// Matches a request with a response of this status; without a status, with any response, even one that a fault cut off.
  public func responded(_ status: Int? = nil) -> TrackingCheck where Value == RecordedRequest? {
    mapping { $0.responded(status) }
  }

  /// Matches a request with a response of one of these statuses: `.responded(in: 500...599)`.
  public func responded(in statuses: ClosedRange<Int>) -> TrackingCheck where Value == RecordedRequest? {
    mapping { $0.responded(in: statuses) }
  }
}
