import Foundation

extension TrackerDouble {
  /// The limits of a double, and who is told of events that could not be delivered.
  public struct Configuration: Sendable {
    /// The number of events that may wait for delivery; what is tracked beyond it has failed at once.
    public var queueLimit: Int
    /// The number of events that one POST carries at most; more than one only when several are waiting.
    public var batchLimit: Int
    /// The seconds for which delivery of an event is tried again, from when it was tracked.
    ///
    /// An event that has to wait for its turn longer than that, behind others that do get through, is sent all the same.
    public var deadline: TimeInterval
    /// The seconds that one attempt may take, from connecting to the end of the answer.
    public var attemptTimeout: TimeInterval
    /// Called with events that could not be delivered; `nil` when nobody wants to know.
    ///
    /// Called on the double's own thread, one call after another, with no lock held: it may call the double, and delivery goes on when it
    /// returns. The double keeps it for as long as it delivers, so capture the double itself weakly.
    public var onFailure: (@Sendable (DeliveryFailure) -> Void)?

    /// A configuration; what is left out has the value that suits almost every test.
    public init(
      queueLimit: Int = 10_000,
      batchLimit: Int = 100,
      deadline: TimeInterval = 30,
      attemptTimeout: TimeInterval = 10,
      onFailure: (@Sendable (DeliveryFailure) -> Void)? = nil
    ) {
      self.queueLimit = queueLimit
      self.batchLimit = batchLimit
      self.deadline = deadline
      self.attemptTimeout = attemptTimeout
      self.onFailure = onFailure
    }
  }
}
