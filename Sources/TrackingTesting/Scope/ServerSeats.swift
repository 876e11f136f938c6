import Foundation
import TrackingSockets
import TrackingVerifier

/// How many tests may have a server at once, so that hundreds of parallel tests do not use up the descriptors of their
/// process.
///
/// A limit to be kind to the process and not one to rely on: nobody waits for ever. When nothing has moved for a while,
/// as when those who have seats wait in turn for something that those without one hold, the next goes ahead without. So
/// no run hangs here.
final class ServerSeats: Sendable {
  /// The seats of this process.
  static let shared = ServerSeats(limit: limit(descriptors: Int(getdtablesize())), patience: .seconds(30))

  private let limit: Int
  /// Sleeps until the place in the queue is woken, or until patience has run out.
  private let sleep: @Sendable (WakeContinuation) async -> Void
  private let state = Locked(State())

  private struct State {
    var taken = 0
    /// How often somebody has come in after waiting.
    var moves = 0
    /// In the order of their coming.
    var waiting: [WakeContinuation] = []

    mutating func admitFirst() -> WakeContinuation {
      taken += 1
      moves += 1
      return waiting.removeFirst()
    }
  }

  convenience init(limit: Int, patience: Duration) {
    self.init(limit: limit) { await $0.wait(timeout: patience) }
  }

  init(limit: Int, sleep: @escaping @Sendable (WakeContinuation) async -> Void) {
    self.limit = limit
    self.sleep = sleep
  }

  /// How many servers a process with a number of descriptors can have.
  ///
  /// Each takes four, and four for its connections, whose other ends may be in the same process; half of all stay for
  /// the tests themselves.
  static func limit(descriptors: Int) -> Int {
    min(max(descriptors / 16, 4), 64)
  }

  /// How many seats are taken.
  var taken: Int { state.withLock { $0.taken } }

  /// How many wait for one.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Takes a seat, and waits for one if it must; a cancelled task does not wait.
  func take() async {
    let wake: WakeContinuation? = state.withLock { state in
      guard state.taken >= limit || !state.waiting.isEmpty else {
        state.taken += 1
        return nil
      }
      let wake = WakeContinuation()
      state.waiting.append(wake)
      return wake
    }
    guard var wake else { return }
    var moves = state.withLock { $0.moves }
    while true {
      await sleep(wake)
      let next: WakeContinuation? = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0 === wake }) else { return nil }
        guard Task.isCancelled || state.moves == moves else {
          moves = state.moves
          // A new one, since one that was woken waits no more.
          state.waiting[index] = WakeContinuation()
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

  /// Takes a seat at once, whether there is one or not.
  func takeOneTooMany() {
    state.withLock { $0.taken += 1 }
  }

  /// Gives a seat back, to the one that has waited longest.
  func leave() {
    let next: WakeContinuation? = state.withLock { state in
      state.taken -= 1
      return state.taken < limit && !state.waiting.isEmpty ? state.admitFirst() : nil
    }
    next?.wake()
  }
}
