import Dispatch
import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer
import XCTest

/// The open expectations of a verifier, fulfilled in the order of arrival.
///
/// `@unchecked Sendable`: not every XCTest declares that an expectation may be fulfilled on any thread; `state` guards that it is.
final class ExpectationBoard: @unchecked Sendable {
  /// An expectation of a number of matches.
  struct Member {
    var expectation: XCTestExpectation
    var run: CheckRun
    /// The number of matches that fulfil it.
    let wanted: Int
    /// The number of expectations that were made before it if it was made in a task, which doesn't show when all are made; `nil` for any other.
    let placeInTask: Int?
    /// Its place in the log of checks; `nil` without a log.
    let kept: Int?
    /// The moment that has fulfilled it, and by then the number of the next entry and the number of expectations that had been made.
    var fulfilment: (moment: TimelineMoment, next: Int, made: Int)?
    var isFulfilled: Bool { fulfilment != nil }
  }

  fileprivate struct State {
    var members: [Member] = []
    /// Whether a thread is reading, so that no other one overtakes it.
    var isReading = false
    /// Whether something has happened since the reader looked last.
    var hasNews = false
    /// The number of additions whose entries are held back until all expectations of the test are made.
    var held = 0
    var waiter: TrackingJournal.WaiterID?
    /// The warnings that `stop()` reports, with the lines of their expectations.
    var warnings: [(text: String, location: CodeLocation)] = []

    /// The members to read for: while entries are held back, inverted ones only, because an order among them doesn't matter and their wait may be
    /// short.
    var readers: [Int] {
      members.indices.filter { !members[$0].isFulfilled && (held == 0 || members[$0].expectation.isInverted) }
    }
  }

  private let journal: TrackingJournal
  private let state = Locked(State())

  init(of journal: TrackingJournal) {
    self.journal = journal
  }

  /// Adds an expectation of a number of matches.
  ///
  /// Entries that are there already fulfil none before all expectations of the test are made, so that an order among them is that of arrival. A test on
  /// the main thread has made them when the main queue is served, which XCTest's wait does. Other tasks don't show when they begin to wait, so it is
  /// believed after `pause`.
  ///
  /// - Parameter kept: Its place in the log of checks.
  func add(_ run: CheckRun, wanted: Int, kept: Int? = nil) -> XCTestExpectation {
    let expectation = InvertibleExpectation(description: run.call.words)
    // `stop()` reports extras, in words.
    expectation.assertForOverFulfill = false
    expectation.onInversion = { [weak self] in self?.read() }
    let isInTask = withUnsafeCurrentTask { $0 != nil } && !Thread.isMainThread
    state.withLock { state in
      state.members.append(
        Member(
          expectation: expectation, run: run, wanted: wanted,
          placeInTask: isInTask ? state.members.count : nil, kept: kept))
      state.held += 1
    }
    let pause = isInTask ? Self.pause : 0
    DispatchQueue.main.asyncAfter(deadline: .now() + pause) { [weak self] in
      self?.state.withLock { $0.held -= 1 }
      self?.read()
    }
    return expectation
  }

  /// The seconds after which a task that has made an expectation makes no further one.
  private static let pause = 0.002

  /// Ends all expectations: no entry fulfils one from here on.
  ///
  /// - Returns: The checks of the unfulfilled expectations, warnings about expectations that were fulfilled in another order than that of arrival,
  ///   and the ends of the waits for fulfilled ones, by their places in the log.
  func close() -> (
    unfulfilled: [CheckCall], warnings: [(text: String, location: CodeLocation)], waitEnds: [(kept: Int, next: Int)]
  ) {
    let (open, warnings, waitEnds, waiter) = state.withLock { state in
      defer { (state.members, state.warnings, state.waiter) = ([], [], nil) }
      return (
        state.members.filter { !$0.isFulfilled && !$0.expectation.isInverted }.map(\.run.call), state.warnings,
        state.waitEnds, state.waiter
      )
    }
    if let waiter { journal.cancel(waiter) }
    return (open, warnings, waitEnds)
  }

  /// Lets the open expectations begin again after a reset.
  ///
  /// - Returns: Their new runs.
  func beginAgain(since beginning: JournalMark) -> [CheckRun] {
    let readings = state.withLock { state in
      state.members.indices.compactMap { index -> CheckRun? in
        let run = state.members[index].run
        guard !state.members[index].isFulfilled, let call = run.call.again(since: beginning) else {
          return nil
        }
        let again = CheckRun(expecting: call, from: run.scale.began)
        state.members[index].run = again
        return again
      }
    }
    if !readings.isEmpty { read() }
    return readings
  }

  /// Reads what has arrived, and registers for more; a thread that finds another one reading leaves the news to it.
  private func read() {
    let begins = state.withLock { state in
      state.hasNews = true
      defer { state.isReading = true }
      return !state.isReading
    }
    guard begins else { return }
    while true {
      let members: [(index: Int, member: Member)] = state.withLock { state in
        state.hasNews = false
        let readers = state.readers
        state.isReading = !readers.isEmpty
        return readers.map { ($0, state.members[$0]) }
      }
      // With no lock held: a pattern is the test's own code.
      let read = members.map { index, member in
        var run = member.run
        run.read(journal)
        return (index: index, expectation: member.expectation, run: run)
      }
      guard let next = read.map(\.run.next).min() else { return }
      adopt(read)
      let revision = read.compactMap(\.run.revision).min()
      guard
        case .none(let waiter) = journal.news(from: next, revision: revision, orWake: { [weak self] in self?.read() })
      else { continue }
      let isDone = state.withLock { state in
        guard !state.hasNews else { return false }
        (state.isReading, state.waiter) = (false, waiter)
        return true
      }
      if isDone { return }
      journal.cancel(waiter)
    }
  }

  /// Fulfils the expectations that have their matches, in the order of the moments that brought them.
  private func adopt(_ read: [(index: Int, expectation: XCTestExpectation, run: CheckRun)]) {
    let next = journal.nextNumber
    // Under the lock, so that none is fulfilled after `close`.
    state.withLock { state in
      var met: [(moment: TimelineMoment, index: Int)] = []
      for (index, expectation, run) in read
      where state.members.indices.contains(index) && state.members[index].expectation === expectation
        // A reset may have let it begin again meanwhile.
        && state.members[index].run.call.origin == run.call.origin
      {
        state.members[index].run = run
        if let moment = run.moment(ofMatch: state.members[index].wanted) { met.append((moment, index)) }
      }
      for (moment, index) in met.sorted(by: { $0.moment < $1.moment }) {
        if let text = state.overtaking(of: index, by: moment) {
          state.warnings.append((text, state.members[index].run.call.location))
        }
        state.members[index].fulfilment = (moment, next, state.members.count)
        state.members[index].expectation.fulfill()
      }
    }
  }
}

extension ExpectationBoard.State {
  /// The numbers of the first entries that arrived after the waits for the fulfilled expectations.
  ///
  /// One wait may have several, and ends with the last of them, so that all count which had been made when one was fulfilled. One that wasn't, or that is
  /// inverted, makes the end unknown.
  fileprivate var waitEnds: [(kept: Int, next: Int)] {
    members.compactMap { member in
      guard let kept = member.kept, var end = member.fulfilment, !member.expectation.isInverted else { return nil }
      for other in members.prefix(end.made) {
        guard let fulfilment = other.fulfilment, !other.expectation.isInverted else { return nil }
        end.next = max(end.next, fulfilment.next)
      }
      return (kept, end.next)
    }
  }

  /// The warning about an expectation whose moment is earlier than that of one which was fulfilled before this one was made; `nil` if no other was.
  ///
  /// XCTest sees only the order in which they were fulfilled, so `enforceOrder` would take a wrong order for the right one. Without it the order is
  /// fine, and XCTest doesn't tell, so no test fails.
  fileprivate mutating func overtaking(of index: Int, by moment: TimelineMoment) -> String? {
    let member = members[index]
    guard let place = member.placeInTask, !member.expectation.isInverted,
      let other = members.indices.first(where: { other in
        guard let fulfilment = members[other].fulfilment, !members[other].expectation.isInverted else { return false }
        // An expectation that the test has released isn't waited for together with this one.
        return fulfilment.made <= place && moment < fulfilment.moment
          && !isKnownUniquelyReferenced(&members[other].expectation)
      }), let later = members[other].fulfilment
    else { return nil }
    let (call, earlier) = (member.run.call, members[other].run.call)
    return """
      The expectation of \(call.words) was made after that of \(earlier.words) (\(earlier.location.shortText)) had been \
      fulfilled by #\(later.moment.entry.number), and #\(moment.entry.number), which fulfils it, arrived earlier. If one wait has both \
      with `enforceOrder`, XCTest takes this for the order of the expectations: make them before the action, or use `.inOrder`.
      """
  }
}

/// An expectation that says when the test inverts it.
///
/// `@unchecked Sendable`: `onInversion` is set before the expectation is handed out.
private final class InvertibleExpectation: XCTestExpectation, @unchecked Sendable {
  var onInversion: (@Sendable () -> Void)?

  override var isInverted: Bool {
    didSet { if isInverted { onInversion?() } }
  }
}
