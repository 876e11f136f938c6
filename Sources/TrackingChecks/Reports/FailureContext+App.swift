import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The end of the app, or its silence.
extension FailureContext {
  /// Words of a description of the app that tell its end.
  private static let endings = [
    "crash", "fatal error", "exited", "ended by signal", "terminated", "killed", "isn't running", "not running",
  ]

  /// The end of the app's program, or the test's words for the end of its app; `nil` if none is known.
  var describedEnd: String? {
    let line = app?.split(whereSeparator: \.isNewline).first { line in
      let text = line.lowercased()
      return Self.endings.contains { text.contains($0) }
    }
    guard let end = programEnd ?? line.map(Self.clause), !end.isEmpty else { return nil }
    return end.hasPrefix("The ") ? "the \(end.dropFirst(4))" : end
  }

  /// A line's text before a semicolon or the period at its end.
  private static func clause(of line: Substring) -> String {
    line.prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: " ."))
  }

  /// The description of the app without the end of the app if a headline tells it.
  func app(exceptIn headline: Headline) -> String? {
    guard let app, let end = describedEnd?.lowercased(), headline.line.lowercased().contains(VisibleText.line(end))
    else {
      return app
    }
    let lines = app.split(whereSeparator: \.isNewline).compactMap { line -> String? in
      guard Self.clause(of: line).lowercased() == end else { return String(line) }
      let rest = line.drop { $0 != ";" }.drop { $0 == ";" || $0 == " " }
      return rest.isEmpty ? nil : rest.prefix(1).uppercased() + rest.dropFirst()
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The time at which the app's connection closed, if that was after its last event and before the deadline, and that event.
  func connectionEnd(
    before deadline: ContinuousClock.Instant
  ) -> (closed: ContinuousClock.Instant, last: JournalEntry)? {
    guard let closed, closed <= deadline, let last = entries.last(where: { $0.event != nil }), closed >= last.arrival
    else { return nil }
    return (closed, last)
  }

  /// The last entry of an app that is running and was silent for at least a second before the deadline, and that time.
  func pause(before deadline: ContinuousClock.Instant) -> (last: JournalEntry, time: Duration)? {
    guard isAppRunning, let last = entries.last, deadline - last.arrival >= .seconds(1) else { return nil }
    return (last, deadline - last.arrival)
  }
}
