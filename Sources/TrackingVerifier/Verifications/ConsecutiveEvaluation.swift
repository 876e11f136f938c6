import TrackingPatterns
import TrackingServer

/// Looks for events that follow each other directly, each of its pattern.
struct ConsecutiveEvaluation: Evaluation {
  private let patterns: [EventPattern]
  private let matchers: [PatternMatcher]
  /// The events since the earliest run that is not broken off began.
  private var recent: [RecordedEvent] = []
  /// How many events each run has that ends with the last event: the longest first.
  private var runs: [Int] = []
  private(set) var claimed: [RecordedEvent] = []
  /// The longest run so far that was broken off, and the event that did it.
  private var longest: (run: [RecordedEvent], next: RecordedEvent)?

  init(_ patterns: [EventPattern]) {
    self.patterns = patterns
    matchers = patterns.map(PatternMatcher.init)
  }

  var standing: Standing { claimed.count == matchers.count ? .met : .open }

  mutating func take(_ event: RecordedEvent) -> Bool {
    guard standing == .open else { return false }
    let before = runs
    runs = before.compactMap { matchers[$0].matches(event) ? $0 + 1 : nil }
    if let run = before.first, runs.first != run + 1, run > longest?.run.count ?? 0 {
      longest = (recent.suffix(run), event)
    }
    if matchers[0].matches(event) { runs.append(1) }
    recent.append(event)
    recent.removeFirst(recent.count - (runs.first ?? 0))
    if runs.first == matchers.count { claimed = recent }
    return !runs.isEmpty
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    var gapped = OrderEvaluation(patterns)
    for event in events { _ = gapped.take(event) }
    let isBrokenOff = longest.map { $0.run.count >= recent.count } ?? false
    let run = isBrokenOff ? longest?.run ?? [] : recent
    guard !run.isEmpty else { return gapped.explanation(of: events, on: scale) }

    let place = CountText.ordinal(run.count + 1)
    var explanation = Explanation(kind: .unexpectedExtra, result: "")
    for (index, event) in run.enumerated() { explanation.notes[event.number] = "\(index + 1) of \(matchers.count)" }
    explanation.result =
      run.count == 1
      ? "No two came in a row. "
      : "Most in a row were the first \(run.count): \(ResultText.numbers(run.map(\.number))). "
    if isBrokenOff, let next = longest?.next {
      explanation.result += "Where the \(place) should be came \(scale.place(of: next))."
      explanation.notes[next.number] = "between"
    } else {
      explanation.result += "The \(place) never came."
    }
    if gapped.standing == .open {
      explanation.kind = gapped.explanation(of: events, on: scale).kind
      explanation.missing = [("The \(place)", patterns[run.count])]
    }
    return explanation
  }
}
