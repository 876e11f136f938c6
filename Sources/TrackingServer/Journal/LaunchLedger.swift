/// The app processes that have said hello or sent events: the numbers of their events, and whether they are still connected.
struct LaunchLedger {
  /// One double of one app process.
  fileprivate struct Launch {
    /// The events that were recorded; `nil` before the first.
    var recorded: SequenceLedger?
    /// The events that the test made the server refuse: they arrived, so they are not lost.
    var refused: SequenceLedger?
    /// The time of its hello, and the number of the next entry then.
    var hello: (instant: ContinuousClock.Instant, entry: Int)?
    /// The connection that carried its last events, or its hello, and when the app closed it.
    var connection: Int?
    var closed: ContinuousClock.Instant?

    mutating func note(_ numbers: ClosedRange<UInt64>, isOfSession: Bool, connection: Int?) {
      if recorded == nil { recorded = SequenceLedger(since: isOfSession ? 1 : numbers.lowerBound) }
      recorded?.insert(numbers)
      (self.connection, closed) = (connection, nil)
    }
  }

  /// The place of a launch, until another one is added.
  struct Place {
    fileprivate let index: Dictionary<String, LaunchLedger.Launch>.Index
  }

  private var launches: [String: Launch] = [:]

  var isEmpty: Bool { launches.isEmpty }

  func place(of launch: String) -> Place? { launches.index(forKey: launch).map(Place.init) }

  /// The number of recorded events among some numbers of a launch.
  func count(of numbers: ClosedRange<UInt64>, at place: Place) -> UInt64 {
    // In place: a copy of the ledger would let the next insertion copy it too.
    launches.values[place.index].recorded?.count(in: numbers) ?? 0
  }

  /// The recorded events of a launch.
  func recorded(at place: Place) -> SequenceLedger? { launches.values[place.index].recorded }

  /// Notes recorded events in place, so that a ledger that grows is not copied.
  ///
  /// - Parameters:
  ///   - place: The launch's place, if it has one.
  ///   - isOfSession: Whether the launch belongs to the server since its first event.
  mutating func note(
    _ numbers: ClosedRange<UInt64>, of launch: String, at place: Place?, isOfSession: Bool, connection: Int?
  ) {
    if let place {
      launches.values[place.index].note(numbers, isOfSession: isOfSession, connection: connection)
    } else {
      launches[launch, default: Launch()].note(numbers, isOfSession: isOfSession, connection: connection)
    }
  }

  /// Notes the hello of a double; `entry` is the number of the next entry.
  mutating func noteHello(of launch: String, connection: Int?, at instant: ContinuousClock.Instant, before entry: Int) {
    launches[launch, default: Launch()].hello = (instant, entry)
    launches[launch]?.connection = connection
  }

  /// The launches that have said hello since an entry, and have sent no event.
  func silent(since entry: Int) -> [SilentLaunch] {
    launches.compactMap { launch, known in
      guard let hello = known.hello, hello.entry >= entry, known.recorded == nil, known.refused == nil else {
        return nil
      }
      return SilentLaunch(launch: launch, hello: hello.instant, closed: known.closed)
    }
    .sorted { $0.hello < $1.hello }
  }

  /// Notes events that the test made the server refuse.
  mutating func noteRefusal(of numbers: ClosedRange<UInt64>, from launch: String) {
    var refused = launches[launch]?.refused ?? SequenceLedger()
    refused.insert(numbers)
    launches[launch, default: Launch()].refused = refused
  }

  /// Notes that an app has closed a connection.
  mutating func noteEnd(ofConnection number: Int, at instant: ContinuousClock.Instant) {
    for (launch, known) in launches where known.connection == number { launches[launch]?.closed = instant }
  }

  /// The highest number of each launch.
  var lastNumbers: [String: UInt64] { launches.compactMapValues(\.recorded?.last) }

  /// The events that were never delivered, by launch.
  ///
  /// - Parameter seen: The highest numbers so far; lost events up to there are left out.
  func lostEvents(after seen: [String: UInt64]) -> [LostEvents] {
    launches.compactMap { launch, known in
      guard var ledger = known.recorded else { return nil }
      if let refused = known.refused { ledger.formUnion(refused) }
      let numbers = ledger.holes.filter { $0.upperBound > seen[launch] ?? 0 }
      return numbers.isEmpty ? nil : LostEvents(launch: launch, numbers: numbers, tracked: ledger.last)
    }
    .sorted { $0.launch < $1.launch }
  }

  /// Whether the connection of any launch is open.
  var isAnyConnected: Bool { launches.values.contains { $0.connection != nil && $0.closed == nil } }

  /// The time at which the last app to send events closed its connection; `nil` while the connection of one is open.
  var lastConnectionClosed: ContinuousClock.Instant? {
    let connected = launches.values.filter { $0.recorded != nil && $0.connection != nil }
    return connected.allSatisfy { $0.closed != nil } ? connected.compactMap(\.closed).max() : nil
  }
}
