import Foundation

/// A submission of which nothing was recorded, and why.
public struct RejectedSubmission: Hashable, Sendable {
  /// The status it was answered with, for example 400.
  public let status: Int
  /// What was wrong, in one sentence.
  public let reason: String
  /// The value at fault in the body: `params.price`, `[2].name`; `nil` when it was none.
  public let path: String?
  /// Where the fault stands in the body, in bytes; `nil` when it is not in the body.
  public let offset: Int?
  /// The beginning of the body, cut to ``TrackingServer/Limits/rejectedBodyBytes``.
  public let body: Data
  /// The size of the whole body as far as it was received, in bytes.
  public let bodySize: Int
  /// When it was received.
  public let arrival: ContinuousClock.Instant
  /// The number of the connection that carried it; `nil` when it was tracked in process.
  public let connection: Int?
  /// Which double of which app process sent it; `nil` when the sender did not say.
  public let launch: String?
}

extension RejectedSubmission: CustomStringConvertible {
  /// Status, place and reason on one line: `400: params.price: expected a value, found "}"`.
  public var description: String {
    "\(status): \(path.map { "\($0): " } ?? "")\(reason)"
  }
}
