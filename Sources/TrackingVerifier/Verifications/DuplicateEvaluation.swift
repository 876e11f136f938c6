import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer
import TrackingSockets

/// Looks out for two equal events that lie close together.
struct DuplicateEvaluation: Evaluation {
  private let window: Duration
  private let ignored: [PatternMatcher]
  /// The last of each events that are equal.
  private var last: [TrackingEvent: RecordedEvent] = [:]
  private var pair: (first: RecordedEvent, second: RecordedEvent)?

  init(within seconds: TimeInterval, ignoring patterns: [EventPattern]) {
    window = .clamping(seconds: seconds)
    ignored = patterns.map(PatternMatcher.init)
  }

  var standing: Standing { pair == nil ? .holding : .broken }
  var claimed: [RecordedEvent] { pair.map { [$0.first, $0.second] } ?? [] }

  mutating func take(_ event: RecordedEvent) -> Bool {
    guard !ignored.contains(where: { $0.matches(event) }) else { return false }
    if let earlier = last.updateValue(event, forKey: event.event), pair == nil,
      event.arrival - earlier.arrival <= window
    {
      pair = (earlier, event)
    }
    return true
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    guard let (first, second) = pair else { return Explanation(kind: .duplicate, result: "No two events are equal.") }
    return Explanation(
      kind: .duplicate,
      result: """
        Equal are #\(first.number) and \(scale.place(of: second)): \(TimeText.duration(second.arrival - first.arrival)) apart.
        """,
      notes: [first.number: "equal", second.number: "equal"])
  }
}
