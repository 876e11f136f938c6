import TrackingModel

/// An event as it was received.
public struct RecordedEvent: Hashable, Sendable {
  /// The event.
  public let event: TrackingEvent
  /// Its place among all events that this server received, from 1; kept over a reset.
  public let number: Int
  /// When it was received.
  public let arrival: ContinuousClock.Instant
  /// The number of the connection that carried it, from 1; `nil` when it was tracked in process.
  public let connection: Int?
  /// Which double of which app process sent it: `<process token>.<n>`; `nil` when the sender did not say.
  public let launch: String?
  /// Its number among all that its double tracked, from 1; `nil` when the sender did not say.
  public let sequence: UInt64?
  /// Whether its sender was told that it was taken when it came; `false` where the test let the server refuse it all the same, or lose the answer.
  ///
  /// That a sender sends it again, and is told then, does not change it.
  public let isAcknowledged: Bool
}
