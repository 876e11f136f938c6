import Foundation
import TrackingModel
import TrackingServer

/// All that there is to say about a wait that was in vain, and its text.
///
/// The text is a function of these values alone.
struct WaitReport {
  /// An event that came and was not the one.
  struct Arrival {
    let number: Int
    let event: TrackingEvent
    /// When it came, seen from the beginning of the wait.
    let offset: Duration
    let mismatch: EventMismatch
  }

  /// What was waited for.
  let question: String
  /// Seconds for which was waited.
  let timeout: TimeInterval
  /// Whether the wait was broken off by a cancelled task.
  var isCancelled = false
  var arrivals: [Arrival] = []
  var rejections: [RejectedSubmission] = []
  var lost: [LostEvents] = []
  /// Where an app could have connected; `nil` when the verifier was never started.
  var endpoint: URL?
  /// How many connections there were.
  var connections = 0

  /// Lines of a list of events.
  private static let longestList = 20

  /// The whole text.
  var text: String {
    ([headline] + [nearestMiss, others, rejected, losses, connectionHint].filter { !$0.isEmpty })
      .joined(separator: "\n\n")
  }

  private var headline: String {
    let waited = isCancelled ? "The task was cancelled while it waited" : "Waited \(TimeText.seconds(timeout))"
    let result =
      switch arrivals.count {
      case 0: "No event came."
      case 1: "One event came, and it did not match."
      case let count: "\(count) events came, and none matched."
      }
    return "\(waited) for \(Excerpt.of(question, width: 4 * Excerpt.columns))\n\(result)"
  }

  private var nearest: Arrival? {
    arrivals.map { (arrival: $0, distance: $0.mismatch.distance) }
      .min { ($0.distance, -$0.arrival.number) < ($1.distance, -$1.arrival.number) }?.arrival
  }

  private var nearestMiss: String {
    guard let nearest else { return "" }
    let title = "Nearest is #\(nearest.number), \(TimeText.place(nearest.offset)) (- expected, + arrived):"
    return Self.block(title, EventDiff.lines(for: nearest.event, nearest.mismatch))
  }

  private var others: String {
    let others = arrivals.filter { $0.number != nearest?.number }
    guard !others.isEmpty else { return "" }
    let shown = others.suffix(Self.longestList)
    let hidden = others.count - shown.count
    let title =
      hidden == 0
      ? "The others, by the time since the wait began:"
      : "The last \(shown.count) of the others, by the time since the wait began (\(hidden) earlier ones are not shown):"
    let times = shown.map { "#\($0.number)  \(TimeText.offset($0.offset))" }
    let width = times.map(\.count).max() ?? 0
    return Self.block(
      title,
      zip(times, shown).map { time, arrival in
        Excerpt.of(
          time.padding(toLength: width, withPad: " ", startingAt: 0) + "  \(arrival.event)", width: Excerpt.columns - 4)
      })
  }

  private var rejected: String {
    guard !rejections.isEmpty else { return "" }
    let shown = rejections.suffix(Self.longestList / 2)
    let verb = rejections.count == 1 ? "was" : "were"
    let title =
      shown.count == rejections.count
      ? "\(Excerpt.count(rejections.count, "submission")) \(verb) rejected:"
      : "\(rejections.count) submissions were rejected; the last \(shown.count) of them:"
    return Self.block(
      title,
      shown.flatMap { rejection in
        let body = String(decoding: rejection.body, as: UTF8.self)
        return [Excerpt.of("\(rejection)", width: 2 * Excerpt.columns)]
          + (body.isEmpty ? [] : [Excerpt.of("  in \(body)", width: Excerpt.columns - 4)])
      })
  }

  private var losses: String {
    lost.map { lost in
      let numbers = lost.numbers.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
      return Excerpt.of(
        """
        Lost: \(lost.count) of the \(lost.tracked) events that the app of launch \(lost.launch) tracked never arrived: \
        number \(numbers.joined(separator: ", "))
        """, width: 2 * Excerpt.columns)
    }
    .joined(separator: "\n")
  }

  private var connectionHint: String {
    guard arrivals.isEmpty, rejections.isEmpty else { return "" }
    guard let endpoint else {
      return "The verifier was not started, so only its `tracker` could have brought an event."
    }
    guard connections == 0 else {
      return "\(Excerpt.count(connections, "connection")) reached \(endpoint.absoluteString), but brought no event."
    }
    return """
      No connection reached \(endpoint.absoluteString): was `launchEnvironment` handed to the app before launch?
      """
  }

  private static func block(_ title: String, _ lines: [String]) -> String {
    ([title] + lines.map { "    \($0)" }).joined(separator: "\n")
  }
}
