import TrackingModel
import TrackingServer

/// The number of events or requests that a check expects.
///
/// Checks accept any value that converts to a count: a number, a range, `.atLeast(_:)` and `.atMost(_:)`.
public struct EventCount: Hashable, Sendable {
  package let least: Int
  /// `nil` for no upper bound.
  package let most: Int?

  package init(least: Int, most: Int?) {
    (self.least, self.most) = (least, most)
  }

  fileprivate static let empty = EventCount(least: 1, most: 0)

  /// Returns the state of a wait after `count` matches.
  ///
  /// A lower bound is met for good. An upper bound may still be exceeded, so its wait continues for the settling time.
  func state(at count: Int) -> CheckState {
    if count < least { return .open }
    guard let most else { return .met }
    return count <= most ? .holding : .broken
  }

  /// Explains why no number is allowed, or why every number is.
  var problem: String? {
    if self == .empty { return "The count is an empty range, so no number of matches fits." }
    if let most, most < least, least > 0 { return "No number is at least \(least) and at most \(most)." }
    if least < 0 || most ?? 0 < 0 { return "A count cannot be negative: \(self)." }
    return least == 0 && most ?? .max == .max
      ? "A count without a bound checks nothing: expect at least 1, or at most a number." : nil
  }
}

extension EventCount {
  /// `exactly 1 event named "purchase"`.
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
  /// The count in words that follow a pattern: "exactly twice", "at least 3 times".
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

/// A value that converts to a number of events or requests.
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
  /// The count.
  public var eventCount: EventCount { self }
}

extension EventCountConvertible where Self == EventCount {
  /// At least a number of matches.
  public static func atLeast(_ count: Int) -> EventCount { EventCount(least: count, most: nil) }
  /// At most a number of matches.
  public static func atMost(_ count: Int) -> EventCount { EventCount(least: 0, most: count) }

  /// Unavailable: an absence has a time.
  @available(*, unavailable, message: "write .none(of: .named(\"a\"), within: 1) in place of the pattern and its count")
  public static var never: EventCount { .atMost(0) }
}

extension Int: EventCountConvertible {
  /// Exactly this number of matches.
  public var eventCount: EventCount { EventCount(least: self, most: self) }
}

extension ClosedRange: EventCountConvertible where Bound == Int {
  /// At least the lower bound and at most the upper bound.
  public var eventCount: EventCount { EventCount(least: lowerBound, most: upperBound) }
}

extension PartialRangeFrom: EventCountConvertible where Bound == Int {
  /// At least the lower bound.
  public var eventCount: EventCount { EventCount(least: lowerBound, most: nil) }
}

extension Range: EventCountConvertible where Bound == Int {
  /// At least the lower bound and less than the upper bound; a check with an empty range fails at once.
  public var eventCount: EventCount { isEmpty ? .empty : EventCount(least: lowerBound, most: upperBound - 1) }
}

extension PartialRangeThrough: EventCountConvertible where Bound == Int {
  /// At most the upper bound.
  public var eventCount: EventCount { .atMost(upperBound) }
}

extension PartialRangeUpTo: EventCountConvertible where Bound == Int {
  /// Less than the upper bound; a check with `..<0` fails at once.
  public var eventCount: EventCount { upperBound > 0 ? .atMost(upperBound - 1) : .empty }
}
