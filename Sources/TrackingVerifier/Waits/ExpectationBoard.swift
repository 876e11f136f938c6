import Dispatch
import TrackingModel
import TrackingServer
import XCTest

/// The open expectations of a verifier, fulfilled in the order of arrival: each entry is offered to all of them before the next one is.
///
/// `@unchecked Sendable`: not every XCTest declares that an expectation may be fulfilled on any thread; `state` guards that it is.
final class ExpectationBoard: @unchecked Sendable {
  /// An expectation of a number of matches.
  struct Member {
    let expectation: XCTestExpectation
    let question: Question
    let pattern: EntryPattern
    /// The number of the first entry that it was not offered.
    var next: Int
    /// The number of further matches that fulfil it.
    var wanted: Int
    /// The matches so far of a pattern that asks for answers, which reads entries more than once.
    var counted: Set<Int> = []

    /// Whether a moment is one that it has not been offered.
    func awaits(_ moment: TimelineMoment) -> Bool {
      guard moment.isAnswer else { return next <= moment.entry.number && !counted.contains(moment.entry.number) }
      return pattern.interest.revisions && question.origin.entry <= moment.entry.number
        && !counted.contains(moment.entry.number)
    }
  }

  private struct State {
    var members: [Member] = []
    /// Whether a thread is reading, so that no other one overtakes it.
    var isReading = false
    /// Whether something has happened since the reader looked last.
    var hasNews = false
    /// The number of additions whose entries are held back until all expectations of the test are made.
    var held = 0
    var revision = 0
    var waiter: Journal.WaiterID?
  }

  private let journal: Journal
  private let state = Locked(State())

  init(of journal: Journal) {
    self.journal = journal
  }

  /// Adds an expectation.
  ///
  /// No entry is offered until all expectations of the test are made, so that an order among them is that of arrival. A blocking test has made them
  /// when the main queue is served, which XCTest's wait does. In a task the main queue may be free all the time, so it is believed after `pause`.
  func add(_ member: Member) {
    state.withLock { state in
      state.members.append(member)
      state.held += 1
    }
    let isInTask = withUnsafeCurrentTask { $0 != nil }
    DispatchQueue.main.asyncAfter(deadline: .now() + (isInTask ? Self.pause : 0)) { [weak self] in
      self?.state.withLock { $0.held -= 1 }
      self?.read()
    }
  }

  /// The seconds after which a task that has made an expectation makes no further one.
  private static let pause = 0.1

  /// Ends all expectations: no entry fulfils one from here on.
  ///
  /// - Returns: Those that were not fulfilled.
  func close() -> [Member] {
    let (open, waiter) = state.withLock { state in
      defer { (state.members, state.waiter) = ([], nil) }
      return (state.members.filter { $0.wanted > 0 && !$0.expectation.isInverted }, state.waiter)
    }
    if let waiter { journal.cancel(waiter) }
    return open
  }

  /// Offers what has arrived, and registers for more; a thread that finds another one reading leaves the news to it.
  private func read() {
    let begins = state.withLock { state in
      state.hasNews = true
      guard !state.isReading else { return false }
      state.isReading = true
      return true
    }
    guard begins else { return }
    while let (next, revision, count) = state.withLock({ Self.next(&$0) }) {
      switch journal.news(from: next, revision: revision, orWake: { [weak self] in self?.read() }) {
      case .entries(let entries): offer(entries, toFirst: count)
      case .revised(let revision): readAgain(revision)
      case .none(let waiter):
        let isDone = state.withLock { state in
          guard !state.hasNews else { return false }
          (state.isReading, state.waiter) = (false, waiter)
          return true
        }
        if isDone { return }
        journal.cancel(waiter)
      }
    }
  }

  /// The first entry to read, and the number of members that read it; `nil` ends the reading, because nothing is open or all is held back.
  private static func next(_ state: inout State) -> (entry: Int, revision: Int?, count: Int)? {
    let open = state.members.filter { $0.wanted > 0 }
    state.hasNews = false
    guard state.held == 0, let next = open.map(\.next).min() else {
      state.isReading = false
      return nil
    }
    return (next, open.contains { $0.pattern.interest.revisions } ? state.revision : nil, state.members.count)
  }

  /// Offers entries to the members that the reading began with.
  ///
  /// A member that is added meanwhile hasn't read the entries in front of these, so it reads them all in the next reading; the rest waits for it.
  private func offer(_ entries: [JournalEntry], toFirst count: Int) {
    for moment in TimelineMoment.all(of: entries, since: .beginning) {
      let (members, isHeld) = state.withLock { ($0.members.prefix(count), $0.held > 0) }
      // Answers that were not offered yet may belong to requests that were.
      guard !isHeld else { return state.withLock { Self.rewind(&$0) } }
      for (index, member) in members.enumerated() where member.wanted > 0 && member.awaits(moment) {
        // With no lock held: the pattern is the test's own code.
        let isMatch = member.pattern.matches(moment)
        // Under the lock, so that none is fulfilled after `close`.
        state.withLock { state in
          guard state.members.indices.contains(index), state.members[index].expectation === member.expectation else {
            return
          }
          if !moment.isAnswer { state.members[index].next = moment.entry.number + 1 }
          guard isMatch, state.members[index].wanted > 0 else { return }
          if member.pattern.interest.revisions { state.members[index].counted.insert(moment.entry.number) }
          state.members[index].wanted -= 1
          if state.members[index].wanted == 0 { member.expectation.fulfill() }
        }
      }
    }
  }

  /// Offers all entries again to the expectations that ask for answers, because an earlier entry has changed.
  private func readAgain(_ revision: Int) {
    state.withLock { state in
      state.revision = revision
      Self.rewind(&state)
    }
  }

  private static func rewind(_ state: inout State) {
    for index in state.members.indices where state.members[index].pattern.interest.revisions {
      state.members[index].next = state.members[index].question.origin.entry
    }
  }
}
