import TrackingModel
import TrackingPlan

/// The events of one test run, by test.
struct ObservedRun: Sendable {
  let tests: [String: ObservedEvents]
  let events: [TextKey: ObservedEvents.Event]
  private let observations: [Observation]

  init(_ observations: [Observation]) {
    self.observations = observations
    tests = Dictionary(grouping: observations, by: \.test).mapValues(ObservedEvents.init)
    events = ObservedEvents(observations).events
  }

  /// The tests that had failed when they were observed.
  var failed: Set<String> { Set(observations.filter(\.hasFailed).map(\.test)) }

  /// The changes that some tests would notice; `nil` if none of them was run with mutants.
  func noticed(in tests: some Sequence<String>) -> NoticedChanges? {
    let tests = Set(tests)
    return NoticedChanges(observations.filter { tests.contains($0.test) })
  }

  /// One event of some tests, merged.
  func event(_ name: String, in tests: [String]) -> ObservedEvents.Event {
    tests.reduce(into: .init()) { merged, test in
      if let event = self.tests[test]?.events[name] { merged.add(event) }
    }
  }

  /// The lines of the app that tracked an event.
  func callSites(of name: String) -> Set<CallSite> { events[name]?.callSites ?? [] }

  /// Whether a test may have seen an event that isn't in its observations.
  func isUnknown(_ name: String, in test: String) -> Bool { tests[test]?.isUnknown(name) ?? false }

  /// The tests whose sessions left out entries, so that not even counts are known.
  var cut: Set<String> { Set(tests.filter { $0.value.omittedEntries > 0 }.keys) }

  func events(in tests: [String]) -> [TextKey: ObservedEvents.Event] {
    tests.reduce(into: [:]) { events, test in
      for (name, event) in self.tests[test]?.events ?? [:] { events[name, default: .init()].add(event) }
    }
  }
}

extension ObservedRun {
  /// The runs, in the order of their last observations; observations without a run form one run.
  static func runs(of observations: [Observation]) -> [ObservedRun] {
    let groups = Dictionary(grouping: observations) { $0.run ?? "" }
    func time(_ group: [Observation]) -> Int { group.map(\.time).max() ?? 0 }
    return groups.sorted { (time($0.value), $0.key) < (time($1.value), $1.key) }.map { ObservedRun($0.value) }
  }
}

/// The runs of the base; a value that differs between them is volatile.
struct BaseRuns: Sendable {
  let all: [ObservedRun]
  let last: ObservedRun

  init(_ runs: [ObservedRun]) {
    all = runs
    last = runs.last ?? ObservedRun([])
  }

  func hasNever(_ name: String) -> Bool { all.allSatisfy { $0.events[name] == nil } }

  /// One event of a test, in each run that knows it.
  func events(_ name: String, in test: String) -> [ObservedEvents.Event] {
    all.filter { !$0.isUnknown(name, in: test) }.compactMap { $0.tests[test] }.map { $0.events[name] ?? .init() }
  }

  func least(_ name: String, in test: String) -> Int { events(name, in: test).map(\.count).min() ?? 0 }

  /// The smallest and the largest count of an event in a test.
  func counts(_ name: String, in test: String) -> ClosedRange<Int> {
    let counts = events(name, in: test).map(\.count)
    return (counts.min() ?? 0)...(counts.max() ?? 0)
  }

  /// Whether an event's count in a test differs between runs.
  func isUnsteady(_ name: String, in tests: [String]) -> Bool {
    tests.contains { counts(name, in: $0).count > 1 }
  }
}
