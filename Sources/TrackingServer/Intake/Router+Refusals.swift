import Foundation
import StubModel
import TrackingJSON
import TrackingModel

// What is refused, and how it goes to the journal.

extension Router {
  /// The answer to a refused request, which goes to the journal as what it was: a submission, or something else.
  func refuse(
    _ head: borrowing RequestHead, with refusal: Refusal, at error: JSONError? = nil, body: UnsafeRawBufferPointer,
    exchange: Int, asEvents: Bool = false
  ) -> Answer {
    // A submission that a full journal refuses is counted as such, and not as a request too.
    if refusal.status != Journal.fullStatus { record(head, body: body, exchange: exchange, status: refusal.status) }
    if asEvents || isSubmission(head) { reject(head, with: refusal, at: error, body: body) }
    return Answer(withSenderFields(Self.response(to: refusal, at: error), head))
  }

  /// Keeps what somebody meant as events.
  func reject(
    _ head: borrowing RequestHead, with refusal: Refusal, at error: JSONError? = nil, body: UnsafeRawBufferPointer
  ) {
    journal.record(
      RejectedSubmission(
        status: refusal.status, reason: refusal.reason, path: error.flatMap { $0.path.isEmpty ? nil : $0.path },
        offset: error?.offset, body: Data(body.prefix(max(configuration.limits.rejectedBodyBytes, 0))),
        bodySize: body.count, connection: connection,
        launch: head.value(of: .trackingLaunch)?.shortened(to: Self.longestLaunch)))
  }

  /// The answer to a request that could not be read, which goes to the journal: somebody meant to send something.
  func refuse(_ refusal: Refusal) -> Response {
    journal.record(
      RejectedSubmission(
        status: refusal.status, reason: refusal.reason, path: nil, offset: nil, body: Data(), bodySize: 0,
        connection: connection, launch: nil))
    var response = Self.response(to: refusal)
    response.closes = true
    return response
  }

  /// Why a request is refused that neither a stub nor the server itself serves.
  func refusalOfUnmatched(_ head: borrowing RequestHead) -> Refusal? {
    guard head.path(equals: "/") || head.method == .options else {
      return Refusal(status: 404, reason: "nothing is served at \(Self.quoted(head.path)); events are posted to /")
    }
    switch head.method {
    case .post, .options: return nil
    case .other:
      // RFC 9110 9.1: a method that the server does not know at all.
      return Refusal(
        status: 501, reason: "the method \(Self.quoted(head.methodName)) is not known here; events are sent by POST")
    case .get, .head, .put, .patch, .delete, .connect, .trace:
      return Refusal(status: 405, reason: "events are sent by POST, not by \(head.methodName)")
    }
  }

  /// An answer that says why in JSON: `{"error": ..., "path": ..., "offset": ...}`.
  static func response(to refusal: Refusal, at error: JSONError? = nil) -> Response {
    var members: [String: TrackingValue] = ["error": .string(refusal.reason)]
    if let error {
      members["path"] = error.path.isEmpty ? nil : .string(error.path)
      members["offset"] = .int(error.offset)
    }
    var fields = ""
    // RFC 9110 15.5.6: says which methods are allowed; 15.5.16: says which codings are.
    if refusal.status == 405 { fields += "Allow: OPTIONS, POST\r\n" }
    if refusal.status == 415 { fields += "Accept-Encoding: identity\r\n" }
    return jsonResponse(refusal.status, members, fields: fields)
  }

  /// An answer in JSON.
  static func jsonResponse(_ status: Int, _ members: [String: TrackingValue], fields: String = "") -> Response {
    var writer = JSONWriter()
    writer.write(TrackingValue.object(members))
    return Response(
      status: status, fields: "Content-Type: application/json\r\n" + fields,
      content: writer.bytes + [UInt8(ascii: "\n")])
  }

  /// Records a request together with its answer.
  func record(
    _ head: borrowing RequestHead, body: UnsafeRawBufferPointer, exchange: Int, status: Int?, fault: Fault? = nil
  ) {
    let kept = UnsafeRawBufferPointer(rebasing: body.prefix(max(configuration.limits.recordedBodyBytes, 0)))
    journal.record(
      RecordedRequest(
        head.stubRequest(body: kept, jsonDepth: configuration.limits.jsonDepth), bodySize: body.count,
        connection: connection, exchange: exchange,
        answer: RecordedAnswer(status: status, fault: fault)))
  }

  /// Records a request, with its answer where that is known already.
  ///
  /// - Returns: Its number in the journal.
  @discardableResult
  func record(_ request: StubRequest, exchange: Int, answer: RecordedAnswer? = nil) -> Int? {
    journal.record(
      RecordedRequest(
        request, keeping: configuration.limits.recordedBodyBytes, connection: connection, exchange: exchange,
        answer: answer))
  }
}
