import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Records events that are posted in the server's own format.
final class EventEndpoint: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    guard exchange.isSubmission else { return .pass }
    return exchange.refusalOfSubmission.map { .refuse($0) } ?? .wanted
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard exchange.isSubmission else { return .pass }
    if let refusal = exchange.refusalOfSubmission { return .reply(exchange.refuse(refusal)) }
    let intake = exchange.context.intake
    let events: [TrackingEvent]
    switch exchange.withBody({ intake.read($0) }) {
    case .success(let read): events = read
    case .failure(let error): return .reply(exchange.refuse(.badRequest(error.reason), at: error))
    }
    let sender = Journal.Sender(
      connection: exchange.connection, launch: exchange.launchName(),
      sequence: exchange.head.number(in: .trackingSequence),
      isOfSession: exchange.head.has(.trackingSession))
    guard sender.sequence.map({ $0 <= .max - UInt64(events.count) }) ?? true else {
      return .reply(exchange.refuse(.badRequest("the number in Tracking-Sequence is too large")))
    }
    return exchange.accept(events, from: sender, as: .noContent)
  }
}

// MARK: - Who may send events, and how

extension Exchange {
  /// Why the sender may not send events, in any format.
  var refusalOfSession: Refusal? {
    if head.has(.trackingSession) {
      return head.field(.trackingSession, equals: context.session)
        ? nil : Refusal(status: 403, reason: RejectedSubmission.otherSessionReason)
    }
    return context.configuration.requiresSession
      ? Refusal(status: 403, reason: "this server takes events only with its Tracking-Session") : nil
  }

  /// Why a submission is refused because of its head.
  var refusalOfSubmission: Refusal? {
    if let refusal = refusalOfSession ?? refusalOfCoding { return refusal }
    if head.has(.contentType), !head.field(.contentType, isMediaType: "application/json") {
      return Refusal(
        status: 415,
        reason: """
          events are sent as Content-Type: application/json, not as \(Self.quoted(head.value(of: .contentType))); \
          decodeEvents(at:with:) takes other formats
          """)
    }
    if head.framing == .none {
      return Refusal(status: 411, reason: "the request has neither Content-Length nor a chunked body")
    }
    if head.has(.trackingLaunch) != head.has(.trackingSequence) {
      return .badRequest("Tracking-Launch and Tracking-Sequence belong together")
    }
    if head.withValue(of: .trackingLaunch, { $0.count > Self.longestLaunch }) == true {
      return .badRequest("Tracking-Launch is longer than \(Self.longestLaunch) bytes")
    }
    if head.has(.trackingSequence), (head.number(in: .trackingSequence) ?? 0) == 0 {
      return .badRequest(
        "Tracking-Sequence is not a number from 1: \"\(Self.quoted(head.value(of: .trackingSequence)))\"")
    }
    return nil
  }
}

// MARK: - Events that have been read

extension Exchange {
  /// How events are acknowledged.
  enum Acknowledgement: Sendable {
    /// With 200, to a sender that has a format of its own, which may not expect an answer without content.
    case ok
    /// With 204.
    case noContent
    /// With the reply that an SDK takes for success.
    case sdk(PreparedResult, SubmissionExtras)

    var status: Int {
      switch self {
      case .ok: 200
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
    case .ok: return .reply(Reply(.ok))
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

extension EventIntake {
  fileprivate func read(_ body: UnsafeRawBufferPointer) -> Result<[TrackingEvent], JSONError> {
    do throws(JSONError) {
      return .success(try events(in: body.bindMemory(to: UInt8.self)))
    } catch {
      return .failure(error)
    }
  }
}
