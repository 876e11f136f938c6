import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingQuestions
import TrackingServer
import TrackingVerifier

/// Finds out which changes of a test's timeline its questions notice.
struct MutationAnalysis {
  /// The number of mutants beyond which they are sampled.
  static let mostMutants = 2_000
  /// The number of mutants below which a sample says too little about a test.
  private static let fewestMutants = 100
  /// The most steps of all mutants, each of one entry before one question: two seconds in a debug build.
  private static let mostSteps = 6_000_000

  private let test: KeptTest
  private let most: Int
  private let replay: Replay
  private var report = MutationReport()
  /// The noticed mutants of each subject, by question: the weakest assertion notices the fewest.
  private var strengths: [Subject: [Int: Int]] = [:]
  private var params: [Subject: [String: ParamTally]] = [:]
  private var subjects: [Subject?]
  private let isPlan: [Bool]

  /// The events of a name, or the requests of a method and a path.
  private enum Subject: Hashable {
    case events(String)
    case requests(String)
  }

  init(of test: KeptTest, most: Int = mostMutants) {
    self.test = test
    self.most = most
    replay = Replay(test)
    isPlan = test.questions.map(\.isPlan)
    subjects = test.entries.map { entry in
      switch entry {
      case .event(let recorded): .events(recorded.event.name)
      case .request(let request): .requests(request.subject)
      case .rejection: nil
      }
    }
  }

  /// The report on a test: about all mutants, about as many as time allows, or without any if that is too few.
  static func report(on test: KeptTest) -> MutationReport {
    let most = mostSteps / max(test.entries.count * test.questions.count, 1)
    guard most >= fewestMutants else {
      var report = MutationReport()
      report.leftOut = "It has too many entries and questions: \(test.entries.count) and \(test.questions.count)."
      return report
    }
    var analysis = MutationAnalysis(of: test, most: min(most, mostMutants))
    return analysis.run()
  }

  /// Asks the questions about all mutants, or a sample of them.
  mutating func run() -> MutationReport {
    if let question = replay.unrepeatable {
      report.leftOut =
        "Asked again about the same events, the question of \(question.location.shortText) has another answer: \(question.words)."
      return report
    }
    for subject in subjects.compactMap(\.self) { edit(subject) { _ in } }
    for mutant in sample() { ask(about: mutant) }
    addWaits()
    addParams()
    for subject in Set(subjects.compactMap(\.self)) {
      edit(subject) { found in
        if !found.isAskedFor { found.suggestion = "verifier.wait(for: \(Self.pattern(subject)))" }
      }
    }
    return report
  }

  // MARK: Mutants

  private mutating func sample() -> [Mutant] {
    let all = Mutant.all(of: test)
    let exchanges = Mutant.exchanges(of: test) { replay.areExchangeable($0, $1) }
    guard all.count > most else { return all + exchanges }
    let seed = StableHash.of(test.name)
    report.sample = .init(of: all.count, seed: seed)
    var generator = SampleGenerator(seed: seed)
    // All changes of a value or none, because a value is pinned if all of its nearest changes are noticed.
    let sites = Dictionary(grouping: all, by: \.site).values
      .map { (order: order(of: $0[0]), mutants: $0) }
      // Events of different names may arrive in any order if several processes send them.
      .sorted { $0.order < $1.order }
      .shuffled(using: &generator)
    var sample: [Mutant] = []
    for site in sites where sample.count + site.mutants.count <= most { sample += site.mutants }
    return sample
      + exchanges.shuffled(using: &generator).prefix(most / 4)
  }

  /// The subject of a mutant's entry, the entry and the place of the change; without values, which differ from run to run.
  private func order(of mutant: Mutant) -> (String, Int, String) {
    let subject = subjects[mutant.entry].map { "\($0)" } ?? ""
    let path = if case .value(let path, _) = mutant.change { path.exact } else { "" }
    return (subject, mutant.entry, path)
  }

  private mutating func ask(about mutant: Mutant) {
    guard let change = mutant.timelineChange(in: test.entries) else { return }
    var effect = replay.effect(of: change)
    // The test may do anything with an outcome.
    effect.noticed.removeAll { test.questions[$0].isSilent }
    let isNoticed = !effect.noticed.isEmpty
    let isUntried = !isNoticed && !effect.untried.isEmpty
    if isUntried { report.untried += 1 } else { report.tried += 1 }
    if isNoticed { report.noticed += 1 }
    for subject in mutant.entries.compactMap({ subjects[$0] }) {
      // Whether two events are exchangeable depends on the moment at which a wait has ended.
      if mutant.entries.count == 1 {
        for place in effect.noticed { strengths[subject, default: [:]][place, default: 0] += 1 }
      }
      if case .value(let path, let change) = mutant.change {
        let isByQuestion = effect.noticed.contains { !isPlan[$0] }
        params[subject, default: [:]][path.general, default: ParamTally()].add(
          isByQuestion ? .question : isNoticed ? .plan : isUntried ? .untried : .none,
          of: change, at: mutant.entry, path)
      } else if isNoticed, let change = mutant.change.ofSubject {
        edit(subject) { $0.noticed.insert(change) }
      }
    }
  }

  /// The params of an event, or the body of a request, as one value.
  private static func value(of entry: JournalEntry) -> TrackingValue {
    switch entry {
    case .event(let recorded): .object(recorded.event.members)
    case .request(let request): request.json ?? .null
    case .rejection: .null
    }
  }

  // MARK: Findings

  private mutating func edit(_ subject: Subject, _ change: (inout MutationReport.Subject) -> Void) {
    switch subject {
    case .events(let name): change(&report.events[name, default: .init()])
    case .requests(let name): change(&report.requests[name, default: .init()])
    }
  }

  /// Adds the waits that ask for each subject, the weakest first.
  private mutating func addWaits() {
    var waits: [Subject: [Int: MutationReport.Wait]] = [:]
    for (index, subject) in subjects.enumerated() {
      guard let subject else { continue }
      for place in replay.questions(matching: index) where waits[subject]?[place] == nil {
        let question = test.questions[place]
        guard let assertion = question.assertion(about: test.entries[index]) else { continue }
        waits[subject, default: [:]][place] = .init(
          line: question.location.shortText, words: question.words, assertion: assertion)
      }
    }
    for (subject, found) in waits {
      let strengths = strengths[subject] ?? [:]
      let sorted = found.sorted { (strengths[$0.key] ?? 0, $0.key) < (strengths[$1.key] ?? 0, $1.key) }
      var known: Set<MutationReport.Wait> = []
      edit(subject) { $0.waits = sorted.map(\.value).filter { known.insert($0).inserted } }
    }
  }

  private mutating func addParams() {
    var returned: [Subject: KeptQuestion.Returned] = [:]
    for (index, subject) in subjects.enumerated() {
      guard let subject else { continue }
      for place in replay.questions(returning: index) {
        let use = test.questions[place].returned
        if use == .required || returned[subject] != .required, use != .nothing { returned[subject] = use }
      }
    }
    for (subject, tallies) in params {
      for (path, tally) in tallies {
        var (param, example) = tally.param(returned: returned[subject] ?? .nothing) { [test] place in
          Self.value(of: test.entries[place])
        }
        param.suggestion = example.flatMap { Self.suggestion(for: $0.value, at: $0.path, subject) }
        edit(subject) { [param] in $0.params[path] = param }
      }
    }
  }

  private static func pattern(_ subject: Subject) -> String {
    switch subject {
    case .events(let name): return ".named(\(SwiftText.literal(name)))"
    case .requests(let name):
      let parts = name.split(separator: " ", maxSplits: 1).map(String.init)
      return ".request(\(SwiftText.method(parts.first ?? "")), \(SwiftText.literal(parts.dropFirst().first ?? "/")))"
    }
  }

  private static func suggestion(for value: TrackingValue, at path: ValuePath, _ subject: Subject) -> String? {
    guard let literal = SwiftText.matcher(value) else { return nil }
    switch subject {
    case .events: return "params: [\(SwiftText.literal(path.exact)): \(literal)]"
    case .requests:
      guard path.steps.count == 1, case .member = path.steps[0] else { return nil }
      return "body: .jsonSubset([\(SwiftText.literal(path.exact)): \(literal)])"
    }
  }
}

extension Mutant.Change {
  /// The change as one of whole events; `nil` for one of a value.
  fileprivate var ofSubject: MutationReport.Change? {
    switch self {
    case .dropped: .missing
    case .doubled: .doubled
    case .renamed: .renamed
    case .exchanged: .exchanged
    case .extended: .extended
    case .value: nil
    }
  }
}

extension RecordedRequest {
  /// The method and the path, with the params of the stub that answered it: `GET /books/:id`.
  ///
  /// Without the rest of the stub's conditions, which may name the port of this run.
  fileprivate var subject: String {
    "\(method) \(stub?.pathTemplate ?? String(target.prefix { $0 != "?" }))"
  }
}
