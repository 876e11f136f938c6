import TrackingModel
import TrackingPatterns
import TrackingServer

struct AnyOrderCheck: CheckKind {
  let patterns: [EntryPattern]
  /// Whether an entry may match a pattern by its arrival and another one by its response.
  let readsResponses: Bool
  /// The positions of event patterns, by event name; `namelessPlaces` has all other patterns.
  private var places: [TextKey: [Int]] = [:]
  private var namelessPlaces: [Int] = []
  private var assignment = PatternAssignment(patterns: 0)
  /// The entries that may be assigned; the assignment knows them by their index.
  private var candidates: [JournalEntry] = []
  /// With responses, the patterns that each candidate fits so far, and the candidates by the entry's number.
  private var fits: [PatternSet] = []
  private var indices: [Int: Int] = [:]

  init(patterns: [EntryPattern]) {
    self.patterns = patterns
    readsResponses = patterns.contains(where: \.readsResponse)
  }

  var listsPatterns: Bool { true }
  var problem: String? { orderProblem }
  var words: Headline { "\(EntryKinds.counted(patterns.map(\.kinds))) in any order" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    AnyOrderCheck(patterns: patterns.map(pattern))
  }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    for (place, pattern) in patterns.enumerated() {
      if pattern.requests == nil, let name = pattern.events?.name {
        check.places[TextKey(name), default: []].append(place)
      } else {
        check.namelessPlaces.append(place)
      }
    }
    check.assignment = PatternAssignment(patterns: patterns.count)
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if each pattern has its own match, in any order.
  ///
  /// If an event matches several patterns, events are assigned so that each pattern has one, if possible. An empty list fails at once.
  public static func inAnyOrder(_ patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(AnyOrderCheck(patterns: patterns))
  }
}

// MARK: - Reading

extension AnyOrderCheck {
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

  func explain(_ finding: Finding) -> Explanation {
    let words: Headline = "Expected \(EntryKinds.counted(patterns.map(\.kinds))) in any order, but"
    let missing = missing
    let rivals = Dictionary(
      uniqueKeysWithValues: missing.compactMap { place in
        rival(of: place, in: finding.entries).map { (place, $0) }
      })
    var explanation = Explanation(kind: .tooFew, headline: "\(words) \(lack(of: missing, finding.time))")
    for (place, item) in assignment.items.enumerated() {
      guard let item else { continue }
      explanation.note(patterns[place].moment(of: candidates[item]), "\(place + 1) of \(patterns.count)")
    }
    explanation.missing = missing.filter { rivals[$0] == nil }.map {
      Explanation.Missing(title: "The \(CountText.ordinal($0 + 1))", pattern: patterns[$0])
    }
    if missing.count == 1, let (number, holder) = rivals[missing[0]] {
      explanation.headline = "\(words) \(lack(of: missing, ""))"
      explanation.reason = "; #\(number) counts once, as the \(CountText.ordinal(holder + 1))"
    } else {
      explanation.details = missing.compactMap { place in
        rivals[place].map { number, holder in
          let (ordinal, other) = (CountText.ordinal(place + 1), CountText.ordinal(holder + 1))
          return "#\(number) also matches the \(ordinal), but counts once, as the \(other)."
        }
      }
      .joined(separator: "\n")
    }
    if missing.count == 1 {
      let time = explanation.reason == nil ? finding.time : ""
      explanation.brief = "\(ResultText.lack(of: missing[0], among: patterns, "in any order"))\(time)"
    } else if missing.count == 2, assignment.assigned > 0 {
      let (first, last) = (CountText.ordinal(missing[0] + 1), CountText.ordinal(missing[1] + 1))
      explanation.brief =
        "The \(first) and the \(last) of \(patterns.count) in any order didn't arrive\(finding.time)"
    }
    return explanation
  }

  /// "only 1 arrived within 5 s", "the 2nd, "purchase", didn't arrive within 5 s".
  private func lack(of missing: [Int], _ time: String) -> Headline {
    if assignment.assigned == 0, patterns.count > 1 { return "none arrived\(time)" }
    guard missing.count < 3, let first = missing.first, let last = missing.last else {
      return "only \(assignment.assigned) arrived\(time)"
    }
    let subject = ResultText.subject(first, of: patterns[first])
    return last == first
      ? "\(subject) didn't arrive\(time)"
      : "\(subject) and \(ResultText.subject(last, of: patterns[last])) didn't arrive\(time)"
  }

  /// Returns an entry that matches a pattern but is needed for another one, and that other pattern's position.
  private func rival(of place: Int, in entries: [JournalEntry]) -> (number: Int, holder: Int)? {
    let holders = holders
    return entries.lazy.compactMap { entry in
      holders[entry.number].flatMap { patterns[place].matches(entry) ? (entry.number, $0) : nil }
    }
    .first
  }
}
