import Foundation
import StubModel
import TrackingJSON
import TrackingModel

/// A request on its way through the handlers: its head, its body, its sender, and its record in the journal.
///
/// A connection reuses one for each of its requests.
package struct Exchange: ~Copyable {
  package let context: ServerContext
  /// The connection's number, from 1.
  package let connection: Int
  /// The request's number on its connection, from 1.
  package private(set) var number = 1

  /// The parser, which holds the request until its response.
  var parser: RequestParser
  var body = RequestBody()
  var sender: RequestSender
  private var entry: RequestRecord
  /// The test's setup when this request was read.
  var setup = StubStore.Setup()
  /// The request as a value, created when first needed.
  private var value: ReceivedRequest?
  /// A warning about the choice of the stub.
  private var doubt: String?

  init(context: ServerContext, connection: Int) {
    self.context = context
    self.connection = connection
    parser = RequestParser(
      limits: RequestLimits(context.configuration.limits, vocabulary: context.configuration.vocabulary))
    sender = RequestSender(in: context)
    entry = RequestRecord(in: context, connection: connection)
  }

  mutating func finish() {
    number += 1
    parser.finish()
    body = RequestBody()
    entry.finish()
    (value, doubt) = (nil, nil)
  }
}

// MARK: - The request

extension Exchange {
  var head: RequestHead {
    _read { yield parser.head }
  }

  /// Whether it is a submission of events in the server's own format.
  var isSubmission: Bool { head.method == .post && isForEventPath }

  var isForEventPath: Bool {
    if context.isEventPathRoot { return head.path(equals: "/") }
    return context.configuration.eventPath.map { head.path(equals: $0) } ?? false
  }

  /// Whether it is for the server's own pages, whose requests aren't recorded.
  var isForPage: Bool { head.path(hasPrefix: "/-tracking/") && !isForEventPath }

  var isPreflight: Bool { RequestSender.isPreflight(head) }

  /// Whether refusing it may lose events: after a refused preflight request, a page doesn't send them.
  var mayBeEvents: Bool { isSubmission || isPreflight || !formats.isEmpty }

  /// The accepted formats that may read the request, according to its head: none for a double's events, a preflight request or a health check, unless
  /// a closure reads the health check's path.
  var formats: [PreparedFormat] {
    guard setup.hasFormats, !head.has(.trackingLaunch), head.method != .options else { return [] }
    let formats = context.stubs.formats(forHead: requestHead())
    return isProbe ? formats.filter { !$0.isPrompt } : formats
  }

  /// Whether the request only tests for the server: without a body and a query it carries no event.
  ///
  /// A `POST` without a body is an SDK's mistake.
  var isProbe: Bool {
    [.none, .length(0)].contains(head.framing) && (head.query ?? "").isEmpty && head.method != .post
  }

  /// Calls a closure with the decoded body, or with the received part of an incomplete request's body.
  func withBody<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let decoded = body.decoded { return decoded.withUnsafeBytes(use) }
    return parser.withReceivedBody(use)
  }

  /// The request as stubs, formats and tests see it.
  package mutating func request() -> ReceivedRequest {
    if let value { return value }
    var made = withBody { head.request(body: $0, jsonDepth: context.configuration.limits.jsonDepth) }
    made.isCoded = RequestBody.isCoded(head) && body.decoded == nil
    value = made
    return made
  }

  /// Keeps the result of the search for a stub, for the record.
  mutating func note(_ selection: StubTable.Selection) {
    doubt = selection.doubt
    guard !selection.request.pathParams.isEmpty else { return }
    _ = request()
    value?.pathParams = selection.request.pathParams
  }

  /// The head as stubs see it, before the body has arrived.
  func requestHead() -> ReceivedRequest { head.request() }

  var responseContext: HTTPResponse.Context {
    HTTPResponse.Context(
      isHead: head.method == .head, isHTTP10: head.version == .http10, keepsAlive: head.keepsAlive)
  }
}

// MARK: - The record

extension Exchange {
  /// Records that the request has arrived, before its response is known: a test may wait for a request while a gate holds its response.
  mutating func recordArrival() {
    guard !entry.isMade else { return }
    let request = request()
    entry.make(request, number: number)
  }

  /// Records the request with its response, or adds the response to the record.
  ///
  /// - Parameter isSent: Whether the response is sent now, without a delay.
  private mutating func record(_ recorded: RecordedResponse, isSent: Bool = true) {
    guard !entry.isMade else { return entry.add(recorded, isSent: isSent) }
    let request = request()
    entry.make(request, number: number, recorded, isSent: isSent)
  }

  /// Records the request with a planned response; if a gate holds it, the response is added when it begins.
  ///
  /// - Parameter isDecided: Whether this response is sent; if not, `noteSending` or a refusal follows.
  mutating func record(_ planned: borrowing PlannedResponse, _ recorded: RecordedResponse, isDecided: Bool = true) {
    var recorded = recorded
    recorded.doubt = doubt
    entry.keep(planned.response, of: number)
    guard let plan = planned.plan, plan.gate != nil || plan.delay > .zero else {
      return record(recorded, isSent: isDecided)
    }
    if plan.gate != nil { recordArrival() } else { record(recorded, isSent: false) }
    entry.add(plan.gate != nil ? recorded : nil, whenBegun: plan)
  }

  /// Notes that the recorded response is sent, now or after its delay.
  func noteSending(of planned: borrowing PlannedResponse) {
    guard planned.plan.map({ $0.gate == nil && $0.delay <= .zero }) ?? true else { return }
    entry.noteSending()
  }

  /// Records and returns one of the server's own responses; `recorded` has the rest of the record except the status.
  mutating func respond(_ response: HTTPResponse, _ recorded: RecordedResponse = RecordedResponse()) -> PlannedResponse
  {
    let planned = PlannedResponse(response)
    var recorded = recorded
    recorded.status = response.status
    record(planned, recorded)
    return planned
  }

  /// Records a request that a fault breaks off, with the received part of its body.
  mutating func record(brokenOffBy fault: HTTPFault, of selection: StubTable.Selection?) {
    if let selection { note(selection) }
    record(RecordedResponse(stub: selection?.stub.outline, fault: fault))
  }

  func reject(_ refusal: HTTPError, at error: JSONError? = nil, keepsBody: Bool = true) {
    let launch = head.value(of: .trackingLaunch)?.shortened(to: RequestSender.longestLaunch)
    withBody { entry.reject(refusal, at: error, launch: launch, sequence: sequence, keepsBody ? $0 : nil) }
  }

  /// The number of the first event of a launch of this session; `nil` if there is none.
  private var sequence: UInt64? {
    guard sender.refusalOfSession(head) == nil, RequestSender.refusalOfLaunch(head) == nil else { return nil }
    return head.number(in: .trackingSequence).flatMap { $0 > 0 ? $0 : nil }
  }
}

// MARK: - Refusals

extension Exchange {
  /// Records a refused request and returns the response; a request that may be events is a rejected submission, too.
  mutating func refuse(_ refusal: HTTPError, at error: JSONError? = nil) -> PlannedResponse {
    let isSubmission = mayBeEvents
    let response = HTTPResponse(refusal, at: error)
    guard !isForPage else { return PlannedResponse(response) }
    defer { if isSubmission { reject(refusal, at: error) } }
    // The journal itself counts submissions refused because it is full.
    guard refusal.status != TrackingJournal.fullStatus || entry.isMade else { return PlannedResponse(response) }
    return respond(
      response, RecordedResponse(refusal: isSubmission ? nil : refusal.reason, isRejectedSubmission: isSubmission))
  }

  /// Refuses a request because no worker thread is free; events that aren't sent again are a rejected submission, too.
  mutating func refuseForWantOfThreads() -> PlannedResponse {
    let problem = """
      \(context.configuration.limits.workers) closures of stubs and formats are running, the most that \
      limits.workers allows; let them return, hold responses with .held(by:), or raise the limit
      """
    let refusal = HTTPError(status: 503, reason: problem)
    defer { if mayBeEvents, isFinal(refusal) { reject(refusal) } }
    return respond(HTTPResponse(refusal), RecordedResponse(problem: problem))
  }

  /// Refuses a malformed or incomplete request and records it as a rejected submission, because it may have been one.
  ///
  /// A 408 or 503 before the head isn't recorded: the sender may be a double, which sends the events again.
  func refuseUnread(_ refusal: HTTPError) -> HTTPResponse {
    if parser.hasHead {
      if isFinal(refusal) { reject(refusal, keepsBody: false) }
    } else if refusal.status != 408, refusal.status != 503 {
      entry.reject(refusal, nil)
    }
    var response = HTTPResponse(refusal)
    response.closes = true
    return response
  }

  /// Whether the sender doesn't send refused events again: only a double does, whose numbers show a loss.
  ///
  /// `DeliveryResult` in TrackerDouble says after which responses.
  private func isFinal(_ refusal: HTTPError) -> Bool {
    !(refusal.status == 408 || refusal.status >= 500) || !head.has(.trackingSequence)
  }
}

extension RequestHead {
  /// The request as stubs see it, with the received part of its body.
  func request(
    body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    jsonDepth: Int = ReceivedRequest.deepestJSON
  ) -> ReceivedRequest {
    var request = ReceivedRequest(
      method: .init(rawValue: methodName), host: hostName?.lowercased(), path: path.isEmpty ? target : path,
      queryText: query,
      headers: MessageHeaders(lines: fields.map { NamedText(name: $0.name, value: $0.value) }), body: Data(body)
    )
    request.jsonDepth = jsonDepth
    return request
  }
}
