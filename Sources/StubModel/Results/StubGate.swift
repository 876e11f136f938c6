import Foundation

/// Holds answers back until a test lets them go.
///
/// ```swift
/// let gate = StubGate()
/// verifier.stub(.get, "/books", .json(file: "books").held(by: gate))
/// app.launch()
/// XCTAssertTrue(app.activityIndicators["Loading"].exists)
/// gate.open()
/// ```
///
/// Any number of answers may wait at one gate; none of them blocks a thread. All members may be used from any thread.
public final class StubGate: Codable, @unchecked Sendable {
  /// Identifies an answer that waits.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  // `@unchecked Sendable`: the lock guards everything below.
  private let lock = NSLock()
  private var isOpened: Bool
  private var waiters: [(ticket: Ticket, resume: @Sendable () -> Void)] = []
  private var next = 0

  /// A gate, which is closed unless said otherwise.
  public init(isOpen: Bool = false) {
    isOpened = isOpen
  }

  /// Fails: a gate exists in one process only.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "A gate cannot be decoded."))
  }

  /// Fails: a gate exists in one process only.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self,
      EncodingError.Context(
        codingPath: encoder.codingPath, debugDescription: "An answer behind a gate cannot go to another process."))
  }

  /// Whether answers pass without waiting.
  public var isOpen: Bool { lock.withLock { isOpened } }

  /// The number of waiting answers.
  public var waiting: Int { lock.withLock { waiters.count } }

  /// Lets all waiting answers go, and all later ones pass.
  public func open() {
    let released = lock.withLock {
      isOpened = true
      defer { waiters = [] }
      return waiters
    }
    for waiter in released { waiter.resume() }
  }

  /// Lets later answers wait again.
  public func close() {
    lock.withLock { isOpened = false }
  }

  /// Lets waiting answers go, the longest-waiting first, and leaves the gate as it is.
  ///
  /// - Returns: The number of answers that were waiting and have been let go.
  @discardableResult
  public func release(_ count: Int = 1) -> Int {
    let released = lock.withLock {
      let released = Array(waiters.prefix(max(count, 0)))
      waiters.removeFirst(released.count)
      return released
    }
    for waiter in released { waiter.resume() }
    return released.count
  }

  /// Passes the gate, or waits at it.
  ///
  /// - Parameter resume: Called once when the answer may go, from the thread that lets it go.
  /// - Returns: `nil` if the gate is open; `resume` isn't called then.
  package func pass(_ resume: @escaping @Sendable () -> Void) -> Ticket? {
    lock.withLock {
      guard !isOpened else { return nil }
      let ticket = Ticket(number: next)
      next += 1
      waiters.append((ticket, resume))
      return ticket
    }
  }

  /// Removes an answer that no longer waits.
  package func cancel(_ ticket: Ticket) {
    lock.withLock { waiters.removeAll { $0.ticket == ticket } }
  }
}

extension StubGate: Hashable {
  /// Whether both are the same gate.
  public static func == (left: StubGate, right: StubGate) -> Bool { left === right }

  /// Hashes the gate's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
