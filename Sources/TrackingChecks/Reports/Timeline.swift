import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A list of entries in the order of arrival, one per line.
package struct Timeline {
  package struct Row {
    let number: Int
    /// The time since the start of the wait.
    let offset: Duration
    /// The sending process; empty if all entries come from one process.
    var process = ""
    /// The entry's part in the check, in a few words.
    var note = ""
    /// Whether the check looks at this kind of entry.
    var isOfCheck = true
    let text: String
    /// The event without the params that are equal in all listed events of its name, if `text` is too long.
    var differing: String?
  }

  var zero = "the wait began"
  package var rows: [Row] = []

  /// The maximum number of entries, patterns and the like that a message lists.
  static let longestList = 20
  /// The minimum width of an entry, even beside a long note.
  private static let narrowestEntry = 40
  /// The maximum width of a process's name.
  private static let widestProcess = 20

  package func title(shown: Int) -> String {
    rows.count <= shown
      ? "Received, by time since \(zero):" : "Received, \(shown) of \(rows.count), by time since \(zero):"
  }

  /// Returns up to `shown` lines: those with a note first, then those of the check's kinds, preferring later ones.
  package func lines(shown: Int = .max, width: Int = Excerpt.columns - 4) -> [String] {
    let rows = chosen(shown)
    let columns = [
      rows.map { "#\($0.number)" }, rows.map { TimeText.offset($0.offset) }, rows.map(\.process), rows.map(\.note),
    ].map(Self.padded)
    return rows.indices.map { index in
      let place = columns.map { $0[index] }.filter { !$0.isEmpty }.map { "\($0)  " }.joined()
      // Cut only the entry's text; keep its number and note.
      let (row, room) = (rows[index], max(width - place.count, Self.narrowestEntry))
      return place + Excerpt.of(row.text.count > room ? row.differing ?? row.text : row.text, width: room)
    }
  }

  /// The numbers of the entries that a message lists and the check looks at.
  var listed: Set<Int> { Set(chosen(Self.longestList).lazy.filter(\.isOfCheck).map(\.number)) }

  private func chosen(_ count: Int) -> [Row] {
    guard rows.count > count else { return rows }
    let noted = rows.indices.filter { !rows[$0].note.isEmpty }.suffix(count)
    let own = rows.indices.filter { rows[$0].note.isEmpty && rows[$0].isOfCheck }.suffix(count - noted.count)
    let others = rows.indices.filter { rows[$0].note.isEmpty && !rows[$0].isOfCheck }
    return (noted + own + others.suffix(count - noted.count - own.count)).sorted().map { rows[$0] }
  }

  /// Pads cells to one width.
  private static func padded(_ cells: [String]) -> [String] {
    let width = cells.map(\.count).max() ?? 0
    return cells.map { $0 + String(repeating: " ", count: width - $0.count) }
  }
}

extension Timeline {
  /// Creates the list that a check's failure shows.
  ///
  /// - Parameters:
  ///   - notes: The notes of single entries and responses.
  ///   - origin: The first entry that counts.
  ///   - showsResponses: Whether delayed responses have separate rows.
  package init(
    of entries: [JournalEntry], on scale: Timescale, notes: Explanation? = nil, since origin: JournalMark = .beginning,
    kinds: EntryKinds = [.events, .requests], showsResponses: Bool = false
  ) {
    zero = scale.zero
    let earlier = Self.earlierLaunches(entries.compactMap(\.event))
    let differing = Self.differingParams(of: entries.lazy.compactMap { $0.event?.event })
    let namesProcesses = Set(entries.lazy.compactMap(\.process)).count > 1
    let moments =
      showsResponses ? TimelineMoment.all(of: entries, since: .beginning) : entries.map { TimelineMoment($0) }
    rows = moments.filter { !$0.isResponse || $0.isLaterResponse }.map { moment in
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
        isOfCheck: kinds.contains(entry), text: Self.text(of: moment, showsResponses: showsResponses),
        differing: entry.event.flatMap { Self.text(of: $0.event, showing: differing) })
    }
  }

  /// Leaves out the response if it has its own row.
  private static func text(of moment: TimelineMoment, showsResponses: Bool) -> String {
    guard showsResponses, let request = moment.entry.request, request.hasLaterResponse || request.sending == nil else {
      return text(of: moment.entry)
    }
    if request.sending == nil { return "\(request.method) \(request.target), no response yet" }
    return moment.isResponse ? "response: \(request)" : "\(request.method) \(request.target), response later"
  }

  private static func text(of entry: JournalEntry) -> String {
    switch entry {
    case .event(let recorded): "\(recorded.event)\(recorded.event.origin.map(text) ?? "")"
    case .request(let recorded): "\(recorded)"
    case .rejection(let rejection): "a rejected submission (\(rejection.status))"
    }
  }

  /// Per event name, the params that aren't equal in all its events.
  private static func differingParams(of events: some Sequence<TrackingEvent>) -> [TextKey: Set<TrackingParam>] {
    Dictionary(grouping: events) { TextKey($0.name) }.compactMapValues { events in
      guard let first = events.first else { return nil }
      let params = events.dropFirst().reduce(into: Set<TrackingParam>()) { params, event in
        for param in Set(first.params.keys).union(event.params.keys) where first.params[param] != event.params[param] {
          params.insert(param)
        }
      }
      return params.isEmpty ? nil : params
    }
  }

  /// Returns the event with only its differing params: `purchase(…, total: 30)`.
  private static func text(of event: TrackingEvent, showing params: [TextKey: Set<TrackingParam>]) -> String? {
    guard let params = params[TextKey(event.name)], params.count < event.params.count else { return nil }
    let shown = event.params.filter { params.contains($0.key) }.sorted { $0.key < $1.key }
    let texts = ["…"] + shown.map { "\($0.key): \($0.value)" }
    return "\(VisibleText.of(event.name))(\(texts.joined(separator: ", ")))\(event.origin.map(text) ?? "")"
  }

  /// Names the SDK, and counts the params it added.
  private static func text(of origin: SDKOrigin) -> String {
    " from \(origin.format)"
      + (origin.context.isEmpty ? "" : " (context: \(origin.context.count.counted("value")))")
  }

  /// The events of an earlier launch: of a process whose last event arrived before the first event of the newest process of the same name.
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
