import TrackingJSON
import TrackingModel
import TrackingRules
import TrackingPlan
import TrackingChecks

/// The part of a plan that the tests covered.
struct Coverage: Sendable {
  enum State: String, Sendable {
    case neverArrived
    /// The observations have dropped events, of which it may be one.
    case unknown
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
    /// The gap: "never seen", "never absent", "never false", "not known"; `nil` if the param is covered.
    let open: String?
    let values: [Value]
  }

  struct Value: Sendable {
    let value: TrackingValue
    let isSeen: Bool
    /// Whether it may have been among the dropped values.
    let isUnknown: Bool
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
      Event($0, in: observed)
    }
    noticed = observed.noticed?.restricted(to: events.map { ($0.event, $0.params.map(\.param)) })
    unplanned = observed.events.filter { plan.event(named: $0.key.text) == nil }
      .map { name, event in
        Unplanned(
          name: name.text, count: event.count, tests: event.tests.sorted(),
          nearest: EditDistance.nearest(to: name.text, among: plan.events.map(\.name)), callSites: event.callSites)
      }
      .sorted { $0.name.precedes($1.name) }
  }

  // MARK: Shares

  var arrived: CoverageShare { CoverageShare(events.map { $0.count > 0 }).with(unknown: unknown.count) }
  var matched: CoverageShare { CoverageShare(events.map { $0.state == .matched }).with(unknown: unknown.count) }
  var params: CoverageShare {
    let all = events.flatMap(\.params).map(\.open)
    return CoverageShare(all.map { $0 == nil }).with(unknown: all.count { $0 == Param.notKnown })
  }
  var values: CoverageShare {
    let all = events.flatMap(\.params).flatMap(\.values)
    return CoverageShare(all.map(\.isSeen)).with(unknown: all.count(where: \.isUnknown))
  }

  /// The plan's required params that aren't pinned, in the order of the plan: `purchase.total`, `purchase.tax (never seen)`.
  ///
  /// The members of an optional object count once the object was seen.
  var unpinnedRequired: [String] {
    events.flatMap { event in
      var absent: [JSONPath] = []
      return event.params.compactMap { param -> String? in
        let (path, location) = (param.param.path, param.param.location)
        if absent.contains(where: location.holders.contains) { return nil }
        guard !param.param.isOptional else {
          if param.seen == 0 { absent.append(location) }
          return nil
        }
        let name = "\(event.event.name).\(path)"
        guard param.seen > 0 else { return "\(name) (\(param.open ?? Coverage.Param.neverSeen))" }
        switch noticed?.events[event.event.name]?.params[path]?.pin {
        case .check, .plan, .returned: return nil
        case .no, .discarded: return name
        case .untried, nil: return "\(name) (not tried)"
        }
      }
    }
  }

  /// Everything that can be covered, by names that later runs can compare: `event a`, `param a.b`, `value a.b="x"`, `pinned a.b`.
  var items: [CoverageItem] {
    (noticed?.items ?? [])
      + events.flatMap { event in
        let name = event.event.name
        let isKnown = event.state != .unknown
        var items = [
          CoverageItem(name: "event \(name)", isCovered: event.count > 0, isKnown: isKnown),
          CoverageItem(name: "matched \(name)", isCovered: event.state == .matched, isKnown: isKnown),
        ]
        for param in event.params {
          items.append(
            CoverageItem(
              name: "param \(name).\(param.param.path)", isCovered: param.open == nil,
              isKnown: param.open != Param.notKnown))
          items += param.values.map {
            CoverageItem(
              name: "value \(name).\(param.param.path)=\($0.value)", isCovered: $0.isSeen, isKnown: !$0.isUnknown)
          }
        }
        return items
      }
  }
}

extension Coverage.Event {
  fileprivate init(_ event: PlannedEvent, in observed: ObservedEvents) {
    self.event = event
    let seen = observed.events[event.name]
    count = seen?.count ?? 0
    tests = seen?.tests.count ?? 0
    callSites = seen?.callSites ?? []
    let isUnknown = observed.isUnknown(event.name)
    state = seen.map { $0.matched > 0 ? .matched : .arrived } ?? (isUnknown ? .unknown : .neverArrived)
    params = Self.all(event.params).map { Coverage.Param($0, seen: seen, mayBeDropped: isUnknown) }
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
  static let neverSeen = "never seen"
  static let notKnown = "not known"

  /// - Parameter mayBeDropped: Whether the event may have arrived although it wasn't seen.
  fileprivate init(_ param: PlannedParam, seen event: ObservedEvents.Event?, mayBeDropped: Bool) {
    self.param = param
    let observed = event?.params[param.location]
    seen = observed?.seen ?? 0
    let isList = if case .array = param.shape.plain { true } else { false }
    let path = isList ? param.location.appending(.each) : param.location
    let found = event?.params[path]
    let lacksValues = mayBeDropped || found?.hasMore ?? event?.isUnknown(path) ?? false
    values = zip(param.values, param.valuePlaces).map { value, place in
      let isSeen = found?.values.contains(value) == true || value == .null && observed?.kinds["null"] ?? 0 > 0
      return Coverage.Value(value: value, isSeen: isSeen, isUnknown: !isSeen && lacksValues, place: place)
    }
    guard seen > 0 else {
      open = mayBeDropped || event?.isUnknown(param.location) == true ? Self.notKnown : Self.neverSeen
      return
    }
    open = Self.open(param, observed ?? .init(), of: event?.parents(of: param.location) ?? 0)
  }

  private static func open(_ param: PlannedParam, _ seen: ObservedEvents.Param, of parents: Int) -> String? {
    if param.isOptional, seen.seen >= parents { return "never absent" }
    guard case .boolean = param.shape.plain, !seen.values.isSuperset(of: [true, false]) else { return nil }
    if seen.hasMore { return notKnown }
    return seen.values.contains(true) ? "never false" : "never true"
  }
}
