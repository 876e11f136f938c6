import Foundation
import StubModel
import TrackingModel

@testable import TrackingServer

/// Takes the bytes of a connection to a server with stubs and decodings, up to its answers and its journal: nothing traps, every answer is one
/// answer, and however the bytes are cut into packets, the answers and the journal are the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzServer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = Conversation(of: [bytes[...]])
  let single = Conversation(of: bytes.indices.map { bytes[$0...$0] })
  guard whole == single else { fatalError("byte by byte, \(single) and not \(whole)") }
  let middle = bytes.count / 2
  let inTwo = Conversation(of: [bytes[..<middle], bytes[middle...]])
  guard whole == inTwo else { fatalError("cut in two, \(inTwo) and not \(whole)") }
  return 0
}

/// What a server answers to the bytes of a connection, and what it keeps of them.
private struct Conversation: Equatable {
  var answers: [String] = []
  var refusal: Refusal?
  var events: [TrackingEvent] = []
  var rejections: [String] = []
  var requests: [String] = []

  private static let configuration = TrackingServer.Configuration(session: "s", allowedOrigins: ["http://a"])
  private static let stubs: [PreparedStub] = {
    let endpoints: [StubEndpoint] = [
      StubEndpoint(.get, "/books/:id", .json(["id": 1])),
      StubEndpoint(.get, "/books/*", query: .subset(["q": "é"]), .status(204)),
      StubEndpoint(.post, "/form", body: .formSubset(["a": "b"]), .text("ok")),
      StubEndpoint(.post, "/json", body: .jsonSubset(["a": [1]]), .status(403)),
      StubEndpoint(nil, .regex("/r/([a-z]+)(x)?"), headers: ["X": "y"], .status(304)),
    ]
    return endpoints.compactMap { try? PreparedStub($0, folder: nil) }
  }()
  private static let decodings = ["/beacon", "/"].compactMap { try? StubMatcher(StubEndpoint(nil, .template($0), .ok)) }

  init(of pieces: [ArraySlice<UInt8>]) {
    let journal = Journal(limits: Self.configuration.limits)
    let store = StubStore()
    let owner = store.makeOwner()
    for stub in Self.stubs { store.install(stub, of: owner) }
    for matcher in Self.decodings { store.install(BeaconDecoding(nameKey: "t"), for: matcher, of: owner) }
    var router = Router(
      configuration: Self.configuration, session: "s", journal: journal, stubs: store, connection: 1)
    var parser = RequestParser(limits: Self.configuration.limits)
    for piece in pieces {
      var rest = piece
      while !rest.isEmpty {
        rest = rest.dropFirst(parser.receive(rest))
        answer(&parser, &router)
      }
    }
    events = journal.events.map(\.event)
    rejections = journal.rejections.map(\.description)
    requests = journal.requests.map(\.description)
  }

  private mutating func answer(_ parser: inout RequestParser, _ router: inout Router) {
    while true {
      switch parser.next() {
      case .needsMore: return
      case .head:
        _ = router.earlyFault(of: parser.head)
        _ = router.refusal(of: parser.head)
      case .request:
        let response = parser.withBody { Self.response(of: &router, to: parser.head, body: $0, answers.count + 1) }
        keep(response, parser.head)
        parser.finish()
      case .refused(let refusal):
        self.refusal = refusal
        return
      }
    }
  }

  private static func response(
    of router: inout Router, to head: borrowing RequestHead, body: UnsafeRawBufferPointer, _ exchange: Int
  ) -> Response {
    var reply = router.reply(to: head, body: body, exchange: exchange)
    while true {
      switch reply {
      case .answer(let answer): return answer.response
      case .work(let work): reply = router.conclude(work(), head, body: body, exchange: exchange)
      }
    }
  }

  /// Keeps an answer that is one answer: whatever the request held, it ends no line and no head of it.
  private mutating func keep(_ response: Response, _ head: borrowing RequestHead) {
    var bytes: [UInt8] = []
    let isHead = head.method == .head
    response.write(
      to: &bytes, date: DateField(), context: ResponseContext(isHead: isHead, isHTTP10: false, keepsAlive: true))
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let end = lines.firstIndex(where: { $0.elementsEqual("\r".unicodeScalars) }),
      lines[0].starts(with: "HTTP/1.1 ".unicodeScalars),
      lines[..<end].allSatisfy({ $0.last == "\r" && $0.dropLast().allSatisfy { $0 == "\t" || $0.value >= 32 } })
    else { fatalError("no head of an answer: \(String(text))") }
    let headLength = lines[...end].reduce(0) { $0 + String($1).utf8.count + 1 }
    let content = isHead ? 0 : response.content?.count ?? 0
    guard bytes.count == headLength + content else { fatalError("more than one answer: \(String(text))") }
    answers.append(String(text))
  }
}
