import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Decides what becomes of a request: events are recorded, stubs answer, everything else is told why not.
///
/// One for each connection; it remembers what the requests of a connection have in common.
struct Router {
  /// What becomes of a request.
  enum Reply {
    /// This answer.
    case answer(Answer)
    /// What comes of this work, which takes its time or is a user's; `conclude` turns it into an answer.
    case work(@Sendable () -> Conclusion)
  }

  let configuration: TrackingServer.Configuration
  let session: String
  let journal: Journal
  let stubs: StubStore
  let connection: Int
  private let intake: EventIntake
  /// The launch that the last event named, so that its text is made once and shared by its events.
  private var launch: String?

  init(
    configuration: TrackingServer.Configuration, session: String, journal: Journal, stubs: StubStore, connection: Int
  ) {
    self.configuration = configuration
    self.session = session
    self.journal = journal
    self.stubs = stubs
    self.connection = connection
    intake = EventIntake(maximumDepth: configuration.limits.jsonDepth)
  }

  /// Bytes of a launch's name; every event of the launch keeps it.
  static let longestLaunch = 200

  /// What a client sent, short enough to be kept in the journal and read in a message.
  static func quoted(_ text: String?) -> String {
    (text ?? "").shortened(to: 200)
  }

  /// Why a request will be refused whatever its body says; `nil` when its body is wanted.
  func refusal(of head: borrowing RequestHead) -> Refusal? {
    if let refusal = refusalOfSender(of: head) { return refusal }
    if isSubmission(head) { return hasDecodings(for: head) ? nil : refusalOfSubmission(head) }
    return stubs.isEmpty && !isAppReport(head) ? refusalOfUnmatched(head) : nil
  }

  /// Answers a request that has arrived whole, or says what has to be done for its answer.
  ///
  /// - Parameter exchange: Which request of its connection it is.
  mutating func reply(to head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Reply {
    if let refusal = refusalOfSender(of: head) {
      return .answer(refuse(head, with: refusal, body: body, exchange: exchange))
    }
    if let work = decodingWork(for: head, body: body) { return .work(work) }
    return replyUndecoded(to: head, body: body, exchange: exchange)
  }

  /// The reply to a request that no decoding has taken.
  mutating func replyUndecoded(to head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int) -> Reply {
    if isSubmission(head) { return .answer(answerSubmission(head, body: body, exchange: exchange)) }
    if isAppReport(head) { return .answer(answerAppReport(head, body: body, exchange: exchange)) }
    if let reply = stubReply(to: head, body: body, exchange: exchange) { return reply }
    guard head.method != .options else {
      record(head, body: body, exchange: exchange, status: 204)
      return .answer(Answer(withSenderFields(preflightResponse(to: head), head)))
    }
    return .answer(answerUnmatched(head, body: body, exchange: exchange))
  }

  /// Whether a request is a submission of events in the server's own format.
  func isSubmission(_ head: borrowing RequestHead) -> Bool {
    head.method == .post && head.path(equals: "/")
  }

  private mutating func answerSubmission(
    _ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int
  ) -> Answer {
    if let refusal = refusalOfSubmission(head) {
      return refuse(head, with: refusal, body: body, exchange: exchange)
    }
    let events: [TrackingEvent]
    do throws(JSONError) {
      events = try intake.events(in: body.bindMemory(to: UInt8.self))
    } catch {
      return refuse(head, with: .badRequest(error.reason), at: error, body: body, exchange: exchange)
    }
    let sender = Journal.Sender(
      connection: connection, launch: launch(of: head), sequence: head.number(in: .trackingSequence),
      isOfSession: head.has(.trackingSession))
    guard sender.sequence.map({ $0 <= .max - UInt64(events.count) }) ?? true else {
      return refuse(
        head, with: .badRequest("the number in Tracking-Sequence is too large"), body: body, exchange: exchange)
    }
    return answer(events, from: sender, as: .done, head, body: body, exchange: exchange)
  }

  /// Records events and acknowledges them, as far as the test has not said otherwise.
  ///
  /// - Parameter usual: The answer when it has not.
  func answer(
    _ events: [TrackingEvent], from sender: Journal.Sender, as usual: Response, _ head: borrowing RequestHead,
    body: UnsafeRawBufferPointer, exchange: Int
  ) -> Answer {
    if let special = stubs.takeEventAnswer() {
      return answer(events, from: sender, as: special, head, body: body, exchange: exchange)
    }
    guard journal.record(events, bodySize: body.count, from: sender) else {
      return refuse(head, with: Refusal(status: 507, reason: journal.fullReason), body: body, exchange: exchange)
    }
    return Answer(withSenderFields(usual, head))
  }

  private func answer(
    _ events: [TrackingEvent], from sender: Journal.Sender,
    as special: (result: PreparedResult, recording: EventRecording), _ head: borrowing RequestHead,
    body: UnsafeRawBufferPointer, exchange: Int
  ) -> Answer {
    var answer = Answer(special.result, content: special.result.bytes)
    var sender = sender
    sender.isAcknowledged = answer.acknowledges
    if !answer.isPlain || !answer.acknowledges {
      record(head, body: body, exchange: exchange, status: answer.statusSent, fault: answer.fault)
    }
    if !answer.accepts, special.recording != .all {
      journal.noteRefusal(of: events, from: sender)
    } else if !journal.record(events, bodySize: body.count, from: sender) {
      return refuse(head, with: Refusal(status: 507, reason: journal.fullReason), body: body, exchange: exchange)
    }
    answer.response = withSenderFields(answer.response, head)
    return answer
  }

  private mutating func launch(of head: borrowing RequestHead) -> String? {
    guard head.has(.trackingLaunch) else { return nil }
    if let launch, head.field(.trackingLaunch, equals: launch) { return launch }
    launch = head.value(of: .trackingLaunch)
    return launch
  }
}
