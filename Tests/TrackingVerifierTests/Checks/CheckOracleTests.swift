@testable import TrackingCommand
import TestSupport

@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

/// Checks of random timelines: all drivers of a run agree, and several waits match the entries that a model predicts.
final class CheckOracleTests: XCTestCase {
  private static let cases = RandomCases.seeds(4_000)

  /// An entry of a timeline: an event or a request, identified by a letter.
  private struct Item: Hashable {
    let isRequest: Bool
    let letter: Int
    var status = 200
  }

  /// A pattern, as the documentation describes it: the letters that match, of one kind.
  private struct Model {
    let isRequest: Bool
    let letters: Set<Int>
    var status: Int?

    func matches(_ item: Item) -> Bool {
      item.isRequest == isRequest && letters.contains(item.letter) && (status == nil || status == item.status)
    }

    var pattern: EntryPattern {
      let single = letters.sorted().map { letter -> EntryPattern in
        guard isRequest else { return .named("e\(letter)") }
        let request = EntryPattern.request(.get, .template("/r\(letter)"))
        return status.map { request.responded($0) } ?? request
      }
      return single.dropFirst().reduce(single[0]) { $0.or($1) }
    }
  }

  private var random = SeededGenerator(seed: 1)
  private var items: [Item] = []
  private var verifier: TrackingVerifier!
  private var reporter = RecordingReporter()

  private func begin(seed: Int, checks: [TrackingCheck<CheckOutcome>] = []) {
    random = SeededGenerator(seed: UInt64(seed))
    items = []
    reporter = RecordingReporter()
    verifier = TrackingVerifier(
      with: .idle(),
      configuration: .init(
        timeout: 0, settling: 0, checksAtStop: checks, keepsJournal: .never, reporter: reporter))
  }

  /// Lets everything arrive that another journal has.
  private func arrive(items journal: TrackingJournal) {
    for entry in journal.entries(since: .beginning) {
      if let event = entry.event { verifier.journal.record(event.event) }
      guard let request = entry.request else { continue }
      let number = verifier.journal.record(RecordedRequest(request.request, connection: 1, exchange: 1))
      verifier.journal.complete(number, with: RecordedResponse(status: request.status))
    }
  }

  private func arrive(_ count: Int) {
    for _ in 0..<count {
      let item = Item(
        isRequest: Bool.random(using: &random), letter: Int.random(in: 0..<3, using: &random),
        status: Bool.random(using: &random) ? 200 : 500)
      items.append(item)
      guard item.isRequest else {
        verifier.journal.record(TrackingEvent(name: "e\(item.letter)"))
        continue
      }
      let number = verifier.journal.record(
        RecordedRequest(ReceivedRequest(method: "GET", path: "/r\(item.letter)"), connection: 1, exchange: 1))
      verifier.journal.complete(number, with: RecordedResponse(status: item.status))
    }
  }

  private func model() -> Model {
    let isRequest = Bool.random(using: &random)
    let letters = Set((0..<Int.random(in: 1...2, using: &random)).map { _ in Int.random(in: 0..<3, using: &random) })
    return Model(
      isRequest: isRequest, letters: letters, status: isRequest && Bool.random(using: &random) ? 500 : nil)
  }

  private func holds(_ check: TrackingCheck<CheckOutcome>) -> Bool { verifier.outcome(of: check).passed }

  /// Checks one timeline with a wait, an expectation, `stop()` and a list.
  func testEveryDriverOfARunSaysTheSame() throws {
    // One run decides for all of them, so a few cases show that each uses it.
    for seed in RandomCases.seeds(RandomCases.isFull ? 4_000 : 400) {
      begin(seed: seed)
      arrive(Int.random(in: 0...6, using: &random))
      let patterns = (0..<Int.random(in: 1...3, using: &random)).map { _ in model().pattern }
      let least = Int.random(in: 0...2, using: &random)
      let check: TrackingCheck<CheckOutcome> =
        switch Int.random(in: 0..<6, using: &random) {
        case 0: .count(least...(least + 1), of: patterns[0])
        case 1: .count(max(least, 1)..., of: patterns[0])
        case 2: .none(of: patterns[0])
        case 3: .inOrder(patterns)
        case 4: .consecutive(patterns)
        default: .inAnyOrder(patterns)
        }
      // A wait that fails, so that its text is reported.
      let outcome = verifier.wait(for: check)
      let text = outcome.failure?.message
      XCTAssertEqual(reporter.messages.first, text, "\(seed)")
      // A list.
      let call = CheckCall(check, at: CodeLocation(), since: .beginning)
      let end = ContinuousClock.now
      var run = CheckRun(call, in: CheckContext(), asOf: Timescale(began: end, deadline: end))
      run.read(RecordedTimeline(Array(verifier.journal.entries(since: .beginning))))
      XCTAssertEqual(run.checkState.isGood, outcome.passed, "\(seed)")
      XCTAssertEqual(run.matched.map(\.number), outcome.matched.map(\.number), "\(seed)")
      if let text {
        let context = FailureContext(in: verifier.journal, since: .beginning, origin: .beginning)
        let report = FailureReport(of: run, .decided, context)
        Self.assertSame(report.text, text, seed)
      }
      // A command.
      let served = try sessionOutcome(of: check, by: ServeSession(about: verifier.server))
      XCTAssertEqual(served.matched.map(\.number), outcome.matched.map(\.number), "\(seed)")
      XCTAssertEqual(served.failure?.kind, outcome.failure?.kind, "\(seed)")
      Self.assertSame(served.failure?.message, text, seed)
      // A stop.
      let recorded = verifier.journal
      begin(seed: seed, checks: [check])
      arrive(items: recorded)
      verifier.stop()
      Self.assertSame(reporter.messages.first, text, seed)
      // An expectation, which counts from the first match on and has no settling time.
      guard case let count as CountCheck = check.kind, count.count.least > 0 else { continue }
      let expectation = verifier.expectation(for: count.pattern, count: count.count)
      let isFulfilled =
        XCTWaiter().wait(for: [expectation], timeout: outcome.failure?.kind == .tooFew ? 0.001 : 5) == .completed
      XCTAssertEqual(isFulfilled, outcome.failure?.kind != .tooFew, "\(seed)")
    }
  }

  private func sessionOutcome(of check: TrackingCheck<CheckOutcome>, by session: ServeSession) throws -> CheckOutcome {
    let timeout: Double? = check.kind.listening == nil ? 0 : nil
    var open = try session.begin(check, timeout: timeout, scale: 1e-9, now: .now)
    while true {
      if case .finished(let finished) = open.look(at: .now) { return finished.outcome }
    }
  }

  private static func assertSame(_ text: String?, _ other: String?, _ seed: Int, line: UInt = #line) {
    // A first line is cut, or takes another form, where the words for its time leave no room, and the check follows it in full.
    let isCut =
      [text, other].contains { $0?.split(separator: "\n").first?.contains("…") ?? false }
      || text?.prefix(3) != other?.prefix(3)
    let bodies = [text, other].map { $0.map { body(isCut ? uncut($0) : $0) } }
    XCTAssertEqual(bodies[0], bodies[1], "\(seed)", line: line)
  }

  /// The text without the lines that are shortened, or there because another one is.
  private static func uncut(_ text: String) -> String {
    text.components(separatedBy: "\n").dropFirst().joined(separator: "\n").components(separatedBy: "\n\n")
      .filter { !$0.drop(while: \.isNewline).hasPrefix("Expected: ") }.joined(separator: "\n\n")
  }

  /// The text without the state of the server, and its times, which a stop measures from another moment.
  private static func body(_ text: String) -> String {
    text.timeless.replacing(/\s+/, with: " ").replacing(/^\s/, with: "")
      .replacing(/[0-9.N]+ ms apart/, with: "apart")
      .replacing(/\ (within 0 s|during the test)/, with: "")
      .replacing(/\ arrived after [0-9.]+ m?s/, with: " arrived")
      .replacing(/,? *(N ms|0 ms)? *(after|before) the (wait began|first arrival)/, with: "")
      .replacing(/time since the [a-z ]*:/, with: "time:")
      .replacing(/(^|\s)(The verifier was stopped|`launchEnvironment` wasn.t passed).*/, with: "")
  }

  // MARK: - Several waits, and the stop

  /// A count that a wait found to hold, or a wait that failed, as it continues.
  private struct Returned {
    let model: Model
    let most: Int?
    let counted: Int
    let next: Int
    var isLate = false
  }

  func testWhatWaitsMatchAndWhatStopReports() {
    for seed in Self.cases {
      begin(seed: seed)
      var matched: Set<Int> = []
      var returned: [Returned] = []
      var failures = 0
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        arrive(Int.random(in: 0...3, using: &random))
        let model = model()
        let matches = items.indices.filter { model.matches(items[$0]) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          verifier.wait(for: .inOrder([model.pattern]))
          if let first = matches.first {
            matched.insert(first)
          } else {
            failures += 1
            returned.append(Returned(model: model, most: 1, counted: 0, next: items.count, isLate: true))
          }
        case 1:
          let most = Int.random(in: 0...3, using: &random)
          verifier.wait(for: .count(.atMost(most), of: model.pattern))
          matched.formUnion(matches)
          if matches.count > most {
            failures += 1
          } else {
            returned.append(Returned(model: model, most: most, counted: matches.count, next: items.count))
          }
        case 2:
          let wanted = verifier.wait(for: .count(1..., of: model.pattern))
          matched.formUnion(matches)
          if matches.isEmpty {
            failures += 1
            returned.append(Returned(model: model, most: 1, counted: 0, next: items.count, isLate: true))
          } else {
            XCTAssertEqual(wanted.events.count + wanted.requests.count, matches.count, "\(seed)")
            returned.append(Returned(model: model, most: nil, counted: matches.count, next: items.count))
          }
        default:
          verifier.wait(for: TrackingCheck<CheckOutcome>.nextOne(model.pattern))
          if let free = matches.first(where: { !matched.contains($0) }) {
            matched.insert(free)
          } else {
            failures += 1
            returned.append(Returned(model: model, most: 1, counted: 0, next: items.count, isLate: true))
          }
        }
      }
      arrive(Int.random(in: 0...3, using: &random))
      XCTAssertEqual(reporter.failures.count, failures, "\(seed)")
      // Checking in between changes nothing.
      if Bool.random(using: &random) { _ = verifier.outcome(of: .nothingElse(among: [.events, .requests])) }
      compareWithTheEnd(matched, returned, failures, seed)
    }
  }

  private func compareWithTheEnd(_ matched: Set<Int>, _ returned: [Returned], _ failures: Int, _ seed: Int) {
    var allowed = matched
    var reported: Set<Int> = []
    var late = 0
    var exceeded = 0
    for wait in returned {
      let further = items.indices.filter { $0 >= wait.next && wait.model.matches(items[$0]) }
      let room = wait.most.map { max($0 - wait.counted, 0) } ?? further.count
      if wait.isLate {
        late += further.isEmpty ? 0 : 1
        allowed.formUnion(further.prefix(1))
      } else {
        allowed.formUnion(further.prefix(room))
        let extras = further.dropFirst(room).filter { !matched.contains($0) && !reported.contains($0) }
        reported.formUnion(extras)
        exceeded += extras.isEmpty ? 0 : 1
      }
    }
    for (kind, isRequest) in [(EntryKinds.events, false), (.requests, true)] {
      let hasMore = items.indices.contains { items[$0].isRequest == isRequest && !allowed.contains($0) }
      XCTAssertEqual(holds(.nothingElse(among: kind)), !hasMore, "\(seed)")
    }
    verifier.stop()
    XCTAssertEqual(reporter.kinds.dropFirst(failures).count { $0 == .late }, late, "\(seed)")
    XCTAssertEqual(reporter.kinds.dropFirst(failures).count { $0 == .tooMany }, exceeded, "\(seed)")
  }
}
