import TrackingModel
import TrackingPlan
import TrackingChecks

/// The difference between the events of two runs of the same tests: of the base, and of a change to the app.
///
/// Only tests of both runs are compared, so a deleted test isn't a lost event. Values that differ from run to run are left out.
struct RunComparison: Sendable {
  private(set) var changes: [RunChange] = []
  private(set) var volatile: [VolatilePart] = []
  /// The events that may have changed, because a test has dropped them or params of them, ordered by name.
  private(set) var unknown: [String] = []
  /// The tests of both runs that aren't compared, because their sessions left out entries.
  let cut: [String]
  /// The compared tests of both runs.
  let tests: [String]
  let tornLines: Int
  let callSiteNames: CallSiteNames

  /// The changes that tests of both runs notice, in each run, and those that all tests of the head notice.
  private let noticed: (base: NoticedChanges, head: NoticedChanges, all: NoticedChanges)?
  private let base: BaseRuns
  private let head: ObservedRun

  /// - Parameters:
  ///   - base: The base's runs; the last one is compared, and all of them show what differs from run to run.
  ///   - head: The run of the change.
  init(from base: [ObservedRun], to head: ObservedRun, tornLines: Int = 0) {
    let base = BaseRuns(base)
    let both = base.last.tests.keys.filter { head.tests[$0] != nil }.sorted()
    let allCut = base.all.reduce(head.cut) { $0.union($1.cut) }
    let tests = both.filter { !allCut.contains($0) }
    cut = both.filter(allCut.contains)
    (self.base, self.head, self.tests, self.tornLines) = (base, head, tests, tornLines)
    callSiteNames = CallSiteNames(of: [base.last, head].lazy.flatMap(\.events.values).flatMap(\.callSites))
    noticed = Self.noticed(in: tests, of: base.last, head)
    compareEvents()
    changes += unnoticedGains()
    changes.sort { ($0.kind.rank, $0.name) < ($1.kind.rank, $1.name) }
    volatile = Set(volatile.map { TextKey($0.name) }).sorted().compactMap { name in
      volatile.first { TextKey($0.name) == name }
    }
    unknown = Set(unknown.map(TextKey.init)).sorted().map(\.text)
  }

  /// - Parameters:
  ///   - base: Folders and sessions of the base; the last run of the last one is compared.
  ///   - head: The run of the change.
  init(from base: [ObservationFolder.Contents], to head: ObservationFolder.Contents) {
    let all = base + [head]
    let areSessions = all.allSatisfy(\.isLoneSession)
    let areTests = all.allSatisfy { $0.observations.count == 1 }
    let areNamedAlike = areTests && Set(all.flatMap(\.observations).map(\.test)).count == 1
    // Two sessions of one test each are compared whatever their titles, and so are the parts of other sessions outside named tests.
    func renamed(_ contents: ObservationFolder.Contents) -> [Observation] {
      contents.observations.map { observation in
        guard areSessions, !areNamedAlike, areTests || observation.isRestOfSession else { return observation }
        var observation = observation
        observation.test = "the session"
        return observation
      }
    }
    self.init(
      from: base.flatMap { ObservedRun.runs(of: renamed($0)) }, to: ObservedRun(renamed(head)),
      tornLines: (base.last?.tornLines ?? 0) + head.tornLines)
  }

  func changes(_ kinds: RunChange.Kind...) -> [RunChange] { changes.filter { kinds.contains($0.kind) } }
}

// MARK: Tests

extension RunComparison {
  var runs: Int { base.all.count }
  /// The compared tests that saw more names of events than were kept.
  var testsWithUnknownNames: [String] {
    tests.filter { test in [base.last, head].contains { $0.tests[test]?.droppedEvents ?? 0 > 0 } }
  }
  /// The tests of both runs that failed only in the head.
  var failed: [String] { head.failed.subtracting(base.last.failed).intersection(tests).sorted() }
  var testsOfBaseOnly: [String] { base.last.tests.keys.filter { head.tests[$0] == nil }.sorted() }
  var testsOfHeadOnly: [String] { head.tests.keys.filter { base.last.tests[$0] == nil }.sorted() }

  /// The events of the base that only tests of the base saw.
  var eventsWithoutTest: [String] {
    let compared = base.last.events(in: tests)
    return base.last.events(in: testsOfBaseOnly).keys
      .filter { compared[$0] == nil && head.events[$0] == nil }.sorted().map(\.text)
  }

  struct LeftOut: Sendable {
    let test: String
    /// `base` or `head`.
    let run: String
    let reason: String
  }

  /// The tests of both runs whose mutants a run has left out.
  var leftOut: [LeftOut] {
    tests.flatMap { test in
      [("base", base.last), ("head", head)].compactMap { name, run in
        guard let noticed = run.tests[test]?.noticed, noticed.areAllLeftOut else { return nil }
        return noticed.leftOut[test].map { LeftOut(test: test, run: name, reason: $0) }
      }
    }
  }
}

// MARK: Events

extension RunComparison {
  fileprivate struct Count {
    let test: String
    let before: Int
    let after: Int
  }

  /// Compares the events of both runs: the lost, renamed and gained ones, and those that stay.
  private mutating func compareEvents() {
    let before = base.last.events(in: tests).keys
    let after = head.events(in: tests).keys
    let gone = before.filter {
      head.events[$0] == nil && !isUnsteady($0.text) && isKnown($0.text, to: head, besides: base.last)
    }.sorted()
    let new = head.events.keys.filter { base.hasNever($0.text) && isKnown($0.text, to: base.last, besides: head) }
      .sorted()
    unknown += Set(before).union(after).map(\.text).filter { name in
      tests.contains { base.last.isUnknown(name, in: $0) || head.isUnknown(name, in: $0) }
    }
    let renames = LikelyRenames.events(from: gone, of: base.last, to: new, of: head, in: tests)
    changes += gone.filter { renames[$0] == nil }.map { lost($0.text) }
    for (name, newName) in renames.sorted(by: { $0.key < $1.key }) {
      changes.append(renamed(name.text, newName.text))
      compare(name.text, newName.text)
    }
    changes += new.filter { !renames.values.contains($0) }.map { gained($0.text) }
    // Includes events that the base saw only in other tests.
    let both = Set(before).union(after).filter { head.events[$0] != nil && !base.hasNever($0.text) }
    for name in both.sorted() { compare(name.text, name.text) }
  }

  /// Whether a run knows of an event in a test of another run that saw it.
  private func isKnown(_ name: String, to run: ObservedRun, besides other: ObservedRun) -> Bool {
    other.tests.contains { test, observed in observed.events[name] != nil && !run.isUnknown(name, in: test) }
  }

  /// The numbers of an event in the tests that know them in both runs.
  private func counts(
    _ name: String, _ newName: String, of number: KeyPath<ObservedEvents.Event, Int> = \.count
  ) -> [Count] {
    tests.filter { !base.last.isUnknown(name, in: $0) && !head.isUnknown(newName, in: $0) }.map { test in
      Count(
        test: test, before: base.last.tests[test]?.events[name]?[keyPath: number] ?? 0,
        after: head.tests[test]?.events[newName]?[keyPath: number] ?? 0)
    }
  }

  /// Whether an event arrived in only some of the base's runs.
  private func isUnsteady(_ name: String) -> Bool {
    tests.allSatisfy { test in base.least(name, in: test) == 0 }
  }

  private func lost(_ name: String) -> RunChange {
    RunChange(
      kind: .lost, event: name, tests: counts(name, name).filter { $0.before > 0 }.changes,
      callSites: base.last.callSites(of: name))
  }

  private func renamed(_ name: String, _ newName: String) -> RunChange {
    RunChange(
      kind: .renamed, event: name, newName: newName, tests: counts(name, newName).filter { $0.before > 0 }.changes,
      callSites: head.callSites(of: newName))
  }

  private func gained(_ name: String) -> RunChange {
    let tests = head.tests.filter { $0.value.events[name] != nil }.sorted { $0.key < $1.key }
    return RunChange(
      kind: .gained, event: name,
      tests: tests.map {
        RunChange.TestChange(test: $0.key, before: 0, after: .int($0.value.events[name]?.count ?? 0))
      },
      callSites: head.callSites(of: name))
  }

  private mutating func compare(_ name: String, _ newName: String) {
    var missing: [Count] = []
    var changed: [Count] = []
    let all = counts(name, newName)
    for count in all where !base.counts(name, in: count.test).contains(count.after) {
      if count.after == 0 { missing.append(count) } else { changed.append(count) }
    }
    let kept = all.count { $0.before > 0 && $0.after > 0 }
    if !missing.isEmpty {
      changes.append(
        RunChange(
          kind: .lost, event: newName, tests: missing.changes, others: kept,
          callSites: base.last.event(name, in: missing.map(\.test)).callSites))
    }
    if !changed.isEmpty {
      let totals = (before: all.reduce(0) { $0 + $1.before }, after: all.reduce(0) { $0 + $1.after })
      let tests = changed.map(\.test)
      changes.append(
        RunChange(
          kind: .counts, event: newName, tests: changed.changes, totals: totals,
          others: all.count { $0.before > 0 && $0.before == $0.after },
          callSites: totals.after < totals.before
            ? base.last.event(name, in: tests).callSites : head.event(newName, in: tests).callSites))
    }
    let matched = counts(name, newName, of: \.matched)
    if kept > 0, matched.contains(where: { $0.before > 0 }), matched.allSatisfy({ $0.after == 0 }) {
      changes.append(RunChange(kind: .unmatched, event: newName, tests: matched.filter { $0.before > 0 }.changes))
    }
    var params = ParamComparison(name, newName, in: tests, of: base, head)
    params.compare()
    if params.lacksParams { unknown.append(newName) }
    changes += comparePins(name, newName, params.changes) + params.changes
    volatile += params.volatile
    if base.isUnsteady(name, in: tests) {
      volatile.append(VolatilePart(name: newName, reason: "its count differs between runs of the base"))
    }
  }
}

// MARK: Pins

extension RunComparison {
  /// Whether both runs know what their tests would notice.
  var knowsPins: Bool { noticed != nil }

  /// The changes noticed by tests whose mutants no run has left out; `nil` if a run has none.
  private static func noticed(
    in tests: [String], of base: ObservedRun, _ head: ObservedRun
  ) -> (base: NoticedChanges, head: NoticedChanges, all: NoticedChanges)? {
    let mutated = tests.filter { test in
      [base, head].allSatisfy { $0.tests[test]?.noticed?.areAllLeftOut == false }
    }
    guard let before = base.noticed(in: mutated), let after = head.noticed(in: mutated),
      let all = head.noticed(in: head.tests.keys)
    else { return nil }
    return (before, after, all)
  }

  /// - Parameter params: The changes of the event's params.
  private func comparePins(_ name: String, _ newName: String, _ params: [RunChange]) -> [RunChange] {
    guard let noticed, let before = noticed.base.events[name], let after = noticed.head.events[newName] else {
      return []
    }
    var changes: [RunChange] = []
    if before.isChecked, !after.isChecked {
      changes.append(RunChange(kind: .unchecked, event: newName, tests: Self.lost(by: before.checkingTests)))
    }
    for (path, param) in before.params.sorted(by: { $0.key < $1.key }) {
      let newPath = params.first { $0.kind == .renamed && $0.path == path }?.newName ?? path
      guard param.isPinned, after.params[newPath]?.isUnnoticed == true else { continue }
      let tests = param.tests.filter { $1.pinned == .check || $1.pinned == .plan }.keys
      changes.append(RunChange(kind: .unpinned, event: newName, path: newPath, tests: Self.lost(by: tests)))
    }
    return changes
  }

  /// The gained events and params whose changes neither a test of the head nor the plan notices.
  private func unnoticedGains() -> [RunChange] {
    guard let noticed else { return [] }
    return changes(.gained).flatMap { gain -> [RunChange] in
      guard let event = noticed.all.events[gain.event] else { return [] }
      let known = noticed.base.events[gain.event]?.params ?? [:]
      func isGained(_ path: String) -> Bool {
        guard let gained = gain.path else { return true }
        return path == gained || path.hasPrefix(gained + ".") || path.hasPrefix(gained + "[]")
      }
      func change(_ path: String?, _ tests: some Sequence<String>) -> RunChange {
        RunChange(
          kind: .unnoticedGain, event: gain.event, path: path,
          tests: tests.sorted().map { RunChange.TestChange(test: $0, before: false, after: false) })
      }
      let params = event.params.filter { $1.isUnnoticed && known[$0] == nil && isGained($0) }
      return (gain.path == nil && !event.isChecked ? [change(nil, event.tests)] : [])
        + params.map { change($0, $1.tests.keys) }
    }
  }

  private static func lost(by tests: some Sequence<String>) -> [RunChange.TestChange] {
    tests.sorted().map { RunChange.TestChange(test: $0, before: true, after: false) }
  }
}

extension NoticedChanges.Param {
  fileprivate var isUnnoticed: Bool { pin == .no || pin == .discarded }
}

extension Sequence<RunComparison.Count> {
  fileprivate var changes: [RunChange.TestChange] {
    map { RunChange.TestChange(test: $0.test, before: .int($0.before), after: .int($0.after)) }
  }
}
