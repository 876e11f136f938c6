import TrackingModel
import TrackingServer

/// The number of events or requests that a wait asks for.
///
/// Whole numbers and ranges of them are counts, too:
///
/// ```swift
/// verifier.wait(for: .named("screen_shown"), count: 2)
/// verifier.wait(for: .named("button_tapped"), count: 1...3)
/// verifier.wait(for: .request(.get, "/books"), count: .atMost(2))
/// ```
public struct EventCount: Hashable, Sendable {
  /// The least number of matches.
  package let least: Int
  /// The greatest number of matches; `nil` for no upper bound.
  package let most: Int?

  /// The state of a wait after `count` matches.
  ///
  /// A lower bound is met for good. An upper bound holds only as long as nothing more arrives, so its wait listens on for the settling time.
  func state(at count: Int) -> QuestionState {
    if count < least { return .open }
    guard let most else { return .met }
    return count <= most ? .holding : .broken
  }

  /// The reason for which no number fits, in a sentence.
  var problem: String? {
    (most ?? least) < 0 || least < 0 ? "A count cannot be negative: \(self)." : nil
  }
}

extension EventCount: CustomStringConvertible {
  /// The count in words that can follow a pattern's: "exactly twice", "at least 3 times".
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

/// A value that can be written as a count: `2`, `1...3`, `2...`, `.exactly(2)`, `.atLeast(2)`, `.atMost(2)`.
public protocol CountConvertible: Sendable {
  /// The value as a count.
  var eventCount: EventCount { get }
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
}
