import Foundation
import StubModel
import TrackingModel

// Events in any format are recorded and answered here, after a handler has read them.

extension Exchange {
  /// The refusal of a sender that may not send events, in any format.
  var refusalOfSession: Refusal? {
    if head.has(.trackingSession) {
      return head.field(.trackingSession, equals: context.session)
        ? nil : Refusal(status: 403, reason: RejectedSubmission.otherSessionReason)
    }
    return context.configuration.requiresSession
      ? Refusal(status: 403, reason: "this server takes events only with its Tracking-Session") : nil
  }

  /// The usual answer to accepted events.
  enum Acknowledgement: Sendable {
    /// 204.
    case noContent
    /// The reply that an SDK takes for success.
    case sdk(PreparedResult, SubmissionExtras)

    var status: Int {
      switch self {
      case .noContent: 204
      case .sdk(let result, _): result.result.status
      }
    }
  }

  /// Records events and acknowledges them, unless the test has set another answer.
  ///
  /// - Parameter usual: The answer if it has not.
  mutating func accept(_ events: [TrackingEvent], from sender: Journal.Sender, as usual: Acknowledgement) -> Outcome {
    // A submission of an SDK may hold no event, and then takes no answer that is meant for events.
    var isMeant = true
    if case .sdk = usual { isMeant = !events.isEmpty }
    guard setup.hasEventAnswers, isMeant, let answer = context.stubs.takeEventAnswer() else {
      return acceptAsUsual(events, from: sender, as: usual)
    }
    switch answer.kind {
    case .result(let result):
      return .reply(accept(events, from: sender, as: result, recording: answer.recording, instead: usual))
    case .closure(let respond, let folder):
      let submission = EventSubmission(request: request(), events: events)
      return .work {
        let result: Result<PreparedResult?, any Error> = Result {
          try respond(submission).map { try PreparedResult($0, folder: folder) }
        }
        return { exchange in
          switch result {
          case .success(let result?):
            return .reply(
              exchange.accept(events, from: sender, as: result, recording: answer.recording, instead: usual))
          case .success(nil):
            return exchange.acceptAsUsual(events, from: sender, as: usual)
          case .failure(let error):
            let problem = "the closure that answers events gave no answer: \(StubError.text(of: error))"
            exchange.record(RecordedAnswer(status: 500, problem: problem))
            exchange.context.journal.noteRefusal(of: events, from: sender)
            return .reply(Reply(.json(500, ["error": .string(problem)])))
          }
        }
      }
    }
  }

  private mutating func acceptAsUsual(
    _ events: [TrackingEvent], from sender: Journal.Sender, as usual: Acknowledgement
  ) -> Outcome {
    guard context.journal.record(events, bodySize: withBody(\.count), from: sender) else {
      return .reply(refuse(Refusal(status: Journal.fullStatus, reason: context.journal.fullReason)))
    }
    recordExtras(of: usual, status: usual.status)
    if context.configuration.recordsSubmissions { record(RecordedAnswer(status: usual.status)) }
    switch usual {
    case .noContent: return .reply(Reply(.done))
    case .sdk(let result, _): return .reply(Reply(result))
    }
  }

  private mutating func accept(
    _ events: [TrackingEvent], from sender: Journal.Sender, as result: PreparedResult, recording: EventRecording,
    instead usual: Acknowledgement
  ) -> Reply {
    let reply = Reply(result)
    var sender = sender
    sender.isAcknowledged = reply.acknowledges
    if reply.plan != nil || !reply.acknowledges || context.configuration.recordsSubmissions {
      record(reply, RecordedAnswer(status: reply.statusSent, fault: reply.fault))
    }
    if !reply.accepts, recording != .all {
      context.journal.noteRefusal(of: events, from: sender)
    } else if !context.journal.record(events, bodySize: withBody(\.count), from: sender) {
      return refuse(Refusal(status: Journal.fullStatus, reason: context.journal.fullReason))
    } else {
      recordExtras(of: usual, status: result.result.status)
    }
    return reply
  }
}

/// The contents of an SDK's submission other than its events; recorded if the submission is accepted.
struct SubmissionExtras: Sendable {
  let format: String
  let others: [TrackingEvent]
  let malformed: [Submission.Malformed]
}

extension Exchange {
  /// Records the other contents of a submission.
  private mutating func recordExtras(of acknowledgement: Acknowledgement, status: Int) {
    guard case .sdk(_, let extras) = acknowledgement else { return }
    if !extras.others.isEmpty { context.journal.count(extras.others) }
    // Once is enough: a journal has limited room for bodies.
    var body = withBody {
      Data($0.prefix(extras.malformed.isEmpty ? 0 : max(context.configuration.limits.rejectedBodyBytes, 0)))
    }
    for problem in extras.malformed {
      context.journal.record(
        RejectedSubmission(
          status: status,
          reason: "\(Self.quoted(problem.reason)); the rest of the \(extras.format) submission was accepted",
          path: problem.path.isEmpty ? nil : Self.quoted(problem.path), offset: nil, body: body,
          bodySize: withBody(\.count), connection: connection, launch: nil))
      body = Data()
    }
  }
}
