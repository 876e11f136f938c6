import TestSupport

@testable import TrackingServer

extension TrackingJournal {
  /// Records a submission that was rejected.
  func recordRejection(_ reason: String = "expected a value", status: Int = 400) {
    record(
      RejectedSubmission(
        status: status, reason: reason, path: nil, offset: nil, body: Data(), bodySize: 0, arrival: .now,
        connection: 1, launch: nil))
  }

  /// Records an event as a double of one launch numbers it.
  func recordEvent(numbered sequence: UInt64, launch: String = "k3j.1") {
    let sender = Sender(launch: launch, sequence: sequence, isOfSession: true)
    _ = record([TrackingEvent(name: "numbered")], bodySize: 0, from: sender)
  }
}
