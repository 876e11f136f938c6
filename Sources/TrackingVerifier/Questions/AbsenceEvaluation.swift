import Foundation
import TrackingModel
import TrackingServer
import TrackingSockets

/// Looks for an entry that should not arrive.
struct AbsenceEvaluation: Evaluation {
  private let pattern: EntryPattern
  private var offender: JournalEntry?

  init(of pattern: EntryPattern) {
    self.pattern = pattern
  }

  var state: QuestionState { offender == nil ? .holding : .broken }
  var matched: [JournalEntry] { offender.map { [$0] } ?? [] }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard pattern.matches(entry) else { return false }
    offender = offender ?? entry
    return true
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard let offender else { return Explanation(kind: .unexpectedExtra, result: "It did not arrive.") }
    return Explanation(
      kind: .unexpectedExtra, result: "It arrived: \(scale.place(of: offender)).",
      notes: [offender.number: "unexpected"])
  }
}

/// Looks for an entry that no wait has matched.
struct NothingElseEvaluation: Evaluation {
  private let ignored: [EntryPattern]
  private let kinds: EntryKinds
  private let unmatched: @Sendable ([JournalEntry]) -> [JournalEntry]
  private var candidates: [JournalEntry] = []
  private var extras: [JournalEntry] = []

  /// - Parameter unmatched: Filters entries to those that no wait has matched.
  init(
    among kinds: EntryKinds, ignoring patterns: [EntryPattern],
    unmatched: @escaping @Sendable ([JournalEntry]) -> [JournalEntry]
  ) {
    self.kinds = kinds
    ignored = patterns
    self.unmatched = unmatched
  }

  var state: QuestionState { extras.isEmpty ? .holding : .broken }
  var matched: [JournalEntry] { extras }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard !ignored.contains(where: { $0.matches(entry) }) else { return false }
    candidates.append(entry)
    return true
  }

  /// All candidates each time: what was matched may change, and what is matched now may arrive again.
  mutating func look(at journal: Journal) {
    extras = unmatched(candidates)
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard let first = extras.first else { return Explanation(kind: .unexpectedExtra, result: "Nothing else arrived.") }
    let place = scale.place(of: first)
    let result =
      extras.count == 1
      ? "No wait asked for \(place)."
      : "No wait asked for \(extras.count) of \(kinds.counted(entries.count)); the first is \(place)."
    return Explanation(
      kind: .unexpectedExtra, result: result,
      notes: Dictionary(uniqueKeysWithValues: extras.map { ($0.number, "not asked for") }))
  }
}

/// Looks for two equal entries that are close together.
struct DuplicateEvaluation: Evaluation {
  /// What makes two entries equal.
  private enum Content: Hashable {
    case event(TrackingEvent)
    case request(method: String, target: String, body: Data)
  }

  private let window: Duration
  private let ignored: [EntryPattern]
  /// The last entry of each content.
  private var last: [Content: JournalEntry] = [:]
  private var pair: (first: JournalEntry, second: JournalEntry)?

  init(within seconds: TimeInterval, ignoring patterns: [EntryPattern]) {
    window = .clamping(seconds: seconds)
    ignored = patterns
  }

  var state: QuestionState { pair == nil ? .holding : .broken }
  var matched: [JournalEntry] { pair.map { [$0.first, $0.second] } ?? [] }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard !ignored.contains(where: { $0.matches(entry) }), let content = Self.content(of: entry) else { return false }
    if let earlier = last.updateValue(entry, forKey: content), pair == nil, entry.arrival - earlier.arrival <= window {
      pair = (earlier, entry)
    }
    return true
  }

  private static func content(of entry: JournalEntry) -> Content? {
    switch entry {
    case .event(let recorded): .event(recorded.event)
    case .request(let recorded):
      .request(method: recorded.method, target: recorded.target, body: recorded.request.body)
    case .rejection: nil
    }
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard let (first, second) = pair else { return Explanation(kind: .duplicate, result: "No two are equal.") }
    let distance = TimeText.duration(second.arrival - first.arrival)
    return Explanation(
      kind: .duplicate, result: "#\(first.number) and \(scale.place(of: second)), are equal: \(distance) apart.",
      notes: [first.number: "equal", second.number: "equal"])
  }
}
