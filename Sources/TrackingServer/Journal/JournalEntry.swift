/// One thing that a server received: an event, a request or a rejected submission.
///
/// Requests and rejections are boxed, so that an event, of which there may be a million, takes no more room than it needs.
package enum JournalEntry: Sendable {
  case event(RecordedEvent)
  indirect case request(RecordedRequest)
  indirect case rejection(RejectedSubmission)

  /// The entry's place in the journal, from 1: one sequence for entries of all kinds.
  package var number: Int {
    switch self {
    case .event(let event): event.number
    case .request(let request): request.number
    case .rejection(let rejection): rejection.number
    }
  }

  /// The time of arrival; never before the previous entry's.
  package var arrival: ContinuousClock.Instant {
    switch self {
    case .event(let event): event.arrival
    case .request(let request): request.arrival
    case .rejection(let rejection): rejection.arrival
    }
  }

  /// The sending process's name; `nil` if unknown.
  package var process: String? {
    switch self {
    case .event(let event): event.process
    case .request(let request): request.process
    case .rejection(let rejection): rejection.process
    }
  }

  package var event: RecordedEvent? { if case .event(let event) = self { event } else { nil } }
  package var request: RecordedRequest? { if case .request(let request) = self { request } else { nil } }
  package var rejection: RejectedSubmission? { if case .rejection(let rejection) = self { rejection } else { nil } }
}
