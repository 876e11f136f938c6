import TestSupport
import TrackingServer
import TrackingVendors

@testable import VendorFormats

/// The handling of submissions from SDKs whose formats a server accepts.
final class VendorIntakeTests: XCTestCase {
  private struct AddedToCart: TrackingSchema, Equatable {
    static let eventName = "added_to_cart"
    var product: String
    var quantity: Int
  }

  private let reporter = RecordingReporter()
  private let server = TrackingServer()
  private lazy var verifier = TrackingVerifier(
    with: self, server: server, configuration: .init(timeout: 2, reporter: reporter))
  private var client: WireClient { WireClient(server: verifier.baseURL) }

  private let batch = """
    {"batch":[{"type":"track","event":"added_to_cart","properties":{"product":"42","quantity":1},"messageId":"a"},
    {"type":"screen","name":"Cart","messageId":"b"},{"type":"track","event":"paid","messageId":"c"}],"writeKey":"k"}
    """

  override func setUp() {
    verifier.start()
  }

  override func tearDown() {
    server.stop()
  }

  func testATypedWaitIsMatchedByTheWiresOfFiveVendors() throws {
    verifier.accept(.segment, .postHog, .mixpanel, .openTelemetry, .telemetryDeck)
    let params = #"{"product":"42","quantity":1}"#
    let submissions: [(path: String, body: String, response: String)] = [
      ("/v1/b", #"{"batch":[{"type":"track","event":"added_to_cart","properties":\#(params)}]}"#, #"{"success":true}"#),
      ("/batch/", #"{"batch":[{"event":"added_to_cart","properties":\#(params)}]}"#, #"{"status":"Ok"}"#),
      ("/track/?ip=1", #"[{"event":"added_to_cart","properties":\#(params)}]"#, "1"),
      (
        "/v1/logs",
        """
        {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"added_to_cart","attributes":[
        {"key":"product","value":{"stringValue":"42"}},{"key":"quantity","value":{"intValue":"1"}}]}]}]}]}
        """, "{}"
      ),
      ("/v2/", #"[{"type":"added_to_cart","payload":{"product":"42","quantity":"1"}}]"#, ""),
    ]
    for (path, body, response) in submissions {
      let mark = verifier.mark()
      XCTAssertEqual(try client.post(path, body), WireClient.Response(status: 200, body: response))
      verifier.wait(for: AddedToCart(product: "42", quantity: 1), since: mark)
    }
    XCTAssertEqual(verifier.events.count, 5)
    XCTAssertEqual(reporter.messages, [])
  }

  func testASubmissionIsReadHoweverItArrives() throws {
    verifier.accept(.segment)
    let whole = WireClient.post("/v1/batch", Array(batch.utf8))
    let gzipped = try WireClient.gzipped(Array(batch.utf8))
    let coded = WireClient.post("/v1/batch", gzipped, headers: ["Content-Encoding: gzip"])
    var forms = [
      [whole], [WireClient.chunked("/v1/batch", Array(batch.utf8))], [coded],
      [WireClient.chunked("/v1/batch", gzipped, headers: ["Content-Encoding: gzip"])], whole.map { [$0] },
    ]
    for place in stride(from: 1, to: coded.count, by: 3) {
      forms.append([Array(coded[..<place]), Array(coded[place...])])
    }
    for form in forms {
      XCTAssertEqual(try client.send(form), WireClient.Response(status: 200, body: #"{"success":true}"#))
    }
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "paid"])
    XCTAssertEqual(verifier.redeliveredEvents.count, 2 * (forms.count - 1))
  }

  func testAGzipBodyThatNoHeaderNamesIsDecodedForTheFormat() throws {
    verifier.accept(.postHog)
    verifier.stub(.post, "/upload", .ok)
    let event = Array(#"[{"event":"paid","properties":{"total":3}}]"#.utf8)
    let gzipped = try WireClient.gzipped(event)
    for (target, body) in [
      ("/e/?compression=gzip-js", gzipped), ("/i/v0/e/", gzipped),
      ("/e/?compression=gzip-js", event),
    ] {
      XCTAssertEqual(try client.send([WireClient.post(target, body, type: "text/plain")]).status, 200, target)
    }
    XCTAssertEqual(verifier.events.map(\.description), Array(repeating: "paid(total: 3)", count: 3))
    var damaged = gzipped
    damaged[damaged.count - 1] ^= 1
    XCTAssertEqual(
      try client.send([WireClient.post("/e/?compression=gzip-js", damaged, type: "text/plain")]),
      WireClient.Response(
        status: 400,
        body:
          #"{"error":"the body is not valid gzip data: the size in the gzip trailer is wrong, at byte \#(damaged.count)"}"#
          + "\n"))
    // Elsewhere the body is the app's.
    _ = try client.send([WireClient.post("/upload?compression=gzip-js", gzipped, type: "text/plain")])
    XCTAssertEqual(verifier.requests.last?.request.body, Data(gzipped))
  }

  func testARejectionAtTheServersOwnPathHasItsPlace() throws {
    verifier.accept(.amplitude)
    let form =
      "e="
      + (#"[{"event_type":"a","event_properties":{"b":nul}}"#.addingPercentEncoding(
        withAllowedCharacters: .alphanumerics) ?? "")
    let response = try client.post("/", form, type: "application/x-www-form-urlencoded")
    XCTAssertEqual(response.status, 400)
    XCTAssertEqual(
      server.journal.rejections.map(\.description),
      ["400: [0].event_properties.b: Amplitude: expected null"])
  }

  func testABatchWhoseResponseWasLostIsRecordedOnce() throws {
    verifier.accept(.segment)
    verifier.respondToEvents(with: [.ok.failing(HTTPFault(.reset, at: .response)), .ok])
    XCTAssertThrowsError(try client.post("/v1/b", batch))
    XCTAssertEqual(try client.post("/v1/b", batch).status, 200)
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "paid"])
    XCTAssertEqual(verifier.redeliveredEvents.map(\.name), ["added_to_cart", "paid"])
  }

  func testABatchThatWasRefusedIsRecordedWhenItIsSentAgain() throws {
    verifier.accept(.segment)
    verifier.respondToEvents(with: [.status(503), .json(["success": true]).delayed(by: 0.05)])
    XCTAssertEqual(try client.post("/v1/b", batch).status, 503)
    XCTAssertEqual(verifier.events, [])
    XCTAssertEqual(try client.post("/v1/b", batch).status, 200)
    XCTAssertEqual(verifier.events.count, 2)
    XCTAssertEqual(verifier.redeliveredEvents, [])
  }

  func testAnIDWithOtherContentIsRecorded() throws {
    verifier.accept(.segment)
    _ = try client.post("/v1/b", batch)
    _ = try client.post("/v1/b", batch.replacing(#""quantity":1"#, with: #""quantity":2"#))
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "paid", "added_to_cart"])
    XCTAssertEqual(verifier.redeliveredEvents.map(\.name), ["paid"])
    XCTAssertEqual(
      server.journal.rejections.map(\.description),
      ["200: Segment sent another event under the id a, which #1 has; both were recorded"])
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.rejected])
  }

  func testAWaitIsMatchedByARedelivery() throws {
    verifier.accept(.segment)
    _ = try client.post("/v1/b", batch)
    XCTAssertFalse(verifier.outcome(of: .redelivered(.named("paid")), timeout: 0.05).passed)
    _ = try client.post("/v1/b", batch)
    verifier.wait(for: .redelivered(.named("paid")))
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFailureListsWhatIsNoEventAndFoldsTheContext() throws {
    verifier.accept(.segment)
    let old = #"{"batch":[{"type":"track","event":"old","messageId":"z","timestamp":"2020-01-01T00:00:00Z"}]}"#
    _ = try client.post("/v1/b", old)
    _ = try client.post("/v1/b", batch)
    _ = verifier.outcome(of: .count(2, of: .named("paid")), timeout: 0.05)
    let message = verifier.outcome(of: .count(2, of: .named("paid")), timeout: 0.05).description
    XCTAssertEqual(
      message.replacing(#/[-+]?[0-9.]+ m?s {2}/#, with: "N  "),
      """
      Expected exactly 2 events named "paid", but 1 arrived within 0.05 s

      Received, by time since the wait began:
          #1  N  left over from an earlier run  old() from Segment (context: 3 values)
          #2  N                                 added_to_cart(product: "42" … (of 74) … xt: 2 values)
          #3  N  matches                        paid() from Segment (context: 2 values)

      Also received from SDKs, but not as events, which keeping(_:) would make them:
          screen Cart (Segment)
      """)
  }

  func testABadItemIsARejectionAndTheOthersCount() throws {
    verifier.accept(.segment)
    let body = batch.replacing(#""name":"Cart""#, with: #""name":"Cart","properties":"none""#)
    XCTAssertEqual(try client.post("/v1/b", body), WireClient.Response(status: 200, body: #"{"success":true}"#))
    XCTAssertEqual(verifier.events.count, 2)
    XCTAssertEqual(
      server.journal.rejections.map(\.description),
      [
        "200: batch[1].properties: expected an object, found a string; the rest of the Segment submission was accepted"
      ])
  }

  func testABodyOfNoAcceptedFormatIsARejection() throws {
    verifier.accept(.segment, .rudderStack)
    let unknown = try client.post("/v1/batch", #"{"events":[]}"#)
    XCTAssertEqual(unknown.status, 400)
    XCTAssertEqual(try client.post("/v1/batch", #"{"batch":["#).status, 400)
    XCTAssertEqual(
      server.journal.rejections.map(\.description),
      [
        "400: the request has the path of an accepted format, but its content matches none of them: Segment, RudderStack",
        "400: batch[0]: Segment: expected a value, found the end of the text",
      ])
    XCTAssertEqual(try client.post("/batch", batch).status, 404, "PostHog is not accepted")
  }

  func testStartupRequestsGetTheFormatsResponseUnlessAStubFits() throws {
    verifier.accept(.segment, .postHog)
    XCTAssertEqual(
      try client.get("/v1/projects/k/settings"),
      WireClient.Response(status: 200, body: #"{"integrations":{"Segment.io":{}}}"#))
    verifier.stub(.get, "/v1/projects/:key/settings", .status(503))
    XCTAssertEqual(try client.get("/v1/projects/k/settings").status, 503)
    XCTAssertEqual(try client.post("/flags/?v=2", "{}").status, 200)
    XCTAssertEqual(verifier.unmatchedRequests, [])
  }

  func testEachVendorOfAllIsToldByItsBodyInAnyOrder() throws {
    let requests = [
      ("Segment", #"{"library":{"name":"analytics-swift"}},"type":"track""#),
      ("Segment", #"{"library":{"name":"analytics-python"}},"type":"track""#),
      ("Customer.io", #"{"library":{"name":"analytics-swift"},"userAgent":"Customer.io iOS Client/3"},"type":"track""#),
      ("RudderStack", #"{"library":{"name":"rudder-ios-library"}},"type":"track""#),
      ("RudderStack", #"{"library":{"name":"analytics-python"}},"channel":"server","type":"track""#),
    ]
    for formats in [AcceptedFormat.allVendors, AcceptedFormat.allVendors.reversed()] {
      let server = TrackingServer()
      try server.start()
      defer { server.stop() }
      for format in formats { try server.accept(format) }
      let client = WireClient(server: try XCTUnwrap(server.url(for: .segment)))
      for (index, (_, item)) in requests.enumerated() {
        let body = #"{"batch":[{"context":\#(item),"event":"paid","messageId":"\#(index)"}]}"#
        XCTAssertEqual(try client.post("/v1/batch", body).status, 200)
      }
      XCTAssertEqual(server.journal.events.map(\.event.origin?.format), requests.map(\.0))
      // Each SDK finds in the response what it needs.
      XCTAssertEqual(
        try client.get("/v1/projects/k/settings").body,
        #"{"integrations":{"Customer.io Data Pipelines":{},"Segment.io":{}}}"#)
      let flags = try client.post("/flags", "{}").body
      XCTAssertTrue(flags.contains(#""featureFlags":{}"#) && flags.contains(#""flags":{}"#), flags)
    }
  }

  func testAFormatIsReadWithoutItsSignatureIfNoOtherReadsIt() throws {
    verifier.accept(.rudderStack)
    _ = try client.post("/v1/batch", batch)
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "paid"])
  }

  func testAMixpanelBatchOfAnIOSSDKThatIsSentAgainIsRecordedOnce() throws {
    verifier.accept(.mixpanel)
    let body = #"[{"event":"purchase","properties":{"token":"t"},"$mp_metadata":{"$mp_event_id":"ab01"}}]"#
    for _ in 1...2 { XCTAssertEqual(try client.post("/track/", body).body, "1") }
    XCTAssertEqual(verifier.events.map(\.name), ["purchase"])
  }

  func testLogRecordsThatAreSentAgainAreRecordedOnce() throws {
    verifier.accept(.openTelemetry)
    func logs(_ nanoseconds: String...) -> String {
      let records = nanoseconds.map { #"{"timeUnixNano":"\#($0)","body":{"stringValue":"paid"}}"# }
      return #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(records.joined(separator: ","))]}]}]}"#
    }
    // Two equal records of one request are two events.
    for _ in 1...2 { _ = try client.post("/v1/logs", logs("1795260164901000001", "1795260164901000001")) }
    XCTAssertEqual(verifier.events.count, 2)
    _ = try client.post("/v1/logs", logs("1795260164901000002"))
    XCTAssertEqual(verifier.events.count, 3)
    // A clock of milliseconds doesn't tell events apart.
    for _ in 1...2 { _ = try client.post("/v1/logs", logs("1795260164901000000")) }
    XCTAssertEqual(verifier.events.count, 5)
    XCTAssertEqual(server.journal.rejections, [])
  }

  func testTheSameEventThroughTwoSDKsIsNotADuplicate() throws {
    verifier.accept(.segment, .postHog)
    _ = try client.post("/v1/b", #"{"batch":[{"type":"track","event":"paid","messageId":"a"}]}"#)
    _ = try client.post("/batch", #"{"batch":[{"event":"paid","uuid":"b"}]}"#)
    XCTAssertTrue(verifier.outcome(of: .noDuplicates(within: 60), timeout: 0).passed)
    _ = try client.post("/batch", #"{"batch":[{"event":"paid","uuid":"c"}]}"#)
    XCTAssertFalse(verifier.outcome(of: .noDuplicates(within: 60), timeout: 0).passed)
  }

  func testEventsOfAVendorThatIsNotAcceptedAreRecognized() throws {
    let response = try client.post("/v1/b", batch)
    let hint = "it looks like events of Segment, which are read after accept(.segment)"
    XCTAssertEqual(
      response,
      WireClient.Response(
        status: 404, body: #"{"error":"nothing is served at /v1/b; events are posted to /; \#(hint)"}"# + "\n"))
    _ = try client.post("/v1/batch", #"{"batch":[{"type":"track","event":"a","channel":"server"}]}"#)
    verifier.stub(.get, "/books", .ok)
    _ = try client.post("/batch", #"{"batch":[{"event":"a","properties":{}}]}"#)
    // A path alone doesn't count, nor does a body with another.
    _ = try client.post("/sessions", #"{"user":"u"}"#)
    _ = try client.post("/other", batch)
    XCTAssertEqual(
      verifier.unmatchedRequests.map(\.problem),
      [
        hint, "it looks like events of RudderStack, which are read after accept(.rudderStack)",
        "it looks like events of PostHog, which are read after accept(.postHog)", nil, nil,
      ])
    verifier.wait(for: .named("added_to_cart"), timeout: 0)
    let message = try XCTUnwrap(reporter.messages.first)
    XCTAssertTrue(message.contains("    POST /v1/b\n        \(hint)\n"), message)
  }

  func testEventsOfAVendorThatIsNotAcceptedAreRecognizedWithoutStubs() throws {
    _ = try client.post("/v1/b", batch)
    verifier.wait(for: .named("added_to_cart"), timeout: 0)
    let message = try XCTUnwrap(reporter.messages.first)
    let paragraph = """
      No stub matched 1 request:
          POST /v1/b
              it looks like events of Segment, which are read after accept(.segment)
      """
    XCTAssertTrue(message.components(separatedBy: "\n\n").contains(paragraph), message)
  }

  func testTheClassOfVendorsIsFoundByItsName() {
    XCTAssertTrue(NSClassFromString("VendorFormats.VendorLinkage") is any VendorLink.Type)
  }

  func testTheCallForEachKnownVendorIsOneThatCompiles() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Sources/Extras/VendorFormats")
    let sources = try ["Data", "Decoders"].flatMap { name in
      try FileManager.default.contentsOfDirectory(at: folder.appending(path: name), includingPropertiesForKeys: nil)
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
    for (member, format) in VendorLinkage.formats {
      XCTAssertTrue(sources.contains { $0.contains("public static let \(member) =") }, "\(format.name): \(member)")
    }
  }

  func testAStubOfAllPathsSilencesNoSDK() throws {
    verifier.accept(.segment, .mParticle)
    verifier.stub(.any, "/*", .json([:]))
    verifier.stub(.get, "/v1/*", .json([:]))
    verifier.stub(.get, .regex("/v1/.*"), .json([:]))
    let settings = #"{"integrations":{"Segment.io":{}}}"#
    XCTAssertEqual(try client.get("/v1/projects/k/settings"), WireClient.Response(status: 200, body: settings))
    XCTAssertEqual(try client.get("/v1/orders").body, "{}")
    XCTAssertEqual(try client.post("/v1/b", batch).body, #"{"success":true}"#)
    verifier.stub(.get, "/v1/projects/k/settings", [.status(404), .status(503)])
    XCTAssertEqual(try client.get("/v1/projects/k/settings").status, 404)
    XCTAssertEqual(try client.get("/v1/projects/other/settings").body, settings)
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "paid"])
  }

  func testAFormatThatIsAcceptedAgainReplacesItself() throws {
    verifier.accept(.segment)
    verifier.accept(.segment.keeping(.screen))
    _ = try client.post("/v1/b", batch)
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "Cart", "paid"])
    _ = try client.post("/v1/b", batch)
    XCTAssertEqual(verifier.events.count, 3)
    XCTAssertEqual(verifier.redeliveredEvents.count, 3)
  }

  func testAFormatAtAnotherPathThatIsAcceptedAgainReplacesItself() throws {
    // Matomo's SDKs send by two methods, whose order must not depend on hash values.
    for number in 1...20 {
      verifier.accept(.matomo.at("/m\(number)"))
      verifier.accept(.matomo.at("/m\(number)").keeping(.automatic))
    }
    XCTAssertEqual(server.stubs.acceptedFormats.map(\.kinds), Array(repeating: [.track, .automatic], count: 20))
  }

  func testKeysAndIdsOfAnyLengthTakeNoTime() throws {
    for format in AcceptedFormat.allVendors { verifier.accept(format) }
    // Hashed or compared as a Swift string, this would take minutes.
    let text = "a" + String(repeating: "\u{301}\u{316}", count: 30_000)
    let form = "application/x-www-form-urlencoded"
    let posts = [
      ("/matomo.php", "idsite=1&\(text)=1", form, 400), ("/i", "app_key=1&device_id=1&\(text)=1", form, 400),
      ("/matomo.php", #"{"requests":["?idsite=1&\#(text)=1","\#(text)?idsite=1"]}"#, "application/json", 200),
      ("/i", "app_key=1&device_id=1&events=[{\"key\":\"\(text)\"}]", form, 200),
      ("/track", "data=\(text)", form, 400),
      ("/mobile", "t\tcustom\n\(text)\t1", "text/plain", 200), ("/mobile", "t\t\(text)", "text/plain", 200),
      ("/com.snowplowanalytics.snowplow/tp2", #"{"data":[{"e":"\#(text)"}]}"#, "application/json", 200),
      (
        "/com.snowplowanalytics.snowplow/tp2", #"{"data":[{"e":"ue","ue_px":"\#(text)"}]}"#, "application/json", 200
      ),
      ("/v1/batch", #"{"batch":[{"type":"track","event":"a","messageId":"\#(text)"}]}"#, "application/json", 200),
      (
        "/i/v1/analytics/events", #"{"batch":[{"event":"b","uuid":"\#(text)","properties":{}}]}"#, "application/json",
        200
      ),
      (
        "/v1/logs",
        #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"c","attributes":[{"key":"\#(text)"}]}]}]}]}"#,
        "application/json", 200
      ),
    ]
    for (path, body, type, status) in posts {
      XCTAssertEqual(try client.post(path, body, type: type).status, status, path)
    }
  }

  func testTwoFormatsShareAPathAndTheBodyDecides() throws {
    verifier.accept(.postHog, .amplitude, .openPanel, .mixpanel, .countly, .snowplow)
    let params = #"{"total":3}"#
    for (path, body) in [
      ("/batch", #"{"api_key":"k","batch":[{"event":"posthog","properties":\#(params)}]}"#),
      ("/batch", #"{"api_key":"k","events":[{"event_type":"amplitude","event_properties":\#(params)}]}"#),
      ("/track", #"{"type":"track","payload":{"name":"openpanel","properties":\#(params)}}"#),
      ("/track", #"[{"event":"mixpanel","properties":\#(params)}]"#),
    ] { XCTAssertEqual(try client.post(path, body).status, 200) }
    XCTAssertEqual(
      try client.get("/i?app_key=k&device_id=d&events=%5B%7B%22key%22:%22countly%22%7D%5D").body,
      #"{"result":"Success"}"#)
    XCTAssertEqual(try client.get("/i?e=se&p=web&se_ca=shop&se_ac=snowplow").status, 200)
    XCTAssertEqual(
      verifier.events.map(\.name), ["posthog", "amplitude", "openpanel", "mixpanel", "countly", "snowplow"])
    XCTAssertEqual(server.journal.rejections, [])
  }

  func testWrongShapesAreRejectionsAndNothingElse() throws {
    verifier.accept(.segment)
    let bodies = [
      "", "null", "7", "[]", "{}", "\"text\"", #"{"batch":7}"#, #"{"batch":null}"#, #"{"batch":[[]]}"#,
      #"{"batch":[null]}"#,
      #"{"batch":{}}"#, "{\"batch\":[" + String(repeating: "[", count: 5_000), "\u{FEFF}{}",
    ]
    for body in bodies {
      let response = try client.post("/v1/b", body)
      XCTAssertTrue([200, 400].contains(response.status), "\(body.prefix(40)): \(response)")
    }
    XCTAssertEqual(verifier.events, [])
    XCTAssertEqual(server.journal.rejections.count, bodies.count)
  }

  func testAThousandBatchesOfFourClientsAreAllThere() throws {
    verifier.accept(.segment)
    let url = verifier.baseURL
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for batch in 0..<250 {
        let item = #"{"type":"track","event":"paid","messageId":"\#(number)-\#(batch)","properties":{"n":\#(batch)}}"#
        _ = try? WireClient(server: url).post("/v1/b", #"{"batch":[\#(item)]}"#)
      }
    }
    verifier.wait(for: .named("paid"), count: 1_000)
    XCTAssertEqual(server.journal.redeliveries, 0)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAStubMayShareThePathOfAFormat() throws {
    verifier.accept(.segment)
    verifier.stub(.post, "/v1/batch", .json(["stubbed": true]))
    XCTAssertEqual(try client.post("/v1/batch", #"{"orders":[]}"#).body, #"{"stubbed":true}"#)
    XCTAssertEqual(try client.post("/v1/batch", batch).body, #"{"success":true}"#)
  }

  func testAClockOfWholeSecondsMakesNoLeftover() throws {
    verifier.accept(.mixpanel)
    let now = Date().timeIntervalSince1970
    for (name, time) in [("rounded", now.rounded(.down)), ("earlier", now - 60)] {
      _ = try client.post("/track", #"[{"event":"\#(name)","properties":{"time":\#(time)}}]"#)
    }
    let message = verifier.outcome(of: .count(2, of: .named("none")), timeout: 0.05).description
    let rows = message.matches(of: #/\#\d +[-+]?[0-9.]+ m?s +(.*)/#).map { $0.1.replacing(#/  +/#, with: " | ") }
    XCTAssertEqual(
      rows,
      [
        "rounded() from Mixpanel (context: 1 value)",
        "left over from an earlier run | earlier() from Mixpanel (context: 1 value)",
      ])
  }

  func testAScreenWithoutANameIsNoRejection() throws {
    verifier.accept(.segment.keeping(.screen))
    _ = try client.post("/v1/b", #"{"batch":[{"type":"screen","name":null,"category":"shop"},{"type":"track"}]}"#)
    XCTAssertEqual(verifier.events.map(\.name), ["screen"])
    XCTAssertEqual(
      server.journal.rejections.map(\.description),
      ["200: batch[1].event: expected a name, found nothing; the rest of the Segment submission was accepted"])
  }

  func testAnIDTwiceInABatchIsOneEvent() throws {
    verifier.accept(.segment)
    let item = #"{"type":"track","event":"paid","messageId":"a"}"#
    _ = try client.post("/v1/b", #"{"batch":[\#(item),\#(item)]}"#)
    XCTAssertEqual(verifier.events.map(\.name), ["paid"])
    XCTAssertEqual(verifier.redeliveredEvents.map(\.name), ["paid"])
  }

  func testBadItemsWithoutEndFillNeitherMemoryNorTheJournal() throws {
    verifier.accept(.segment)
    let bad = Array(repeating: "1", count: 5_000).joined(separator: ",")
    XCTAssertEqual(try client.post("/v1/b", #"{"batch":[\#(bad),{"type":"track","event":"paid"}]}"#).status, 200)
    XCTAssertEqual(verifier.events.map(\.name), ["paid"])
    XCTAssertEqual(server.journal.rejections.count, 1_000)
    XCTAssertEqual(server.journal.rejections.filter { !$0.body.isEmpty }.count, 1)
  }

  func testKindsBecomeEventsOnDemand() throws {
    verifier.accept(.segment.keeping(.screen))
    _ = try client.post("/v1/b", batch)
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "Cart", "paid"])
  }

  func testKeepingEverythingPutsTheSDKsParamsBack() throws {
    verifier.accept(.postHog.keepingEverything)
    _ = try client.post("/batch", #"{"batch":[{"event":"paid","properties":{"total":3,"$os":"iOS"},"uuid":"1"}]}"#)
    verifier.wait(for: TrackingEvent(name: "paid", params: ["total": 3, "$os": "iOS"]))
    XCTAssertEqual(verifier.events[0].context["uuid"], "1")
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFailureShowsTheContextWhereAPathEnds() throws {
    verifier.accept(.segment)
    let item =
      #"{"type":"track","event":"paid","messageId":"a","context":{"library":{"name":"x"},"os":{}},"userId":"u"}"#
    _ = try client.post("/v1/b", #"{"batch":[\#(item)]}"#)
    verifier.wait(for: .context(["context.library.name": "x"]))
    for (path, found) in [
      ("library.name", "+ context: an object with context, messageId, type, userId"),
      ("context.app.name", "+ context.context: an object with library, os"),
      ("userId.name", #"+ context.userId: "u""#),
    ] {
      let message = verifier.outcome(
        of: .count(1, of: EntryPattern(EventPattern.context([.custom(key: path): "x"]))), timeout: 0
      ).description
      XCTAssertTrue(message.contains("- context.\(path): \"x\"\n    \(found)"), message)
    }
  }

  func testADoubleAndAnSDKShareAServer() throws {
    verifier.accept(.amplitude)
    XCTAssertEqual(try client.post("/", #"{"name":"own"}"#).status, 204)
    XCTAssertEqual(try client.post("/", #"{"name":7}"#).status, 400)
    let form = "e=%5B%7B%22event_type%22%3A%22E%22%7D%5D"
    XCTAssertEqual(try client.post("/", form, type: "application/x-www-form-urlencoded").status, 200)
    XCTAssertEqual(verifier.events.map(\.name), ["own", "E"])
  }

  func testBeaconsAndAFormatOfTheTestShareAPath() throws {
    verifier.accept(.beacons(.post, at: "/collect", nameKey: "t"))
    verifier.accept(JSONEventFormat("Shop", .post, "/collect", events: "items[]", name: "n"))
    XCTAssertEqual(try client.post("/collect", #"{"items":[{"n":"opened"}]}"#).status, 200)
    XCTAssertEqual(try client.post("/collect", "t\tpaid\ntotal\t3\n", type: "text/plain").status, 200)
    XCTAssertEqual(verifier.events.map(\.name), ["opened", "paid"])
    XCTAssertEqual(server.journal.rejections, [])
  }

  func testAPathWithAnErrorFailsAtTheLineOfTheCall() {
    let (_, line) = (verifier.accept(JSONEventFormat("Shop", .post, "collect", events: "[]", name: "n")), #line as UInt)
    XCTAssertEqual(reporter.lines, [line])
    XCTAssertEqual(reporter.sentences.first?.hasPrefix("The format Shop was not installed: "), true)
  }

  func testAServerAloneAcceptsFormats() throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    try server.accept(.segment)
    let url = try XCTUnwrap(server.url(for: .segment))
    XCTAssertEqual(try WireClient(server: url).post("/v1/b", batch).status, 200)
    XCTAssertEqual(server.journal.events.map(\.event.name), ["added_to_cart", "paid"])
    XCTAssertEqual(try WireClient(server: url).post("/v1/b", batch).status, 200)
    XCTAssertEqual(server.journal.redeliveries, 2)
    XCTAssertThrowsError(try server.accept(JSONEventFormat("Shop", .post, "collect", events: "[]", name: "n")))
  }
}
