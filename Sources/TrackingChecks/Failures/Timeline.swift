import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// Entries by the time of their arrival, a line each.
package struct Timeline {
  package struct Row {
    let number: Int
    /// Its time of arrival since the beginning of the wait.
    let offset: Duration
    /// The process that sent it; empty where all entries are of one process.
    var process = ""
    /// Its part in the question, in a few words.
    var note = ""
    /// Whether it is of a kind that the question asks for.
    var isOfQuestion = true
    let text: String
  }

  /// The moment that times are measured from.
  var zero = "the wait began"
  package var rows: [Row] = []

  /// The fewest columns of an entry, even with long notes.
  private static let narrowestEntry = 40
  /// The most columns of a process's name.
  private static let widestProcess = 20

  /// The line above the list.
  package func title(shown: Int) -> String {
    rows.count <= shown
      ? "Received, by time since \(zero):" : "Received, \(shown) of \(rows.count), by time since \(zero):"
  }

  /// At most a number of lines: those with a note first, then those of the question's kinds, and of each the last ones.
  package func lines(shown: Int = .max, width: Int = Excerpt.columns - 4) -> [String] {
    let rows = chosen(shown)
    let columns = [
      rows.map { "#\($0.number)" }, rows.map { TimeText.offset($0.offset) }, rows.map(\.process), rows.map(\.note),
    ].map(Self.padded)
    return rows.indices.map { index in
      let place = columns.map { $0[index] }.filter { !$0.isEmpty }.map { "\($0)  " }.joined()
      // Only the entry's text is cut; its number and note stay.
      return place + Excerpt.of(rows[index].text, width: max(width - place.count, Self.narrowestEntry))
    }
  }

  private func chosen(_ count: Int) -> [Row] {
    guard rows.count > count else { return rows }
    let noted = rows.indices.filter { !rows[$0].note.isEmpty }.suffix(count)
    let own = rows.indices.filter { rows[$0].note.isEmpty && rows[$0].isOfQuestion }.suffix(count - noted.count)
    let others = rows.indices.filter { rows[$0].note.isEmpty && !rows[$0].isOfQuestion }
    return (noted + own + others.suffix(count - noted.count - own.count)).sorted().map { rows[$0] }
  }

  /// Cells of one width.
  private static func padded(_ cells: [String]) -> [String] {
    let width = cells.map(\.count).max() ?? 0
    return cells.map { $0 + String(repeating: " ", count: width - $0.count) }
  }
}

extension Timeline {
  /// Entries as a question sees them.
  ///
  /// - Parameters:
  ///   - notes: The notes of single entries and responses.
  ///   - origin: The place from which on entries count.
  ///   - showsAnswers: Whether responses that were not sent at once have separate rows.
  package init(
    of entries: [JournalEntry], on scale: Timescale, notes: Explanation? = nil, since origin: JournalMark = .beginning,
    kinds: EntryKinds = [.events, .requests], showsAnswers: Bool = false
  ) {
    zero = scale.zero
    let earlier = Self.earlierLaunches(entries.compactMap(\.event))
    let namesProcesses = Set(entries.lazy.compactMap(\.process)).count > 1
    let moments = showsAnswers ? TimelineMoment.all(of: entries, since: .beginning) : entries.map { TimelineMoment($0) }
    rows = moments.filter { !$0.isAnswer || $0.isLaterResponse }.map { moment in
      let entry = moment.entry
      var words = [notes?.note(of: moment)].compactMap(\.self)
      if moment.isBefore(origin) { words.append("before the mark") }
      if moment.instant > scale.deadline { words.append("after the deadline") }
      if entry.event?.isAcknowledged == false { words.append("not acknowledged") }
      if earlier.contains(entry.number) { words.append("from an earlier launch") }
      if entry.event?.event.origin?.isLeftover == true { words.append("left over from an earlier run") }
      return Row(
        number: entry.number, offset: moment.instant - scale.began,
        process: namesProcesses ? Excerpt.of(entry.process ?? "", width: Self.widestProcess) : "",
        note: words.joined(separator: ", "),
        isOfQuestion: kinds.contains(entry), text: Self.text(of: moment, showsAnswers: showsAnswers))
    }
  }

  /// A request whose response has its own row is shown without it.
  private static func text(of moment: TimelineMoment, showsAnswers: Bool) -> String {
    guard showsAnswers, let request = moment.entry.request, request.hasLaterResponse else {
      return text(of: moment.entry)
    }
    return moment.isAnswer ? "answered: \(request)" : "\(request.method) \(request.target), answered later"
  }

  private static func text(of entry: JournalEntry) -> String {
    switch entry {
    case .event(let recorded): "\(recorded.event)\(recorded.event.origin.map(text) ?? "")"
    case .request(let recorded): "\(recorded)"
    case .rejection(let rejection): "a rejected submission (\(rejection.status))"
    }
  }

  /// The SDK that sent an event, with what it added folded into a count.
  private static func text(of origin: SDKOrigin) -> String {
    " from \(origin.format)"
      + (origin.context.isEmpty ? "" : " (context: \(origin.context.count.counted("value")))")
  }

  /// The events of processes whose last event arrived before the first event of the newest process of the same name: a launch before the last one.
  private static func earlierLaunches(_ events: [RecordedEvent]) -> Set<Int> {
    var first: [Substring: Int] = [:]
    var last: [Substring: Int] = [:]
    var newest: [String: Int] = [:]
    for event in events {
      guard let launch = event.launch else { continue }
      let token = LaunchName.token(of: launch)
      if first[token] == nil {
        first[token] = event.number
        newest[event.process ?? ""] = event.number
      }
      last[token] = event.number
    }
    guard first.count > 1 else { return [] }
    return Set(
      events.lazy.filter { event in
        guard let last = event.launch.flatMap({ last[LaunchName.token(of: $0)] }) else { return false }
        return last < newest[event.process ?? ""] ?? 0
      }.map(\.number))
  }
}
