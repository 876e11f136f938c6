import TrackingModel

/// Holds responses back until a test releases them.
///
/// ```swift
/// let gate = StubGate()
/// verifier.stub(.get, "/books", .json(file: "books").held(by: gate))
/// app.launch()
/// XCTAssertTrue(app.activityIndicators["Loading"].exists)
/// gate.open()
/// ```
///
/// Any number of responses may wait at a gate; none of them blocks a thread. All members may be used from any thread.
public final class StubGate: Sendable {
  private struct State: Sendable {
    var isOpen: Bool
    var waiters = Waiters()
  }

  private let state: Locked<State>

  /// Creates a gate, by default a closed one.
  public init(isOpen: Bool = false) {
    state = Locked(State(isOpen: isOpen))
  }

  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// The number of waiting responses.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  /// Lets all waiting and all later responses through.
  public func open() {
    let released = state.withLock { state in
      state.isOpen = true
      return state.waiters.take()
    }
    for resume in released { resume() }
  }

  /// Holds back later responses again.
  public func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Lets waiting responses through, the longest-waiting first, without opening the gate.
  ///
  /// Later responses wait. A wait for a request may return before its response waits at the gate: check the returned number, or use ``open()``.
  ///
  /// - Returns: The number of responses that were let through.
  @discardableResult
  public func release(_ count: Int = 1) -> Int {
    let released = state.withLock { $0.waiters.take(atMost: count) }
    for resume in released { resume() }
    return released.count
  }

  /// Passes the gate, or waits at it: `resume` is called once, on the thread that lets the response through; an open gate returns `nil` and never
  /// calls it.
  package func pass(_ resume: @escaping @Sendable () -> Void) -> Waiters.Ticket? {
    state.withLock { $0.isOpen ? nil : $0.waiters.add(resume) }
  }

  /// Removes a response that no longer waits.
  package func cancel(_ ticket: Waiters.Ticket) {
    state.withLock { $0.waiters.remove(ticket) }
  }
}
