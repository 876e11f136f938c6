import TrackingModel
import Foundation
import TrackingVerifier

/// Limits the tests that have a server at once, so that hundreds of parallel tests don't use up the descriptors of their process.
///
/// The limit isn't strict: a test that has waited for a while, during which no other test got a seat, proceeds without one, so that tests that wait
/// for each other don't hang.
final class ServerSeats: Sendable {
  static let shared = ServerSeats(limit: limit(descriptors: Int(getdtablesize())), patience: .seconds(30))

  private let limit: Int
  /// Sleeps until the test is woken in the queue, or until patience has run out.
  private let sleep: @Sendable (TaskSignal) async -> Void
  private let state = Locked(State())

  private struct State {
    var taken = 0
    /// The number of tests that got a seat after waiting.
    var moves = 0
    /// The waiting tests, in the order of their arrival.
    var waiting: [TaskSignal] = []

    mutating func admitFirst() -> TaskSignal {
      taken += 1
      moves += 1
      return waiting.removeFirst()
    }
  }

  convenience init(limit: Int, patience: Duration) {
    self.init(limit: limit) { await $0.wait(timeout: patience) }
  }

  init(limit: Int, sleep: @escaping @Sendable (TaskSignal) async -> Void) {
    self.limit = limit
    self.sleep = sleep
  }

  /// The number of servers that a process with a number of descriptors can have.
  ///
  /// Each takes four, and four for its connections, whose other ends may be in the same process. Half of all descriptors are left to the tests.
  static func limit(descriptors: Int) -> Int {
    min(max(descriptors / 16, 4), 64)
  }

  var taken: Int { state.withLock { $0.taken } }

  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Takes a seat, and waits for one if necessary; a cancelled task doesn't wait.
  func take() async {
    let wake: TaskSignal? = state.withLock { state in
      guard state.taken >= limit || !state.waiting.isEmpty else {
        state.taken += 1
        return nil
      }
      let wake = TaskSignal()
      state.waiting.append(wake)
      return wake
    }
    guard var wake else { return }
    var moves = state.withLock { $0.moves }
    while true {
      await sleep(wake)
      let next: TaskSignal? = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0 === wake }) else { return nil }
        guard Task.isCancelled || state.moves == moves else {
          moves = state.moves
          // A continuation can be used only once.
          state.waiting[index] = TaskSignal()
          return state.waiting[index]
        }
        state.waiting.remove(at: index)
        state.taken += 1
        state.moves += 1
        return nil
      }
      guard let next else { return }
      wake = next
    }
  }

  /// Takes a seat at once, even beyond the limit.
  func takeOneTooMany() {
    state.withLock { $0.taken += 1 }
  }

  /// Returns a seat, which goes to the test that has waited longest.
  func leave() {
    let next: TaskSignal? = state.withLock { state in
      state.taken -= 1
      return state.taken < limit && !state.waiting.isEmpty ? state.admitFirst() : nil
    }
    next?.wake()
  }
}
