import StubModel
import TrackingModel
import TrackingServer

/// The tests that a page shows: one for a server's page, all of a process for the page of a run.
final class InspectedTests: Sendable {
  /// The number of passed tests whose sessions are kept; older ones keep only their titles.
  private static let mostPassed = 20
  /// The number of failed tests whose sessions are kept.
  private static let mostFailed = 100

  private enum Outcome: String {
    case running, passed, failed
  }

  private struct Test {
    let number: Int
    let title: String
    var feed: InspectorFeed?
    var outcome = Outcome.running
    /// The revision of the list in which the test changed.
    var revision: Int
  }

  private struct State {
    var tests: [Test] = []
    var revision = 0
    var waiters = Waiters()
  }

  private let state = Locked(State())

  init() {}

  /// One server's test, which has no title and stays the current one.
  init(of server: TrackingServer) {
    state.withLock { $0.tests = [Test(number: 1, title: "", feed: InspectorFeed(of: server), revision: 0)] }
  }

  /// Adds a test, which becomes the current one.
  func begin(_ server: TrackingServer, title: String) {
    change { state in
      state.tests.append(
        Test(
          number: state.tests.count + 1, title: title, feed: InspectorFeed(of: server), revision: state.revision))
    }
  }

  func end(_ server: TrackingServer) {
    change { state in
      guard let place = state.tests.lastIndex(where: { $0.feed?.server === server }) else { return }
      state.tests[place].outcome = server.sessionNotes.hasFailed ? .failed : .passed
      state.tests[place].revision = state.revision
      for (outcome, most) in [(Outcome.passed, Self.mostPassed), (.failed, Self.mostFailed)] {
        let kept = state.tests.indices.filter { state.tests[$0].outcome == outcome && state.tests[$0].feed != nil }
        for place in kept.dropLast(most) {
          state.tests[place].feed = nil
          state.tests[place].revision = state.revision
        }
      }
    }
  }

  /// The chosen test if its session is kept, otherwise the current one.
  func feed(_ chosen: Int?) -> (number: Int, feed: InspectorFeed)? {
    state.withLock { state in
      let test = state.tests.last { $0.number == chosen && $0.feed != nil } ?? state.tests.last { $0.feed != nil }
      return test.flatMap { test in test.feed.map { (test.number, $0) } }
    }
  }

  func number(of server: TrackingServer) -> Int? {
    state.withLock { $0.tests.last { $0.feed?.server === server }?.number }
  }

  var revision: Int { state.withLock(\.revision) }

  /// The tests that have changed since a revision, and the current revision.
  func changes(since revision: Int) -> (tests: [TrackingValue], revision: Int) {
    state.withLock { state in
      for place in state.tests.indices.suffix(1) where state.tests[place].outcome == .running {
        guard state.tests[place].feed?.server.sessionNotes.hasFailed == true else { continue }
        state.revision += 1
        state.tests[place].outcome = .failed
        state.tests[place].revision = state.revision
      }
      let tests: [TrackingValue] = state.tests.filter { $0.revision > revision }.map { test in
        [
          "number": .int(test.number), "title": .string(test.title), "state": .string(test.outcome.rawValue),
          "isKept": .bool(test.feed != nil),
        ]
      }
      return (tests, state.revision)
    }
  }

  /// Calls `wake` once at the next change; returns a function that cancels the call, or `nil` if there has been a change since the revision.
  func wake(after revision: Int, _ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
    let ticket = state.withLock { $0.revision <= revision ? $0.waiters.add(wake) : nil }
    guard let ticket else { return nil }
    return { [self] in state.withLock { $0.waiters.remove(ticket) } }
  }

  private func change(_ update: (inout State) -> Void) {
    let wakes = state.withLock { state in
      state.revision += 1
      update(&state)
      return state.waiters.take()
    }
    for wake in wakes { wake() }
  }
}
