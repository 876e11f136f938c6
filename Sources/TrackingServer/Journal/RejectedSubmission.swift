import Foundation

/// A submission of which nothing was recorded, and why.
public struct RejectedSubmission: Hashable, Sendable {
  /// The status it was answered with, for example 400.
  public let status: Int
  /// The reason, in one sentence.
  public let reason: String
  /// The invalid value in the body: `params.price`, `[2].name`; `nil` when the reason is not in a value.
  public let path: String?
  /// The offset of the mistake in the body, in bytes; `nil` when it is not in the body.
  public let offset: Int?
  /// The beginning of the body, cut to ``TrackingServer/Limits/rejectedBodyBytes``.
  public internal(set) var body: Data
  /// The size of the whole body as far as it was received, in bytes.
  public let bodySize: Int
  /// Its place among everything that this server received (events, requests, rejected submissions), from 1; kept over a reset.
  public internal(set) var number = 0
  /// When it was received.
  public internal(set) var arrival = ContinuousClock.now
  /// The number of the connection that carried it; `nil` when it was tracked in process.
  public let connection: Int?
  /// Which double of which app process sent it; `nil` when the sender did not say.
  public let launch: String?
}

extension RejectedSubmission {
  /// Why a submission with the token of another session is refused.
  static let otherSessionReason =
    "the Tracking-Session is of another session; was the app launched by an earlier test?"

  /// Whether it came from an app that another session launched, so that it says nothing about this one's.
  package var isOfAnotherSession: Bool {
    status == 403 && reason == Self.otherSessionReason
  }

  /// What an app says is wrong with the way in which it was launched is answered as if it was none of its events.
  static let problemStatus = 422

  /// Whether it is no submission of events, but what an app says is wrong with the way in which it was launched.
  package var isProblemReport: Bool { status == Self.problemStatus }
}

extension RejectedSubmission: CustomStringConvertible {
  /// Status, place and reason on one line: `400: params.price: expected a value, found "}"`.
  public var description: String {
    "\(status): \(path.map { "\($0): " } ?? "")\(reason)"
  }
}
