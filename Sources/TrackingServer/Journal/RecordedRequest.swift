/// A request that was no accepted submission of events: what was asked, and how it was answered.
public struct RecordedRequest: Hashable, Sendable {
  /// The method, for example `GET`.
  public let method: String
  /// The request target as it was sent, for example `/books?q=swift`.
  public let target: String
  /// The status it was answered with.
  public let status: Int
  /// When it was answered.
  public let arrival: ContinuousClock.Instant
  /// The number of the connection that carried it, from 1.
  public let connection: Int
  /// Which request of its connection it was, from 1.
  public let exchange: Int
}
