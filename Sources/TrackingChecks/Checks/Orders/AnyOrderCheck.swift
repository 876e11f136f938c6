import TrackingModel
import TrackingServer

struct AnyOrderCheck: CheckKind {
  let patterns: [EntryPattern]

  var listsPatterns: Bool { true }
  var problem: String? { orderProblem }
  var description: String { "\(EntryKinds.counted(patterns)) in any order" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    AnyOrderCheck(patterns: patterns.map(pattern))
  }

  func evaluation(in context: CheckContext) -> any Evaluation { AssignmentEvaluation(patterns) }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if each pattern has its own match, in any order.
  ///
  /// If an event matches several patterns, events are assigned so that each pattern has one, if possible. An empty list fails at once.
  public static func inAnyOrder(_ patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(AnyOrderCheck(patterns: patterns))
  }
}

private struct AssignmentEvaluation: Evaluation {
  private let patterns: [EntryPattern]
  /// The positions of event patterns, by event name; `namelessPlaces` has all other patterns.
  private let places: [TextKey: [Int]]
  private let namelessPlaces: [Int]
  private var assignment: PatternAssignment
  /// The entries that may be assigned; the assignment knows them by their index.
  private var candidates: [JournalEntry] = []
  /// Whether an entry may match a pattern by its arrival and another one by its response.
  private let readsResponses: Bool
  /// With responses, the patterns that each candidate fits so far, and the candidates by the entry's number.
  private var fits: [PatternSet] = []
  private var indices: [Int: Int] = [:]

  init(_ patterns: [EntryPattern]) {
    self.patterns = patterns
    var places: [TextKey: [Int]] = [:]
    var namelessPlaces: [Int] = []
    for (place, pattern) in patterns.enumerated() {
      if pattern.requests == nil, let name = pattern.events?.name {
        places[TextKey(name), default: []].append(place)
      } else {
        namelessPlaces.append(place)
      }
    }
    readsResponses = patterns.contains(where: \.readsResponse)
    self.places = places
    self.namelessPlaces = namelessPlaces
    assignment = PatternAssignment(patterns: patterns.count)
  }

  var state: CheckState { assignment.isComplete ? .met : .open }

  var matched: [JournalEntry] {
    assignment.items.compactMap { $0.map { candidates[$0] } }
  }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    let entry = moment.entry
    var fitting = PatternSet(of: patterns.count)
    if let name = entry.event?.event.name {
      for place in places[TextKey(name)] ?? [] { check(place, moment, &fitting) }
    }
    for place in namelessPlaces { check(place, moment, &fitting) }
    guard !fitting.isEmpty else { return false }
    guard readsResponses else {
      guard assignment.offer(candidates.count, fitting: fitting) else { return false }
      candidates.append(entry)
      return true
    }
    return offer(moment, fitting: fitting)
  }

  /// Offers an entry that may already be a candidate by its arrival, since an entry counts once.
  private mutating func offer(_ moment: TimelineMoment, fitting: PatternSet) -> Bool {
    guard let earlier = indices[moment.entry.number] else {
      indices[moment.entry.number] = candidates.count
      candidates.append(moment.entry)
      fits.append(fitting)
      return assignment.offer(candidates.count - 1, fitting: fitting)
    }
    fits[earlier].formUnion(fitting)
    guard assignment.items.contains(earlier) else { return assignment.offer(earlier, fitting: fits[earlier]) }
    // It may leave its pattern to another candidate.
    assignment.widen(earlier, fitting: fits[earlier])
    return candidates.indices.contains {
      !assignment.items.contains($0) && assignment.offer($0, fitting: fits[$0])
    }
  }

  private func check(_ place: Int, _ moment: TimelineMoment, _ fitting: inout PatternSet) {
    if readsResponses || !assignment.saturated.contains(place), patterns[place].matches(moment) {
      fitting.insert(place)
    }
  }

  private var missing: [Int] { patterns.indices.filter { assignment.items[$0] == nil } }

  /// The positions of the patterns, by the number of the assigned entry.
  private var holders: [Int: Int] {
    Dictionary(
      uniqueKeysWithValues: assignment.items.enumerated().compactMap { place, item in
        item.map { (candidates[$0].number, place) }
      })
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    let words: Headline = "Expected \(EntryKinds.counted(patterns)) in any order, but"
    var end: Headline = "\(facts.time)\(facts.instead)"
    let missing = missing
    if assignment.assigned == 0, patterns.count > 1 { return "\(words) none arrived\(end)" }
    guard missing.count < 3, let first = missing.first, let last = missing.last else {
      return "\(words) only \(assignment.assigned) arrived\(end)"
    }
    let subject = ResultText.subject(first, of: patterns[first])
    if last != first {
      return "\(words) \(subject) and \(ResultText.subject(last, of: patterns[last])) didn't arrive\(end)"
    }
    if let (rival, holder) = rival(of: first, in: facts.entries) {
      end = "; #\(rival) counts once, as the \(CountText.ordinal(holder + 1))"
    }
    return "\(words) \(subject) didn't arrive\(end)"
  }

  /// Returns an entry that matches a pattern but is needed for another one, and that other pattern's position.
  private func rival(of place: Int, in entries: [JournalEntry]) -> (number: Int, holder: Int)? {
    let holders = holders
    return entries.lazy.compactMap { entry in
      holders[entry.number].flatMap { patterns[place].matches(entry) ? (entry.number, $0) : nil }
    }
    .first
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var explanation = Explanation(kind: .tooFew)
    for (place, item) in assignment.items.enumerated() {
      guard let item else { continue }
      explanation.note(patterns[place].moment(of: candidates[item]), "\(place + 1) of \(patterns.count)")
    }
    var details: [String] = []
    for place in missing {
      let ordinal = CountText.ordinal(place + 1)
      if let (number, holder) = rival(of: place, in: entries) {
        details.append(
          "#\(number) also matches the \(ordinal), but counts once, as the \(CountText.ordinal(holder + 1)).")
      } else {
        explanation.missing.append(Explanation.Missing(title: "The \(ordinal)", pattern: patterns[place]))
      }
    }
    if missing.count > 1 { explanation.details = details.joined(separator: "\n") }
    return explanation
  }
}
