import TrackingModel
import TrackingChecks

/// The open waits of a verifier, which `stop()` ends.
final class WaitRegistry: Sendable {
  private struct State {
    var open: [Int: Entry] = [:]
    var next = 0
  }

  private struct Entry {
    let call: CheckCall
    var wake: (@Sendable () -> Void)?
  }

  struct Ticket: Sendable {
    fileprivate let number: Int
    fileprivate let registry: WaitRegistry

    /// Registers a function that wakes the wait; returns `false` if the wait has been ended.
    func sleep(_ wake: @escaping @Sendable () -> Void) -> Bool {
      registry.state.withLock { state in
        guard state.open[number] != nil else { return false }
        state.open[number]?.wake = wake
        return true
      }
    }

    func remove() {
      registry.state.withLock { _ = $0.open.removeValue(forKey: number) }
    }
  }

  private let state = Locked(State())

  func add(_ call: CheckCall) -> Ticket {
    state.withLock { state in
      state.next += 1
      state.open[state.next] = Entry(call: call)
      return Ticket(number: state.next, registry: self)
    }
  }

  var count: Int { state.withLock { $0.open.count } }

  /// Ends all waits, and returns their checks in the order in which they were made.
  func endAll() -> [CheckCall] {
    let ended = state.withLock { state in
      defer { state.open = [:] }
      return state.open.sorted { $0.key < $1.key }.map(\.value)
    }
    for entry in ended { entry.wake?() }
    return ended.map(\.call)
  }
}
