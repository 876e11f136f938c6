/// How many events a double was given, and what became of them.
///
/// `tracked == delivered + pending + failed`, always.
public struct DeliveryCounts: Hashable, Sendable {
  /// The events that were tracked.
  public internal(set) var tracked: Int = 0
  /// The events that the verifier has acknowledged.
  public internal(set) var delivered: Int = 0
  /// The events that could not be delivered; the log says why.
  public internal(set) var failed: Int = 0
  /// The events that wait for delivery or for its acknowledgement.
  public var pending: Int { tracked - delivered - failed }
}

extension DeliveryCounts: CustomStringConvertible {
  /// The counts on one line: `5 tracked: 3 delivered, 1 pending, 1 failed`.
  public var description: String {
    "\(tracked) tracked: \(delivered) delivered, \(pending) pending, \(failed) failed"
  }
}
