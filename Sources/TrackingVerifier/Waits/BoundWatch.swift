import TrackingPatterns
import TrackingServer

/// A number of events that a wait found to be right, as further events come.
struct BoundWatch: Sendable {
  let question: Question
  /// When the wait began.
  let began: ContinuousClock.Instant
  /// Whether the events were for an expectation, on which XCTest waits, and so counted from the first.
  let isOfExpectation: Bool
  private let matcher: PatternMatcher
  private let most: Int?
  private var count: Int
  /// The number of the first event that was not looked at.
  private(set) var nextEvent: Int
  /// The events for which there was no room.
  private(set) var extras: [RecordedEvent] = []

  init(
    _ question: Question, began: ContinuousClock.Instant, _ bound: (count: EventCount, pattern: EventPattern),
    counted: Int, nextEvent: Int, isOfExpectation: Bool = false
  ) {
    self.question = question
    self.began = began
    self.isOfExpectation = isOfExpectation
    matcher = PatternMatcher(bound.pattern)
    most = bound.count.most
    count = counted
    self.nextEvent = nextEvent
  }

  /// Looks at the next events; what another wait has claimed was asked for and is no extra.
  ///
  /// - Returns: The events for which there is room.
  mutating func goOn(_ events: [RecordedEvent], claimed: Set<Int>) -> [RecordedEvent] {
    var fitting: [RecordedEvent] = []
    for event in events {
      nextEvent = event.number + 1
      guard !claimed.contains(event.number), matcher.matches(event) else { continue }
      if most.map({ count < $0 }) ?? true {
        count += 1
        fitting.append(event)
      } else {
        extras.append(event)
      }
    }
    return fitting
  }
}
