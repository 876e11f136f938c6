import TestSupport

@testable import TrackingChecks
@testable import TrackingServer

/// Runs on random timelines, compared with a second evaluation that is written from the article on checks and looks at the whole past again at
/// each moment.
final class CheckRunOracleTests: XCTestCase {
  private enum Known {
    case nothing
    /// A delay holds back a response with this status.
    case delayed(Int)
    /// The next happening is its response, which isn't told on its own.
    case sent(Int)

    var delayed: Int? { if case .delayed(let status) = self { status } else { nil } }
  }

  /// Something that happens: an event or a request arrives, or the response to a request is sent.
  private struct Happening: CustomStringConvertible {
    var description: String {
      "\(time): \(status.map { "\($0) of " } ?? "")#\(number) \(isRequest ? "r" : "e")\(letter)"
    }

    /// Milliseconds after the wait began.
    let time: Int
    /// The number of the entry.
    let number: Int
    let isRequest: Bool
    let letter: Int
    /// The status that is sent now; `nil` for an arrival.
    let status: Int?
    /// The response as far as it is known when the request arrives.
    var known = Known.nothing

    /// An entry with its number.
    var entry: JournalEntry {
      .event(
        RecordedEvent(
          event: TrackingEvent(name: ""), number: number, arrival: .init(.now), connection: nil, launch: nil,
          sequence: nil, isAcknowledged: true))
    }
  }

  /// A pattern: an event or a request of some letters, or the response to one.
  private struct Model: CustomStringConvertible {
    enum Status {
      case none, any, of(Int)
      /// The first letter without a response, the others with one.
      case ofAllButFirst(Int)
    }

    var description: String { "\(pattern)" }
    let isRequest: Bool
    let letters: [Int]
    let status: Status

    func matches(_ happening: Happening) -> Bool {
      guard happening.isRequest == isRequest, letters.contains(happening.letter) else { return false }
      return switch status {
      case .none: happening.status == nil
      case .any: happening.status != nil
      case .of(let status): happening.status == status
      case .ofAllButFirst(let status): happening.status == (happening.letter == letters[0] ? nil : status)
      }
    }

    /// Whether a response may match.
    var readsResponses: Bool {
      switch status {
      case .none: false
      case .any, .of: true
      case .ofAllButFirst: letters.count > 1
      }
    }

    var pattern: EntryPattern {
      let single = letters.map { letter -> EntryPattern in
        guard isRequest else { return .named("e\(letter)") }
        let request = EntryPattern.request(.get, .template("/r\(letter)"))
        return switch status {
        case .none: request
        case .any: request.responded()
        case .of(let status): request.responded(status)
        case .ofAllButFirst(let status): letter == letters[0] ? request : request.responded(status)
        }
      }
      return single.dropFirst().reduce(single[0]) { $0.or($1) }
    }
  }

  private enum Kind {
    case one(Model), next(Model)
    case count(least: Int, most: Int?, Model)
    case none(Model), noneBefore(Model, Model)
    case inOrder([Model]), consecutive([Model]), inAnyOrder([Model])
    case nothingElse, noDuplicates(within: Int)

    var check: TrackingCheck<CheckOutcome> {
      switch self {
      case .one(let model): .one(model.pattern)
      case .next(let model): .nextOne(model.pattern)
      case .count(let least, let most?, let model): .count(least...most, of: model.pattern)
      case .count(let least, nil, let model): .count(least..., of: model.pattern)
      case .none(let model): .none(of: model.pattern)
      case .noneBefore(let model, let end): .none(of: model.pattern, before: end.pattern)
      case .inOrder(let models): .inOrder(models.map(\.pattern))
      case .consecutive(let models): .consecutive(models.map(\.pattern))
      case .inAnyOrder(let models): .inAnyOrder(models.map(\.pattern))
      case .nothingElse: .nothingElse(among: [.events, .requests])
      case .noDuplicates(let time): .noDuplicates(within: Double(time) / 1_000)
      }
    }

    /// Whether responses are moments of the check.
    var readsResponses: Bool {
      switch self {
      case .one(let model), .next(let model), .count(_, _, let model), .none(let model): model.readsResponses
      case .noneBefore(let model, let end): model.readsResponses || end.readsResponses
      case .inOrder(let models), .consecutive(let models), .inAnyOrder(let models):
        models.contains { $0.readsResponses }
      case .nothingElse, .noDuplicates: false
      }
    }
  }

  /// A wait, and everything that happens before, during and after it.
  private struct Story {
    var happenings: [Happening] = []
    var kind = Kind.nothingElse
    /// Happenings before the mark don't count.
    var mark = 0
    /// The mark of the journal.
    var place = JournalMark.beginning
    /// The numbers of the entries that other waits have matched.
    var taken: Set<Int> = []
    var timeout = 0
    /// Whether the timeout is an argument of the call, which ends even a wait for duplicates.
    var isTimeoutOfCall = false
    var settling = 0

    /// The happenings that the check is about, up to a time.
    func past(until time: Int) -> [Happening] { happenings.dropFirst(mark).filter { $0.time <= time } }
  }

  private enum Ending: Equatable {
    /// Passed; the numbers of the entries that exceeded its bound later.
    case yes(extras: [Int])
    case no
    /// Not passed before the deadline, and afterwards at a time.
    case tooLate(at: Int?)
  }

  // MARK: The article

  private enum State { case open, holding, met, broken }

  private func state(_ story: Story, after past: [Happening]) -> (State, lastMatch: Int?) {
    switch story.kind {
    case .one(let model):
      let found = past.filter(model.matches)
      return (found.isEmpty ? .open : .met, found.last?.time)
    case .next(let model):
      let found = past.filter(model.matches).filter { !story.taken.contains($0.number) }
      return (found.isEmpty ? .open : .met, found.last?.time)
    case .count(let least, let most, let model):
      let found = past.filter(model.matches)
      let state: State =
        found.count < least ? .open : most.map { found.count > $0 } ?? false ? .broken : most == nil ? .met : .holding
      return (state, found.last?.time)
    case .none(let model):
      let found = past.filter(model.matches)
      return (found.isEmpty ? .holding : .broken, nil)
    case .noneBefore(let model, let end):
      // An entry that matches both patterns isn't too early.
      let first = past.first { model.matches($0) || end.matches($0) }
      return (first.map { end.matches($0) ? .met : .broken } ?? .open, nil)
    case .inOrder(let models):
      return (isInOrder(models[...], past[...]) ? .met : .open, nil)
    case .inAnyOrder(let models):
      return (isInAnyOrder(models[...], past) ? .met : .open, nil)
    case .noDuplicates(let within):
      let events = past.filter { !$0.isRequest }
      let isBroken = events.indices.contains { index in
        events[..<index].contains { $0.letter == events[index].letter && events[index].time - $0.time <= within }
      }
      return (isBroken ? .broken : .holding, events.last?.time)
    case .consecutive(let models):
      return (isConsecutive(models, past) ? .met : .open, nil)
    case .nothingElse:
      let arrivals = past.filter { $0.status == nil }
      let extras = arrivals.filter { !story.taken.contains($0.number) }
      return (extras.isEmpty ? .holding : .broken, arrivals.last?.time)
    }
  }

  private func isInOrder(_ models: ArraySlice<Model>, _ past: ArraySlice<Happening>) -> Bool {
    guard let model = models.first else { return true }
    return past.indices.contains {
      model.matches(past[$0]) && isInOrder(models.dropFirst(), past[($0 + 1)...])
    }
  }

  /// Whether each pattern can be assigned a different entry.
  private func isInAnyOrder(_ models: ArraySlice<Model>, _ past: [Happening]) -> Bool {
    guard let model = models.first else { return true }
    return past.contains { happening in
      model.matches(happening) && isInAnyOrder(models.dropFirst(), past.filter { $0.number != happening.number })
    }
  }

  /// Whether some part of the past consists of a match for each pattern, in order, and of other moments of the same entries.
  private func isConsecutive(_ models: [Model], _ past: [Happening]) -> Bool {
    let moments = past.filter { happening in
      happening.status == nil
        ? models.contains { $0.isRequest == happening.isRequest } : models.contains { $0.matches(happening) }
    }
    return moments.indices.contains { isRun(models[...], moments[$0...], [], leftOut: []) }
  }

  /// Whether some of the next moments match the patterns in order, and those that are left out are of the same entries.
  private func isRun(
    _ models: ArraySlice<Model>, _ moments: ArraySlice<Happening>, _ found: [Happening], leftOut: [Happening]
  ) -> Bool {
    guard let model = models.first else {
      return leftOut.allSatisfy { moment in found.contains { $0.number == moment.number } }
    }
    guard let next = moments.first else { return false }
    let rest = moments.dropFirst()
    return model.matches(next) && isRun(models.dropFirst(), rest, found + [next], leftOut: leftOut)
      // A run begins with a match.
      || !found.isEmpty && isRun(models, rest, found, leftOut: leftOut + [next])
  }

  /// The time at which enough silence had passed for the last ending to be yes; `nil` if silence didn't decide it.
  private var heldUntil: Int?

  private func ending(_ story: Story) -> Ending {
    heldUntil = nil
    let (settling, timeout) =
      switch story.kind {
      case .none: (story.settling, story.settling)
      // An event that arrives at the usual deadline may have a duplicate, too.
      case .noDuplicates(let within): (within, story.timeout + (story.isTimeoutOfCall ? 0 : within))
      default: (story.settling, story.timeout)
      }
    for time in 0...timeout {
      let (state, last) = state(story, after: story.past(until: time))
      switch state {
      case .met: return .yes(extras: [])
      case .broken: return .no
      case .holding where time >= silenceBegan(story, last) + settling || time == timeout:
        heldUntil = time
        return .yes(extras: extras(story, time))
      case .holding: break
      case .open where time == timeout:
        var story = story
        // A match of a later wait passes a `next`, too.
        if case .next(let model) = story.kind {
          story.taken.formIntersection(story.past(until: time).filter(model.matches).map(\.number))
        }
        let all = story.past(until: .max)
        let passing = all.indices.first { index in
          all[index].time > timeout && [.met, .holding].contains(self.state(story, after: Array(all[...index])).0)
        }
        return .tooLate(at: passing.map { all[$0].time })
      case .open: break
      }
    }
    return .no
  }

  /// The start of the silence after which a bound is believed; for duplicates, silence from before the wait counts.
  private func silenceBegan(_ story: Story, _ last: Int?) -> Int {
    if case .noDuplicates = story.kind { last ?? 0 } else { max(last ?? 0, 0) }
  }

  /// The entries beyond the upper bound, of a count that held at a time.
  private func extras(_ story: Story, _ time: Int) -> [Int] {
    guard case .count(_, let most?, let model) = story.kind else { return [] }
    let all = story.past(until: .max).filter(model.matches).map(\.number)
    let counted = story.past(until: time).filter(model.matches).map(\.number)
    let later = all.filter { !counted.contains($0) }
    return later.dropFirst(max(most - counted.count, 0)).sorted()
  }

  // MARK: Random stories

  private var random = SeededGenerator(seed: 1)

  private func pick<Value>(_ values: Value...) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }

  private func model() -> Model {
    let isRequest = pick(true, false)
    return Model(
      isRequest: isRequest, letters: pick([0], [1], [0, 1]),
      status: isRequest ? pick(.none, .any, .of(200), .of(500), .ofAllButFirst(200)) : .none)
  }

  private func kind() -> Kind {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .one(model())
    case 1: .next(model())
    case 2, 3:
      .count(least: pick(0, 1, 2), most: pick(2, 2, 3, nil), model())
    case 4: .none(model())
    case 5, 6: .inOrder((0..<pick(2, 3)).map { _ in model() })
    case 7: .consecutive((0..<pick(2, 2, 3, 4)).map { _ in model() })
    case 8: .inAnyOrder((0..<pick(1, 2, 3, 4)).map { _ in model() })
    case 9: .noneBefore(model(), model())
    case 10: .noDuplicates(within: pick(0, 1, 2, 4))
    default: .nothingElse
    }
  }

  private func story() -> Story {
    var story = Story(kind: kind())
    (story.timeout, story.isTimeoutOfCall) = (pick(0, 3, 6, 10), pick(true, false))
    story.settling = pick(0, 2, 4)
    var time = -4
    var open: [Happening] = []
    var number = 0
    for _ in 0..<Int.random(in: 0...9, using: &random) {
      time += pick(0, 1, 1, 2, 3)
      if let request = open.randomElement(using: &random), pick(true, false) {
        open.removeAll { $0.number == request.number }
        story.happenings.append(response(to: request, at: time, status: request.known.delayed ?? pick(200, 500)))
      } else {
        number += 1
        let isRequest = pick(true, false)
        let known: Known = isRequest ? pick(.nothing, .nothing, .delayed(200), .delayed(500), .sent(200)) : .nothing
        let happening = Happening(
          time: time, number: number, isRequest: isRequest, letter: pick(0, 1), status: nil, known: known)
        story.happenings.append(happening)
        if case .sent(let status) = known {
          story.happenings.append(response(to: happening, at: time, status: status))
        } else if isRequest {
          open.append(happening)
        }
        if pick(true, false, false) { story.taken.insert(number) }
      }
      if time <= 0, pick(true, false, false, false) { story.mark = story.happenings.count }
    }
    return story
  }

  private func response(to request: Happening, at time: Int, status: Int) -> Happening {
    Happening(
      time: time, number: request.number, isRequest: true, letter: request.letter, status: status,
      known: request.known)
  }

  /// Lets everything of a range of times happen, and notes the place of the mark.
  private func tell(_ story: inout Story, in journal: HandMadeJournal, _ times: ClosedRange<Int>) {
    for (index, happening) in story.happenings.enumerated() where times.contains(happening.time) {
      if let status = happening.status {
        switch happening.known {
        case .nothing: journal.complete(happening.number, status: status, at: happening.time)
        case .delayed: journal.send(happening.number, at: happening.time)
        case .sent: break
        }
      } else if happening.isRequest {
        let path = "/r\(happening.letter)"
        switch happening.known {
        case .nothing: journal.openRequest(path, at: happening.time)
        case .delayed(let status): journal.openRequest(path, delaying: status, at: happening.time)
        case .sent(let status): journal.request(.get, path, status: status, at: happening.time)
        }
      } else {
        journal.add("e\(happening.letter)", at: happening.time)
      }
      if index + 1 == story.mark { story.place = journal.journal.mark() }
    }
  }

  // MARK: Drivers

  private func checkRun(
    _ story: Story, of check: TrackingCheck<CheckOutcome>, _ journal: HandMadeJournal
  ) -> CheckRun {
    let ledger = SharedLedger(of: journal.journal)
    // As other waits have matched them, whether they have arrived yet or not.
    ledger.match(story.happenings.filter { story.taken.contains($0.number) }.map(\.entry), at: CodeLocation())
    let call = CheckCall(
      check, at: CodeLocation(), since: story.place, timeout: Double(story.timeout) / 1_000,
      isTimeoutOfCall: story.isTimeoutOfCall, settling: Double(story.settling) / 1_000)
    return CheckRun(
      call, in: CheckContext(origin: story.place, ledger: ledger, location: CodeLocation()),
      from: journal.scale.began)
  }

  private func ending(_ run: CheckRun, _ timeline: any EntryTimeline, at end: ContinuousClock.Instant) -> Ending {
    switch run.state(at: end) {
    case .met:
      guard var later = run.countingOn else { return .yes(extras: []) }
      later.read(timeline)
      return .yes(extras: later.extras.map(\.number).sorted())
    case .broken: return .no
    case .open, .holding, .tooLate:
      var late = run.waitingOn
      late.read(timeline)
      let match = late.lateMatch.map { Int(($0.instant - run.scale.began) / .milliseconds(1)) }
      return .tooLate(at: late.passedLate ? match : nil)
    }
  }

  func testARunSaysWhatTheArticleSays() {
    var endings = (yes: 0, no: 0, late: 0, exceeded: 0)
    for seed in RandomCases.seeds(40_000) {
      random = SeededGenerator(seed: UInt64(seed))
      var story = story()
      let (expected, check) = (ending(story), story.kind.check)
      // As a list that is read at once.
      let journal = HandMadeJournal()
      tell(&story, in: journal, -10...60)
      var whole = checkRun(story, of: check, journal)
      whole.read(journal.journal)
      let end = ContinuousClock.Instant.now + .seconds(60)
      XCTAssertEqual(ending(whole, journal.journal, at: end), expected, "seed \(seed): \(story)")
      if let time = heldUntil {
        // Half a millisecond away, because the sums of seconds are rounded.
        let isOver = story.happenings.contains { ($0.status == nil || story.kind.readsResponses) && $0.time > time }
        for (moment, isMet) in [(Double(time) - 0.5, isOver), (Double(time) + 0.5, true)] {
          let state = whole.state(at: journal.scale.began + .milliseconds(moment))
          XCTAssertEqual(state.isMet, isMet, "at \(moment) ms, seed \(seed): \(story)")
        }
      }
      // Time by time, as a wait that is woken now and then.
      let live = HandMadeJournal()
      tell(&story, in: live, -10...0)
      var run = checkRun(story, of: check, live)
      for time in 0...story.timeout {
        if time > 0 { tell(&story, in: live, time...time) }
        if Bool.random(using: &random) { run.read(live.journal) }
      }
      tell(&story, in: live, (story.timeout + 1)...60)
      run.read(live.journal)
      XCTAssertEqual(ending(run, live.journal, at: end), expected, "step by step, seed \(seed): \(story)")
      switch expected {
      case .yes(let extras): (endings.yes, endings.exceeded) = (endings.yes + 1, endings.exceeded + extras.count)
      case .no: endings.no += 1
      case .tooLate: endings.late += 1
      }
      if testRun?.failureCount ?? 0 > 3 { return }
    }
    for count in [endings.yes, endings.no, endings.late, endings.exceeded] { XCTAssertGreaterThan(count, 15) }
  }
}

extension CheckRun.State {
  fileprivate var isMet: Bool { if case .met = self { true } else { false } }
}
