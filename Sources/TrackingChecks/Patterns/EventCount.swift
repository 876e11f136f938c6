import TrackingModel
import TrackingServer

/// The number of events or requests that a wait expects.
///
/// Checks take any value that converts to one: a number, a range, `.atLeast(_:)` and `.atMost(_:)`.
public struct EventCount: Hashable, Sendable {
  /// The least number of matches.
  package let least: Int
  /// The greatest number of matches; `nil` for no upper bound.
  package let most: Int?

  package init(least: Int, most: Int?) {
    (self.least, self.most) = (least, most)
  }

  /// The count of an empty range, such as `2..<2`.
  fileprivate static let empty = EventCount(least: 1, most: 0)

  /// The state of a wait after `count` matches.
  ///
  /// A lower bound is met for good. An upper bound holds only as long as nothing more arrives, so its wait listens on for the settling time.
  func state(at count: Int) -> CheckState {
    if count < least { return .open }
    guard let most else { return .met }
    return count <= most ? .holding : .broken
  }

  /// A sentence that says why no number fits, or why each does.
  var problem: String? {
    if self == .empty { return "The count is an empty range, so no number of matches fits." }
    if let most, most < least, least > 0 { return "No number is at least \(least) and at most \(most)." }
    if least < 0 || most ?? 0 < 0 { return "A count cannot be negative: \(self)." }
    return least == 0 && most ?? .max == .max
      ? "A count without a bound checks nothing: ask for at least 1, or for at most a number." : nil
  }
}

extension EventCount {
  /// Such a number of matches, as a noun phrase: `exactly 1 event named "purchase"`.
  func words(_ pattern: EntryPattern) -> String {
    switch (least, most) {
    case (0, 0): "no \(pattern.noun)"
    case (let least, nil): "at least \(pattern.counted(least))"
    case (let least, let most?) where least == most: "exactly \(pattern.counted(most))"
    case (0, let most?): "at most \(pattern.counted(most))"
    case (let least, let most?): "\(least) to \(most) \(pattern.plural)"
    }
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

/// A number of events or requests, as tests write it.
///
/// ```swift
/// verifier.wait(for: .named("screen_shown"), count: 2)
/// verifier.wait(for: .named("screen_shown"), count: screens.count)
/// verifier.wait(for: .named("button_tapped"), count: 1...3)
/// verifier.wait(for: .named("button_tapped"), count: 1...)
/// verifier.wait(for: .named("button_tapped"), count: ...2)
/// verifier.wait(for: .request(.get, "/books"), count: .atMost(2))
/// ```
public protocol EventCountConvertible: Sendable {
  /// The expected number of matches.
  var eventCount: EventCount { get }
}

extension EventCount: EventCountConvertible {
  /// The count itself.
  public var eventCount: EventCount { self }
}

extension EventCountConvertible where Self == EventCount {
  /// No fewer.
  public static func atLeast(_ count: Int) -> EventCount { EventCount(least: count, most: nil) }
  /// No more.
  public static func atMost(_ count: Int) -> EventCount { EventCount(least: 0, most: count) }
}

extension Int: EventCountConvertible {
  /// Exactly so many.
  public var eventCount: EventCount { EventCount(least: self, most: self) }
}

extension ClosedRange: EventCountConvertible where Bound == Int {
  /// No fewer than the lower bound, and no more than the upper one.
  public var eventCount: EventCount { EventCount(least: lowerBound, most: upperBound) }
}

extension PartialRangeFrom: EventCountConvertible where Bound == Int {
  /// No fewer than the lower bound.
  public var eventCount: EventCount { EventCount(least: lowerBound, most: nil) }
}

extension Range: EventCountConvertible where Bound == Int {
  /// No fewer than the lower bound, and fewer than the upper one; a check with an empty range fails at once.
  public var eventCount: EventCount { isEmpty ? .empty : EventCount(least: lowerBound, most: upperBound - 1) }
}

extension PartialRangeThrough: EventCountConvertible where Bound == Int {
  /// No more than the upper bound.
  public var eventCount: EventCount { .atMost(upperBound) }
}

extension PartialRangeUpTo: EventCountConvertible where Bound == Int {
  /// Fewer than the upper bound; a check with `..<0` fails at once.
  public var eventCount: EventCount { upperBound > 0 ? .atMost(upperBound - 1) : .empty }
}
