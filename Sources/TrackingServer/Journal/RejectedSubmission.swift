import Foundation
import TrackingModel

/// A submission of events that was rejected as a whole, and the reason.
public struct RejectedSubmission: Hashable, Sendable {
  /// The response's status, for example 400.
  public let status: Int
  /// The reason for the rejection, in one sentence.
  public let reason: String
  /// The path of the invalid value in the body: `params.price`, `[2].name`; `nil` if the reason isn't a value.
  public let path: String?
  /// The offset of the mistake in the body, in bytes; `nil` if it isn't in the body.
  public let offset: Int?
  /// The beginning of the body, cut to ``TrackingServer/Limits/rejectedBodyBytes``.
  public internal(set) var body: Data
  /// The received size of the whole body, in bytes.
  public let bodySize: Int
  /// The rejection's place among everything that the server received (events, requests, rejected submissions), from 1; a reset keeps it.
  public internal(set) var number = 0
  /// The time at which the submission arrived.
  public internal(set) var arrival = ContinuousClock.now
  /// The number of the connection that carried the submission; `nil` for events tracked in process.
  public let connection: Int?
  /// The double that sent the submission, as `<process token>.<n>.<process name>`; `nil` if unknown.
  public let launch: String?

  /// The sending process's name; `nil` if unknown.
  public var process: String? { launch.flatMap(LaunchName.process) }
}

extension RejectedSubmission {
  /// A rejection that isn't a response to a request.
  init(status: Int, reason: String) {
    self.init(
      status: status, reason: reason, path: nil, offset: nil, body: Data(), bodySize: 0, connection: nil, launch: nil)
  }

  static let otherSessionReason =
    "the Tracking-Session is of another session; was the app launched by an earlier test?"

  /// Whether it came from another session's app, so that it says nothing about this one's.
  package var isOfAnotherSession: Bool {
    status == 403 && reason == Self.otherSessionReason
  }

  static let problemStatus = 422

  /// Whether it is an app's report about its launch rather than a submission of events.
  package var isProblemReport: Bool { status == Self.problemStatus }
}

extension RejectedSubmission: CustomStringConvertible {
  /// Status, path and reason on one line: `400: params.price: expected a value, found "}"`.
  public var description: String {
    "\(status): \(path.map { "\($0): " } ?? "")\(reason)"
  }
}
