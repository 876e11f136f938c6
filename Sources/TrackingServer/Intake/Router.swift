import Foundation
import TrackingModel

/// Decides what becomes of a request: events are recorded, everything else is told why not.
///
/// One for each connection; it remembers what the requests of a connection have in common.
struct Router {
  private let configuration: TrackingServer.Configuration
  private let session: String
  private let journal: Journal
  private let intake: EventIntake
  private let connection: Int
  /// The launch that the last event named, so that its text is made once and shared by its events.
  private var launch: String?

  init(configuration: TrackingServer.Configuration, session: String, journal: Journal, connection: Int) {
    self.configuration = configuration
    self.session = session
    self.journal = journal
    self.connection = connection
    intake = EventIntake(maximumDepth: configuration.limits.jsonDepth)
  }

  /// Bytes of a launch's name; every event of the launch keeps it.
  private static let longestLaunch = 200

  /// What a client sent, short enough to be kept in the journal and read in a message.
  private static func quoted(_ text: String?) -> String {
    (text ?? "").shortened(to: 200)
  }

  /// Why a request will be refused whatever its body says; `nil` when its body is wanted.
  func refusal(of head: borrowing RequestHead) -> Refusal? {
    if let refusal = refusalOfSender(of: head) { return refusal }
    guard head.path(equals: "/") || head.method == .options else {
      return Refusal(status: 404, reason: "nothing is served at \(Self.quoted(head.path)); events are posted to /")
    }
    switch head.method {
    case .post: return refusalOfSubmission(head)
    case .options: return nil
    case .other:
      // RFC 9110 9.1: a method that the server does not know at all.
      return Refusal(
        status: 501, reason: "the method \(Self.quoted(head.methodName)) is not known here; events are sent by POST")
    case .get, .head, .put, .patch, .delete, .connect, .trace:
      return Refusal(status: 405, reason: "events are sent by POST, not by \(head.methodName)")
    }
  }

  /// Answers a request that has arrived whole.
  mutating func answer(_ head: borrowing RequestHead, body: UnsafeRawBufferPointer) -> Response {
    if let refusal = refusal(of: head) {
      return refuse(head, with: refusal, body: body)
    }
    guard head.method == .post else {
      return withSenderFields(
        Response(status: 204, fields: "Allow: OPTIONS, POST\r\n" + preflightFields(for: head)), head)
    }
    let bytes = body.bindMemory(to: UInt8.self)
    let events: [TrackingEvent]
    do throws(JSONError) {
      events = try intake.events(in: bytes)
    } catch {
      return refuse(head, with: .badRequest(error.reason), at: error, body: body)
    }
    let sender = Journal.Sender(
      connection: connection, launch: launch(of: head), sequence: head.number(in: .trackingSequence),
      isOfSession: head.has(.trackingSession))
    guard sender.sequence.map({ $0 <= .max - UInt64(events.count) }) ?? true else {
      return refuse(head, with: .badRequest("the number in Tracking-Sequence is too large"), body: body)
    }
    guard journal.record(events, bodySize: body.count, from: sender) else {
      return refuse(head, with: Refusal(status: 507, reason: journal.fullReason), body: body)
    }
    return withSenderFields(.done, head)
  }

  /// The answer to a refused request, which goes to the journal as what it was: a submission, or something else.
  func refuse(
    _ head: borrowing RequestHead, with refusal: Refusal, at error: JSONError? = nil, body: UnsafeRawBufferPointer
  ) -> Response {
    if head.method == .post, head.path(equals: "/") {
      journal.record(
        RejectedSubmission(
          status: refusal.status, reason: refusal.reason, path: error.flatMap { $0.path.isEmpty ? nil : $0.path },
          offset: error?.offset, body: Data(body.prefix(max(configuration.limits.rejectedBodyBytes, 0))),
          bodySize: body.count,
          arrival: ContinuousClock.now, connection: connection,
          launch: head.value(of: .trackingLaunch)?.shortened(to: Self.longestLaunch)))
    }
    return withSenderFields(Self.response(to: refusal, at: error), head)
  }

  /// The answer to a request that could not be read, which goes to the journal: somebody meant to send something.
  func refuse(_ refusal: Refusal) -> Response {
    journal.record(
      RejectedSubmission(
        status: refusal.status, reason: refusal.reason, path: nil, offset: nil, body: Data(), bodySize: 0,
        arrival: ContinuousClock.now, connection: connection, launch: nil))
    var response = Self.response(to: refusal)
    response.closes = true
    return response
  }

  /// An answer that says why in JSON: `{"error": ..., "path": ..., "offset": ...}`.
  static func response(to refusal: Refusal, at error: JSONError? = nil) -> Response {
    var members: [String: TrackingValue] = ["error": .string(refusal.reason)]
    if let error {
      members["path"] = error.path.isEmpty ? nil : .string(error.path)
      members["offset"] = .int(error.offset)
    }
    var writer = JSONWriter()
    writer.write(TrackingValue.object(members))
    var fields = "Content-Type: application/json\r\n"
    // RFC 9110 15.5.6: says which methods are allowed; 15.5.16: says which codings are.
    if refusal.status == 405 { fields += "Allow: OPTIONS, POST\r\n" }
    if refusal.status == 415 { fields += "Accept-Encoding: identity\r\n" }
    return Response(status: refusal.status, fields: fields, content: writer.bytes + [UInt8(ascii: "\n")])
  }
}

// MARK: - Who may ask

extension Router {
  /// Whether this server talks to the sender at all, by the name under which it was called and by the page that called it.
  private func refusalOfSender(of head: borrowing RequestHead) -> Refusal? {
    // RFC 9110 7.2 and DNS rebinding: a web page may let its own host name resolve to loopback, but cannot hide the name. A request without
    // any name (HTTP/1.0) does not come from a browser.
    if head.authority != nil, !isAllowedHost(head) {
      return Refusal(
        status: 403,
        reason: """
          the host "\(Self.quoted(head.hostName))" is not this server; use localhost, 127.0.0.1 or [::1], or add it to \
          allowedHosts
          """)
    }
    if head.has(.origin), !isAllowedOrigin(head) {
      return Refusal(
        status: 403,
        reason: """
          pages of the origin "\(Self.quoted(head.value(of: .origin)))" may not send events; add it to allowedOrigins
          """)
    }
    return nil
  }

  private func isAllowedHost(_ head: borrowing RequestHead) -> Bool {
    if head.hostIsLoopback { return true }
    for host in configuration.allowedHosts where head.host(equals: host) { return true }
    return false
  }

  private func isAllowedOrigin(_ head: borrowing RequestHead) -> Bool {
    for origin in configuration.allowedOrigins where head.field(.origin, equals: origin) { return true }
    return false
  }

  /// What every answer tells its sender: that this is the right server, and that its page may read the answer.
  private func withSenderFields(_ response: Response, _ head: borrowing RequestHead) -> Response {
    var response = response
    // Only to a request that had the right token: nobody learns it by asking.
    if head.field(.trackingSession, equals: session) {
      response.fields += "\(WireField.session): \(session)\r\n"
    }
    if head.has(.origin), isAllowedOrigin(head), let origin = head.value(of: .origin) {
      response.fields += "Access-Control-Allow-Origin: \(origin)\r\nVary: Origin\r\n"
    }
    return response
  }

  /// What a browser asks before it lets a page post JSON (Fetch Standard 3.3.2, CORS preflight).
  private func preflightFields(for head: borrowing RequestHead) -> String {
    guard head.has(.origin), head.value(of: "access-control-request-method") != nil else { return "" }
    let own = [WireField.session, WireField.launch, WireField.sequence].joined(separator: ", ")
    var fields = """
      Access-Control-Allow-Methods: POST\r
      Access-Control-Allow-Headers: Content-Type, \(own)\r
      Access-Control-Max-Age: 600\r

      """
    // Private Network Access: a page of a public site that asks for a loopback address.
    if head.value(of: "access-control-request-private-network") == "true" {
      fields += "Access-Control-Allow-Private-Network: true\r\n"
    }
    return fields
  }
}

// MARK: - What a submission must be

extension Router {
  private func refusalOfSubmission(_ head: borrowing RequestHead) -> Refusal? {
    if head.has(.trackingSession) {
      guard head.field(.trackingSession, equals: session) else {
        return Refusal(status: 403, reason: RejectedSubmission.otherSessionReason)
      }
    } else if configuration.requiresSession {
      return Refusal(status: 403, reason: "this server takes events only with its Tracking-Session")
    }
    if head.has(.contentEncoding), !head.field(.contentEncoding, equalsIgnoringCase: "identity") {
      return Refusal(
        status: 415,
        reason: """
          the body is coded as \(Self.quoted(head.value(of: .contentEncoding))); send it as it is: switch compression off in \
          the sender and leave Content-Encoding out
          """)
    }
    if head.has(.contentType), !head.field(.contentType, isMediaType: "application/json") {
      return Refusal(
        status: 415,
        reason: """
          events are sent as Content-Type: application/json, not as \(Self.quoted(head.value(of: .contentType)))
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

  private mutating func launch(of head: borrowing RequestHead) -> String? {
    guard head.has(.trackingLaunch) else { return nil }
    if let launch, head.field(.trackingLaunch, equals: launch) { return launch }
    launch = head.value(of: .trackingLaunch)
    return launch
  }
}
