import TestSupport
import TrackingPatterns
import TrackingRules

@testable import TrackingAudit
@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

/// Mutants of random timelines, compared with a second evaluation that is written from the documentation and tries every check on everything.
final class MutationOracleTests: XCTestCase {
  private static let mutantsOfACase = 40

  // MARK: The model

  /// An event of a timeline.
  private struct Item {
    let id: Int
    /// The place in the recorded timeline whose time it has.
    var slot: Int
    var event: TrackingEvent
    /// Whether closures may look at it.
    var isReadable = true
    /// The assumed result of closures that mustn't look at it.
    var assumed: Bool?
  }

  /// A pattern: a name, a condition on a param, and a closure, each of them optional.
  private struct Model {
    enum Condition: CaseIterable { case none, equal, greater, text, absent }

    let name: String?
    let condition: Condition
    let hasClosure: Bool

    /// Whether an event matches; `nil` if that depends on a closure that mustn't look at it.
    func matches(_ item: Item) -> Bool? {
      let number = item.event.params["n"]
      let holds =
        switch condition {
        case .none: true
        case .equal: number == 1
        case .greater: if case .int(let number)? = number { number > 1 } else { false }
        case .text: if case .string? = item.event.params["s"] { true } else { false }
        case .absent: item.event.params["s"] == nil
        }
      guard holds, name == nil || item.event.name == name else { return false }
      guard hasClosure else { return true }
      return item.isReadable ? Self.closure(item.event) : item.assumed
    }

    static func closure(_ event: TrackingEvent) -> Bool {
      guard case .int(let number)? = event.params["n"] else { fatalError("a closure has seen \(event)") }
      return number != 2
    }

    var pattern: EntryPattern {
      let params: [TrackingParam: ValueMatcher] =
        switch condition {
        case .none: [:]
        case .equal: ["n": 1]
        case .greater: ["n": .greater(than: 1)]
        case .text: ["s": .anyString]
        case .absent: ["s": .absent]
        }
      let named: EventPattern = name.map { .named($0, params: params) } ?? .params(params)
      return EntryPattern(hasClosure ? named.and(.satisfying("not 2") { Self.closure($0) }) : named)
    }
  }

  private enum Kind {
    case one(Model)
    case next(Model)
    case count(ClosedRange<Int>, Model)
    case atLeast(Int, Model)
    case none(Model)
    case inOrder([Model])
    case consecutive([Model])
    case inAnyOrder([Model])
    case nothingElse(ignoring: [Model])
    case noDuplicates(ignoring: [Model])
    case rule

    var patterns: [Model] {
      switch self {
      case .one(let model), .next(let model), .count(_, let model), .atLeast(_, let model), .none(let model): [model]
      case .inOrder(let models), .consecutive(let models), .inAnyOrder(let models), .nothingElse(let models),
        .noDuplicates(let models):
        models
      case .rule: []
      }
    }

    /// Whether its result depends on what other checks have matched.
    var dependsOnMatches: Bool {
      switch self {
      case .next, .count, .nothingElse: true
      case .one, .atLeast, .none, .inOrder, .consecutive, .inAnyOrder, .noDuplicates, .rule: false
      }
    }

    var check: TrackingCheck<CheckOutcome> {
      switch self {
      case .one(let model): .one(model.pattern)
      case .next(let model): .nextOne(model.pattern)
      case .count(let count, let model):
        .count(count, of: model.pattern)
      case .atLeast(let count, let model): .count(.atLeast(count), of: model.pattern)
      case .none(let model): .none(of: model.pattern)
      case .inOrder(let models): .inOrder(models.map(\.pattern))
      case .consecutive(let models): .consecutive(models.map(\.pattern))
      case .inAnyOrder(let models): .inAnyOrder(models.map(\.pattern))
      case .nothingElse(let models): .nothingElse(ignoring: models.map(\.pattern))
      case .noDuplicates(let models): .noDuplicates(within: .infinity, ignoring: models.map(\.pattern))
      case .rule: .following(NoThirteen())
      }
    }
  }

  private struct NoThirteen: EventRule {
    let expectation = "no event to have the number 13"

    func findings(in event: TrackingEvent) -> [PlanFinding] {
      event.params["n"] == 0 ? [PlanFinding(kind: .limit, reason: "is zero")] : []
    }
  }

  private struct Call {
    let kind: Kind
    let since: Int
    /// The number of slots that were filled when it was decided.
    let end: Int
    var isSilent = false
    var isAtStop = false
  }

  /// The results of all checks, each with the ids that it has matched.
  private func results(_ checks: [Call], about items: [Item]) -> [(isGood: Bool, matched: [Int])] {
    var results: [(isGood: Bool, matched: [Int])] = []
    var allowed: Set<Int> = []
    var extras: [(check: Int, ids: [Int])] = []
    for (place, call) in checks.enumerated() {
      let seen = items.filter { call.since <= $0.slot && $0.slot < call.end }
      let matched = Set(results.flatMap(\.matched))
      var (isGood, found) = result(call.kind, about: seen, matched: matched, allowed: allowed)
      if call.isAtStop || call.isSilent && !isGood { found = [] }
      results.append((isGood, found))
      let bound: (most: Int, model: Model)? =
        switch call.kind {
        case .count(let count, let model): (count.upperBound, model)
        case .atLeast(_, let model): (.max, model)
        default: nil
        }
      if let bound, isGood {
        let later = items.filter { $0.slot >= call.end && bound.model.matches($0) == true }.map(\.id)
        let room = bound.most - min(found.count, bound.most)
        allowed.formUnion(later.prefix(room))
        if !call.isSilent { extras.append((place, Array(later.dropFirst(room)))) }
      }
    }
    let matched = Set(results.flatMap(\.matched))
    for (place, ids) in extras where !ids.allSatisfy(matched.contains) { results[place].isGood = false }
    return results
  }

  private func result(
    _ kind: Kind, about items: [Item], matched: Set<Int>, allowed: Set<Int>
  ) -> (isGood: Bool, matched: [Int]) {
    func matches(_ model: Model) -> [Item] { items.filter { model.matches($0) == true } }
    func rest(_ ignored: [Model]) -> [Item] { items.filter { item in !ignored.contains { $0.matches(item) == true } } }
    switch kind {
    case .one(let model):
      return (!matches(model).isEmpty, matches(model).prefix(1).map(\.id))
    case .next(let model):
      let free = matches(model).filter { !matched.contains($0.id) }
      return (!free.isEmpty, free.prefix(1).map(\.id))
    case .count(let count, let model): return (count.contains(matches(model).count), matches(model).map(\.id))
    case .atLeast(let count, let model): return (matches(model).count >= count, matches(model).map(\.id))
    case .none(let model): return (matches(model).isEmpty, matches(model).prefix(1).map(\.id))
    case .inOrder(let models):
      var found: [Int] = []
      for item in items where found.count < models.count && models[found.count].matches(item) == true {
        found.append(item.id)
      }
      return (found.count == models.count, found)
    case .consecutive(let models):
      for start in items.indices where start + models.count <= items.count {
        let run = items[start..<start + models.count]
        if zip(models, run).allSatisfy({ $0.matches($1) == true }) { return (true, run.map(\.id)) }
      }
      return (false, [])
    case .inAnyOrder(let models):
      let found = models.compactMap { matches($0).first?.id }
      return (found.count == models.count, found)
    case .nothingElse(let ignored):
      let extras = rest(ignored).filter { !matched.contains($0.id) && !allowed.contains($0.id) }
      return (extras.isEmpty, extras.map(\.id))
    case .noDuplicates(let ignored):
      let items = rest(ignored)
      for (place, item) in items.enumerated() {
        if let earlier = items[..<place].last(where: { $0.event == item.event }) {
          return (false, [earlier.id, item.id])
        }
      }
      return (true, [])
    case .rule:
      let offenders = items.filter { $0.event.params["n"] == 0 }
      return (offenders.isEmpty, offenders.map(\.id))
    }
  }

  /// The items of a changed timeline.
  private func items(_ items: [Item], after mutant: Mutant) -> [Item] {
    var changed = items
    let index = mutant.entries[0]
    switch mutant.change {
    case .whole(.missing): changed.remove(at: index)
    case .whole(.doubled): changed.insert(Item(id: -1, slot: index, event: items[index].event), at: index + 1)
    case .whole(.exchanged):
      changed.swapAt(index, mutant.entries[1])
      for index in mutant.entries { changed[index].slot = index }
    case .whole(.renamed):
      changed[index].event.name += "x"
      changed[index].isReadable = false
    case .whole(.extended):
      changed[index].event.params["unexpected"] = 1
      changed[index].isReadable = false
    case .value(let site, let change):
      changed[index].event = items[index].event.changing(site, by: change)
      changed[index].isReadable = change.isSafe(for: site.value)
    }
    // A closure that has seen another event with this content knows it, and so does one that was shown it as what is nearest to another.
    for index in changed.indices
    where items.contains(where: { $0.event == changed[index].event }) || nearest.contains(changed[index].event) {
      changed[index].isReadable = true
    }
    return changed
  }

  // MARK: Random tests

  private var random = SeededGenerator(seed: 1)
  /// The events that are nearest to those of the timeline.
  private var nearest: Set<TrackingEvent> = []

  private func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

  private func model(isNamed: Bool = false) -> Model {
    Model(
      name: isNamed || pick([true, true, false]) ? pick(["a", "b", "c"]) : nil,
      condition: pick(Model.Condition.allCases),
      hasClosure: pick([true, false, false]))
  }

  private func models() -> [Model] { (0..<pick([1, 2, 2, 3])).map { _ in model() } }

  private func kind() -> Kind {
    switch pick(Array(0..<12)) {
    case 0, 1: return .one(model())
    case 2, 3: return .next(model())
    case 4:
      let least = pick([0, 1, 2])
      return .count(least...(least + pick([0, 0, 1])), model())
    case 5: return .atLeast(pick([1, 2]), model())
    case 6: return .none(model())
    case 7: return .inOrder(models())
    case 8: return .consecutive(models())
    // The documentation doesn't say which of several assignments is chosen, so no event fits two of the patterns.
    case 9:
      return .inAnyOrder(
        ["a", "b", "c"].prefix(pick([1, 2, 3])).map { name in
          let other = model()
          return Model(name: name, condition: other.condition, hasClosure: other.hasClosure)
        })
    case 10: return .nothingElse(ignoring: pick([true, false]) ? [model(isNamed: true)] : [])
    default:
      return pick([true, false]) ? .noDuplicates(ignoring: pick([true, false]) ? [model(isNamed: true)] : []) : .rule
    }
  }

  private func event() -> TrackingEvent {
    var event = TrackingEvent(name: pick(["a", "b", "c"]), params: ["n": .int(pick([1, 1, 2, 3]))])
    if pick([true, false]) { event.params["s"] = .string(pick(["x", "yes"])) }
    return event
  }

  func testEachMutantIsNoticedByTheChecksThatANaiveEvaluationNames() throws {
    var (tried, noticed, untried) = (0, 0, 0)
    for seed in RandomCases.seeds(400) {
      random = SeededGenerator(seed: UInt64(seed))
      let reporter = RecordingReporter()
      let verifier = TrackingVerifier(
        with: .idle(),
        configuration: changed(
          TrackingVerifier.Configuration(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter)
        ) { $0.mutations = .always })
      var (items, checks): ([Item], [Call]) = ([], [])
      var marks = [(slot: 0, mark: verifier.mark())]
      for _ in 0..<pick([2, 3, 4, 6]) {
        for _ in 0..<pick([0, 1, 2, 4]) {
          let event = event()
          items.append(Item(id: items.count, slot: items.count, event: event))
          verifier.journal.record(event)
        }
        if pick([true, false, false]) { marks.append((items.count, verifier.mark())) }
        let since = pick([marks[0], pick(marks)])
        let call = Call(kind: kind(), since: since.slot, end: items.count, isSilent: pick([true, false, false]))
        // A wait that fails would end the test.
        let isGood = results(checks + [call], about: items).last?.isGood ?? false
        guard call.isSilent || isGood else { continue }
        if case .next = call.kind, call.isSilent { continue }
        checks.append(call)
        let location = CodeLocation()
        let finished = verifier.run(
          call.kind.check, since: since.mark, nil, at: location, isSilent: call.isSilent)
        XCTAssertTrue(finished.outcome.passed || !isGood, "seed \(seed): \(call)")
      }
      let base = results(checks, about: items)
      // Extras of a count fail the test at its end.
      guard base.indices.allSatisfy({ base[$0].isGood || checks[$0].isSilent }) else { continue }
      guard var test = verifier.checks?.take(name: "\(seed)", since: .beginning) else { continue }
      for kind in [kind(), kind()] {
        let check = Call(kind: kind, since: 0, end: items.count, isAtStop: true)
        guard results(checks + [check], about: items).last?.isGood == true else { continue }
        if case .next = kind { continue }
        checks.append(check)
        let log = try XCTUnwrap(verifier.checks)
        log.add(atStop: CheckCall(kind.check, at: CodeLocation(), since: .beginning))
        test.checks += log.take(name: "", since: .beginning)?.checks ?? []
      }
      nearest = Set(test.entries.flatMap(\.nearest).compactMap { $0.event?.event })
      let replay = Replay(test)
      XCTAssertNil(replay.unrepeatable, "seed \(seed): \(checks)")
      for mutant
        in (Mutant.sites(of: test).flatMap(\.self) + Mutant.exchanges(of: test, areExchangeable: replay.areExchangeable))
        .shuffled(using: &random)
        .prefix(Self.mutantsOfACase)
      {
        guard let change = mutant.edits(in: test.entries) else { continue }
        let effect = replay.effect(of: change)
        let expected = expectation(checks, items, mutant, untried: effect.untried)
        for place in effect.untried {
          XCTAssertTrue(
            checks[place].kind.patterns.contains(where: \.hasClosure), "seed \(seed): \(checks[place])")
        }
        let known = Set(checks.indices).subtracting(expected.undecided)
        // The result that was found is the same, whatever a closure would have said about a value that it mustn't see.
        for noticed in expected.noticed {
          XCTAssertEqual(
            Set(effect.noticed).intersection(known), Set(noticed).intersection(known),
            "seed \(seed): noticed for \(mutant) of \(items.map(\.event)) by \(checks)")
        }
        tried += 1
        noticed += effect.noticed.isEmpty ? 0 : 1
        untried += effect.untried.isEmpty ? 0 : 1
        if testRun?.failureCount ?? 0 > 3 { return }
      }
    }
    // The random tests are of both kinds.
    XCTAssertGreaterThan(tried, RandomCases.count(5_000))
    XCTAssertGreaterThan(noticed, tried / 20)
    XCTAssertLessThan(noticed, tried * 9 / 10)
    XCTAssertGreaterThan(untried, tried / 50)
  }

  /// The checks with another result, for each assumption about closures, and those whose result depends on the untried checks.
  private func expectation(
    _ checks: [Call], _ items: [Item], _ mutant: Mutant, untried: [Int]
  ) -> (noticed: [[Int]], undecided: Set<Int>) {
    let before = results(checks, about: items)
    let noticed = [true, false].map { assumed in
      var changed = self.items(items, after: mutant)
      for index in changed.indices { changed[index].assumed = assumed }
      let after = results(checks, about: changed)
      return checks.indices.filter { before[$0].isGood != after[$0].isGood }
    }
    // The matches of a check that can't be tried are unknown.
    let undecided =
      untried.isEmpty ? [] : Set(untried + checks.indices.filter { checks[$0].kind.dependsOnMatches })
    return (noticed, undecided)
  }
}
