import TrackingModel
import TrackingServer
import TrackingVerifier

/// One change of a recorded timeline.
enum TimelineChange: Sendable {
  /// The entry at an index is another one; closures of the test run only with the nearest values.
  case replaced(Int, JournalEntry, isNearest: Bool)
  case dropped(Int)
  /// The entry arrives a second time, directly after the first.
  case doubled(Int)
  /// Two events arrive in each other's place.
  case exchanged(Int, Int)
}

/// Asks the questions of a test again of its changed timeline, without waiting: the recorded times of arrival decide.
///
/// Each question sees the entries that had arrived when it was answered, because the test had gone on by then. It knows which entries match
/// its patterns, so a change costs the comparison of one entry, and closures run once for each entry.
struct Replay {
  /// The questions that answer a changed timeline otherwise.
  struct Effect: Sendable, Equatable {
    /// The indices of the questions whose answer is another one.
    var noticed: [Int] = []
    /// The indices of the questions that couldn't be asked without a closure of the test.
    var untried: [Int] = []
  }

  /// The answer to a question.
  struct Answer: Equatable {
    var isGood: Bool
    /// The numbers of the matched entries.
    var matched: [Int] = []
    /// The number of entries that it has looked at.
    var looked = 0
    /// Whether it depends on a closure that mustn't run.
    var isUnknown = false
  }

  private let test: AskedTest
  private var questions: [ReplayedQuestion]
  private var base: [Answer] = []
  private var known: [AnswerKey: Answer] = [:]
  private let index: QuestionIndex

  init(_ test: AskedTest) {
    self.test = test
    questions = test.questions.map { ReplayedQuestion($0, in: test) }
    index = QuestionIndex(questions)
    for place in questions.indices {
      let matches = matches(before: place, Edits(), base)
      base.append(questions[place].answerAgain(place, after: matches))
    }
    for place in questions.indices where exceeds(place, Edits(), base) { base[place].isGood = false }
  }

  /// The first question that answers the unchanged timeline otherwise than it did; `nil` if all answers are the same.
  var disagreement: AskedQuestion? {
    questions.indices.first { place in
      let asked = questions[place].asked
      guard !questions[place].isFrozen, let isGood = asked.isGood else { return false }
      // A count may have looked at a match more than the times of arrival say, before it knew that it had settled.
      return isGood != base[place].isGood || zip(asked.matched, base[place].matched).contains { $0 != $1 }
    }.map { test.questions[$0] }
  }

  /// The indices of the questions for which an entry is a match.
  func questions(matching entry: Int) -> [Int] {
    questions.indices.filter { questions[$0].looksFor(test.entries[entry].number) }
  }

  /// The indices of the questions whose answer contains an entry.
  func questions(returning entry: Int) -> [Int] {
    base.indices.filter { base[$0].matched.contains(test.entries[entry].number) }
  }

  /// Whether two entries arrived between the same questions, so that an app could have sent them in the other order.
  func areExchangeable(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (test.entries[first].number, test.entries[second].number)
    return !questions.contains { question in
      [question.asked.origin.entry, question.asked.end].contains { first < $0 && $0 <= second }
    }
  }

  /// The questions that answer the changed timeline otherwise.
  mutating func effect(of change: TimelineChange) -> Effect {
    var effect = Effect()
    var answers = base
    var hasOtherMatches = false
    var asked: Set<Int> = []
    var edits = Edits(change, of: test.entries)
    let places = index.questions(about: edits.names, aboutRequests: edits.changesRequests)
    for place in places {
      let isConcerned = questions[place].isConcerned(by: &edits, at: place)
      if isConcerned == nil { effect.untried.append(place) }
      let dependsOnMatches = questions[place].form?.scope == .entriesAndMatches
      guard isConcerned == true || isConcerned != nil && dependsOnMatches && hasOtherMatches else { continue }
      asked.insert(place)
      answers[place] = knownAnswer(place, edits) ?? answer(place, edits, after: answers)
      if answers[place].isUnknown {
        effect.untried.append(place)
        answers[place] = base[place]
        asked.remove(place)
      }
      if answers[place].matched != base[place].matched { hasOtherMatches = true }
    }
    for place in asked.union(hasOtherMatches ? places : []).sorted() {
      // A count that holds may be exceeded later, also by an entry that another wait no longer matches.
      if exceeds(place, edits, answers) { answers[place].isGood = false }
      if answers[place].isGood != base[place].isGood { effect.noticed.append(place) }
    }
    return effect
  }

  /// The answer to a question that knows an entry by its matches alone, if it has been asked with the same matches before.
  private mutating func knownAnswer(_ place: Int, _ edits: Edits) -> Answer? {
    guard edits.isReplacement, let edit = edits.list.first, let number = edit.entries.first?.entry.number,
      let form = questions[place].form, form.scope == .entries, !form.patterns.isEmpty,
      let row = edits.rows[place]?[number]
    else { return nil }
    let key = AnswerKey(question: place, index: edit.index, row: row)
    if let answer = known[key] { return answer }
    let answer = answer(place, edits, after: base)
    known[key] = answer
    return answer
  }

  /// The answer to a question after the answers of earlier ones.
  private func answer(_ place: Int, _ edits: Edits, after answers: [Answer]) -> Answer {
    guard let matches = matches(before: place, edits, answers) else {
      return questions[place].answer(edits, place, after: nil, knowing: base[place].isGood)
    }
    return questions[place].answer(edits, place, after: matches)
  }

  /// The matches of earlier questions; `nil` for a question that doesn't depend on them.
  private func matches(before place: Int, _ edits: Edits, _ answers: [Answer]) -> ReplayedMatches? {
    let question = questions[place]
    guard question.form?.scope == .entriesAndMatches else { return nil }
    let earlier = (0..<place).filter { questions[$0].asked.resets == question.asked.resets }
    return ReplayedMatches(
      matched: Set(earlier.flatMap { answers[$0].matched }),
      allowed: Set(earlier.flatMap { questions[$0].later(edits, $0, answers[$0]).allowed }))
  }

  /// Whether more entries arrived than a count allows, and no other wait has matched them.
  private func exceeds(_ place: Int, _ edits: Edits, _ answers: [Answer]) -> Bool {
    let question = questions[place]
    guard question.bound?.most != nil, question.asked.question?.isSilent == false else { return false }
    let extras = question.later(edits, place, answers[place]).extras
    guard !extras.isEmpty else { return false }
    let matched = questions.indices.filter { questions[$0].asked.resets == question.asked.resets }
      .reduce(into: Set<Int>()) { $0.formUnion(answers[$1].matched) }
    return !matched.isSuperset(of: extras)
  }
}

/// A question and a changed entry, as far as its answer depends on them.
private struct AnswerKey: Hashable {
  let question: Int
  let index: Int
  let row: ReplayedQuestion.Row
}

/// The questions by the names of the events that they are about, so that a change asks only those that it can concern.
private struct QuestionIndex {
  private var byName: [TextKey: [Int]] = [:]
  private var aboutAnyEvent: [Int] = []
  private var aboutRequests: [Int] = []
  /// Those that depend on the matches of others.
  private var dependent: Set<Int> = []

  init(_ questions: [ReplayedQuestion]) {
    for (place, question) in questions.enumerated() where question.form?.scope.includesEntries ?? true {
      if question.form?.scope == .entriesAndMatches { dependent.insert(place) }
      if question.bound != nil { dependent.insert(place) }
      if question.looksAtRequests { aboutRequests.append(place) }
      guard let names = question.eventNames else {
        aboutAnyEvent.append(place)
        continue
      }
      for name in Set(names.map { TextKey($0) }) { byName[name, default: []].append(place) }
    }
  }

  /// The indices of the questions, and of those that depend on the matches of others, in their order.
  func questions(about names: [TextKey], aboutRequests includesRequests: Bool) -> [Int] {
    var places = dependent
    if includesRequests { places.formUnion(aboutRequests) }
    if !names.isEmpty { places.formUnion(aboutAnyEvent) }
    for name in names { places.formUnion(byName[name] ?? []) }
    return places.sorted()
  }
}

/// The matches of earlier questions of a replay.
struct ReplayedMatches: EarlierMatches {
  let matched: Set<Int>
  let allowed: Set<Int>

  var unusedStubs: @Sendable () -> [String] { { [] } }

  func isFree(_ entry: JournalEntry) -> Bool { !matched.contains(entry.number) }

  func claim(_ entry: JournalEntry, at location: CodeLocation) -> Bool { isFree(entry) }

  func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] {
    entries.filter { !matched.contains($0.number) && !allowed.contains($0.number) }
  }

  func matcher(of entry: JournalEntry) -> String? { nil }
}
