import TrackingModel
import TrackingPlan
import TrackingRules

/// The changes of events and params that tests would notice, merged over the tests that were run with mutants.
struct NoticedChanges: Sendable {
  /// The findings about one event or request.
  struct Subject: Sendable {
    private(set) var tests: Set<String> = []
    /// The tests that notice when it is missing.
    private(set) var checkingTests: Set<String> = []
    /// The waits that check it, by test, weakest first.
    private(set) var waits: [String: [MutationReport.Wait]] = [:]
    /// Lines of Swift that would notice that it is missing, by test.
    private(set) var suggestions: [String: String] = [:]
    fileprivate(set) var params: [String: Param] = [:]
    fileprivate(set) var place: PlanPlace?

    private(set) var noticed: Set<MutationReport.Change> = []
    var isChecked: Bool { !checkingTests.isEmpty }
    var pinned: CoverageShare { .pinned(of: params.values) }
  }

  struct Param: Sendable {
    /// The findings of each test that sees the param.
    private(set) var tests: [String: MutationReport.Param] = [:]
    fileprivate(set) var isRequired = false
    fileprivate(set) var place: PlanPlace?

    var pin: MutationReport.Pin { tests.values.map(\.pinned).min { $0.rank < $1.rank } ?? .no }
    /// The strongest of the findings about other changes than the nearest, such as another type; `nil` if nothing notices them.
    var partly: MutationReport.Pin? { tests.values.compactMap(\.partly).min { $0.rank < $1.rank } }
    var planned: Set<MutationReport.ValueChange> { tests.values.reduce(into: []) { $0.formUnion($1.planned) } }
    var isPinned: Bool { pin == .check || pin == .plan }
  }

  fileprivate(set) var events: [String: Subject] = [:]
  /// The app's requests, by method and path.
  private(set) var requests: [String: Subject] = [:]
  /// The tests that were run with mutants.
  private(set) var tests: Set<String> = []
  /// The tests that were left out, with the reasons.
  private(set) var leftOut: [String: String] = [:]
  /// Whether all reports on mutants were left out.
  let areAllLeftOut: Bool
  /// The tests whose mutants were chosen at random.
  private(set) var samples: [String: MutationReport.Sample] = [:]

  /// `nil` if no test was run with mutants.
  init?(_ observations: [Observation]) {
    let reports = observations.compactMap { observation in
      observation.mutants.map { (test: observation.test, report: $0) }
    }
    areAllLeftOut = reports.allSatisfy { $0.report.leftOut != nil }
    // The arguments of a test end in any order.
    let ordered = reports.sorted { one, other in
      one.test == other.test ? "\(one.report.value)" < "\(other.report.value)" : one.test < other.test
    }
    for (test, report) in ordered {
      tests.insert(test)
      if let reason = report.leftOut { leftOut[test] = reason }
      if let sample = report.sample { samples[test] = sample }
      for (name, subject) in report.events { events[name, default: .init()].add(subject, of: test) }
      for (name, subject) in report.requests { requests[name, default: .init()].add(subject, of: test) }
    }
    if tests.isEmpty { return nil }
  }

  /// Restricts the changes to the events and params that a plan's coverage counts.
  func restricted(to planned: [(event: PlannedEvent, params: [PlannedParam])]) -> NoticedChanges {
    var copy = self
    copy.events = [:]
    for (event, planned) in planned {
      guard var subject = events[event.name] else { continue }
      subject.place = event.place
      let params = subject.params
      subject.params = [:]
      for param in planned {
        // An array of simple values is one param of a plan.
        let parts = [param.path, param.path + "[]"].compactMap { params[$0] }
        guard var merged = parts.first else { continue }
        parts.dropFirst().forEach { merged.add($0) }
        merged.isRequired = !param.isOptional
        merged.place = param.place
        subject.params[param.path] = merged
      }
      copy.events[event.name] = subject
    }
    return copy
  }
}

extension NoticedChanges {
  /// The events whose absence a test notices.
  var checked: CoverageShare { CoverageShare(events.values.map(\.isChecked)) }
  /// The events whose duplicates a test notices.
  var doubled: CoverageShare { CoverageShare(events.values.map { $0.noticed.contains(.doubled) }) }
  var checkedRequests: CoverageShare { CoverageShare(requests.values.map(\.isChecked)) }

  /// The params whose changes a test or the plan notices, of those that were tried and that `require` didn't return.
  var pinned: CoverageShare { .pinned(of: params) }

  /// The number of params whose strongest finding is of this kind.
  func count(_ pin: MutationReport.Pin) -> Int { params.count { $0.pin == pin } }

  var params: [Param] { events.values.flatMap(\.params.values) }

  /// The names of noticed changes, which later runs can compare.
  var items: [CoverageItem] {
    events.sorted { $0.key < $1.key }.flatMap { name, event in
      [CoverageItem(name: "checked \(name)", isCovered: event.isChecked)]
        + event.params.sorted { $0.key < $1.key }.map {
          CoverageItem(name: "pinned \(name).\($0)", isCovered: $1.isPinned || $1.pin == .returned)
        }
    }
  }
}

extension CoverageShare {
  fileprivate static func pinned(of params: some Sequence<NoticedChanges.Param>) -> CoverageShare {
    CoverageShare(params.filter { $0.isPinned || $0.pin == .discarded || $0.pin == .no }.map(\.isPinned))
  }
}

extension NoticedChanges.Subject {
  fileprivate mutating func add(_ subject: MutationReport.Subject, of test: String) {
    tests.insert(test)
    noticed.formUnion(subject.noticed)
    if subject.isChecked { checkingTests.insert(test) }
    if !subject.waits.isEmpty { waits[test] = (waits[test] ?? []) + subject.waits }
    suggestions[test] = suggestions[test] ?? subject.suggestion
    for (path, param) in subject.params { params[path, default: .init()].add(param, of: test) }
  }
}

extension NoticedChanges.Param {
  fileprivate mutating func add(_ param: MutationReport.Param, of test: String) {
    // A test with two verifiers pins what either of them pins.
    if let known = tests[test], known.pinned.rank <= param.pinned.rank { return }
    tests[test] = param
  }

  fileprivate mutating func add(_ other: NoticedChanges.Param) {
    for (test, param) in other.tests { add(param, of: test) }
  }
}

extension MutationReport.Pin {
  /// The order of strength: noticed, perhaps noticed elsewhere, not noticed.
  fileprivate var rank: Int {
    switch self {
    case .check: 0
    case .plan: 1
    case .returned: 2
    case .untried: 3
    case .discarded: 4
    case .no: 5
    }
  }
}
