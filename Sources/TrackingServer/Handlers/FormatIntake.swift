import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// Reads requests as what the SDKs send whose formats the test accepts.
final class FormatIntake: RequestHandler {
  /// To read a body that is no larger costs less than to hand it to another thread.
  private static let fewBytes = 64 * 1_024

  func preview(_ exchange: inout Exchange) -> Preview {
    Self.mayRead(exchange) ? .wanted : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    guard Self.mayBeOfSDK(exchange) else { return .pass }
    let formats = exchange.context.stubs.formats(forHead: exchange.requestHead())
    guard !formats.isEmpty else { return .pass }
    if let refusal = exchange.bodyRefusal { return .reply(exchange.refuse(refusal, asEvents: true)) }
    let request = exchange.request()
    if request.body.count <= Self.fewBytes, formats.allSatisfy(\.isPrompt) {
      return Self.conclude(Self.read(request, as: formats), formats, &exchange)
    }
    return .work {
      let reading = Self.read(request, as: formats)
      return { exchange in Self.conclude(reading, formats, &exchange) }
    }
  }

  /// Whether a request may carry an SDK's events, as far as its head tells.
  static func mayRead(_ exchange: borrowing Exchange) -> Bool {
    mayBeOfSDK(exchange) && !exchange.context.stubs.formats(forHead: exchange.requestHead()).isEmpty
  }

  /// A double says itself what it sends; a browser's question carries nothing.
  private static func mayBeOfSDK(_ exchange: borrowing Exchange) -> Bool {
    exchange.setup.hasFormats && !exchange.head.has(.trackingLaunch) && exchange.head.method != .options
  }

  private enum Reading: Sendable {
    case submission(Submission, AcceptedFormat, body: Int)
    case malformed(String, at: JSONError?)
    /// No format recognizes the body.
    case unknown
  }

  /// Asks the formats one after the other; the first error counts if none of them reads the request.
  private static func read(_ request: HTTPRequest, as formats: [PreparedFormat]) -> Reading {
    var malformed: Reading?
    for format in formats {
      do {
        guard let submission = try format.submission(in: request) else { continue }
        return .submission(submission, format.format, body: submission.attempt == nil ? 0 : Self.hash(of: request.body))
      } catch let error as JSONError {
        malformed = malformed ?? .malformed("\(format.format.name): \(error.reason)", at: error)
      } catch {
        malformed = malformed ?? .malformed("\(format.format.name): \(StubError.text(of: error))", at: nil)
      }
    }
    return malformed ?? .unknown
  }

  private static func conclude(
    _ reading: Reading, _ formats: [PreparedFormat], _ exchange: inout Exchange
  ) -> Outcome {
    // Where SDKs and the app's own tracker share a path, the server's own format says what is wrong.
    let isOwn = exchange.isSubmission
    switch reading {
    case .submission(let submission, let format, let body):
      if let refusal = exchange.refusalOfSession { return .reply(exchange.refuse(refusal, asEvents: true)) }
      return record(submission, of: format, body: body, &exchange)
    case .malformed(let reason, let error):
      if isOwn { return .pass }
      return .reply(exchange.refuse(.badRequest(Exchange.quoted(reason)), at: error, asEvents: true))
    case .unknown:
      if isOwn { return .pass }
      // A stub of the test may serve this path, too. If none does, `FormatQuestions` rejects the request.
      let names = formats.map(\.format.name).joined(separator: ", ")
      exchange.formatRefusal = .badRequest(
        "the request has the path of an accepted format, and its content is of none of them: \(names)")
      return .pass
    }
  }

  private static func record(
    _ submission: Submission, of format: AcceptedFormat, body: Int, _ exchange: inout Exchange
  ) -> Outcome {
    let start = exchange.context.start
    var events: [TrackingEvent] = []
    var others: [TrackingEvent] = []
    for (index, var item) in submission.items.enumerated() {
      // Without ids, a body that is sent again is recognized where the SDK counts its attempts.
      let attempt = item.id == nil ? submission.attempt : nil
      if attempt != nil { item.id = "body \(body) \(index)" }
      let event = format.event(
        of: item, isLeftover: item.time.map { Self.isEarlier($0, than: start) } ?? false, isFirstAttempt: attempt == 0)
      if format.kinds.contains(item.kind) { events.append(event) } else { others.append(event) }
    }
    let extras = SubmissionExtras(format: format.name, others: others, malformed: submission.malformed)
    let sender = Journal.Sender(connection: exchange.connection)
    guard let reply = try? PreparedResult(submission.reply, folder: nil) else {
      return exchange.accept(events, from: sender, as: .ok)
    }
    return exchange.accept(events, from: sender, as: .sdk(reply, extras))
  }

  /// Whether an SDK's clock says that an event was tracked before the server was started.
  ///
  /// Many SDKs write whole seconds or milliseconds, so an event may seem to be a little older than it is.
  private static func isEarlier(_ time: Date, than start: Date) -> Bool {
    let (time, start) = (time.timeIntervalSince1970, start.timeIntervalSince1970)
    return time == time.rounded(.down) ? time < start.rounded(.down) : time < start - 0.001
  }

  /// The hash of all bytes; that of `Data` looks at the first 80 only.
  private static func hash(of body: Data) -> Int {
    var hasher = Hasher()
    body.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

/// What a submission of an SDK holds beside its events; recorded if the submission is accepted.
struct SubmissionExtras: Sendable {
  let format: String
  let others: [TrackingEvent]
  let malformed: [Submission.Malformed]
}

extension Exchange {
  /// Records what an SDK sent beside its events.
  mutating func recordExtras(of acknowledgement: Acknowledgement, status: Int) {
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

/// Answers what SDKs ask when they start, unless a stub of the test has, and rejects submissions that neither a format nor a stub has taken.
final class FormatQuestions: RequestHandler {
  func preview(_ exchange: inout Exchange) -> Preview {
    exchange.setup.hasFormats && exchange.context.stubs.answer(to: exchange.requestHead()) != nil ? .wanted : .pass
  }

  func handle(_ exchange: inout Exchange) -> Outcome {
    if let refusal = exchange.formatRefusal { return .reply(exchange.refuse(refusal, asEvents: true)) }
    guard exchange.setup.hasFormats, let result = exchange.context.stubs.answer(to: exchange.request()) else {
      return .pass
    }
    var reply = Reply(result)
    reply.inject(exchange.context.stubs.takeFault(at: [.response, .responseBody, .afterResponse]))
    exchange.record(reply, RecordedAnswer(status: reply.statusSent, fault: reply.fault))
    return .reply(reply)
  }
}
