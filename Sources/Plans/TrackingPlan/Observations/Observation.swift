import Foundation
import TrackingJSON
import TrackingModel
import TrackingRules

/// A verifier's received events by name: their number, how many a wait matched, and the values of their params.
///
/// Doesn't depend on a plan, so coverage and the draft of a first plan use the same observations.
///
/// With `TRACKING_MUTATIONS=1` (`xcodebuild`: `TEST_RUNNER_TRACKING_MUTATIONS=1`) the line has a member `mutants`, with the changes of each event
/// and param that the test would notice:
///
/// ```json
/// {"tried": 61, "noticed": 40, "untried": 3, "events": {"purchase": {
///   "noticed": ["missing"],
///   "waits": [{"line": "CheckoutTests.swift:48", "words": "an event named \"purchase\"", "assertion": "by name"}],
///   "params": {"total": {"pinned": "no", "partly": "plan", "passing": "121 for 120", "suggestion": "params: [\"total\": 120]"}}}}}
/// ```
package struct Observation: Sendable, Equatable, TestExecution {
  /// Identifies the observation, so that merging it twice has no effect.
  package var id: String
  package var test: String
  /// The observation's test run; `nil` if unknown.
  package var run: String?
  /// The execution of the test; `nil` if unknown.
  package var attempt: TestAttempt?
  /// Whether the test had already failed, so that a later execution in the same run is a retry.
  package var hasFailed = false
  /// The plan that the events were checked against; `nil` if no check has run.
  package var plan: PlanIdentity?
  /// The time of the observation in milliseconds since 1970.
  package var time = 0
  package var events: [TextKey: Event] = [:]
  /// The number of events that were dropped because their names were too many or too long.
  package var droppedEvents = 0
  /// The number of params that were dropped because their paths were too many, too long or too deep.
  package var droppedPaths = 0
  /// The number of entries that its session has left out, so that not even the counts are known.
  package var omittedEntries = 0
  /// Whether it was read from a session of `tracking serve`.
  package var isServed = false
  /// The changes that the test would notice; `nil` if mutants weren't requested.
  package var mutants: MutationReport?

  package struct Event: Sendable, Equatable {
    package var count = 0
    package var matched = 0
    /// By path, written as in a plan (`items[].price`), with a backslash before a dot of a name.
    package var params: [JSONPath: Param] = [:]
    /// The first lines of the app that tracked the events.
    package var callSites: Set<CallSite> = []
    /// The number of dropped values of params that `params` lacks, so that a missing param isn't known to be absent.
    package var droppedParams = 0

    package init() {}
  }

  package struct Param: Sendable, Equatable {
    package var seen = 0
    /// The number of values of each kind: "string", "integer", "number", "boolean", "null", "array", "object".
    package var kinds: [String: Int] = [:]
    package var values: Set<TrackingValue> = []
    /// Whether there were more values.
    package var hasMore = false
    /// Whether some of them were dropped because they are long.
    package var hasLonger = false

    package init() {}
  }

  package init(id: String, test: String) {
    self.id = id
    self.test = test
  }

  /// The limits of an observation.
  package struct Limits: Sendable {
    package var events = 5_000
    package var paths = 500
    package var callSites = 10
    package var values = 20
    /// The maximum length of a kept text, in bytes.
    package var value = 64
    /// The maximum length of a kept name, in bytes.
    package var name = 512
    package var depth = 16

    package static let ofTests = Limits()
    /// For sessions, which hold the events.
    package static let none = Limits(
      events: .max, paths: .max, callSites: .max, values: .max, value: .max, name: .max, depth: .max)
  }

  /// The valid counts; with larger ones, sums of several observations could overflow.
  fileprivate static let counts = 0...Int(Int32.max)
}

// MARK: Writing

extension Observation {
  /// The observation as one line of JSON, including the line feed.
  package var line: [UInt8] {
    let dropped: TrackingValue = ["events": .int(droppedEvents), "paths": .int(droppedPaths)]
    let value = TrackingValue(present: [
      "id": id, "test": test, "run": run,
      "attempt": attempt.map { ["of": .string($0.test), "at": .int($0.began)] as TrackingValue },
      "failed": hasFailed ? true : nil,
      "plan": plan.map { ["name": .string($0.name), "digest": .string($0.digest)] as TrackingValue },
      "time": time > 0 ? time : nil, "dropped": droppedEvents + droppedPaths > 0 ? dropped : nil,
      "mutants": mutants?.value,
    ])
    let events = events.sorted { $0.key < $1.key }.map { JSONTree.Member($0.text, $1.tree) }
    return Array(JSONTree(of: value).adding([.init("events", JSONTree(.object(events)))]).text(.compact).utf8) + [0x0A]
  }
}

extension Observation.Event {
  fileprivate var tree: JSONTree {
    let value = TrackingValue(present: [
      "count": count, "matched": matched, "at": callSites.isEmpty ? nil : callSites.map { "\($0)" }.sorted(),
      "dropped": droppedParams > 0 ? droppedParams : nil,
    ])
    let params = params.map { JSONTree.Member($0.escaped, JSONTree(of: $1.value)) }.sorted { $0.key.precedes($1.key) }
    return JSONTree(of: value).adding([.init("params", JSONTree(.object(params)))])
  }
}

extension Observation.Param {
  fileprivate var value: TrackingValue {
    TrackingValue(present: [
      "seen": seen, "kinds": kinds,
      "values": values.isEmpty ? nil : TrackingValue.array(values.sorted { "\($0)" < "\($1)" }),
      "more": hasMore ? true : nil, "longer": hasLonger ? true : nil,
    ])
  }
}

// MARK: Reading

extension Observation {
  /// Reads one line; `nil` if it isn't an observation.
  package init?(line: some Collection<UInt8>) {
    guard let node = try? JSONTree(line), let id = node["id"]?.string, let test = node["test"]?.string,
      let members = node["events"]?.members
    else { return nil }
    self.init(id: id, test: test)
    run = node["run"]?.string
    if let of = node["attempt"]?["of"]?.string, let at = node["attempt"]?["at"]?.int {
      attempt = TestAttempt(of: of, began: at)
    }
    hasFailed = node["failed"]?.bool ?? false
    plan = PlanIdentity(name: node["plan"]?["name"]?.string, digest: node["plan"]?["digest"]?.string)
    time = node["time"]?.int ?? 0
    for member in members {
      guard let event = Event(member.value) else { return nil }
      events[member.key] = event
    }
    if let dropped = node["dropped"] {
      guard let events = dropped["events"]?.count, let paths = dropped["paths"]?.count else { return nil }
      (droppedEvents, droppedPaths) = (events, paths)
      // An earlier version wrote only the sum, so any of the events may lack params.
      if paths > 0, self.events.values.allSatisfy({ $0.droppedParams == 0 }) {
        for name in self.events.keys { self.events[name]?.droppedParams = paths }
      }
    }
    if let value = node["mutants"]?.value {
      guard let report = MutationReport(value) else { return nil }
      mutants = report
    }
  }
}

extension Observation.Event {
  fileprivate init?(_ node: JSONTree) {
    guard let count = node["count"]?.count, let matched = node["matched"]?.count else { return nil }
    (self.count, self.matched) = (count, matched)
    callSites = Set(node["at"]?.elements?.compactMap(\.string).compactMap(CallSite.init) ?? [])
    for param in node["params"]?.members ?? [] {
      guard let read = Observation.Param(param.value) else { return nil }
      params[JSONPath(escaped: param.key)] = read
    }
    if let dropped = node["dropped"] {
      guard let count = dropped.count else { return nil }
      droppedParams = count
    }
  }
}

extension Observation.Param {
  fileprivate init?(_ node: JSONTree) {
    guard let seen = node["seen"]?.count else { return nil }
    self.seen = seen
    for kind in node["kinds"]?.members ?? [] {
      guard let count = kind.value.count else { return nil }
      kinds[kind.key] = count
    }
    values = Set(node["values"]?.elements?.map(\.value) ?? [])
    hasMore = node["more"]?.bool ?? false
    // An earlier version didn't write it, but only long values make fewer values than the limit incomplete.
    hasLonger = node["longer"]?.bool ?? (hasMore && values.count < Observation.Limits.ofTests.values)
  }
}

extension JSONTree {
  fileprivate var count: Int? { int.flatMap { Observation.counts.contains($0) ? $0 : nil } }
}
