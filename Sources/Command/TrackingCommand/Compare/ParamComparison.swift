import TrackingModel
import TrackingPlan

/// Compares the params of one event in the tests of both runs.
struct ParamComparison {
  private(set) var changes: [RunChange] = []
  private(set) var volatile: [VolatilePart] = []
  private let name: String
  private let newName: String
  private let base: BaseRuns
  private let head: ObservedRun
  /// The tests that see the event in both runs.
  private let tests: [String]

  init(_ name: String, _ newName: String, in tests: [String], of base: BaseRuns, _ head: ObservedRun) {
    self.name = name
    self.newName = newName
    self.base = base
    self.head = head
    self.tests = tests.filter {
      base.last.tests[$0]?.events[name] != nil && head.tests[$0]?.events[newName] != nil
    }
  }

  private struct Pair {
    let test: String
    /// In each run of the base that has the test.
    let before: [ObservedEvents.Param]
    let after: ObservedEvents.Param
    /// The number of events or objects that could have the param, in the same order.
    let parentsBefore: [Int]
    let parentsAfter: Int
    /// Whether the param may have been dropped in a run of the base, or in the head.
    let isUnknown: (before: Bool, after: Bool)

    var last: ObservedEvents.Param { before.last ?? .init() }
    var isLost: Bool { before.allSatisfy { $0.seen > 0 } && after.seen == 0 && !isUnknown.after }
    var isGained: Bool { before.allSatisfy { $0.seen == 0 } && after.seen > 0 && !isUnknown.before }
    var isInBoth: Bool { last.seen > 0 && after.seen > 0 }
  }

  private func pairs(_ path: String, _ newPath: String) -> [Pair] {
    tests.map { test in
      let events = base.events(name, in: test)
      let event = head.tests[test]?.events[newName] ?? .init()
      return Pair(
        test: test, before: events.map { $0.params[path] ?? .init() }, after: event.params[newPath] ?? .init(),
        parentsBefore: events.map { $0.parents(of: path) }, parentsAfter: event.parents(of: newPath),
        isUnknown: (events.contains { $0.isUnknown(path) }, event.isUnknown(newPath)))
    }
  }

  /// Whether a test has dropped params of the event, in the run of the base that is compared or in the head.
  var lacksParams: Bool {
    tests.contains { test in
      base.last.tests[test]?.events[name]?.lacksParams == true || head.tests[test]?.events[newName]?.lacksParams == true
    }
  }

  mutating func compare() {
    var paths: Set<String> = []
    for test in tests {
      for event in base.events(name, in: test) { paths.formUnion(event.params.keys) }
      if let event = head.tests[test]?.events[newName] { paths.formUnion(event.params.keys) }
    }
    var lost: [String: [Pair]] = [:]
    var gained: [String: [Pair]] = [:]
    var kept: [String: Int] = [:]
    for path in paths.sorted() {
      let pairs = pairs(path, path)
      let (gone, new) = (pairs.filter(\.isLost), pairs.filter(\.isGained))
      if !gone.isEmpty { lost[path] = gone }
      if !new.isEmpty { gained[path] = new }
      let both = pairs.filter(\.isInBoth)
      kept[path] = both.count
      compare(path, both)
    }
    // The members of a lost object aren't reported separately.
    let before = base.last.event(name, in: tests)
    let after = head.event(newName, in: tests)
    lost = lost.filter { path, _ in !before.holders(of: path).contains { lost[$0] != nil } }
    gained = gained.filter { path, _ in !after.holders(of: path).contains { gained[$0] != nil } }
    let renames = LikelyRenames.params(
      from: lost.mapValues { $0.map { ($0.test, $0.last) } }, to: gained.mapValues { $0.map { ($0.test, $0.after) } },
      of: before, after)
    for (path, newPath) in renames.sorted(by: { $0.key < $1.key }) {
      add(
        .renamed, path, newName: newPath,
        (lost[path] ?? []).map { change($0.test, .int($0.last.seen), .int($0.last.seen)) })
    }
    for (path, pairs) in lost.sorted(by: { $0.key < $1.key }) where renames[path] == nil {
      add(.lost, path, pairs.map { change($0.test, .int($0.last.seen), 0) }, others: kept[path] ?? 0)
    }
    for (path, pairs) in gained.sorted(by: { $0.key < $1.key }) where !renames.values.contains(path) {
      add(.gained, path, pairs.map { change($0.test, 0, .int($0.after.seen)) }, others: kept[path] ?? 0)
    }
  }

  /// Compares kinds, values and presence of a param in the tests that have it in both runs.
  private mutating func compare(_ path: String, _ pairs: [Pair]) {
    let kinds = pairs.filter { pair in
      let before = pair.before.filter { $0.seen > 0 }.map(\.comparedKinds)
      let known = before.reduce(Set<String>()) { $0.union($1) }
      let steady = before.reduce(known) { $0.intersection($1) }
      return !pair.after.comparedKinds.isSubset(of: known) || !steady.isSubset(of: pair.after.comparedKinds)
    }
    add(
      .kinds, path, kinds.map { change($0.test, $0.last.kindList, $0.after.kindList) },
      others: pairs.count - kinds.count)

    let presence = pairs.filter { pair in
      // The number of an array's elements isn't compared.
      guard !path.hasSuffix("[]") else { return false }
      let always = zip(pair.before, pair.parentsBefore).map { $0.seen >= $1 }
      return Set(always).count == 1 && always[0] != (pair.after.seen >= pair.parentsAfter)
    }
    add(
      .presence, path,
      presence.map {
        change(
          $0.test, .string("\($0.last.seen) of \($0.parentsBefore.last ?? 0)"),
          .string("\($0.after.seen) of \($0.parentsAfter)"))
      }, others: pairs.count - presence.count)

    let comparable = pairs.filter { pair in !kinds.contains { $0.test == pair.test } }
    if let reason = reason(path, comparable) {
      volatile.append(.init(name: "\(newName).\(path)", reason: reason))
      return
    }
    let values = comparable.compactMap { pair -> (pair: Pair, gone: Set<TrackingValue>, new: Set<TrackingValue>)? in
      let gone = pair.last.values.subtracting(pair.after.values)
      let new = pair.after.values.subtracting(pair.last.values)
      return gone.isEmpty && new.isEmpty ? nil : (pair, gone, new)
    }
    add(
      .values, path, values.map { change($0.pair.test, $0.pair.last.valueList, $0.pair.after.valueList) },
      others: comparable.count - values.count)
  }

  /// The reason that a param's values aren't compared; `nil` if they are.
  private func reason(_ path: String, _ pairs: [Pair]) -> String? {
    if pairs.contains(where: { pair in pair.before.contains(where: \.hasMore) || pair.after.hasMore }) {
      return "it has more values than are kept"
    }
    if pairs.contains(where: { pair in Set(pair.before.map(\.values)).count > 1 }) {
      return "it differs between runs of the base"
    }
    let values = pairs.reduce(into: Set<TrackingValue>()) { values, pair in
      values.formUnion(pair.last.values)
      values.formUnion(pair.after.values)
    }
    let kind = VolatileKind(of: values, named: path)
    // Two runs show whether an id is always the same, but both may have been made on the same day.
    return base.all.count > 1 && kind != .time ? nil : kind?.text
  }

  private func change(_ test: String, _ before: TrackingValue, _ after: TrackingValue) -> RunChange.TestChange {
    RunChange.TestChange(test: test, before: before, after: after)
  }

  private mutating func add(
    _ kind: RunChange.Kind, _ path: String, newName: String? = nil, _ tests: [RunChange.TestChange],
    others: Int = 0
  ) {
    guard !tests.isEmpty else { return }
    changes.append(
      RunChange(kind: kind, event: self.newName, path: path, newName: newName, tests: tests, others: others))
  }
}

extension ObservedEvents.Param {
  /// The kinds to compare: whole numbers and fractions are one kind, since 9.0 is written as 9.
  var comparedKinds: Set<String> { Set(kinds.keys.map { $0 == "integer" ? "number" : $0 }) }

  fileprivate var kindList: TrackingValue { .array(comparedKinds.sorted().map { .string($0) }) }

  fileprivate var valueList: TrackingValue { .array(values.sorted { "\($0)" < "\($1)" }) }
}
