import TrackingModel
import TrackingPlan
import TrackingChecks
import TrackingRules

/// The merged observations of all tests, independent of their order.
struct ObservedEvents: Sendable {
  private(set) var events: [String: Event] = [:]
  /// The plans that each test was checked against, including `nil` for events that weren't checked.
  private(set) var plans: [String: Set<PlanIdentity?>] = [:]
  private(set) var droppedEvents = 0
  private(set) var droppedPaths = 0
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
    var params: [String: Param] = [:]
    /// The known lines of the app that tracked it.
    var callSites: Set<CallSite> = []
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
    droppedEvents += observation.droppedEvents
    droppedPaths += observation.droppedPaths
    for (name, event) in observation.events {
      events[name, default: Event()].add(Event(event, of: observation.test))
    }
  }
}

extension ObservedEvents.Event {
  fileprivate init(_ event: Observation.Event, of test: String) {
    (count, matched, tests, params) = (event.count, event.matched, [test], event.params)
    callSites = event.callSites
  }

  mutating func add(_ other: ObservedEvents.Event) {
    count += other.count
    matched += other.matched
    tests.formUnion(other.tests)
    callSites.formUnion(other.callSites)
    for (path, param) in other.params { params[path, default: .init()].add(param) }
  }

  /// The number of occurrences of a param's parent: the event, or another param that is an object.
  func parents(of path: String) -> Int {
    parent(of: path).map { params[$0]?.kinds["object"] ?? 0 } ?? count
  }

  /// The path of the object that has a param; `nil` for the event itself.
  ///
  /// Names may contain dots, so the parent is the longest path at which objects were seen.
  private func parent(of path: String) -> String? {
    var end = path.endIndex
    while let dot = path[..<end].lastIndex(of: ".") {
      let parent = String(path[..<dot])
      if params[parent]?.kinds["object"] ?? 0 > 0 { return parent }
      end = dot
    }
    return nil
  }

  /// The paths of the objects and arrays that contain a param, innermost first.
  func holders(of path: String) -> [String] {
    let holder = isElement(path) ? String(path.dropLast(2)) : parent(of: path)
    return holder.map { [$0] + holders(of: $0) } ?? []
  }

  func isElement(_ path: String) -> Bool {
    path.hasSuffix("[]") && params[String(path.dropLast(2))]?.kinds["array"] ?? 0 > 0
  }

  /// The params of the event, or the members of an object at a path, ordered by name.
  func members(of path: String?) -> [(name: String, path: String)] {
    let start = path.map { $0.count + 1 } ?? 0
    return params.keys.filter { !isElement($0) && parent(of: $0) == path }
      .map { (String($0.dropFirst(start)), $0) }
      .sorted { $0.name < $1.name }
  }
}

extension ObservedEvents.Param {
  fileprivate mutating func add(_ other: ObservedEvents.Param) {
    seen += other.seen
    kinds.merge(other.kinds, uniquingKeysWith: +)
    values.formUnion(other.values)
    hasMore = hasMore || other.hasMore
  }
}
