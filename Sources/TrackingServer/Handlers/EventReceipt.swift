import Foundation
import StubModel
import TrackingModel

/// Events that a handler has read from a request, in any format, which are recorded before the response is sent.
struct EventReceipt: Sendable {
  let events: [TrackingEvent]
  let sender: TrackingJournal.Sender
  /// The response that an SDK takes for success, unless the test has set another; `nil` for 204.
  var usual: PreparedResponse?
  var extras: SubmissionExtras?

  /// Records the events, and responds as the test has set or with success.
  func respond(_ exchange: inout Exchange) -> RequestOutcome {
    guard exchange.setup.hasEventResponses, isForEventResponses,
      let response = exchange.context.stubs.takeEventResponse()
    else { return acceptAsUsual(&exchange) }
    switch response.kind {
    case .result(let result): return .respond(accept(&exchange, as: result, recording: response.recording))
    case .closure(let respond, let folder):
      let submission = EventSubmission(request: exchange.request(), events: events)
      return .work {
        let result: Result<PreparedResponse?, any Error> = Result {
          try respond(submission).map { try PreparedResponse($0, folder: folder) }
        }
        return { exchange in
          switch result {
          case .success(let result?): return .respond(accept(&exchange, as: result, recording: response.recording))
          case .success(nil): return acceptAsUsual(&exchange)
          case .failure(let error): return .respond(fail(&exchange, error))
          }
        }
      }
    }
  }

  /// Whether the test's responses to events apply: a submission of an SDK may hold no event.
  private var isForEventResponses: Bool { extras == nil || !events.isEmpty }

  private func acceptAsUsual(_ exchange: inout Exchange) -> RequestOutcome {
    guard record(exchange, from: sender) else { return .respond(refuseAsFull(&exchange)) }
    let planned = if let usual { PlannedResponse(usual) } else { PlannedResponse(.done) }
    let status = planned.response.status
    recordExtras(exchange, status: status)
    if exchange.context.configuration.recordsSubmissions { exchange.record(planned, RecordedResponse(status: status)) }
    return .respond(planned)
  }

  private func accept(_ exchange: inout Exchange, as result: PreparedResponse, recording: EventKeeping)
    -> PlannedResponse
  {
    let planned = PlannedResponse(result)
    var sender = sender
    sender.isAcknowledged = planned.acknowledges
    // Recorded with its response, which a test that waits for the request reads. Not sent yet, since a full journal replaces it.
    let isRecorded = planned.plan != nil || !planned.acknowledges || exchange.context.configuration.recordsSubmissions
    if isRecorded {
      exchange.record(planned, RecordedResponse(status: planned.statusSent, fault: planned.fault), isDecided: false)
    }
    if !planned.accepts, recording != .all {
      exchange.context.journal.noteRefusal(of: events, from: sender)
    } else if !record(exchange, from: sender) {
      return refuseAsFull(&exchange)
    } else {
      recordExtras(exchange, status: result.result.status)
    }
    if isRecorded { exchange.noteSending(of: planned) }
    return planned
  }

  private func fail(_ exchange: inout Exchange, _ error: any Error) -> PlannedResponse {
    let problem = "the closure that responds to events returned no response: \(StubError.text(of: error))"
    exchange.context.journal.noteRefusal(of: events, from: sender)
    return exchange.respond(.json(500, ["error": .string(problem)]), RecordedResponse(problem: problem))
  }

  /// Records the events; returns `false` if the journal is full.
  private func record(_ exchange: borrowing Exchange, from sender: TrackingJournal.Sender) -> Bool {
    exchange.context.journal.record(events, bodySize: exchange.withBody(\.count), from: sender)
  }

  private func refuseAsFull(_ exchange: inout Exchange) -> PlannedResponse {
    exchange.context.journal.noteRefusal(of: events, from: sender)
    return exchange.refuse(HTTPError(status: TrackingJournal.fullStatus, reason: exchange.context.journal.fullReason))
  }

  private func recordExtras(_ exchange: borrowing Exchange, status: Int) {
    guard let extras else { return }
    let (journal, limits) = (exchange.context.journal, exchange.context.configuration.limits)
    if !extras.others.isEmpty { journal.count(extras.others) }
    // Once is enough: a journal has limited room for bodies.
    var body = exchange.withBody {
      Data($0.prefix(extras.malformed.isEmpty ? 0 : max(limits.rejectedBodyBytes, 0)))
    }
    for problem in extras.malformed {
      journal.record(
        RejectedSubmission(
          status: status,
          reason: "\(HTTPError.quoted(problem.reason)); the rest of the \(extras.format) submission was accepted",
          path: problem.path.isEmpty ? nil : HTTPError.quoted(problem.path), offset: nil, body: body,
          bodySize: exchange.withBody(\.count), connection: exchange.connection, launch: nil))
      body = Data()
    }
  }
}

/// The contents of an SDK's submission other than its events; recorded if the submission is accepted.
struct SubmissionExtras: Sendable {
  let format: String
  let others: [TrackingEvent]
  let malformed: [DecodedSubmission.Malformed]
}
