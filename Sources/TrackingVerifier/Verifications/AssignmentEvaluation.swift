import TrackingPatterns
import TrackingServer

/// Looks for an event of its own for each pattern, in any order.
struct AssignmentEvaluation: Evaluation {
  private let matchers: [PatternMatcher]
  /// The places of the patterns that ask for a name, by that name, and of those that do not.
  private let places: [String: [Int]]
  private let namelessPlaces: [Int]
  private var assignment: PatternAssignment
  /// The events that are assigned, as the assignment knows them.
  private var candidates: [RecordedEvent] = []

  init(_ patterns: [EventPattern]) {
    matchers = patterns.map(PatternMatcher.init)
    var places: [String: [Int]] = [:]
    var namelessPlaces: [Int] = []
    for (place, pattern) in patterns.enumerated() {
      if let name = pattern.name { places[name, default: []].append(place) } else { namelessPlaces.append(place) }
    }
    self.places = places
    self.namelessPlaces = namelessPlaces
    assignment = PatternAssignment(patterns: patterns.count)
  }

  var standing: Standing { assignment.isComplete ? .met : .open }

  /// In the order of the patterns.
  var claimed: [RecordedEvent] {
    assignment.items.compactMap { $0.map { candidates[$0] } }
  }

  mutating func take(_ event: RecordedEvent) -> Bool {
    var fitting = PatternSet(of: matchers.count)
    for place in places[event.event.name] ?? [] { check(place, event, &fitting) }
    for place in namelessPlaces { check(place, event, &fitting) }
    guard !fitting.isEmpty, assignment.offer(candidates.count, fitting: fitting) else { return false }
    candidates.append(event)
    return true
  }

  private func check(_ place: Int, _ event: RecordedEvent, _ fitting: inout PatternSet) {
    if !assignment.saturated.contains(place), matchers[place].matches(event) { fitting.insert(place) }
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    let count = matchers.count
    let places = Dictionary(
      uniqueKeysWithValues: assignment.items.enumerated().compactMap { place, item in
        item.map { (candidates[$0].number, place) }
      })
    let without = matchers.indices.filter { assignment.items[$0] == nil }
    let ordinals = CountText.list(without.map { CountText.ordinal($0 + 1) })
    var result =
      switch (events.count, assignment.assigned) {
      case (0, _): "No event came."
      case (_, 0): "\(CountText.events(events.count)) came, and none matched."
      case (_, let assigned):
        "\(assigned) of \(count) came; the \(ordinals) did not."
      }
    var missing: [(title: String, pattern: EventPattern)] = []
    for place in without {
      if let rival = events.first(where: { places[$0.number] != nil && matchers[place].matches($0) }) {
        result += "\n\(Self.rivalry(rival.number, place, places[rival.number] ?? 0))"
      } else {
        missing.append(("The \(CountText.ordinal(place + 1))", matchers[place].pattern))
      }
    }
    return Explanation(
      kind: .tooFew, result: result, notes: places.mapValues { "\($0 + 1) of \(count)" }, missing: missing)
  }

  private static func rivalry(_ number: Int, _ place: Int, _ holder: Int) -> String {
    "#\(number) fits the \(CountText.ordinal(place + 1)) too, but is needed for the \(CountText.ordinal(holder + 1))."
  }
}
