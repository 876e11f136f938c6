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
/// Any number of responses may wait at one gate; none of them blocks a thread. All members may be used from any thread.
public final class StubGate: Sendable {
  private struct State: Sendable {
    var isOpen: Bool
    var waiters = Waiters()
  }

  private let state: Locked<State>

  /// A gate, which is closed unless said otherwise.
  public init(isOpen: Bool = false) {
    state = Locked(State(isOpen: isOpen))
  }

  /// Whether responses pass without waiting.
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

  /// Holds later responses back again.
  public func close() {
    state.withLock { $0.isOpen = false }
  }

  /// Lets waiting responses through, the longest-waiting first, and leaves the gate as it is.
  ///
  /// A response that reaches the gate later waits. A wait for a request returns when the request has arrived, which may be before its response
  /// waits here: check the result, or use ``open()``.
  ///
  /// - Returns: The number of waiting responses that were let through.
  @discardableResult
  public func release(_ count: Int = 1) -> Int {
    let released = state.withLock { $0.waiters.take(atMost: count) }
    for resume in released { resume() }
    return released.count
  }

  /// Passes the gate, or waits at it.
  ///
  /// - Parameter resume: Called once when the response may go, from the thread that lets it go.
  /// - Returns: `nil` if the gate is open; `resume` isn't called then.
  package func pass(_ resume: @escaping @Sendable () -> Void) -> Waiters.Ticket? {
    state.withLock { $0.isOpen ? nil : $0.waiters.add(resume) }
  }

  /// Removes a response that no longer waits.
  package func cancel(_ ticket: Waiters.Ticket) {
    state.withLock { $0.waiters.remove(ticket) }
  }
}
