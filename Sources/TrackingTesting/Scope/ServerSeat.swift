import TrackingSockets
import TrackingVerifier

/// A test's place among those that may have a server.
///
/// Every test takes one before it begins, when it can still wait, because it cannot when it asks for its endpoint. It
/// gives the seat back when it ends, or as soon as it shows that it needs none by tracking in its own process.
final class ServerSeat: TestHost {
  private enum Use {
    case none, free, serving, inProcess, over
  }

  let testName: String
  private let seats: ServerSeats
  private let use = Locked(Use.none)

  init(among seats: ServerSeats, for test: RunningTest) {
    self.seats = seats
    testName = test.name
  }

  /// Waits for a seat.
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
        // Rare, as most tests do one or the other; one too many is better than to block a thread here.
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

  func tracksInProcess() {
    let isGivenBack = use.withLock { use in
      guard case .free = use else { return false }
      use = .inProcess
      return true
    }
    if isGivenBack { seats.leave() }
  }

  /// Ends the test, and with it the right to a server.
  func leave() {
    let isGivenBack = use.withLock { use in
      defer { use = .over }
      switch use {
      case .free, .serving: return true
      case .none, .inProcess, .over: return false
      }
    }
    if isGivenBack { seats.leave() }
  }
}
