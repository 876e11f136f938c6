/// A number of events that a wait asks for.
///
/// ```swift
/// verifier.wait(for: .named("screen_shown"), count: .exactly(2))
/// verifier.wait(for: .named("button_tapped"), count: .between(1...3))
/// ```
public enum EventCount: Hashable, Sendable {
  /// No fewer and no more.
  case exactly(Int)
  /// No fewer.
  case atLeast(Int)
  /// No more.
  case atMost(Int)
  /// No fewer than the range's lower bound and no more than its upper one.
  case between(ClosedRange<Int>)

  /// What having seen `count` events means for the wait.
  ///
  /// A lower bound is met once and for all. An upper bound is broken once and for all, but holds only for as long as nothing more comes, so a
  /// wait on one that is met still listens for the settling time.
  func standing(at count: Int) -> Standing {
    if count < least { return .open }
    guard let most else { return .met }
    return count <= most ? .holding : .broken
  }

  /// Why no number can be meant by it, in a sentence.
  func problem(of things: String = "events") -> String? {
    (most ?? least) < 0 || least < 0 ? "A number of \(things) cannot be negative: \(self)." : nil
  }

  /// The fewest events that will do.
  var least: Int {
    switch self {
    case .exactly(let count), .atLeast(let count): count
    case .atMost: 0
    case .between(let range): range.lowerBound
    }
  }

  /// The most events that will do; `nil` when any number does.
  var most: Int? {
    switch self {
    case .exactly(let count), .atMost(let count): count
    case .atLeast: nil
    case .between(let range): range.upperBound
    }
  }
}

extension EventCount: CustomStringConvertible {
  /// How often, in words that go on from an event: "exactly twice", "at least 3 times".
  public var description: String {
    switch self {
    case .exactly(0), .atMost(0): "not once"
    case .exactly(let count): "exactly \(CountText.times(count))"
    case .atLeast(let count): "at least \(CountText.times(count))"
    case .atMost(let count): "at most \(CountText.times(count))"
    case .between(let range): "between \(range.lowerBound) and \(range.upperBound) times"
    }
  }
}
