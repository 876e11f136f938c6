import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// Events by the time of their arrival, a line each.
struct Timeline {
  struct Row {
    let number: Int
    /// When it came, seen from the beginning of the wait.
    let offset: Duration
    /// What it is to the question, in a few words.
    var note = ""
    let event: TrackingEvent
  }

  /// From what moment times are told.
  var zero = "the wait began"
  var rows: [Row] = []

  /// Columns that an event has at least, however long the notes are.
  private static let narrowestEvent = 40

  /// What stands above the lines.
  func title(shown: Int) -> String {
    rows.count <= shown
      ? "What came, by the time since \(zero):"
      : "\(shown) of the \(rows.count) events that came, by the time since \(zero):"
  }

  /// At most a number of lines: those with a note before those without, the last before the first.
  func lines(shown: Int = .max, width: Int = Excerpt.columns - 4) -> [String] {
    var rows = rows
    if rows.count > shown {
      let noted = rows.indices.filter { !rows[$0].note.isEmpty }.suffix(shown)
      let others = rows.indices.filter { rows[$0].note.isEmpty }.suffix(shown - noted.count)
      rows = (noted + others).sorted().map { self.rows[$0] }
    }
    let columns = [
      rows.map { "#\($0.number)" }, rows.map { TimeText.offset($0.offset) }, rows.map(\.note),
    ].map(Self.padded)
    return rows.indices.map { index in
      let place = columns.map { $0[index] }.filter { !$0.isEmpty }.map { "\($0)  " }.joined()
      // Only the event is cut, and from its params: which one it is, and what it is to the question, must be there.
      return place + Excerpt.of("\(rows[index].event)", width: max(width - place.count, Self.narrowestEvent))
    }
  }

  /// Cells of one width.
  private static func padded(_ cells: [String]) -> [String] {
    let width = cells.map(\.count).max() ?? 0
    return cells.map { $0 + String(repeating: " ", count: width - $0.count) }
  }
}

extension Timeline {
  /// Events as a question sees them.
  ///
  /// - Parameters:
  ///   - notes: What single events are, by their numbers.
  ///   - origin: The number of the first event that counts.
  init(of events: [RecordedEvent], on scale: Timescale, notes: [Int: String] = [:], since origin: Int = 1) {
    zero = scale.zero
    let earlier = Self.earlierLaunches(events)
    rows = events.map { event in
      var words = notes[event.number].map { [$0] } ?? []
      if event.number < origin { words.append("before the mark") }
      if event.arrival > scale.deadline { words.append("after the deadline") }
      if !event.isAcknowledged { words.append("not acknowledged") }
      if earlier.contains(event.number) { words.append("from an earlier launch") }
      return Row(
        number: event.number, offset: event.arrival - scale.began, note: words.joined(separator: ", "),
        event: event.event)
    }
  }

  /// The events of processes that had fallen silent before the last process to appear brought its first.
  private static func earlierLaunches(_ events: [RecordedEvent]) -> Set<Int> {
    var first: [Substring: Int] = [:]
    var last: [Substring: Int] = [:]
    for event in events {
      guard let process = event.process else { continue }
      if first[process] == nil { first[process] = event.number }
      last[process] = event.number
    }
    guard let newest = first.values.max() else { return [] }
    return Set(
      events.lazy.filter { event in event.process.flatMap { last[$0] }.map { $0 < newest } ?? false }.map(\.number))
  }
}

extension RecordedEvent {
  /// Which app process sent it: its launch without the number of the double.
  fileprivate var process: Substring? {
    launch.map { $0.prefix { $0 != "." } }
  }
}
