import TrackingModel

/// The app processes that have said hello or sent events: the numbers of their events, and their connections.
struct LaunchLedger {
  /// One double of one app process.
  fileprivate struct Launch {
    /// The recorded events; `nil` before the first.
    var recorded: SequenceLedger?
    /// The refused events: they arrived, so they aren't lost.
    var refused: SequenceLedger?
    /// The time of its hello, and the number of the next entry at that time.
    var hello: (instant: ContinuousClock.Instant, entry: Int)?
    /// The connection of its last events or its hello, and the time at which the app closed it.
    var connection: Int?
    var closed: ContinuousClock.Instant?

    mutating func note(_ numbers: ClosedRange<UInt64>, isOfSession: Bool, connection: Int?) {
      if recorded == nil { recorded = SequenceLedger(since: isOfSession ? 1 : numbers.lowerBound) }
      recorded?.insert(numbers)
      (self.connection, closed) = (connection, nil)
    }
  }

  /// A launch's place, valid until another one is added.
  struct Place {
    fileprivate let index: Dictionary<String, LaunchLedger.Launch>.Index
  }

  private var launches: [String: Launch] = [:]

  var isEmpty: Bool { launches.isEmpty }

  func place(of launch: String) -> Place? { launches.index(forKey: launch).map(Place.init) }

  func count(of numbers: ClosedRange<UInt64>, at place: Place) -> UInt64 {
    // In place: a copy of the ledger would make the next insertion copy it.
    launches.values[place.index].recorded?.count(in: numbers) ?? 0
  }

  func recorded(at place: Place) -> SequenceLedger? { launches.values[place.index].recorded }

  /// Notes recorded events in place, so that a growing ledger isn't copied.
  ///
  /// - Parameter isOfSession: Whether the launch has belonged to the server since its first event.
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

  /// Returns the launches that have said hello since an entry, and have sent no event.
  func silent(since entry: Int) -> [SilentLaunch] {
    launches.compactMap { launch, known in
      guard let hello = known.hello, hello.entry >= entry, known.recorded == nil, known.refused == nil else {
        return nil
      }
      return SilentLaunch(launch: launch, hello: hello.instant, closed: known.closed)
    }
    .sorted { $0.hello < $1.hello }
  }

  mutating func noteRefusal(of numbers: ClosedRange<UInt64>, from launch: String) {
    var refused = launches[launch]?.refused ?? SequenceLedger()
    refused.insert(numbers)
    launches[launch, default: Launch()].refused = refused
  }

  mutating func noteEnd(ofConnection number: Int, at instant: ContinuousClock.Instant) {
    for (launch, known) in launches where known.connection == number { launches[launch]?.closed = instant }
  }

  var processes: [String] { Set(launches.keys.compactMap(LaunchName.process)).sorted() }

  var lastNumbers: [String: UInt64] {
    launches.compactMapValues { launch in launch.recorded.map { max($0.last, launch.refused?.last ?? 0) } }
  }

  /// Returns the events that were never delivered, by launch, except those up to the highest numbers in `seen`.
  func lostEvents(after seen: [String: UInt64]) -> [LostEvents] {
    launches.compactMap { launch, known in
      guard var ledger = known.recorded else { return nil }
      if let refused = known.refused { ledger.formUnion(refused) }
      let numbers = ledger.holes.filter { $0.upperBound > seen[launch] ?? 0 }
      return numbers.isEmpty ? nil : LostEvents(launch: launch, numbers: numbers, tracked: ledger.last)
    }
    .sorted { $0.launch < $1.launch }
  }

  var isAnyConnected: Bool { launches.values.contains { $0.connection != nil && $0.closed == nil } }

  /// The time at which the last app to send events closed its connection; `nil` while any launch's connection is open.
  var lastConnectionClosed: ContinuousClock.Instant? {
    let connected = launches.values.filter { $0.recorded != nil && $0.connection != nil }
    return connected.allSatisfy { $0.closed != nil } ? connected.compactMap(\.closed).max() : nil
  }
}
