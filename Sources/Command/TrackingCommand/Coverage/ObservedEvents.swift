import TrackingJSON
import TrackingModel
import TrackingPlan
import TrackingChecks
import TrackingRules

/// The merged observations of all tests, independent of their order.
struct ObservedEvents: Sendable {
  private(set) var events: [TextKey: Event] = [:]
  /// The plans that each test was checked against, including `nil` for events that weren't checked.
  private(set) var plans: [String: Set<PlanIdentity?>] = [:]
  /// The tests of sessions of `tracking serve`, whose plan is an option of it.
  private(set) var servedTests: Set<String> = []
  /// The number of events that tests dropped, or entries that sessions left out.
  private(set) var droppedEvents = 0
  private(set) var omittedEntries = 0
  let tornLines: Int
  /// The number of earlier runs that were left out.
  let olderRuns: Int
  /// The number of observations that were left out because their test was repeated.
  let repetitions: Int
  /// The changes that tests would notice; `nil` if no test was run with mutants.
  let noticed: NoticedChanges?

  struct Event: Sendable {
    var count = 0
    var matched = 0
    var tests: Set<String> = []
    var params: [JSONPath: Param] = [:]
    /// The known lines of the app that tracked it.
    var callSites: Set<CallSite> = []
    /// Whether a test has dropped params of it.
    var lacksParams = false
  }

  typealias Param = Observation.Param

  init(_ contents: ObservationFolder.Contents) {
    tornLines = contents.tornLines
    olderRuns = contents.olderRuns
    repetitions = contents.repetitions
    noticed = NoticedChanges(contents.observations)
    for observation in contents.observations { add(observation) }
  }

  init(_ observations: [Observation]) {
    (tornLines, olderRuns, repetitions) = (0, 0, 0)
    noticed = NoticedChanges(observations)
    for observation in observations { add(observation) }
  }

  var callSiteNames: CallSiteNames { CallSiteNames(of: events.values.lazy.flatMap(\.callSites)) }

  private mutating func add(_ observation: Observation) {
    plans[observation.test, default: []].insert(observation.plan)
    if observation.isServed { servedTests.insert(observation.test) }
    droppedEvents += observation.droppedEvents
    omittedEntries += observation.omittedEntries
    for (name, event) in observation.events {
      events[name, default: Event()].add(Event(event, of: observation.test))
    }
  }
}

// MARK: What was dropped

extension ObservedEvents {
  /// Whether an event may have arrived although it isn't in ``events``.
  func isUnknown(_ name: String) -> Bool { events[name] == nil && droppedEvents + omittedEntries > 0 }

  /// Notes on what the observations lack, in any report.
  var caveats: [String] {
    var lines: [String] = []
    func add(_ count: Int, _ noun: String, plural: String? = nil, _ text: String) {
      if count > 0 { lines.append("\(count.counted(noun, plural: plural)) \(text)") }
    }
    add(tornLines, "incomplete line", "skipped, from processes that were killed")
    add(olderRuns, "earlier test run", "left out; --all-runs counts all")
    add(repetitions, "observation", "left out, of tests that were repeated afterwards")
    let limits = Observation.Limits.ofTests
    add(droppedEvents, "event", "not known, because a test saw more than \(limits.events) names or very long ones")
    add(omittedEntries, "entry", plural: "entries", "not known, because sessions left them out")
    let lacking = events.filter(\.value.lacksParams).keys.sorted().map(\.text)
    if !lacking.isEmpty {
      lines.append(
        "not known: params of \(lacking.count.counted("event")), because a test saw more than \(limits.paths) or very long ones: "
          + lacking.listed(most: 10))
    }
    return lines
  }
}

extension ObservedEvents.Event {
  /// Whether a param may have arrived although it isn't in ``params``.
  func isUnknown(_ path: JSONPath) -> Bool { params[path] == nil && lacksParams }

  fileprivate init(_ event: Observation.Event, of test: String) {
    (count, matched, tests, params) = (event.count, event.matched, [test], event.params)
    callSites = event.callSites
    lacksParams = event.droppedParams > 0
  }

  mutating func add(_ other: ObservedEvents.Event) {
    count += other.count
    matched += other.matched
    tests.formUnion(other.tests)
    callSites.formUnion(other.callSites)
    lacksParams = lacksParams || other.lacksParams
    for (path, param) in other.params { params[path, default: .init()].add(param) }
  }

  /// The number of occurrences of a param's parent: the event, or another param that is an object.
  func parents(of path: JSONPath) -> Int {
    path.holder.map { params[$0]?.kinds["object"] ?? 0 } ?? count
  }

  /// The params of the event, or the members of an object at a path, ordered by name.
  func members(of path: JSONPath?) -> [(name: String, path: JSONPath)] {
    params.keys.filter { $0.holder == path }
      .compactMap { if case .member(let name)? = $0.steps.last { (name, $0) } else { nil } }
      .sorted { $0.name.precedes($1.name) }
  }
}

extension JSONPath {
  /// The paths of the objects and arrays that contain a param, innermost first.
  var holders: [JSONPath] { holder.map { [$0] + $0.holders } ?? [] }

  var isElement: Bool { steps.last == .each }
}

extension ObservedEvents.Param {
  fileprivate mutating func add(_ other: ObservedEvents.Param) {
    seen += other.seen
    kinds.merge(other.kinds, uniquingKeysWith: +)
    values.formUnion(other.values)
    hasMore = hasMore || other.hasMore
    hasLonger = hasLonger || other.hasLonger
  }
}
