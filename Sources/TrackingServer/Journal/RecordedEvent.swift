import TrackingModel

/// A received event.
public struct RecordedEvent: Hashable, Sendable {
  /// The event.
  public let event: TrackingEvent
  /// The event's place among everything that the server received (events, requests, rejected submissions), from 1; a reset keeps it.
  public let number: Int
  // The layout of an instant is unknown to the compiler, so each copy of an event would be made field by field at run time.
  package let nanoseconds: Int64
  /// The double that sent the event, as `<process token>.<n>.<process name>`; `nil` if unknown.
  public let launch: String?
  /// The event's number among all that its double tracked, from 1; `nil` if unknown.
  public let sequence: UInt64?
  /// Whether the sender was told that the event was accepted; `false` if a test made the server refuse it, or lose the response.
  ///
  /// A redelivery doesn't change it.
  public let isAcknowledged: Bool
  /// 0 without a connection: an `Int?` would take 16 bytes for each event.
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

  /// The number of the connection that carried the event, from 1; `nil` for an event tracked in process.
  public var connection: Int? { connectionNumber == 0 ? nil : Int(connectionNumber) }

  /// The executable's name of the process that tracked the event, such as the app or one of its extensions.
  ///
  /// `nil` if unknown: from a web page, a vendor's SDK, or the tracker in the test's own process.
  public var process: String? { launch.flatMap(LaunchName.process) }

  /// The time at which the event arrived.
  public var arrival: ContinuousClock.Instant { Arrival(nanoseconds: nanoseconds).instant }
}

extension RecordedEvent {
  /// Returns a copy with another event or number.
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
