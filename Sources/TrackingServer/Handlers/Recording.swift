import Foundation
import StubModel
import TrackingJSON
import TrackingModel

// How requests and rejected submissions reach the journal, and what a refused sender is told. Nothing else writes requests to it.

extension Exchange {
  /// The bytes of a launch's name that are kept.
  static let longestLaunch = 200

  /// Records the request with its answer.
  mutating func record(
    status: Int?, stub: StubEndpoint? = nil, fault: Fault? = nil, isUnmatched: Bool = false,
    nearest: StubTable.NearMiss? = nil, problem: String? = nil
  ) {
    var kept = request()
    let size = kept.body.count
    let limit = max(context.configuration.limits.recordedBodyBytes, 0)
    // A copy: a slice would keep the whole body in memory.
    if size > limit { kept.body = Data(kept.body.prefix(limit)) }
    context.journal.record(
      RecordedRequest(
        kept, bodySize: size, connection: connection, exchange: number, status: status, stub: stub, fault: fault,
        isUnmatched: isUnmatched,
        nearestStub: nearest.map { "\($0.endpoint): \(Self.quoted($0.differences.joined(separator: "; ")))" },
        problem: problem))
  }

  /// The answer to a refused request, which is recorded.
  ///
  /// - Parameter asEvents: Whether it was meant as events, so that it is a rejected submission, too.
  mutating func refuse(_ refusal: Refusal, at error: JSONError? = nil, asEvents: Bool? = nil) -> Reply {
    record(status: refusal.status)
    if asEvents ?? isSubmission { reject(refusal, at: error) }
    return reply(to: refusal, at: error)
  }

  /// The answer to a request whose work has no thread.
  mutating func refuseForWantOfThreads() -> Reply {
    let problem = """
      \(context.configuration.limits.workers) closures of stubs and decodings are running, which is as many as \
      limits.workers allows; let them return, hold answers with .held(by:), or raise the limit
      """
    record(status: 503, problem: problem)
    return reply(to: Refusal(status: 503, reason: problem))
  }

  /// Records a rejected submission.
  func reject(_ refusal: Refusal, at error: JSONError? = nil, keepsBody: Bool = true) {
    withBody { body in
      let body = keepsBody ? body : UnsafeRawBufferPointer(start: nil, count: 0)
      context.journal.record(
        RejectedSubmission(
          status: refusal.status, reason: refusal.reason, path: error.flatMap { $0.path.isEmpty ? nil : $0.path },
          offset: error?.offset, body: Data(body.prefix(max(context.configuration.limits.rejectedBodyBytes, 0))),
          bodySize: body.count, arrival: ContinuousClock.now, connection: connection,
          launch: head.value(of: .trackingLaunch)?.shortened(to: Self.longestLaunch)))
    }
  }

  /// The answer to a request that could not be read; it is recorded, because somebody meant to send something.
  func refuseUnread(_ refusal: Refusal) -> Response {
    context.journal.record(
      RejectedSubmission(
        status: refusal.status, reason: refusal.reason, path: nil, offset: nil, body: Data(), bodySize: 0,
        arrival: ContinuousClock.now, connection: connection, launch: nil))
    var response = reply(to: refusal).response
    response.closes = true
    return response
  }

  /// An answer that gives the reason in JSON: `{"error": ..., "path": ..., "offset": ...}`.
  func reply(to refusal: Refusal, at error: JSONError? = nil) -> Reply {
    var members: [String: TrackingValue] = ["error": .string(refusal.reason)]
    if let error {
      members["path"] = error.path.isEmpty ? nil : .string(error.path)
      members["offset"] = .int(error.offset)
    }
    var fields = ""
    // RFC 9110 15.5.6: says which methods are allowed; 15.5.16: says which codings are.
    if refusal.status == 405 { fields += "Allow: OPTIONS, POST\r\n" }
    if refusal.status == 415 { fields += "Accept-Encoding: gzip, deflate, identity\r\n" }
    return Reply(.json(refusal.status, members, fields: fields))
  }

  /// What a client sent, short enough to be kept in the journal and read in a message.
  static func quoted(_ text: String?) -> String {
    (text ?? "").shortened(to: 200)
  }
}

extension Response {
  /// A response in JSON.
  static func json(_ status: Int, _ members: [String: TrackingValue], fields: String = "") -> Response {
    var writer = JSONWriter()
    writer.write(TrackingValue.object(members))
    return Response(
      status: status, fields: "Content-Type: application/json\r\n" + fields,
      content: (writer.bytes + [UInt8(ascii: "\n")])[...])
  }
}
