import TrackingServer

/// Follows patterns one after the other, whatever arrives between.
///
/// Each takes the first entry after the one before: if any entries answer the question, these do.
struct OrderEvaluation: Evaluation {
  private let patterns: [EntryPattern]
  private let kinds: EntryKinds
  private(set) var matched: [JournalEntry] = []

  init(_ patterns: [EntryPattern]) {
    self.patterns = patterns
    kinds = EntryKinds(patterns.map(\.kinds))
  }

  var state: QuestionState { matched.count == patterns.count ? .met : .open }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard matched.count < patterns.count, patterns[matched.count].matches(entry) else { return false }
    matched.append(entry)
    return true
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let count = patterns.count
    var notes: [Int: String] = [:]
    for (index, entry) in matched.enumerated() { notes[entry.number] = "\(index + 1) of \(count)" }
    guard matched.count < count else { return Explanation(kind: .wrongOrder, result: "", notes: notes) }
    let place = CountText.ordinal(matched.count + 1)
    let began =
      switch matched.count {
      case 0: ""
      case 1: "The 1st of \(count) arrived: #\(matched[0].number). "
      case let found: "The first \(found) of \(count) arrived: \(ResultText.numbers(matched.map(\.number))). "
      }
    let pattern = patterns[matched.count]
    if let last = matched.last,
      let early = entries.last(where: { $0.number < last.number && notes[$0.number] == nil && pattern.matches($0) })
    {
      notes[early.number] = "too early"
      return Explanation(
        kind: .wrongOrder, result: "\(began)The \(place) arrived only before: \(scale.place(of: early)).", notes: notes)
    }
    let nothing = entries.isEmpty ? ResultText.nothing(of: kinds) : "The \(place) never arrived."
    return Explanation(
      kind: .tooFew, result: "\(began)\(nothing)", notes: notes, missing: [("The \(place)", pattern)])
  }
}

/// Looks for entries that follow each other directly, each of its pattern.
///
/// Only entries of the kinds that the patterns ask for stand between others.
struct ConsecutiveEvaluation: Evaluation {
  private let patterns: [EntryPattern]
  /// The entries since the earliest run that is not broken off began.
  private var recent: [JournalEntry] = []
  /// How many entries each run has that ends with the last entry: the longest first.
  private var runs: [Int] = []
  private(set) var matched: [JournalEntry] = []
  /// The longest run that was broken off, and the entry that did it.
  private var longest: (run: [JournalEntry], next: JournalEntry)?

  init(_ patterns: [EntryPattern]) {
    self.patterns = patterns
  }

  var state: QuestionState { matched.count == patterns.count ? .met : .open }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard state == .open else { return false }
    let before = runs
    runs = before.compactMap { patterns[$0].matches(entry) ? $0 + 1 : nil }
    if let run = before.first, runs.first != run + 1, run > longest?.run.count ?? 0 {
      longest = (recent.suffix(run), entry)
    }
    if patterns[0].matches(entry) { runs.append(1) }
    recent.append(entry)
    recent.removeFirst(recent.count - (runs.first ?? 0))
    if runs.first == patterns.count { matched = recent }
    return !runs.isEmpty
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var gapped = OrderEvaluation(patterns)
    for entry in entries { _ = gapped.take(entry) }
    let isBrokenOff = longest.map { $0.run.count >= recent.count } ?? false
    let run = isBrokenOff ? longest?.run ?? [] : recent
    guard !run.isEmpty else { return gapped.explanation(of: entries, on: scale) }

    let place = CountText.ordinal(run.count + 1)
    var explanation = Explanation(kind: .unexpectedExtra, result: "")
    for (index, entry) in run.enumerated() { explanation.notes[entry.number] = "\(index + 1) of \(patterns.count)" }
    explanation.result =
      run.count == 1
      ? "No two arrived in a row. "
      : "At most the first \(run.count) arrived in a row: \(ResultText.numbers(run.map(\.number))). "
    if isBrokenOff, let next = longest?.next {
      explanation.result += "In place of the \(place), \(scale.place(of: next)), arrived."
      explanation.notes[next.number] = "between"
    } else {
      explanation.result += "The \(place) never arrived."
    }
    if gapped.state == .open {
      explanation.kind = gapped.explanation(of: entries, on: scale).kind
      explanation.missing = [("The \(place)", patterns[run.count])]
    }
    return explanation
  }
}
