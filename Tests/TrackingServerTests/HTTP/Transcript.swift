@testable import TrackingServer

/// Everything that a parser makes of a connection's bytes, so that two deliveries of the same bytes can be compared whole.
struct Transcript: Equatable {
  struct Request: Equatable {
    var method: String
    var target: String
    var form: RequestTarget.Form
    var path: String
    var query: String?
    var host: String?
    var port: Int?
    var version: HTTPVersion
    var framing: MessageFraming
    var keepsAlive: Bool
    var expectsContinue: Bool
    var fields: [String]
    var body: [UInt8]
  }

  var requests: [Request] = []
  var refusal: HTTPError?
  /// Whether the last request has no byte waiting behind it.
  var isIdle = true

  /// The transcript of bytes that arrive in these pieces.
  init(of pieces: [ArraySlice<UInt8>], limits: TrackingServer.Limits = .init()) {
    var parser = RequestParser(limits: RequestLimits(limits))
    for piece in pieces {
      var rest = piece
      while !rest.isEmpty {
        rest = rest.dropFirst(parser.receive(rest))
        drain(&parser)
      }
    }
    isIdle = parser.isIdle
  }

  private mutating func drain(_ parser: inout RequestParser) {
    while true {
      switch parser.next() {
      case .needsMore: return
      case .head: break
      case .request:
        requests.append(Request(parser))
        parser.finish()
      case .refused(let refusal):
        self.refusal = refusal
        return
      }
    }
  }
}

extension Transcript.Request {
  init(_ parser: borrowing RequestParser) {
    method = parser.head.methodName
    target = parser.head.target
    form = parser.head.targetForm
    path = parser.head.path
    query = parser.head.query
    host = parser.head.hostName
    port = parser.head.port
    version = parser.head.version
    framing = parser.head.framing
    keepsAlive = parser.head.keepsAlive
    expectsContinue = parser.head.expectsContinue
    fields = parser.head.fields.map { "\($0.name): \($0.value)" }
    body = parser.withReceivedBody { Array($0) }
  }
}
