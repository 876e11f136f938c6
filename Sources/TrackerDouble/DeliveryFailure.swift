import TrackingModel

/// Events that a double couldn't deliver.
public struct DeliveryFailure: Hashable, Sendable {
  /// The events in tracking order; at most the first 100 of those that didn't fit the queue.
  public let events: [TrackingEvent]
  /// The number of events, including those missing from ``events``.
  public let count: Int
  /// The reason, with the server's explanation if there is one.
  ///
  /// If the last attempt ended without a response, the server may still have recorded the events.
  public let reason: String
}

extension DeliveryFailure: CustomStringConvertible {
  /// The failure on one line: `2 tracked events were not delivered ("app_open", "add_to_cart"): the queue of 10000 events was full`.
  public var description: String {
    let shown = events.prefix(5).map(\.name.swiftLiteral)
    let rest = count > shown.count ? ["\(count - shown.count) more"] : []
    let subject = count == 1 ? "1 tracked event was" : "\(count) tracked events were"
    return "\(subject) not delivered (\((shown + rest).joined(separator: ", "))): \(reason)"
  }
}

/// The numbers of tracked, delivered, pending and failed events of a double; always `tracked == delivered + pending + failed`.
public struct DeliveryCounts: Hashable, Sendable {
  /// The number of tracked events.
  public internal(set) var tracked: Int = 0
  /// The number of events acknowledged by the verifier.
  public internal(set) var delivered: Int = 0
  /// The number of events that couldn't be delivered; the log says why.
  public internal(set) var failed: Int = 0
  /// The number of events waiting for delivery or for an acknowledgement.
  public var pending: Int { tracked - delivered - failed }
}

extension DeliveryCounts: CustomStringConvertible {
  /// The counts on one line: `5 tracked: 3 delivered, 1 pending, 1 failed`.
  public var description: String {
    "\(tracked) tracked: \(delivered) delivered, \(pending) pending, \(failed) failed"
  }
}
