import Dispatch
import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer
import XCTest

/// A verifier's open expectations, fulfilled in the order of arrival.
///
/// `@unchecked Sendable`: not every XCTest declares that an expectation may be fulfilled on any thread; `state` guards it.
final class ExpectationBoard: @unchecked Sendable {
  struct Member {
    var expectation: XCTestExpectation
    var run: CheckRun
    /// The number of matches to fulfil it.
    let wanted: Int
    /// For an expectation created in a task, which doesn't show when all are created: the number of expectations created before it.
    let placeInTask: Int?
    /// Its index in the log of checks, if any.
    let kept: Int?
    /// The moment that fulfilled it, with the number of the next entry and the number of expectations created by then.
    var fulfilment: (moment: TimelineMoment, next: Int, made: Int)?
    var isFulfilled: Bool { fulfilment != nil }
  }

  fileprivate struct State {
    var members: [Member] = []
    /// Whether a thread is reading, so that no other thread overtakes it.
    var isReading = false
    /// Whether there is news since the reader's last look.
    var hasNews = false
    /// The number of additions whose entries wait until all expectations of the test have been created.
    var held = 0
    var waiter: TrackingJournal.WaiterID?
    var warnings: [(text: String, location: CodeLocation)] = []

    /// The members to read for; while entries wait, only inverted ones: their order doesn't matter, and XCTest's wait for them may be short.
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
  /// Earlier entries fulfil nothing before all expectations of the test have been created, so that they are fulfilled in the order of arrival. On the
  /// main thread, that is when the main queue is served, which XCTest's wait does. Other tasks don't show when they start to wait, so they get
  /// `pause`.
  ///
  /// - Parameter kept: Its index in the log of checks.
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

  /// If a task that has created an expectation creates no other one for this many seconds, it has created all.
  private static let pause = 0.002

  /// Closes all expectations: later entries fulfil nothing.
  ///
  /// - Returns: The checks of unfulfilled expectations; warnings about expectations fulfilled in an order other than that of arrival; and the ends of
  ///   the waits for fulfilled ones, by their indices in the log.
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

  /// Restarts the open expectations after a reset, and returns their new runs.
  func beginAgain(since beginning: JournalMark) -> [CheckRun] {
    let readings = state.withLock { state in
      state.members.indices.compactMap { index -> CheckRun? in
        guard !state.members[index].isFulfilled else { return nil }
        let run = state.members[index].run
        // The call is unchanged if nothing had arrived before the reset; the ledger has forgotten its run all the same.
        let again = CheckRun(expecting: run.call.again(since: beginning) ?? run.call, from: run.scale.began)
        state.members[index].run = again
        return again
      }
    }
    if !readings.isEmpty { read() }
    return readings
  }

  /// Reads new entries, and registers for more; if another thread is reading, leaves them to that thread.
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
      // Holds no lock: patterns are the test's own code.
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

  /// Fulfils the expectations that have enough matches, in the order of the moments that completed them.
  private func adopt(_ read: [(index: Int, expectation: XCTestExpectation, run: CheckRun)]) {
    let next = journal.nextNumber
    // Under the lock, so that nothing is fulfilled after `close`.
    state.withLock { state in
      var met: [(moment: TimelineMoment, index: Int)] = []
      for (index, expectation, run) in read
      where state.members.indices.contains(index) && state.members[index].expectation === expectation
        // A reset may have restarted it meanwhile.
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
  /// The numbers of the first entries after the waits for fulfilled expectations.
  ///
  /// A wait may have several expectations, and ends with the last one, so all that existed when one was fulfilled count. If one of them is
  /// unfulfilled or inverted, the end is unknown.
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

  /// Returns a warning if another expectation was fulfilled, by a later moment, before this one was created.
  ///
  /// XCTest sees only the order of fulfilment, so `enforceOrder` would accept a wrong order. Without `enforceOrder`, the order doesn't matter, and
  /// XCTest doesn't tell which is the case, so no test fails.
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

/// An expectation that reports when the test inverts it.
///
/// `@unchecked Sendable`: `onInversion` is set before the expectation is returned.
private final class InvertibleExpectation: XCTestExpectation, @unchecked Sendable {
  var onInversion: (@Sendable () -> Void)?

  override var isInverted: Bool {
    didSet { if isInverted { onInversion?() } }
  }
}
