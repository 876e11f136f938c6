import TestSupport
import TrackingServer
import TrackingVendors

@testable import VendorFormats

/// The paths at which formats listen, however they are given and however they are sent.
final class FormatPathTests: XCTestCase {
  private let reporter = RecordingReporter()
  private let server = TrackingServer()
  private lazy var verifier = TrackingVerifier(
    with: self, server: server, configuration: .init(timeout: 2, reporter: reporter))
  private var client: WireClient { WireClient(server: verifier.baseURL) }

  override func setUp() {
    verifier.start()
  }

  override func tearDown() {
    server.stop()
  }

  /// The spellings of a path that mean the same to an SDK's backend.
  private func spellings(_ path: String) -> [String] {
    let open = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let spellings = [open, "\(open)/", "/\(open)", open.replacing("/", with: "//"), "\(open)//"]
    guard let letter = open.lastIndex(where: { $0.isASCII && $0.isLowercase }),
      !open[..<letter].hasSuffix("%"), !open.dropLast(open.distance(from: letter, to: open.endIndex) + 1).hasSuffix("%")
    else { return spellings }
    let hex = String(open[letter].asciiValue ?? 0, radix: 16)
    return spellings
      + [hex, hex.uppercased()].map { open.replacingCharacters(in: letter...letter, with: "%\($0)") }
  }

  func testEveryVendorsPathsAreReadInAllTheirSpellings() throws {
    for format in AcceptedFormat.allVendors {
      let prepared = try PreparedFormat(format)
      for (pattern, isStartupRequest) in format.endpoints.map({ ($0, false) })
        + format.startupRequests.map({ ($0.pattern, true) })
      {
        for conditions in pattern.conditions {
          let path = "\(try XCTUnwrap(conditions.path))".replacing(/:\w+/, with: "key")
          for spelling in spellings(path) {
            let body = Data(#"{"client_sdk":{"sdk_vendor":"mparticle"}}"#.utf8)
            let request = ReceivedRequest(
              method: conditions.method ?? .post, path: spelling, queryText: "s=1", body: body)
            let isRead = isStartupRequest ? prepared.startupRequest(request) != nil : prepared.fits(request)
            XCTAssertTrue(isRead, "\(format.name): \(request.method) \(spelling)")
          }
        }
      }
    }
  }

  func testAFormatThatIsMovedIsReadInAllSpellingsOfItsPath() throws {
    for given in ["/collect", "/collect/", "/collect//v1/", "/a%20b/", "/caf\u{e9}", "/caf%c3%a9/v1"] {
      for format in AcceptedFormat.allVendors {
        let prepared = try PreparedFormat(format.at(given))
        let method = try XCTUnwrap(prepared.format.endpoints.first?.conditions.first).method
        let sent = try XCTUnwrap(prepared.format.address(at: verifier.baseURL).path(percentEncoded: true))
        for path in spellings(sent) {
          XCTAssertTrue(prepared.fits(ReceivedRequest(method: method ?? .post, path: path)), "\(format.name): \(path)")
        }
      }
    }
  }

  func testACustomPathIsReadAsItIsGivenAndInItsOtherSpellings() throws {
    let given: [(path: StubPath, sent: String)] = [
      ("/eum/v1/", "/eum/v1/"), ("/eum/v1", "/eum/v1"), ("/eum//v1/", "/eum//v1/"), ("/", "/"),
      ("/a%20b/", "/a%20b/"), ("/a b", "/a%20b"), ("/caf\u{e9}/", "/caf%C3%A9/"), ("/caf%C3%A9", "/caf%c3%a9"),
      ("/:app/v1/", "/shop/v1/"), ("/eum/*", "/eum/"), ("/eum/*", "/eum/v1/x"), (.regex("/eum/v[0-9]/"), "/eum/v1/"),
      (.regex("/eum//v[0-9]"), "/eum//v1"),
    ]
    for (path, sent) in given {
      let server = TrackingServer()
      try server.start()
      defer { server.stop() }
      try server.accept(.beacons(.post, at: path, nameKey: "t"))
      let client = WireClient(server: try XCTUnwrap(server.url(for: .segment)))
      // A regular expression is compared with the path as sent, too, so it may tell empty segments apart.
      let sent = "\(path)".contains("[") ? [sent] : spellings(sent)
      for target in sent.flatMap({ [$0, "\($0)?s=1"] }) {
        XCTAssertEqual(try client.post(target, "t\tload", type: "text/plain").status, 200, "\(path): \(target)")
      }
      XCTAssertEqual(server.journal.events.map(\.event.name), Array(repeating: "load", count: 2 * sent.count))
    }
  }

  func testAVendorsRequestIsReadAlikeInAllSpellings() throws {
    let log = #"[{"message":"broken"}]"#
    for path in spellings("/api/v2/logs") {
      XCTAssertEqual(try AcceptedFormat.datadog.lines(request(path, log)), ["track broken()"], path)
    }
    for path in spellings("/import") {
      let submission = try AcceptedFormat.mixpanel.submission(in: request(path, "[]"))
      XCTAssertEqual(submission?.response.text, #"{"code":200,"status":"OK"}"#, path)
    }
  }

  func testARequestWithoutABodyAndAQueryCarriesNoEvent() throws {
    let shop = AcceptedFormat("Shop", .get, "/collect") { request in
      try request.json([String].self).map { TrackingEvent(name: $0) }
    }
    verifier.accept(.beacons(at: "/", "/collect"), .matomo, shop)
    for target in ["GET /", "GET /?", "PUT /collect", "GET /collect", "GET /matomo.php", "HEAD /"] {
      let request = "\(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
      // The client finds no body in the response to HEAD.
      _ = try? client.send([Array(request.utf8)])
    }
    XCTAssertEqual(
      verifier.unmatchedRequests.map(\.target), ["/", "/?", "/collect", "/collect", "/matomo.php", "/"])
    XCTAssertEqual(server.journal.rejections, [])
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testAHealthCheckUsesUpNoFaultOfEvents() throws {
    verifier.accept(.beacons(at: "/collect"))
    verifier.respondToEvents(with: [.ok.failing(HTTPFault(.close, at: .requestHead)), .ok])
    XCTAssertEqual(try client.get("/collect").status, 404)
    XCTAssertThrowsError(try client.get("/collect?t=load"))
    XCTAssertEqual(try client.get("/collect?t=load").status, 200)
  }

  func testAClosureMayReadAnEventFromAPathAlone() throws {
    verifier.accept(
      AcceptedFormat("Pixel", .get, "/pixel/:name") { [TrackingEvent(name: $0.pathParams["name"] ?? "")] })
    XCTAssertEqual(try client.get("/pixel/load").status, 200)
    XCTAssertEqual(verifier.events.map(\.name), ["load"])
  }
}
