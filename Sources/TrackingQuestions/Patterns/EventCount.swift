import TrackingModel
import TrackingServer

/// The number of events or requests that a wait asks for.
///
/// Numbers as literals, and ranges, are counts:
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
    if let most, most < least, least > 0 { return "No number is at least \(least) and at most \(most)." }
    return least < 0 || most ?? 0 < 0 ? "A count cannot be negative: \(self)." : nil
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

extension EventCount: ExpressibleByIntegerLiteral {
  /// Exactly so many.
  public init(integerLiteral count: Int) { self = .times(count) }
}

extension EventCount {
  /// No fewer and no more: `.times(taps.count)`.
  ///
  /// A number as a literal is a count itself.
  public static func times(_ count: Int) -> EventCount { EventCount(least: count, most: count) }
  /// No fewer.
  public static func atLeast(_ count: Int) -> EventCount { EventCount(least: count, most: nil) }
  /// No more.
  public static func atMost(_ count: Int) -> EventCount { EventCount(least: 0, most: count) }
}

// Disfavored, so that a range without a context remains a range.

/// A count that is no less than the first number and no greater than the second: `count: 1...3`.
@_disfavoredOverload
public func ... (least: Int, most: Int) -> EventCount { EventCount(least: least, most: most) }

/// A count that is no less than a number: `count: 2...`.
@_disfavoredOverload
public postfix func ... (least: Int) -> EventCount { .atLeast(least) }
