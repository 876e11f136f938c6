import TestSupport

@testable import TrackingServer
@testable import TrackingQuestions
@testable import TrackingVerifier

/// The place of answers in an order: the moment at which each was sent.
final class AnswerOrderTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))

  private func request(_ path: String) -> Int? {
    verifier.journal.record(RecordedRequest(HTTPRequest(method: "POST", path: path), connection: 1, exchange: 1))
  }

  private func answer(_ number: Int?, _ status: Int = 201) {
    verifier.journal.answer(number, with: RecordedAnswer(status: status))
  }

  private func track(_ name: String) { verifier.tracker.trackEvent(TrackingEvent(name: name)) }

  private let ordered = Verification.inOrder([.request(.post, "/orders").answered(201), .named("order_placed")])

  func testAnEventBeforeTheAnswerIsTooEarly() {
    let order = request("/orders")
    track("order_placed")
    answer(order)
    let outcome = verifier.outcome(of: ordered)
    XCTAssertEqual(outcome.failure?.kind, .wrongOrder)
    assertText(
      unwrapped(outcome.failure?.message),
      """
      Waited 0 s for 2 events and requests in order The 2nd (an event named "order_placed") arrived only before: #2, N ms before the wait began. The 1st of 2 arrived: #1.

      Asked for:
          1. the request POST /orders answered 201
          2. an event named "order_placed"

      Received, by time since the wait began:
          #1  +N ms  POST /orders, answered later
          #2  +N ms  too early  order_placed()
          #1  +N ms  1 of 2     answered: POST /orders -> 201
      """)
    track("order_placed")
    XCTAssertTrue(verifier.outcome(of: ordered).isVerified)
  }

  /// The message without its times, and with its first paragraph on one line: where that is broken depends on the times.
  private func unwrapped(_ message: String?) -> String? {
    guard var paragraphs = message?.components(separatedBy: "\n\n") else { return nil }
    paragraphs[0] = paragraphs[0].replacing("\n", with: " ")
    return paragraphs.joined(separator: "\n\n").timeless
  }

  func testARequestItsSpinnerAndItsAnswerAreAnOrder() {
    let order = request("/orders")
    track("spinner_shown")
    answer(order)
    XCTAssertTrue(
      verifier.outcome(
        of: .inOrder([
          .request(.post, "/orders"), .named("spinner_shown"), .request(.post, "/orders").answered(in: 200...299),
        ])
      ).isVerified)
  }

  func testARequestItsSpinnerAndItsAnswerAreConsecutive() {
    let patterns: [EntryPattern] = [
      .request(.post, "/orders"), .named("spinner_shown"), .request(.post, "/orders").answered(),
    ]
    let order = request("/orders")
    track("spinner_shown")
    answer(order)
    let outcome = verifier.outcome(of: .consecutive(patterns))
    XCTAssertNil(outcome.failure)
    XCTAssertEqual(outcome.matched.map(\.number), [1, 2, 1])
    // Its arrival doesn't separate what its answer follows, and its answer separates nothing.
    XCTAssertTrue(verifier.outcome(of: .consecutive(Array(patterns.dropFirst()))).isVerified)
    track("order_placed")
    XCTAssertTrue(
      verifier.outcome(of: .consecutive([patterns[2], .named("order_placed")])).isVerified)
  }

  func testAnotherRequestOrItsAnswerSeparates() {
    let orders = [request("/orders"), request("/orders")]
    track("spinner_shown")
    answer(orders[0])
    answer(orders[1])
    let question = Verification.consecutive([
      .request(.post, "/orders"), .named("spinner_shown"), .request(.post, "/orders").answered(),
      .request(.post, "/orders").answered(500),
    ])
    assertText(
      unwrapped(verifier.outcome(of: question).failure?.message),
      """
      Waited 0 s for 4 events and requests in order, with nothing between In place of the 4th (the request POST /orders answered 500), #2 was answered N ms before the wait began. At most the first 3 arrived in a row: #1, #3 and #1.

      Asked for:
          1. the request POST /orders
          2. an event named "spinner_shown"
          3. the request POST /orders answered
          4. the request POST /orders answered 500

      Nearest to the 4th is #2, answered N ms before the wait began (! differs):
                    expected  request
            path    /orders   /orders
            method  POST      POST
          ! status  500       201

      Received, by time since the wait began:
          #1  +N ms  1 of 4   POST /orders, answered later
          #2  +N ms  POST /orders, answered later
          #3  +N ms  2 of 4   spinner_shown()
          #1  +N ms  3 of 4   answered: POST /orders -> 201
          #2  +N ms  between  answered: POST /orders -> 201
      """)
    let early = Verification.consecutive([
      .request(.post, "/orders"), .request(.post, "/orders").answered(), .named("spinner_shown"),
    ])
    assertText(
      unwrapped(verifier.outcome(of: early).failure?.message),
      """
      Waited 0 s for 3 events and requests in order, with nothing between In place of the 2nd (the request POST /orders answered), #3 arrived, N ms before the wait began. No two arrived in a row.

      Asked for:
          1. the request POST /orders
          2. the request POST /orders answered
          3. an event named "spinner_shown"

      Received, by time since the wait began:
          #1  +N ms  POST /orders, answered later
          #2  +N ms  1 of 3   POST /orders, answered later
          #3  +N ms  between  spinner_shown()
          #1  +N ms  answered: POST /orders -> 201
          #2  +N ms  answered: POST /orders -> 201
      """)
  }

  func testADelayedAnswerIsSentAfterItsDelay() throws {
    let number = try XCTUnwrap(
      verifier.journal.record(
        RecordedRequest(
          HTTPRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1, answer: RecordedAnswer(status: 201)),
        isSent: false))
    track("order_placed")
    // The status is known, but until the answer is sent it has no place in an order.
    XCTAssertTrue(verifier.outcome(of: .count(1, of: .request(.post, "/orders").answered(201))).isVerified)
    XCTAssertFalse(verifier.outcome(of: ordered).isVerified)
    verifier.journal.noteSending(of: number)
    XCTAssertFalse(verifier.outcome(of: ordered).isVerified)
    track("order_placed")
    XCTAssertTrue(verifier.outcome(of: ordered).isVerified)
  }

  func testAnAnswerAfterAMarkIsAfterItAlthoughItsRequestIsNot() {
    let order = request("/orders")
    let early = request("/orders")
    answer(early)
    let mark = verifier.mark()
    XCTAssertFalse(verifier.outcome(of: .inOrder([.request(.post, "/orders").answered()]), since: mark).isVerified)
    answer(order)
    track("order_placed")
    XCTAssertTrue(verifier.outcome(of: ordered, since: mark).isVerified)
    XCTAssertFalse(verifier.outcome(of: ordered, since: verifier.mark()).isVerified)
  }

  func testAnAnswerAfterAResetBelongsToTheTimeBeforeIt() throws {
    let server = TrackingServer()
    let shared = TrackingVerifier(
      with: self, server: server, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
    for verifier in [verifier, shared] {
      let journal = verifier.journal
      let number = journal.record(
        RecordedRequest(HTTPRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1))
      verifier.reset()
      let mark = verifier.mark()
      journal.answer(number, with: RecordedAnswer(status: 201))
      verifier.tracker.trackEvent(TrackingEvent(name: "order_placed"))
      XCTAssertFalse(verifier.outcome(of: ordered).isVerified)
      XCTAssertFalse(verifier.outcome(of: ordered, since: mark).isVerified)
      XCTAssertTrue(verifier.outcome(of: .none(of: .request(.any, "/*"), before: .named("order_placed"))).isVerified)
    }
  }

  func testARequestComesBeforeItsOwnAnswer() {
    answer(request("/orders"))
    let placed = EntryPattern.request(.post, "/orders")
    XCTAssertEqual(
      verifier.outcome(of: .none(of: placed, before: placed.answered())).failure?.kind, .unexpectedExtra)
    XCTAssertTrue(verifier.outcome(of: .none(of: placed.answered(), before: placed)).isVerified)
    XCTAssertTrue(verifier.outcome(of: .none(of: placed, before: placed)).isVerified)
  }

  func testAnAnswerAfterACountMakesItsRequestAnExtra() {
    let slow = request("/orders")
    answer(request("/orders"))
    verifier.wait(for: .request(.post, "/orders").answered(201), count: 1)
    answer(slow)
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        Waited for the request POST /orders answered 201, exactly once
        One too many arrived after the wait had succeeded, and no other wait asked for it:
            #1  +N ms  POST /orders -> 201
        """
      ])
  }

  func testAnAnswerThatIsSentDuringAWaitEndsIt() {
    let order = request("/orders")
    let (verifier, question) = (verifier, ordered)
    let thread = Thread {
      while verifier.waits.count == 0 { usleep(1_000) }
      verifier.journal.answer(order, with: RecordedAnswer(status: 201))
      verifier.tracker.trackEvent(TrackingEvent(name: "order_placed"))
    }
    thread.start()
    XCTAssertTrue(verifier.outcome(of: question, timeout: 60).isVerified)
  }

  func testADelayedStubOverASocket() async throws {
    verifier.start()
    let gate = StubGate()
    verifier.stub(.post, "/orders", .status(201).held(by: gate))
    let client = AppClient(verifier)
    async let answer = client.send("POST", "/orders")
    await verifier.wait(for: .request(.post, "/orders"), timeout: 60)
    track("order_placed")
    gate.open()
    _ = try await answer
    await verifier.wait(for: .request(.post, "/orders").answered(201), timeout: 60)
    XCTAssertEqual(verifier.outcomeWithoutWaiting(of: ordered), .wrongOrder)
  }

  // MARK: - A model that is written from the documentation

  /// Something that happened: an event, a request, or the answer to the request at a place.
  private enum Happening {
    case event(Int)
    case request(Int)
    case answer(to: Int, letter: Int, status: Int)
  }

  private enum Model {
    case event(Int)
    case request(Int)
    case answered(Int, status: Int?)

    func matches(_ happening: Happening) -> Bool {
      switch (self, happening) {
      case (.event(let wanted), .event(let letter)), (.request(let wanted), .request(let letter)): wanted == letter
      case (.answered(let wanted, let status), .answer(_, let letter, let found)):
        wanted == letter && (status == nil || status == found)
      default: false
      }
    }

    var pattern: EntryPattern {
      switch self {
      case .event(let letter): .named("e\(letter)")
      case .request(let letter): .request(.post, .template("/r\(letter)"))
      case .answered(let letter, let status): .request(.post, .template("/r\(letter)")).answered(status)
      }
    }
  }

  private static func isInOrder(_ models: ArraySlice<Model>, _ happenings: ArraySlice<Happening>) -> Bool {
    guard let model = models.first else { return true }
    return happenings.indices.contains {
      model.matches(happenings[$0]) && isInOrder(models.dropFirst(), happenings[($0 + 1)...])
    }
  }

  func testOrdersOverRandomTimelines() {
    for seed in RandomCases.seeds(3_000) {
      var random = SeededGenerator(seed: UInt64(seed))
      let verifier = TrackingVerifier(
        with: .idle(), configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
      var happenings: [Happening] = []
      var open: [(number: Int?, place: Int, letter: Int)] = []
      var mark: (TrackingVerifier.Mark, place: Int)?
      for _ in 0..<Int.random(in: 0...10, using: &random) {
        let letter = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          verifier.journal.record(TrackingEvent(name: "e\(letter)"))
          happenings.append(.event(letter))
        case 1:
          let isAnswered = Bool.random(using: &random)
          let number = verifier.journal.record(
            RecordedRequest(
              HTTPRequest(method: "POST", path: "/r\(letter)"), connection: 1, exchange: 1,
              answer: isAnswered ? RecordedAnswer(status: 200) : nil))
          happenings.append(.request(letter))
          if isAnswered {
            happenings.append(.answer(to: happenings.count - 1, letter: letter, status: 200))
          } else {
            open.append((number, happenings.count - 1, letter))
          }
        case 2 where mark == nil: mark = (verifier.mark(), happenings.count)
        default:
          guard !open.isEmpty else { continue }
          let request = open.remove(at: Int.random(in: 0..<open.count, using: &random))
          let status = Bool.random(using: &random) ? 200 : 500
          verifier.journal.answer(request.number, with: RecordedAnswer(status: status))
          happenings.append(.answer(to: request.place, letter: request.letter, status: status))
        }
      }
      let models = (0..<Int.random(in: 1...4, using: &random)).map { _ -> Model in
        let letter = Int.random(in: 0..<2, using: &random)
        return switch Int.random(in: 0..<4, using: &random) {
        case 0: .event(letter)
        case 1: .request(letter)
        case 2: .answered(letter, status: nil)
        default: .answered(letter, status: 500)
        }
      }
      let question = Verification.inOrder(models.map(\.pattern))
      let expected = Self.isInOrder(models[...], happenings[(mark?.place ?? 0)...])
      XCTAssertEqual(verifier.outcome(of: question, since: mark?.0).isVerified, expected, "\(seed)")
      // The same question of the same timeline as a value, at another time.
      let timeline = RecordedTimeline(verifier.journal.received(since: .beginning))
      let later = question.read(timeline, since: mark?.0.place ?? .beginning)
      XCTAssertEqual(later.state == .met, expected, "\(seed)")
    }
  }
}

extension TrackingVerifier {
  /// Asks about what has arrived, from asynchronous code.
  fileprivate func outcomeWithoutWaiting(of question: Verification) -> VerificationFailure.Kind? {
    let evaluation = question.read(journal, since: beginning, in: ledger)
    let scale = Timescale(began: .now, deadline: .now)
    return evaluation.state.isGood
      ? nil : evaluation.explanation(of: journal.received(since: beginning), on: scale).kind
  }
}

extension Verification {
  /// The evaluation over a whole timeline.
  fileprivate func read(
    _ timeline: any QuestionTimeline, since origin: JournalMark, in ledger: SharedLedger? = nil
  ) -> any Evaluation {
    var reading = Reading(
      AskedQuestion(self, at: CodeLocation(), since: origin), in: QuestionSetting(origin: origin, ledger: ledger),
      asOf: Timescale(began: .now, deadline: .now + .seconds(3_600)))
    reading.read(timeline)
    return reading.evaluation
  }
}
