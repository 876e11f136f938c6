import TrackingModel
import TrackingServer
import TrackingVerifier

/// A question of a replay, with the matches of its patterns.
struct ReplayedQuestion {
  /// The result of comparing an entry with the patterns of a question.
  struct Row: Hashable {
    /// Whether the entry matches, by pattern; `nil` if that depends on a closure that mustn't run.
    var matches: [Bool?]
    /// The answer of the closure that isn't part of a pattern; `nil` if it wasn't asked.
    var passes: Bool? = true

    var isMatch: Bool { matches.contains(true) && passes == true }
  }

  let asked: AskedQuestion
  /// The question; `nil` for a check of another module.
  let form: (any QuestionForm)?
  /// Whether it can't be asked again without closures that mustn't run.
  private(set) var isFrozen = false
  private let kinds: EntryKinds
  private let patterns: [EntryPattern]
  private let runsClosures: Bool
  private let entries: [JournalEntry]
  /// The indices of the entries that it concerns: those that it looked at, then, for a count, those that arrived later.
  private let places: [Int]
  private let looked: Int
  /// By the entries' numbers.
  private var rows: [Int: Row] = [:]
  private let timeline: RecordedTimeline
  private let closures: PatternClosures

  init(_ asked: AskedQuestion, in test: AskedTest) {
    self.asked = asked
    form = asked.question?.verification.form
    runsClosures = test.runsClosures
    entries = test.entries
    timeline = RecordedTimeline([], lost: test.lost, redelivered: test.redelivered)
    var patterns: [EntryPattern] = []
    _ = form?.mapping { pattern in
      patterns.append(pattern)
      return pattern
    }
    self.patterns = patterns
    closures = PatternClosures(of: patterns, limit: asked.looked, areAllowed: test.runsClosures)
    let interest = form?.interest
    // An answer may have been sent after the mark to a request from before it.
    let first = asked.question?.verification.ordersAnswers ?? false ? 0 : asked.origin.entry
    let last = test.resets.indices.contains(asked.resets) ? test.resets[asked.resets] : .max
    let end = form?.bound == nil ? min(asked.end, last) : last
    let kinds = Self.kinds(of: asked)
    self.kinds = kinds
    places = test.entries.indices.filter { index in
      let entry = test.entries[index]
      return (first..<end).contains(entry.number) && kinds.contains(entry)
        && (entry.event.map { interest?.concerns(eventNamed: $0.event.name) ?? true } ?? true)
    }
    looked = places.count { test.entries[$0].number < asked.end }
    for place in places {
      let entry = asked.seen(test.entries[place])
      // A count asks its pattern about all entries, also after its answer.
      let row = row(of: entry) { _ in form?.bound != nil && runsClosures }
      if form?.bound != nil, row.matches.contains(nil) { isFrozen = true }
      rows[entry.number] = row
    }
  }

  /// Answers the question about the unchanged timeline, and runs closures with the entries that the test has shown them.
  mutating func answerAgain(_ place: Int, after matches: ReplayedMatches?) -> Replay.Answer {
    let answer = answer(Edits(), place, after: matches)
    for (number, matches) in closures.finish() {
      for (column, isMatch) in matches { rows[number]?.matches[column] = isMatch }
    }
    isFrozen = isFrozen || answer.isUnknown
    return isFrozen ? Replay.Answer(isGood: asked.isGood ?? true) : answer
  }

  /// The kinds of entries that it looks at.
  private static func kinds(of asked: AskedQuestion) -> EntryKinds {
    if case .steps(let check) = asked.subject { return check.looksAtRequests ? [.events, .requests] : .events }
    return asked.question?.verification.kinds ?? []
  }

  /// The names of the events that it looks at; `nil` for all.
  var eventNames: [String]? {
    guard let form else { return nil }
    return form.kinds.contains(.events) ? form.interest.eventNames : []
  }

  var looksAtRequests: Bool { kinds.contains(.requests) }

  /// The number of matches that later ones may exceed.
  var bound: EventCount? { isFrozen ? nil : form?.bound }

  /// Whether one of its patterns matches an entry, or it asks for all entries.
  func looksFor(_ number: Int) -> Bool {
    guard let form, !form.patterns.isEmpty else { return form == nil && rows[number] != nil }
    return rows[number].map { $0.isMatch } ?? false
  }

  /// The comparison of an entry.
  ///
  /// - Parameter mayRun: Whether the closures of the pattern at an index may run with this entry.
  private func row(of entry: JournalEntry, mayRun: (Int) -> Bool) -> Row {
    var row = Row(matches: [])
    for (column, pattern) in patterns.enumerated() {
      row.matches.append(pattern.matchesWithoutClosures(entry) ?? (mayRun(column) ? pattern.matches(entry) : nil))
    }
    guard asked.question?.hasCondition ?? false, row.matches.contains(true), let event = entry.event?.event else {
      return row
    }
    row.passes = asked.closureAnswers[event]
    return row
  }
}

// MARK: - Changed entries

extension ReplayedQuestion {
  /// Whether its answer may be another one; `nil` if that needs a closure that mustn't run.
  func isConcerned(by edits: inout Edits, at place: Int) -> Bool? {
    let touched = edits.list.filter { covers($0.index) }
    guard !touched.isEmpty else { return false }
    var isChanged = false
    for edit in touched {
      let old = rows[entries[edit.index].number] ?? Row(matches: patterns.map { _ in false })
      for edited in edit.entries {
        let row: Row
        switch edited.source {
        case .index(let index): row = rows[entries[index].number] ?? self.row(of: edited.entry) { _ in false }
        case .mutant(let isNearest):
          row = self.row(of: edited.entry) { isNearest && mayRun($0, withMutantsOf: entries[edit.index]) }
        }
        if form?.bound != nil || isFrozen, row.matches.contains(nil) || row.passes == nil { return nil }
        edits.rows[place, default: [:]][edited.entry.number] = row
        isChanged = isChanged || row != old
      }
    }
    if isFrozen { return isChanged || !edits.isReplacement ? nil : false }
    // Only patterns see more of an entry than that it is there.
    let seesContent = form.map { $0.patterns.isEmpty && $0.scope != .entriesAndMatches } ?? true
    return isChanged || seesContent || !edits.isReplacement
  }

  /// Whether the closures of a pattern have seen an entry, so that they may see its nearest mutants.
  private func mayRun(_ column: Int, withMutantsOf entry: JournalEntry) -> Bool {
    form?.bound == nil ? closures.haveSeen(entry.number, column) : runsClosures
  }

  /// Whether the entry at an index is in the part of the timeline that it looks at.
  private func covers(_ index: Int) -> Bool {
    guard kinds.contains(entries[index]) else { return false }
    let number = entries[index].number
    guard let last = places.last else { return number >= asked.origin.entry && number < asked.end }
    return number >= asked.origin.entry && (number < asked.end || bound != nil && index <= last)
      || rows[number] != nil
  }

  /// The changed entries, and those of the others that are wanted.
  ///
  /// - Parameter later: Whether entries that arrived after the answer are among them.
  private func changed(_ edits: Edits, later: Bool, _ isWanted: (JournalEntry) -> Bool) -> [JournalEntry] {
    var list: [JournalEntry] = []
    var pending = edits.list.filter { covers($0.index) && (later || entries[$0.index].number < asked.end) }[...]
    for place in later ? places[...] : places.prefix(looked) {
      while let edit = pending.first, edit.index < place {
        list += edit.entries.map(\.entry)
        pending.removeFirst()
      }
      if let edit = pending.first, edit.index == place {
        list += edit.entries.map(\.entry)
        pending.removeFirst()
      } else if isWanted(entries[place]) {
        list.append(entries[place])
      }
    }
    for edit in pending { list += edit.entries.map(\.entry) }
    return list
  }
}

// MARK: - Answers

extension ReplayedQuestion {
  /// Answers the question about the changed timeline.
  ///
  /// - Parameter isGood: Whether the unchanged timeline was as it should be, so that only the changed entries need a look.
  func answer(
    _ edits: Edits, _ place: Int, after matches: ReplayedMatches?, knowing isGood: Bool = false
  ) -> Replay.Answer {
    guard !isFrozen, form?.scope.includesEntries ?? true else { return Replay.Answer(isGood: asked.isGood ?? true) }
    let edited = edits.rows[place] ?? [:]
    let list = changed(edits, later: isOfExpectation) { entry in
      guard isGood else { return true }
      return switch form?.scope {
      case .eachEntry: false
      case .equalEntries: entry.event.map { edits.names.contains(TextKey($0.event.name)) } ?? true
      case .delivery, .redeliveries, .stubs, .entries, .entriesAndMatches, nil: true
      }
    }
    switch asked.subject {
    case .steps(let check): return Replay.Answer(isGood: check.holds(list.compactMap { TimelineStep($0) }))
    case .wait(let question, let began, let ended):
      let limits = Limits(
        began: began, end: min(ended, began + .clamping(seconds: question.timeout)),
        settling: .clamping(seconds: question.settling))
      var answer = answer(about: list, edited, after: matches, within: limits)
      // A silent question that fails matches nothing.
      if question.isSilent, !answer.isGood { answer.matched = [] }
      return answer
    case .stop:
      let answer = answer(about: list, edited, after: matches, within: nil)
      return Replay.Answer(isGood: answer.isGood, isUnknown: answer.isUnknown)
    case .expectation(_, let count):
      let matches = answer(about: list, edited, after: matches, within: nil).matched.count
      let isInverted = count.least == 0 && count.most != nil
      // It matches nothing for other waits; extras are counted from its first match on.
      return Replay.Answer(isGood: isInverted ? matches <= count.most ?? .max : matches >= count.least)
    }
  }

  /// The times of a wait.
  private struct Limits {
    let began: ContinuousClock.Instant
    let end: ContinuousClock.Instant
    let settling: Duration
  }

  private func answer(
    about list: [JournalEntry], _ edited: [Int: Row], after matches: ReplayedMatches?, within limits: Limits?
  ) -> Replay.Answer {
    guard let verification = asked.question?.verification else { return Replay.Answer(isGood: true) }
    var evaluation = evaluation(edited, after: matches)
    var quietSince = limits?.began
    var looked = 0
    let moments =
      verification.ordersAnswers ? TimelineMoment.all(of: list, since: asked.origin) : list.map { TimelineMoment($0) }
    for moment in moments {
      if let limits, let quietSince {
        guard moment.instant <= limits.end else { break }
        // The wait had settled before it arrived.
        if evaluation.state == .holding, moment.instant > quietSince + limits.settling { break }
      }
      looked += 1
      if let row = edited[moment.entry.number] ?? rows[moment.entry.number] {
        guard row.passes ?? closures.unknown() else { continue }
      }
      if evaluation.take(moment) { quietSince = quietSince.map { max($0, moment.instant) } }
      if evaluation.state.isFinal, !evaluation.countsOn { break }
    }
    var timeline = timeline
    timeline.entries = list
    evaluation.look(at: timeline)
    return Replay.Answer(
      isGood: evaluation.state.isGood, matched: evaluation.matched.map(\.number), looked: looked,
      isUnknown: closures.takeIsUnknown())
  }

  /// A new evaluation that knows which entries match.
  private func evaluation(_ edited: [Int: Row], after matches: ReplayedMatches?) -> any Evaluation {
    var column = 0
    let known = form?.mapping { [rows, closures, asked] pattern in
      let place = column
      column += 1
      return pattern.knowing { entry in
        guard let row = edited[entry.number] ?? rows[entry.number] else { return false }
        return row.matches[place] ?? closures.matches(place, asked.seen(entry))
      }
    }
    return (known ?? Verification.delivery.form).evaluation(in: QuestionSetting(origin: asked.origin, after: matches))
  }

  private var isOfExpectation: Bool { if case .expectation = asked.subject { true } else { false } }

  /// The numbers of the matches after the answer: those that the bound has room for, and the others.
  func later(_ edits: Edits, _ place: Int, _ answer: Replay.Answer) -> (allowed: [Int], extras: [Int]) {
    guard let bound, answer.isGood else { return ([], []) }
    let edited = edits.rows[place] ?? [:]
    let matches = changed(edits, later: true) { _ in true }.dropFirst(answer.looked).map(\.number)
      .filter { (edited[$0] ?? rows[$0]).map(\.isMatch) ?? false }
    let counted = isOfExpectation ? 0 : answer.matched.count
    let room = bound.most.map { max($0 - counted, 0) } ?? .max
    return (Array(matches.prefix(room)), Array(matches.dropFirst(room)))
  }
}
