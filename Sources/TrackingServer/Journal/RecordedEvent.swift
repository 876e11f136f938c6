import TrackingModel

/// An event as it was received.
public struct RecordedEvent: Hashable, Sendable {
  /// The event.
  public let event: TrackingEvent
  /// Its place among everything that this server received (events, requests, rejected submissions), from 1; kept over a reset.
  public let number: Int
  /// When it was received.
  public let arrival: ContinuousClock.Instant
  /// The number of the connection that carried it, from 1; `nil` when it was tracked in process.
  public let connection: Int?
  /// Which double of which app process sent it: `<process token>.<n>`; `nil` when the sender did not say.
  public let launch: String?
  /// Its number among all that its double tracked, from 1; `nil` when the sender did not say.
  public let sequence: UInt64?
  /// Whether its sender was told that it was accepted; `false` where the test made the server refuse it, or lose the answer.
  ///
  /// Sending it again does not change this.
  public let isAcknowledged: Bool
  /// Whether it is a beacon, which a ``BeaconDecoding`` has read.
  public var isBeacon = false
}
