import TrackingModel
import TrackingRules
import TrackingVerifier

/// A test's place among those that may have a server.
///
/// A test waits for its seat before it begins, because the use of its endpoint can't suspend. It returns the seat when it ends, or when it
/// tracks in its own process and so needs no server.
final class ServerSeat: TestHost {
  private enum Use {
    case none, free, serving, inProcess, over
  }

  let testParts: TestParts
  let attempt: TestAttempt?
  private let seats: ServerSeats
  private let use = Locked(Use.none)
  private let hasThrown = Locked(false)

  init(among seats: ServerSeats, for test: RunningTest) {
    self.seats = seats
    testParts = test.parts
    attempt = test.attempt
  }

  func take() async {
    await seats.take()
    use.withLock { $0 = .free }
  }

  func mayStartServer() -> Bool {
    use.withLock { use in
      switch use {
      case .free:
        use = .serving
      case .none, .inProcess:
        // Rare, because most tests do one or the other. Exceeding the limit is better than blocking a thread.
        seats.takeOneTooMany()
        use = .serving
      case .serving:
        break
      case .over:
        return false
      }
      return true
    }
  }

  var hasEnded: Bool { use.withLock { if case .over = $0 { true } else { false } } }

  var hasFailed: Bool { hasThrown.withLock { $0 } }

  func fail() { hasThrown.withLock { $0 = true } }

  func tracksInProcess() {
    let isReturned = use.withLock { use in
      guard case .free = use else { return false }
      use = .inProcess
      return true
    }
    if isReturned { seats.leave() }
  }

  /// Returns the seat when the test ends, after which no server starts.
  func leave() {
    let isReturned = use.withLock { use in
      defer { use = .over }
      switch use {
      case .free, .serving: return true
      case .none, .inProcess, .over: return false
      }
    }
    if isReturned { seats.leave() }
  }
}
