import Foundation
import StubModel
import TrackingModel

/// A request on its way through the handlers, with their findings.
///
/// A connection has one, which it reuses for each of its requests.
package struct Exchange: ~Copyable {
  package let context: ServerContext
  /// The number of the connection, from 1.
  package let connection: Int
  /// Which request of its connection it is, from 1.
  package private(set) var number = 1

  /// The parser that holds the request until it is answered.
  var parser: RequestParser
  /// The index of the handler that was asked last.
  var place = 0
  /// The test's setup when this request was read.
  var setup = StubStore.Setup()
  /// The decoded body of a request with a content coding.
  var decodedBody: [UInt8]?
  /// Why the body can't be decoded: nothing that depends on the body can answer.
  var bodyRefusal: Refusal?
  /// The refusal of a request that an accepted format can't read, unless a stub or the server's own format answers it.
  var formatRefusal: Refusal?
  /// The request as a value, made when a handler first asks for it.
  private var value: HTTPRequest?
  /// Whether the request is in the journal, and its number there; `nil` when the journal is full.
  var isRecorded = false
  var entry: Int?
  /// The launch that the last event named, so that its events share one text.
  private var launch: String?

  init(context: ServerContext, connection: Int) {
    self.context = context
    self.connection = connection
    parser = RequestParser(limits: RequestLimits(context.configuration.limits))
  }

  /// The request's head, without a copy.
  var head: RequestHead {
    _read { yield parser.head }
  }

  /// Whether it is a submission of events in the server's own format.
  var isSubmission: Bool {
    head.method == .post && isForEventPath
  }

  /// Whether it has the path of the event endpoint.
  var isForEventPath: Bool {
    if context.isEventPathRoot { return head.path(equals: "/") }
    return context.configuration.eventPath.map { head.path(equals: $0) } ?? false
  }

  /// The decoded body for as long as the closure runs; of an incomplete request, the received part.
  func withBody<Result>(_ use: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let decodedBody { return decodedBody.withUnsafeBytes(use) }
    return parser.withReceivedBody(use)
  }

  /// The request as stubs, formats and tests see it.
  package mutating func request() -> HTTPRequest {
    if let value { return value }
    let made = withBody { head.stubRequest(body: $0, jsonDepth: context.configuration.limits.jsonDepth) }
    value = made
    return made
  }

  /// Keeps the values of the path's params, for the record.
  mutating func take(pathParams: [String: String]) {
    guard !pathParams.isEmpty else { return }
    _ = request()
    value?.pathParams = pathParams
  }

  /// The head as stubs see it, for a request whose body has not arrived.
  func requestHead() -> HTTPRequest { head.stubRequest() }

  /// The name of the sender's launch.
  mutating func launchName() -> String? {
    guard head.has(.trackingLaunch) else { return nil }
    if let launch, head.field(.trackingLaunch, equals: launch) { return launch }
    launch = head.value(of: .trackingLaunch)
    return launch
  }

  /// What an answer depends on in its request.
  var responseContext: ResponseContext {
    ResponseContext(
      isHead: head.method == .head, isHTTP10: head.version == .http10, keepsAlive: head.keepsAlive)
  }

  /// Removes the request and prepares for the next one.
  mutating func finish() {
    number += 1
    parser.finish()
    decodedBody = nil
    bodyRefusal = nil
    formatRefusal = nil
    value = nil
    isRecorded = false
  }

  /// Asks the handlers, beginning with one of them.
  mutating func run(from place: Int = 0) -> Outcome {
    self.place = place
    let handlers = context.handlers
    while self.place < handlers.count {
      let outcome = handlers[self.place].handle(&self)
      switch consume outcome {
      case .pass: self.place += 1
      case let outcome: return outcome
      }
    }
    return .reply(Reply(HTTPResponse(Refusal(status: 404, reason: "nothing is served here"))))
  }

  /// Asks the handlers about a request whose body hasn't arrived.
  mutating func preview() -> Preview {
    for handler in context.handlers {
      let preview = handler.preview(&self)
      if case .pass = preview { continue }
      return preview
    }
    return .pass
  }
}

extension RequestHead {
  /// The request as stubs see it, with the received part of its body.
  func stubRequest(
    body: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
    jsonDepth: Int = HTTPRequest.deepestJSON
  ) -> HTTPRequest {
    var request = HTTPRequest(
      method: methodName, host: hostName?.lowercased(), path: path.isEmpty ? target : path, queryText: query,
      headers: HeaderFields(fields: fields.map { HeaderFields.Field(name: $0.name, value: $0.value) }), body: Data(body)
    )
    request.jsonDepth = jsonDepth
    return request
  }
}
