import Foundation
import TrackingPatterns

/// A question that a test asks about the events of its app.
///
/// ```swift
/// verifier.wait(for: .inOrder([.named("cart_shown"), .named("checkout_started"), .named("purchase")]))
/// verifier.wait(for: .none(of: .named("crash_reported"), within: 1), since: mark)
/// let outcome = await verifier.outcome(of: .noDuplicates(within: 0.5))
/// ```
///
/// Asked by `wait(for:)`, which fails the test, by `outcome(of:)`, which reports nothing, or at every `stop()` when it is one of
/// ``TrackingVerifier/Configuration/checksAtStop``. A question looks at all events since the verifier began, was reset, or since a mark that is given.
public struct Verification: Sendable {
  /// What is asked.
  enum Form: Sendable {
    case one(EventPattern)
    case count(EventCount, EventPattern)
    case inOrder([EventPattern])
    case consecutive([EventPattern])
    case inAnyOrder([EventPattern])
    case none(EventPattern?, within: TimeInterval?)
    case nothingElse(ignoring: [EventPattern])
    case noDuplicates(within: TimeInterval, ignoring: [EventPattern])
    case delivery
    case noUnmatchedRequests
  }

  let form: Form

  /// How many events of a pattern come.
  ///
  /// One too many fails at once. A number that is right is believed when nothing more came for the settling time; an extra that comes later and
  /// that no other wait asks for is reported at `stop()`.
  ///
  /// ```swift
  /// verifier.wait(for: .count(.exactly(1), of: .named("purchase")))
  /// ```
  public static func count(_ count: EventCount, of pattern: EventPattern) -> Verification {
    Verification(form: .count(count, pattern))
  }

  /// One event after the other, each of its pattern, whatever comes between them.
  ///
  /// ```swift
  /// verifier.wait(for: .inOrder([.named("cart_shown"), .named("purchase")]))
  /// ```
  public static func inOrder(_ patterns: [EventPattern]) -> Verification {
    Verification(form: .inOrder(patterns))
  }

  /// One event directly after the other, each of its pattern, with nothing between them.
  ///
  /// ```swift
  /// verifier.wait(for: .consecutive([.named("screen_hidden"), .named("screen_shown")]))
  /// ```
  public static func consecutive(_ patterns: [EventPattern]) -> Verification {
    Verification(form: .consecutive(patterns))
  }

  /// An event of its own for each pattern, in any order.
  ///
  /// Where an event fits several patterns, events are assigned so that each pattern has one, if that is possible at all.
  ///
  /// ```swift
  /// verifier.wait(for: .inAnyOrder([.named("image_loaded"), .named("image_loaded"), .named("price_loaded")]))
  /// ```
  public static func inAnyOrder(_ patterns: [EventPattern]) -> Verification {
    Verification(form: .inAnyOrder(patterns))
  }

  /// No event of a pattern, for a number of seconds from the beginning of the wait; the first that comes fails at once.
  ///
  /// An event that came before the wait counts as well, so give a mark where an earlier one was right. The seconds stand for the timeout;
  /// without them, the configuration's settling time does.
  ///
  /// Wait for the last event of the journey first: of an app that has sent nothing yet, it is true.
  ///
  /// ```swift
  /// verifier.wait(for: .none(of: .named("purchase"), within: 1), since: mark)
  /// ```
  public static func none(of pattern: EventPattern, within seconds: TimeInterval? = nil) -> Verification {
    Verification(form: .none(pattern, within: seconds))
  }

  /// No event at all, for a number of seconds from the beginning of the wait; the first that comes fails at once.
  ///
  /// Without a number, for the configuration's settling time.
  ///
  /// ```swift
  /// verifier.wait(for: .noEvents(within: 1), since: mark)
  /// ```
  public static func noEvents(within seconds: TimeInterval? = nil) -> Verification {
    Verification(form: .none(nil, within: seconds))
  }

  /// No events beside those that the test's waits have claimed, and those that are to be ignored.
  ///
  /// A wait claims the events that answer it; one for a number of events claims those that come later too, as far as its bound allows.
  ///
  /// Wait for the last event of the journey first: of an app that has sent nothing yet, it is true.
  ///
  /// ```swift
  /// verifier.wait(for: .nothingElse(ignoring: [.named("heartbeat")]))
  /// ```
  public static func nothingElse(ignoring patterns: [EventPattern] = []) -> Verification {
    Verification(form: .nothingElse(ignoring: patterns))
  }

  /// No two equal events within a number of seconds of each other.
  ///
  /// Equal events that lie further apart are no duplicates; with infinity, all equal events are.
  ///
  /// Wait for the last event of the journey first: of an app that has sent nothing yet, it is true.
  ///
  /// ```swift
  /// verifier.wait(for: .noDuplicates(within: 0.5, ignoring: [.named("heartbeat")]))
  /// ```
  public static func noDuplicates(within seconds: TimeInterval, ignoring patterns: [EventPattern] = []) -> Verification
  {
    Verification(form: .noDuplicates(within: seconds, ignoring: patterns))
  }

  /// All that the app's double tracked arrives, and nothing is rejected.
  ///
  /// An event that never arrived shows as a hole in the double's numbering, once a later one has arrived. Submissions of an app that another test
  /// launched are refused by design and do not count.
  ///
  /// ```swift
  /// verifier.wait(for: .delivery)
  /// ```
  public static var delivery: Verification {
    Verification(form: .delivery)
  }

  /// Each request of the app is answered by a stub, or is a submission of events.
  ///
  /// Among ``TrackingVerifier/Configuration/checksAtStop`` it lets any request fail the test that nobody has thought of:
  ///
  /// ```swift
  /// configuration.checksAtStop = [.delivery, .noUnmatchedRequests]
  /// ```
  public static var noUnmatchedRequests: Verification {
    Verification(form: .noUnmatchedRequests)
  }

  /// Exactly what a wait for a single event asks.
  static func one(_ pattern: EventPattern) -> Verification {
    Verification(form: .one(pattern))
  }
}

extension Verification: CustomStringConvertible {
  /// What is asked, in words that go on from "waited for".
  public var description: String {
    switch form {
    case .one(let pattern): "\(pattern)"
    case .count(let count, let pattern): "\(pattern), \(count)"
    case .inOrder(let patterns): "\(CountText.events(patterns.count)) in order"
    case .consecutive(let patterns): "\(CountText.events(patterns.count)) in order, with nothing between"
    case .inAnyOrder(let patterns): "\(CountText.events(patterns.count)) in any order"
    case .none(let pattern, let seconds):
      "\(pattern.map { "\($0)" } ?? "any event"), not once\(seconds.map { " within \(TimeText.seconds($0))" } ?? "")"
    case .nothingElse(let ignored): "nothing else than what the test has asked for\(Self.exception(ignored))"
    case .noDuplicates(let seconds, let ignored):
      "no two equal events\(seconds < .infinity ? " within \(TimeText.seconds(seconds))" : "")\(Self.exception(ignored))"
    case .delivery: "all that was tracked to arrive, and nothing to be rejected"
    case .noUnmatchedRequests: "no request without a stub that answers it"
    }
  }

  /// The single events that it asks for, where they are several.
  var patterns: [EventPattern] {
    switch form {
    case .inOrder(let patterns), .consecutive(let patterns), .inAnyOrder(let patterns): patterns
    case .one, .count, .none, .nothingElse, .noDuplicates, .delivery, .noUnmatchedRequests: []
    }
  }

  private static func exception(_ ignored: [EventPattern]) -> String {
    ignored.isEmpty ? "" : ", ignoring \(ignored.map { "\($0)" }.joined(separator: " or "))"
  }
}
