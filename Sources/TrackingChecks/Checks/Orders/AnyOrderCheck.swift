import TrackingModel
import TrackingServer

/// A different match for each pattern, in any order.
struct AnyOrderCheck: CheckForm {
  let patterns: [EntryPattern]

  var listsPatterns: Bool { true }
  var problem: String? { orderProblem }
  var description: String { "\(kinds.counted(patterns.count)) in any order" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm {
    AnyOrderCheck(patterns: patterns.map(pattern))
  }

  func evaluation(in setting: CheckContext) -> any Evaluation { AssignmentEvaluation(patterns) }
}

extension TrackingCheck<CheckOutcome> {
  /// A different match for each pattern, in any order.
  ///
  /// If an event matches several patterns, events are assigned so that each pattern has one, if possible. An empty list fails at once.
  public static func inAnyOrder(_ patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(AnyOrderCheck(patterns: patterns))
  }
}

/// Looks for a different entry for each pattern, in any order.
private struct AssignmentEvaluation: Evaluation {
  private let patterns: [EntryPattern]
  private let kinds: EntryKinds
  /// The places of the patterns that ask for events of one name, by that name, and of all others.
  private let places: [TextKey: [Int]]
  private let namelessPlaces: [Int]
  private var assignment: PatternAssignment
  /// The entries that are assigned, as the assignment knows them.
  private var candidates: [JournalEntry] = []

  init(_ patterns: [EntryPattern]) {
    self.patterns = patterns
    kinds = EntryKinds(patterns.map(\.kinds))
    var places: [TextKey: [Int]] = [:]
    var namelessPlaces: [Int] = []
    for (place, pattern) in patterns.enumerated() {
      if pattern.requests == nil, let name = pattern.events?.name {
        places[TextKey(name), default: []].append(place)
      } else {
        namelessPlaces.append(place)
      }
    }
    self.places = places
    self.namelessPlaces = namelessPlaces
    assignment = PatternAssignment(patterns: patterns.count)
  }

  var state: CheckState { assignment.isComplete ? .met : .open }

  /// In the order of the patterns.
  var matched: [JournalEntry] {
    assignment.items.compactMap { $0.map { candidates[$0] } }
  }

  mutating func take(_ entry: JournalEntry) -> Bool {
    var fitting = PatternSet(of: patterns.count)
    if let name = entry.event?.event.name {
      for place in places[TextKey(name)] ?? [] { check(place, entry, &fitting) }
    }
    for place in namelessPlaces { check(place, entry, &fitting) }
    guard !fitting.isEmpty, assignment.offer(candidates.count, fitting: fitting) else { return false }
    candidates.append(entry)
    return true
  }

  private func check(_ place: Int, _ entry: JournalEntry, _ fitting: inout PatternSet) {
    if !assignment.saturated.contains(place), patterns[place].matches(entry) { fitting.insert(place) }
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let count = patterns.count
    let places = Dictionary(
      uniqueKeysWithValues: assignment.items.enumerated().compactMap { place, item in
        item.map { (candidates[$0].number, place) }
      })
    let without = patterns.indices.filter { assignment.items[$0] == nil }
    let absent = CountText.list(without.map { ResultText.subject($0, of: patterns[$0], article: "the") })
    var result =
      entries.isEmpty || assignment.assigned == 0
      ? ResultText.received([], among: entries, of: kinds)
      : "\(assignment.assigned) of \(count) arrived; \(absent) did not."
    var missing: [Explanation.Missing] = []
    for place in without {
      if let rival = entries.first(where: { places[$0.number] != nil && patterns[place].matches($0) }) {
        result += "\n\(Self.rivalry(rival.number, place, places[rival.number] ?? 0))"
      } else {
        missing.append(Explanation.Missing(title: "The \(CountText.ordinal(place + 1))", pattern: patterns[place]))
      }
    }
    return Explanation(
      kind: .tooFew, result: result, notes: places.mapValues { "\($0 + 1) of \(count)" }, missing: missing)
  }

  private static func rivalry(_ number: Int, _ place: Int, _ holder: Int) -> String {
    "#\(number) matches the \(CountText.ordinal(place + 1)) too, but is needed for the \(CountText.ordinal(holder + 1))."
  }
}
