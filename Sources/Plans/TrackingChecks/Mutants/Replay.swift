import TrackingModel
import TrackingQuestions
import TrackingServer
import TrackingVerifier

/// Asks the questions of a test again of its changed timeline, without waiting: the recorded times of arrival decide.
///
/// Each question sees the entries that had arrived when it was answered, because the test had gone on by then.
struct Replay {
  /// The questions that answer a changed timeline otherwise.
  struct Effect: Sendable, Equatable {
    /// The indices of the questions whose answer is another one.
    var noticed: [Int] = []
    /// The indices of the questions that couldn't be asked without a closure of the test.
    var untried: [Int] = []
  }

  private typealias Answer = ReplayedQuestion.Answer

  private let test: KeptTest
  private var questions: [ReplayedQuestion]
  private var base: [Answer] = []
  private let index: QuestionIndex
  private let hasDependents: Bool

  init(_ test: KeptTest) {
    self.test = test
    questions = test.questions.map { ReplayedQuestion($0, in: test) }
    index = QuestionIndex(questions)
    hasDependents = questions.contains { $0.dependsOnMatches || $0.isBounded }
    base = run { place, _, ledger in
      questions[place].askAgain(in: ledger)
    }
  }

  /// The first question that answers the unchanged timeline otherwise than it did, such as one with a closure that counts its calls.
  var unrepeatable: KeptQuestion? {
    test.questions.indices.first { place in
      let kept = test.questions[place]
      guard let isGood = kept.isGood, !questions[place].isFrozen else { return false }
      return isGood != base[place].isGood || zip(kept.matched, base[place].matched).contains { $0 != $1.number }
    }.map { test.questions[$0] }
  }

  /// The indices of the questions for which an entry is a match.
  func questions(matching entry: Int) -> [Int] {
    questions.indices.filter { questions[$0].looksFor(test.entries[entry].number) }
  }

  /// The indices of the questions whose answer contains an entry.
  func questions(returning entry: Int) -> [Int] {
    base.indices.filter { place in base[place].matched.contains { $0.number == test.entries[entry].number } }
  }

  /// Whether two entries arrived between the same questions, so that an app could have sent them in the other order.
  func areExchangeable(_ first: Int, _ second: Int) -> Bool {
    let (first, second) = (test.entries[first].number, test.entries[second].number)
    return !test.questions.contains { question in
      [question.origin.entry, question.end].contains { first < $0 && $0 <= second }
    }
  }

  /// The questions that answer the changed timeline otherwise.
  func effect(of change: TimelineChange) -> Effect {
    var untried: Set<Int> = []
    var concerned: [Int: [Int: PatternTable.Row]] = [:]
    for place in index.questions(about: change.subjects(in: test.entries)) {
      switch questions[place].rows(of: change) {
      case nil: untried.insert(place)
      case .some(let rows): concerned[place] = rows
      }
    }
    guard !concerned.isEmpty else { return Effect(untried: untried.sorted()) }
    var hasOtherMatches = false
    let answers = run { place, base, ledger in
      let isAsked =
        concerned[place] != nil || hasOtherMatches && questions[place].dependsOnMatches && !untried.contains(place)
      guard isAsked else { return base }
      let wasGood = base?.isGood ?? false
      let answer = questions[place].ask(
        of: change, concerned[place] ?? [:], in: ledger, wasGood: wasGood && !questions[place].dependsOnMatches)
      guard let answer else {
        untried.insert(place)
        return base
      }
      hasOtherMatches = hasOtherMatches || !answer.hasSameMatches(as: base ?? answer)
      return answer
    }
    let noticed = base.indices.filter { answers[$0].isGood != base[$0].isGood && !untried.contains($0) }
    return Effect(noticed: noticed, untried: untried.sorted())
  }

  /// Asks all questions in their order, with a ledger as the verifier's from each reset to the next.
  ///
  /// - Parameter ask: Asks a question, given its answer about the unchanged timeline.
  private func run(_ ask: (_ place: Int, _ base: Answer?, SharedLedger?) -> Answer?) -> [Answer] {
    var answers: [Answer] = []
    var places = questions.indices[...]
    while let first = places.first {
      let part = places.prefix { questions[$0].kept.resets == questions[first].kept.resets }
      places = places.dropFirst(part.count)
      // The questions that continue have read everything.
      let ledger = hasDependents ? SharedLedger(of: RecordedTimeline([])) : nil
      for place in part {
        let known = base.indices.contains(place) ? base[place] : nil
        let answer = ask(place, known, ledger) ?? known ?? Answer(isGood: true)
        answers.append(answer)
        guard let ledger else { continue }
        ledger.match(answer.matched, at: questions[place].kept.location)
        if let later = answer.later { ledger.edit { $0.keep(later) } }
      }
      guard let ledger = ledger?.value else { continue }
      // A count that holds may be exceeded later, also by an entry that another wait no longer matches.
      for place in part where !questions[place].kept.isSilent {
        if let later = answers[place].later, !ledger.extras(of: later).isEmpty { answers[place].isGood = false }
      }
    }
    return answers
  }
}

/// The questions by the names of the events that they are about, so that a change asks only those that it can concern.
private struct QuestionIndex {
  private var byName: [TextKey: [Int]] = [:]
  private var aboutAnyEvent: [Int] = []
  private var aboutRequests: [Int] = []

  init(_ questions: [ReplayedQuestion]) {
    for (place, question) in questions.enumerated() where question.includesEntries {
      if question.looksAtRequests { aboutRequests.append(place) }
      guard let names = question.eventNames else {
        aboutAnyEvent.append(place)
        continue
      }
      for name in Set(names.map { TextKey($0) }) { byName[name, default: []].append(place) }
    }
  }

  /// The indices of the questions, in their order.
  func questions(about subjects: (names: Set<TextKey>, requests: Bool)) -> [Int] {
    var places = Set(subjects.requests ? aboutRequests : [])
    if !subjects.names.isEmpty { places.formUnion(aboutAnyEvent) }
    for name in subjects.names { places.formUnion(byName[name] ?? []) }
    return places.sorted()
  }
}
