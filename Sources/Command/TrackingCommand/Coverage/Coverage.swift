import TrackingModel
import TrackingRules
import TrackingPlan
import TrackingChecks

/// The part of a plan that the tests covered.
struct Coverage: Sendable {
  enum State: String, Sendable {
    case neverArrived
    /// The event arrived, but no wait matched it.
    case arrived
    case matched
  }

  struct Event: Sendable {
    let event: PlannedEvent
    let state: State
    let count: Int
    let tests: Int
    let params: [Param]
    /// The lines of the app that tracked it.
    let callSites: Set<CallSite>
  }

  struct Param: Sendable {
    let param: PlannedParam
    let seen: Int
    /// The gap: "never seen", "never absent", "never false"; `nil` if the param is covered.
    let open: String?
    let values: [Value]
  }

  struct Value: Sendable {
    let value: TrackingValue
    let isSeen: Bool
    let place: PlanPlace
  }

  struct Unplanned: Sendable {
    let name: String
    let count: Int
    let tests: [String]
    let nearest: String?
    /// The lines of the app that tracked it.
    let callSites: Set<CallSite>
  }

  let planName: String
  let events: [Event]
  let unplanned: [Unplanned]
  let observed: ObservedEvents
  let callSiteNames: CallSiteNames
  let checks: PlanChecks
  /// The changes of planned events and params that tests would notice; `nil` if no test was run with mutants.
  let noticed: NoticedChanges?

  init(of plan: TrackingPlan, by observed: ObservedEvents) {
    planName = plan.name
    self.observed = observed
    callSiteNames = observed.callSiteNames
    checks = PlanChecks(of: plan.identity, in: observed)
    events = plan.events.filter { $0.countsInCoverage && $0.deprecated == nil }.map {
      Event($0, seen: observed.events[$0.name])
    }
    noticed = observed.noticed?.restricted(to: events.map { ($0.event, $0.params.map(\.param)) })
    unplanned = observed.events.filter { plan.event(named: $0.key) == nil }
      .map { name, event in
        Unplanned(
          name: name, count: event.count, tests: event.tests.sorted(),
          nearest: EditDistance.nearest(to: name, among: plan.events.map(\.name)), callSites: event.callSites)
      }
      .sorted { $0.name < $1.name }
  }

  // MARK: Shares

  var arrived: CoverageShare { CoverageShare(events.map { $0.state != .neverArrived }) }
  var matched: CoverageShare { CoverageShare(events.map { $0.state == .matched }) }
  var params: CoverageShare { CoverageShare(events.flatMap(\.params).map { $0.open == nil }) }
  var values: CoverageShare { CoverageShare(events.flatMap(\.params).flatMap(\.values).map(\.isSeen)) }

  /// The plan's required params that aren't pinned, in the order of the plan: `purchase.total`, `purchase.tax (never seen)`.
  ///
  /// The members of an optional object count once the object was seen.
  var unpinnedRequired: [String] {
    events.flatMap { event in
      var absent: [String] = []
      return event.params.compactMap { param -> String? in
        let path = param.param.path
        if absent.contains(where: { path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[]") }) { return nil }
        guard !param.param.isOptional else {
          if param.seen == 0 { absent.append(path) }
          return nil
        }
        let name = "\(event.event.name).\(path)"
        guard param.seen > 0 else { return "\(name) (never seen)" }
        switch noticed?.events[event.event.name]?.params[path]?.pin {
        case .check, .plan, .returned: return nil
        case .no, .discarded: return name
        case .untried, nil: return "\(name) (not tried)"
        }
      }
    }
  }

  /// Everything that can be covered, by names that later runs can compare: `event a`, `param a.b`, `value a.b="x"`, `pinned a.b`.
  var items: [(name: String, isCovered: Bool)] {
    (noticed?.items ?? [])
      + events.flatMap { event in
        let name = event.event.name
        var items = [
          (name: "event \(name)", isCovered: event.state != .neverArrived),
          (name: "matched \(name)", isCovered: event.state == .matched),
        ]
        for param in event.params {
          items.append(("param \(name).\(param.param.path)", param.open == nil))
          items += param.values.map { ("value \(name).\(param.param.path)=\($0.value)", $0.isSeen) }
        }
        return items
      }
  }
}

extension Coverage.Event {
  fileprivate init(_ event: PlannedEvent, seen: ObservedEvents.Event?) {
    self.event = event
    count = seen?.count ?? 0
    tests = seen?.tests.count ?? 0
    callSites = seen?.callSites ?? []
    state = seen.map { $0.matched > 0 ? .matched : $0.count > 0 ? .arrived : .neverArrived } ?? .neverArrived
    params = Self.all(event.params).map { Coverage.Param($0, seen: seen) }
  }

  /// The params, with the members of objects and of arrays of objects.
  private static func all(_ params: [PlannedParam]) -> [PlannedParam] {
    params.filter { $0.deprecated == nil }.flatMap { param in [param] + all(members(of: param.shape.plain)) }
  }

  private static func members(of shape: PlanShape) -> [PlannedParam] {
    switch shape {
    case .object(let params, _): params
    case .array(let element): members(of: element.plain)
    default: []
    }
  }
}

extension Coverage.Param {
  fileprivate init(_ param: PlannedParam, seen event: ObservedEvents.Event?) {
    self.param = param
    let observed = event?.params[param.path]
    seen = observed?.seen ?? 0
    let isList = if case .array = param.shape.plain { true } else { false }
    let found = (isList ? event?.params[param.path + "[]"] : observed)?.values ?? []
    values = zip(param.values, param.valuePlaces).map { value, place in
      Coverage.Value(
        value: value, isSeen: found.contains(value) || value == .null && observed?.kinds["null"] ?? 0 > 0, place: place)
    }
    open = Self.open(param, seen: seen, of: event?.parents(of: param.path) ?? 0, values: found)
  }

  private static func open(_ param: PlannedParam, seen: Int, of parents: Int, values: Set<TrackingValue>) -> String? {
    if seen == 0 { return "never seen" }
    if param.isOptional, seen >= parents { return "never absent" }
    guard case .boolean = param.shape.plain else { return nil }
    if !values.contains(true) { return "never true" }
    return values.contains(false) ? nil : "never false"
  }
}
