import TrackingModel

/// An event as it was received.
public struct RecordedEvent: Hashable, Sendable {
  /// The event.
  public let event: TrackingEvent
  /// Its place among everything that this server received (events, requests, rejected submissions), from 1; kept over a reset.
  public let number: Int
  // An instant has no layout that the compiler knows, and each copy of an event would be made field by field at run time.
  package let nanoseconds: Int64
  /// The double that sent it: `<process token>.<n>.<process name>`; `nil` when the sender did not say.
  public let launch: String?
  /// Its number among all that its double tracked, from 1; `nil` when the sender did not say.
  public let sequence: UInt64?
  /// Whether its sender was told that it was accepted; `false` if the test made the server refuse it, or lose the response.
  ///
  /// Sending it again does not change this.
  public let isAcknowledged: Bool
  /// 0 for none: an `Int?` would take 16 bytes of a journal for each event.
  private let connectionNumber: UInt32

  init(
    event: TrackingEvent, number: Int, arrival: Arrival, connection: Int?, launch: String?, sequence: UInt64?,
    isAcknowledged: Bool
  ) {
    self.event = event
    self.number = number
    nanoseconds = arrival.nanoseconds
    self.launch = launch
    self.sequence = sequence
    self.isAcknowledged = isAcknowledged
    connectionNumber = UInt32(clamping: connection ?? 0)
  }

  /// The number of the connection that carried it, from 1; `nil` when it was tracked in process.
  public var connection: Int? { connectionNumber == 0 ? nil : Int(connectionNumber) }

  /// The name of the process that tracked it, such as the app or one of its extensions: the name of the executable.
  ///
  /// `nil` when the sender did not say: a web page, a vendor's SDK, or the tracker in the test's own process.
  public var process: String? { launch.flatMap(LaunchName.process) }

  /// The time of its arrival.
  public var arrival: ContinuousClock.Instant { Arrival(nanoseconds: nanoseconds).instant }
}

extension RecordedEvent {
  /// The same entry with another event, or with another number.
  package func with(_ event: TrackingEvent? = nil, number: Int? = nil) -> RecordedEvent {
    RecordedEvent(
      event: event ?? self.event, number: number ?? self.number, arrival: Arrival(nanoseconds: nanoseconds),
      connection: connection, launch: launch, sequence: sequence, isAcknowledged: isAcknowledged)
  }
}

/// A moment in a word of memory.
package struct Arrival {
  private static let origin = ContinuousClock.now

  package let nanoseconds: Int64

  init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package init(_ instant: ContinuousClock.Instant) {
    let (seconds, attoseconds) = (instant - Self.origin).components
    nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  var instant: ContinuousClock.Instant { Self.origin + .nanoseconds(nanoseconds) }
}
