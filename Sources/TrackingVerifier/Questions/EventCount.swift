import TrackingModel
import TrackingServer

/// How many events or requests a wait asks for.
///
/// Whole numbers and ranges of them are counts, too:
///
/// ```swift
/// verifier.wait(for: .named("screen_shown"), count: 2)
/// verifier.wait(for: .named("button_tapped"), count: 1...3)
/// verifier.wait(for: .request(.get, "/books"), count: .atMost(2))
/// ```
public struct EventCount: Hashable, Sendable {
  /// The fewest matches that will do.
  let least: Int
  /// The most matches that will do; `nil` when any number does.
  let most: Int?

  /// The state of a wait after `count` matches.
  ///
  /// A lower bound is met for good. An upper bound holds only as long as nothing more arrives, so its wait listens on for the settling time.
  func state(at count: Int) -> QuestionState {
    if count < least { return .open }
    guard let most else { return .met }
    return count <= most ? .holding : .broken
  }

  /// Why no number can be meant by it, in a sentence.
  var problem: String? {
    (most ?? least) < 0 || least < 0 ? "A count cannot be negative: \(self)." : nil
  }
}

extension EventCount: CustomStringConvertible {
  /// How often, in words that continue a pattern's: "exactly twice", "at least 3 times".
  public var description: String {
    switch (least, most) {
    case (0, 0): "not once"
    case (let least, nil): "at least \(CountText.times(least))"
    case (let least, let most?) where least == most: "exactly \(CountText.times(most))"
    case (0, let most?): "at most \(CountText.times(most))"
    case (let least, let most?): "between \(least) and \(most) times"
    }
  }
}

/// What can be written for a count: `2`, `1...3`, `2...`, `.exactly(2)`, `.atLeast(2)`, `.atMost(2)`, `.between(1...3)`.
///
/// The count decides what a wait returns: an array, or one match where there is no count (``FirstMatch``).
public protocol CountConvertible {
  /// What a wait for events returns.
  associatedtype Events = [TrackingEvent]
  /// What a wait for requests returns.
  associatedtype Requests = [RecordedRequest]

  /// The count that is meant.
  var eventCount: EventCount { get }

  /// The events that a wait returns.
  static func events(of outcome: Verification.Outcome) -> Events

  /// The requests that a wait returns.
  static func requests(of outcome: Verification.Outcome) -> Requests
}

extension CountConvertible where Events == [TrackingEvent] {
  /// All events of the outcome, also of a failed one.
  public static func events(of outcome: Verification.Outcome) -> [TrackingEvent] { outcome.events }
}

extension CountConvertible where Requests == [RecordedRequest] {
  /// All requests of the outcome, also of a failed one.
  public static func requests(of outcome: Verification.Outcome) -> [RecordedRequest] { outcome.requests }
}

/// The count of a wait that names none: one match, which the wait returns; later matches are neither counted nor extras.
public struct FirstMatch: CountConvertible {
  /// One match, and any number after it.
  public var eventCount: EventCount { .atLeast(1) }

  /// One match.
  public init() {}

  /// The first event; `nil` after a failure.
  public static func events(of outcome: Verification.Outcome) -> TrackingEvent? {
    outcome.isVerified ? outcome.events.first : nil
  }

  /// The first request; `nil` after a failure.
  public static func requests(of outcome: Verification.Outcome) -> RecordedRequest? {
    outcome.isVerified ? outcome.requests.first : nil
  }
}

extension EventCount: CountConvertible {
  /// This count.
  public var eventCount: EventCount { self }
}

extension Int: CountConvertible {
  /// Exactly so many.
  public var eventCount: EventCount { EventCount(least: self, most: self) }
}

extension ClosedRange<Int>: CountConvertible {
  /// No fewer than the lower bound and no more than the upper one.
  public var eventCount: EventCount { EventCount(least: lowerBound, most: upperBound) }
}

extension PartialRangeFrom<Int>: CountConvertible {
  /// No fewer than the lower bound.
  public var eventCount: EventCount { EventCount(least: lowerBound, most: nil) }
}

extension CountConvertible where Self == EventCount {
  /// No fewer and no more.
  public static func exactly(_ count: Int) -> EventCount { EventCount(least: count, most: count) }
  /// No fewer.
  public static func atLeast(_ count: Int) -> EventCount { EventCount(least: count, most: nil) }
  /// No more.
  public static func atMost(_ count: Int) -> EventCount { EventCount(least: 0, most: count) }
  /// No fewer than the range's lower bound and no more than its upper one.
  public static func between(_ range: ClosedRange<Int>) -> EventCount {
    EventCount(least: range.lowerBound, most: range.upperBound)
  }
}
