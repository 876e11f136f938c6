import Foundation
import TrackingModel

/// A submission of which nothing was recorded, and why.
public struct RejectedSubmission: Hashable, Sendable {
  /// The response's status, for example 400.
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
  /// The time of its arrival.
  public internal(set) var arrival = ContinuousClock.now
  /// The number of the connection that carried it; `nil` when it was tracked in process.
  public let connection: Int?
  /// The double that sent it: `<process token>.<n>.<process name>`; `nil` when the sender did not say.
  public let launch: String?

  /// The name of the process that sent it; `nil` when the sender did not say.
  public var process: String? { launch.flatMap(LaunchName.process) }
}

extension RejectedSubmission {
  /// A rejection without a response to a request.
  init(status: Int, reason: String) {
    self.init(
      status: status, reason: reason, path: nil, offset: nil, body: Data(), bodySize: 0, connection: nil, launch: nil)
  }

  /// The reason for refusing a submission with the token of another session.
  static let otherSessionReason =
    "the Tracking-Session is of another session; was the app launched by an earlier test?"

  /// Whether it came from an app that another session launched, so that it says nothing about this one's.
  package var isOfAnotherSession: Bool {
    status == 403 && reason == Self.otherSessionReason
  }

  /// The status of a report about an app's launch.
  static let problemStatus = 422

  /// Whether it is an app's report about its launch, and not a submission of events.
  package var isProblemReport: Bool { status == Self.problemStatus }
}

extension RejectedSubmission: CustomStringConvertible {
  /// Status, place and reason on one line: `400: params.price: expected a value, found "}"`.
  public var description: String {
    "\(status): \(path.map { "\($0): " } ?? "")\(reason)"
  }
}
