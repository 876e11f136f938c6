import Foundation
import StubModel
import TrackingModel

@testable import TrackingServer
@testable import VendorFormats

/// Takes the bytes of a connection to a server with stubs and formats, up to its responses and its journal: nothing traps, every response is one
/// response, and however the bytes are cut into packets, the responses and the journal are the same.
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

/// The responses of a server to the bytes of a connection, and the entries that it records.
private struct Conversation: Equatable {
  var responses: [String] = []
  var refusal: HTTPError?
  var events: [TrackingEvent] = []
  var callSites: [CallSite?] = []
  var rejections: [String] = []
  var requests: [String] = []

  private static let configuration = TrackingServer.Configuration(session: "s", allowedOrigins: ["http://a"])
  private static let handlers = TrackingServer.handlers(page: PageSlot(nil), checks: PageSlot(nil))
  private static let stubs: [PreparedStub] = {
    let endpoints: [StubEndpoint] = [
      StubEndpoint(.get, "/books/:id", .json(["id": 1])), StubEndpoint(.get, "/part", .data(Data("0123456789".utf8))),
      StubEndpoint(.request(.get, "/books/*", query: .subset(["q": "é"])), .status(204)),
      StubEndpoint(.request(.post, "/form", body: .formSubset(["a": "b"])), .text("ok")),
      StubEndpoint(.request(.post, "/json", body: .jsonSubset(["a": [1]])), .status(403)),
      StubEndpoint(.request(.any, .regex("/r/([a-z]+)(x)?"), headers: ["X": "y"]), .status(304)),
    ]
    return endpoints.compactMap { try? PreparedStub($0, folder: nil) }
  }()
  private static let formats = [AcceptedFormat.beacons(at: "/beacon", "/", nameKey: "t")].compactMap {
    try? PreparedFormat($0)
  }

  init(of pieces: [ArraySlice<UInt8>]) {
    let journal = TrackingJournal(limits: Self.configuration.limits)
    let store = StubStore()
    let owner = store.makeOwner()
    for stub in Self.stubs { store.install(stub, of: owner) }
    for format in Self.formats { store.accept(format, of: owner) }
    let context = ServerContext(
      configuration: Self.configuration, session: "s", journal: journal, stubs: store, backend: BackendSlot(nil))
    var exchange = Exchange(context: context, connection: 1)
    for piece in pieces {
      var rest = piece
      while !rest.isEmpty {
        rest = rest.dropFirst(exchange.parser.receive(rest))
        respond(&exchange)
      }
    }
    events = journal.events.map(\.event)
    callSites = events.map(\.callSite)
    rejections = journal.rejections.map(\.description)
    requests = journal.requests.map(\.description)
  }

  private mutating func respond(_ exchange: inout Exchange) {
    while true {
      switch exchange.parser.next() {
      case .needsMore: return
      case .head:
        exchange.setup = exchange.context.stubs.setup
        _ = Self.handlers.preview(&exchange)
      case .request:
        keep(Self.response(to: &exchange), isHead: exchange.head.method == .head)
        exchange.finish()
      case .refused(let refusal):
        self.refusal = refusal
        return
      }
    }
  }

  private static func response(to exchange: inout Exchange) -> HTTPResponse {
    var place = 0
    var outcome = handlers.handle(&exchange, from: &place)
    while true {
      switch consume outcome {
      case .respond(let planned): return planned.response
      case .work(let work, _): outcome = work()(&exchange)
      case .pass:
        place += 1
        outcome = handlers.handle(&exchange, from: &place)
      case .task: fatalError("no handler does that here")
      case .park: fatalError("no handler does that here")
      }
    }
  }

  /// Keeps a response that is one response: whatever the request held, it ends no line and no head of it.
  private mutating func keep(_ response: HTTPResponse, isHead: Bool) {
    var bytes: [UInt8] = []
    response.writeHead(
      to: &bytes, date: DateField(), context: HTTPResponse.Context(isHead: isHead, isHTTP10: false, keepsAlive: true))
    if !isHead { bytes += response.content.map { $0.prefix($0.count) } ?? [] }
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let end = lines.firstIndex(where: { $0.elementsEqual("\r".unicodeScalars) }),
      lines[0].starts(with: "HTTP/1.1 ".unicodeScalars),
      lines[..<end].allSatisfy({ $0.last == "\r" && $0.dropLast().allSatisfy { $0 == "\t" || $0.value >= 32 } })
    else { fatalError("no head of a response: \(String(text))") }
    let headLength = lines[...end].reduce(0) { $0 + String($1).utf8.count + 1 }
    let content = isHead ? 0 : response.content?.count ?? 0
    guard bytes.count == headLength + content else { fatalError("more than one response: \(String(text))") }
    responses.append(String(text))
  }
}
