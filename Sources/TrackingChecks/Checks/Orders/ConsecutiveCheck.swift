import TrackingPatterns
import TrackingServer

/// Follows every run that the moments so far allow.
struct ConsecutiveCheck: CheckKind {
  /// Uninterrupted matches.
  private struct Run {
    var found: [TimelineMoment]
    /// Matched arrivals that interrupt the run unless their response follows, each with the number of matches before it.
    var pending: [(arrival: TimelineMoment, matches: Int)] = []
  }

  /// A moment that is compared with each pattern at most once, for all runs.
  private final class Place {
    let moment: TimelineMoment
    /// Whether this is the arrival of a request that a pattern matches by its response.
    let mayMatchByResponse: Bool
    private var known: [Int: Bool] = [:]

    init(_ moment: TimelineMoment, mayMatchByResponse: Bool) {
      (self.moment, self.mayMatchByResponse) = (moment, mayMatchByResponse)
    }

    func matches(_ index: Int, of patterns: [EntryPattern]) -> Bool {
      if let known = known[index] { return known }
      let matches = patterns[index].matches(moment)
      known[index] = matches
      return matches
    }
  }

  let patterns: [EntryPattern]
  private var origin = JournalMark.beginning
  private var runs: [Run] = []
  private var found: [TimelineMoment] = []
  /// The longest interrupted run, and the moment that interrupted it.
  private var longest: (run: [TimelineMoment], next: TimelineMoment)?

  init(patterns: [EntryPattern]) {
    self.patterns = patterns
  }

  var absenceBegins: Int? { found.first?.place.entry }
  var listsPatterns: Bool { true }
  var problem: String? { orderProblem }
  /// All entries of the patterns' kinds: any of them breaks a run.
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: JournalInterest(of: patterns).revisions) }
  var words: Headline { "\(EntryKinds.counted(patterns.map(\.kinds))) in a row" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    ConsecutiveCheck(patterns: patterns.map(pattern))
  }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.origin = context.origin
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if the patterns match directly one after the other, with nothing of their kinds in between.
  ///
  /// Requests don't separate events unless a pattern matches requests. A request counts when it arrives, and when its response is sent if a pattern
  /// matches it by the response, as in ``inOrder(_:)``. A request that is itself a match doesn't separate the others.
  public static func consecutive(_ patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(ConsecutiveCheck(patterns: patterns))
  }
}

// MARK: - Reading

extension ConsecutiveCheck {
  var state: CheckState { found.count == patterns.count ? .met : .open }
  var matched: [JournalEntry] { found.map(\.entry) }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    moment.isResponse && !isMatchedByResponse(moment.entry) ? false : add(moment)
  }

  private func isMatchedByResponse(_ entry: JournalEntry) -> Bool {
    guard entry.request?.sending != nil else { return false }
    return patterns.contains { $0.matches(TimelineMoment(entry: entry, isResponse: true)) }
  }

  private mutating func add(_ moment: TimelineMoment) -> Bool {
    guard state == .open else { return false }
    let place = Place(moment, mayMatchByResponse: !moment.isResponse && isMatchedByResponse(moment.entry))
    let next = runs.map { (run: $0, next: continuations(of: $0, at: place)) }
    // Of equally long runs, the last one is the nearest.
    for (run, next) in next.reversed() where next.isEmpty { note(run.found, separatedBy: moment) }
    runs = next.flatMap(\.next)
    if place.matches(0, of: patterns) { runs.append(Run(found: [moment])) }
    for run in runs where run.found.count == patterns.count {
      guard let pending = run.pending.first else {
        found = run.found
        return true
      }
      note(run.found.prefix(pending.matches), separatedBy: pending.arrival)
    }
    runs.removeAll { $0.found.count == patterns.count }
    // The runs with the most matches are at the front.
    runs = Array(runs.prefix(Self.mostRuns))
    return !runs.isEmpty
  }

  /// Returns the runs that continue with the next moment: as a match, or skipped because its request is a match.
  private func continuations(of run: Run, at place: Place) -> [Run] {
    let number = place.moment.entry.number
    var runs: [Run] = []
    if place.matches(run.found.count, of: patterns) {
      var run = run
      run.found.append(place.moment)
      run.pending.removeAll { $0.arrival.entry.number == number }
      runs.append(run)
    }
    if place.moment.isResponse {
      if run.found.contains(where: { $0.entry.number == number }) { runs.append(run) }
    } else if place.mayMatchByResponse, run.pending.count < patterns.count - run.found.count {
      // Each pending response needs a pattern.
      var run = run
      run.pending.append((place.moment, run.found.count))
      runs.append(run)
    }
    return runs
  }

  /// Keeps an interrupted run if it is the longest.
  private mutating func note(_ run: some Collection<TimelineMoment>, separatedBy next: TimelineMoment) {
    if run.count > longest?.run.count ?? 0 { longest = (Array(run), next) }
  }

  /// The maximum number of runs; each skipped request doubles it.
  private static let mostRuns = 500

  /// The longest interrupted run, if no open one is longer.
  private var broken: (run: [TimelineMoment], next: TimelineMoment)? {
    let open = runs.map(\.found.count).max() ?? 0
    return longest.flatMap { $0.run.count >= open ? $0 : nil }
  }

  /// The longest open run.
  private var order: OrderCheck {
    OrderCheck(patterns: patterns, origin: origin, found: runs.map(\.found).max { $0.count < $1.count } ?? [])
  }

  func explain(_ finding: Finding) -> Explanation {
    let words = "\(EntryKinds.counted(patterns.map(\.kinds))) in a row"
    guard let (run, next) = broken, let last = run.last else { return order.explain(finding, as: "in a row") }
    let subject: Headline = "#\(next.entry.number), \(next.entry.words),"
    let short: Headline = "Expected \(words), but \(subject) \(next.verb) after \(last.name)"
    let numbers = ResultText.numbers(run.map(\.entry.number))
    var explanation = Explanation(
      kind: .unexpectedExtra, headline: "\(short) instead of \(patterns[run.count].reference)",
      // The headline tells what arrived instead.
      reason: "", brief: short,
      details: run.count == 1 ? "" : "At most the first \(run.count) arrived in a row: \(numbers).", about: [next.entry]
    )
    for (index, moment) in run.enumerated() { explanation.note(moment, "\(index + 1) of \(patterns.count)") }
    explanation.note(next, "between")
    if let kind = kindIfNotInOrder(finding) {
      explanation.kind = kind
      explanation.missing = [
        Explanation.Missing(title: "The \(CountText.ordinal(run.count + 1))", pattern: patterns[run.count])
      ]
    }
    return explanation
  }

  /// The kind of failure if the patterns don't even match in order.
  private func kindIfNotInOrder(_ finding: Finding) -> CheckFailure.Kind? {
    var inOrder = OrderCheck(patterns: patterns, origin: origin)
    for moment in TimelineMoment.all(of: finding.entries, since: origin) where moment.instant <= finding.scale.deadline
    {
      _ = inOrder.take(moment)
    }
    return inOrder.state == .open ? inOrder.explain(finding).kind : nil
  }
}
