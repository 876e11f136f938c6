import TrackingModel
import TrackingPlan
import TrackingServer

/// Finds the changes of a test's timeline that its checks notice.
struct MutationAnalysis {
  /// The number of mutants above which they are sampled.
  static let mostMutants = 2_000
  /// The number of mutants below which a sample says too little about a test.
  private static let fewestMutants = 100
  /// The maximum number of steps of all mutants, each of one entry and one check: two seconds in a debug build.
  static let mostSteps = 6_000_000

  /// The findings about a subject so far.
  private struct Findings {
    var entries: [Int] = []
    var noticed: Set<MutationReport.Change> = []
    /// The number of noticed mutants by check; the weakest assertion notices the fewest.
    var strengths: [Int: Int] = [:]
    var params: [String: [MutatedValue]] = [:]
  }

  private let test: KeptTest
  private let most: Int
  private let replay: Replay
  private let isPlan: [Bool]
  /// The subjects of the entries; `nil` for a rejection.
  private let subjects: [MutatedSubject?]
  private var findings: [MutatedSubject: Findings] = [:]
  private var report = MutationReport()

  init(of test: KeptTest, most: Int = mostMutants) {
    self.test = test
    self.most = most
    replay = Replay(test)
    isPlan = test.checks.map(\.isPlan)
    subjects = test.entries.map(MutatedSubject.init)
    for (index, subject) in subjects.enumerated() {
      if let subject { findings[subject, default: Findings()].entries.append(index) }
    }
  }

  /// The report on a test: about all mutants, about as many as time allows, or without any if that is too few.
  static func report(on test: KeptTest, mostSteps: Int = mostSteps) -> MutationReport {
    let most = mostSteps / max(test.entries.count * test.checks.count, 1)
    guard most >= fewestMutants else {
      var report = MutationReport()
      report.leftOut = "It has too many entries and checks: \(test.entries.count) and \(test.checks.count)."
      return report
    }
    var analysis = MutationAnalysis(of: test, most: min(most, mostMutants))
    return analysis.run()
  }

  mutating func run() -> MutationReport {
    if let kept = replay.unrepeatable {
      report.leftOut =
        "Repeating the check at \(kept.call.location.shortText) on the same events gave a different result: \(kept.call.words)."
      return report
    }
    let sample = MutantSample(of: test, subjects: subjects, most: most, areExchangeable: replay.areExchangeable)
    report.sample = sample.choice
    for site in sample.sites { tryOut(site) }
    for (subject, findings) in findings { subject.add(finding(about: subject, findings), to: &report) }
    return report
  }

  private mutating func tryOut(_ site: [Mutant]) {
    var value: MutatedValue?
    for mutant in site {
      guard let pin = pin(of: mutant), case .value(let site, let change) = mutant.change else { continue }
      value = value ?? MutatedValue(site: site)
      value?.changes.append((change, pin))
    }
    if let value, let subject = subjects[site[0].entries[0]] {
      findings[subject]?.params[value.site.path.general, default: []].append(value)
    }
  }

  /// The reason that a mutant is noticed, perhaps by a condition of the stub, or isn't: `.check`, `.plan`, `.untried` or `.no`.
  ///
  /// `nil` if the mutant can't be made.
  private mutating func pin(of mutant: Mutant) -> MutationReport.Pin? {
    guard let edits = mutant.edits(in: test.entries) else { return nil }
    // A change that keeps the stub from matching changes the app's behavior, so the test has pinned the value.
    let index = mutant.entries[0]
    if case .value = mutant.change, edits[index]?.first?.request?.isMatchedByItsStub == false,
      test.entries[index].request?.isMatchedByItsStub == true
    {
      report.tried += 1
      report.noticed += 1
      return .check
    }
    let effect = replay.effect(of: edits)
    // The test may use an outcome in any way.
    let noticed = effect.noticed.filter { !test.checks[$0].call.isSilent }
    for subject in mutant.entries.compactMap({ subjects[$0] }) where !noticed.isEmpty {
      if case .whole(let change) = mutant.change { findings[subject]?.noticed.insert(change) }
      // Whether two events are exchangeable depends on the time at which a wait has ended.
      for place in noticed where mutant.entries.count == 1 { findings[subject]?.strengths[place, default: 0] += 1 }
    }
    let isUntried = noticed.isEmpty && !effect.untried.isEmpty
    if isUntried { report.untried += 1 } else { report.tried += 1 }
    if !noticed.isEmpty { report.noticed += 1 }
    return isUntried ? .untried : noticed.contains { !isPlan[$0] } ? .check : noticed.isEmpty ? .no : .plan
  }

  private func finding(about subject: MutatedSubject, _ findings: Findings) -> MutationReport.Subject {
    var finding = MutationReport.Subject()
    finding.noticed = findings.noticed
    finding.waits = waits(for: findings)
    if !finding.isChecked { finding.suggestion = "verifier.wait(for: \(subject.pattern))" }
    let uses = findings.entries.flatMap(replay.checks(returning:)).map { test.checks[$0].returned }
    let use = [.returned, .discarded].first(where: uses.contains) ?? .no
    finding.params = findings.params.mapValues { MutationReport.Param($0, returned: use, subject.suggestion) }
    return finding
  }

  /// The waits for a subject, weakest first.
  private func waits(for findings: Findings) -> [MutationReport.Wait] {
    func order(_ place: Int) -> (Int, Int) { (findings.strengths[place] ?? 0, place) }
    var known: Set<MutationReport.Wait> = []
    return test.checks.indices.sorted { order($0) < order($1) }.compactMap { place in
      let kept = test.checks[place]
      return findings.entries.lazy.filter { replay.check(place, looksFor: $0) }
        .compactMap { kept.assertion(about: test.entries[$0]) }.first
        .map { .init(line: kept.call.location.shortText, words: kept.call.words, assertion: $0) }
    }.filter { known.insert($0).inserted }
  }
}
