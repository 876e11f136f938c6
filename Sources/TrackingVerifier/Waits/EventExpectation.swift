import TrackingPatterns
import TrackingServer
import TrackingSockets
import XCTest

/// Fulfils an expectation as events arrive, and never after it was closed.
///
/// The pattern is asked on the thread that records the event, where nothing waits for it but the sender's answer.
///
/// `@unchecked Sendable`: not every XCTest declares that an expectation may be fulfilled on any thread; `state` guards that it is.
final class EventExpectation: @unchecked Sendable {
  private struct State {
    var isOpen = true
    var nextEvent: Int
    /// How many events may still fulfil it.
    var wanted: Int
    var waiter: Journal.WaiterID?
  }

  let expectation: XCTestExpectation
  private let journal: Journal
  private let matcher: PatternMatcher
  private let state: Locked<State>

  /// An expectation of a number of events, counted from a place in the journal.
  ///
  /// Where none will do, it is inverted: one more than the most fulfils it, which fails the wait.
  init(of pattern: EventPattern, count: EventCount, in journal: Journal, since mark: JournalMark) {
    expectation = XCTestExpectation(description: "\(Verification.count(count, of: pattern))")
    self.journal = journal
    matcher = PatternMatcher(pattern)
    var wanted = count.least
    if count.least <= 0 {
      expectation.isInverted = count.most != nil
      wanted = count.most.map { min(max($0, 0), .max - 1) + 1 } ?? 0
    }
    expectation.expectedFulfillmentCount = max(wanted, 1)
    // Extras are told at the stop, in words.
    expectation.assertForOverFulfill = false
    state = Locked(State(nextEvent: mark.entry, wanted: wanted))
    if wanted == 0 { expectation.fulfill() }
  }

  /// Looks at what has arrived, and goes on with what will.
  func listen() {
    while let next = state.withLock({ $0.isOpen && $0.wanted > 0 ? $0.nextEvent : nil }) {
      switch journal.news(from: next, orWake: { [weak self] in self?.listen() }) {
      case .entries(let entries):
        look(at: entries.compactMap(\.event))
        state.withLock { $0.nextEvent = max($0.nextEvent, (entries.last?.number ?? 0) + 1) }
      case .answers: break
      case .none(let waiter):
        state.withLock { $0.waiter = waiter }
        return
      }
    }
  }

  /// Ends it; no event fulfils it from here on.
  func close() {
    let waiter = state.withLock { state in
      state.isOpen = false
      return state.waiter
    }
    if let waiter { journal.cancel(waiter) }
  }

  private func look(at events: [RecordedEvent]) {
    for event in events {
      let isMatch = matcher.matches(event)
      // Under the lock, so that none is on its way when `close` returns.
      state.withLock { state in
        guard event.number >= state.nextEvent else { return }
        state.nextEvent = event.number + 1
        guard isMatch, state.isOpen, state.wanted > 0 else { return }
        state.wanted -= 1
        expectation.fulfill()
      }
    }
  }
}

extension TrackingVerifier {
  /// An expectation of a number of events, to be waited for together with the test's own.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. The pattern is asked as events arrive, on the thread that
  /// receives them. An upper bound alone gives an inverted expectation; an extra beyond it, or beyond a lower bound too, is reported at `stop()`.
  /// The expectation is not fulfilled after `stop()`, or after its test.
  ///
  /// ```swift
  /// let tapped = verifier.expectation(for: .named("button_tapped"), count: .atLeast(1))
  /// app.buttons["buy"].tap()
  /// wait(for: [tapped, receiptShown], timeout: 5, enforceOrder: true)
  /// ```
  public func expectation(
    for pattern: EventPattern, count: EventCount, since mark: Mark? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> XCTestExpectation {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    switch question(.count(count, of: pattern), since: mark, nil, location) {
    case .failure(let reason):
      fail(reason.failure)
      return XCTestExpectation(description: "nothing: \(reason.failure.message)")
    case .success(let question):
      stopAtTheEndOfTheTest()
      let expectation = EventExpectation(of: pattern, count: count, in: journal, since: question.origin)
      add(expectation)
      claims.watch(
        BoundWatch(
          question, began: .now, (count, pattern), counted: 0, nextEvent: question.origin.entry,
          isOfExpectation: true))
      expectation.listen()
      return expectation.expectation
    }
  }
}
