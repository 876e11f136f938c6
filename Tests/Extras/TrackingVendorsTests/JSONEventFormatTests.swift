import TestSupport
import VendorFormats

final class JSONEventFormatTests: XCTestCase {
  private let shop = JSONEventFormat(
    "Shop", .post, "/collect", events: "items[]", where: ["kind": "event"], name: "n", params: "p", id: "uid",
    time: "ts")

  func testAFormatIsTenLinesOfData() throws {
    let body =
      #"{"items":[{"kind":"event","n":"purchase","p":{"total":3},"uid":7,"ts":1795260164,"device":"x"},{"kind":"beat"}]}"#
    let submission = try AcceptedFormat(shop).submission(in: request("/collect", body))
    XCTAssertEqual(submission?.lines, ["track purchase(total: 3) id 7", "other beat()"])
    XCTAssertEqual(submission?.items[0].context["device"], "x")
    XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_260_164))
  }

  func testABadItemDoesNotSpoilTheOthers() throws {
    let items = [
      #"{"kind":"event","n":"first"}"#, #"{"kind":"event","n":"a","p":"text"}"#, #"{"kind":"event","n":4}"#,
      #"{"kind":"event","n":"b","p":{"x":NaN,"y":"},{"}}"#, #"{"kind":"event","n":"c","p":{"x":1,"x":2}}"#, "7",
      #"{"n":"d"}"#, #"{"kind":"event","n":"last","p":null}"#,
    ]
    let body = "{\"items\":[\(items.joined(separator: ","))]}"
    XCTAssertEqual(
      try AcceptedFormat(shop).lines(request("/collect", body)),
      [
        "track first()", "track last()", "malformed items[1].p: expected an object, found a string",
        "malformed items[2].n: expected a name, found a number",
        "malformed items[3].p.x: expected a value, found \"N\"", "malformed items[4].p.x: this key appears twice",
        "malformed items[5]: expected an object, found a number",
        "malformed items[6].kind: missing; it tells what kind of item this is",
      ])
  }

  func testAFormatMayNameThePlaceOfTheCallSite() throws {
    let format = AcceptedFormat(
      JSONEventFormat("Shop", .post, "/collect", events: "[]", name: "n", params: ".", callSite: "debug.line"))
    let long = String(repeating: "x", count: 513)
    let body = #"""
      [{"n":"a","x":1,"debug":{"line":"cart.py:31"}},{"n":"b","debug":{"line":null}},{"n":"c","debug":{"line":31}},
      {"n":"d"},{"n":"e","debug":{"line":"\#(long)"}}]
      """#
    let submission = try XCTUnwrap(try format.submission(in: request("/collect", body)))
    XCTAssertEqual(submission.items.map(\.event.name), ["a", "b", "d"])
    XCTAssertEqual(submission.items.map { $0.event.callSite?.description }, ["cart.py:31", nil, nil])
    XCTAssertEqual(submission.items[0].event.params["x"], 1)
    XCTAssertEqual(
      submission.malformed.map(\.description),
      [
        "[2].debug.line: expected a call site, found a number",
        "[4].debug.line: expected a call site of at most 512 bytes",
      ])
  }

  func testABodyOfAnotherShapeIsLeftToOtherFormats() throws {
    for body in [#"{"batch":[]}"#, "[]", "7", #"{"items":{"kind":7}}"#] {
      let lines = try AcceptedFormat(shop).lines(request("/collect", body))
      XCTAssertEqual(lines == nil, !body.contains("items"), body)
    }
    XCTAssertNil(try AcceptedFormat(shop).lines(request("/elsewhere", #"{"items":[]}"#)))
    XCTAssertThrowsError(try AcceptedFormat(shop).lines(request("/collect", #"{"items":["#)))
  }

  func testKeepingSaysWhichItemsBecomeEvents() {
    let all = AcceptedFormat.segment.keepingEverything
    XCTAssertEqual(AcceptedFormat.segment.kinds, [.track])
    XCTAssertEqual(AcceptedFormat.segment.keeping(.identify, .screen).kinds, [.track, .identify, .screen])
    XCTAssertEqual(all.kinds, Set(DecodedSubmission.Kind.all))
    XCTAssertTrue(all.keepsAddedParams)
    XCTAssertEqual(shop.keeping(.other).kinds, [.track, .other])
  }

  func testAddressesAreWhatSDKsAreConfiguredWith() throws {
    let server = try XCTUnwrap(URL(string: "http://127.0.0.1:50123"))
    let addresses: [(AcceptedFormat, String)] = [
      (.postHog, "http://127.0.0.1:50123"), (.amplitude, "http://127.0.0.1:50123/2/httpapi"),
      (.amplitude(at: "/a"), "http://127.0.0.1:50123/a"), (.datadog(at: "/rum"), "http://127.0.0.1:50123/rum"),
      (.matomo, "http://127.0.0.1:50123/matomo.php"),
      (.openTelemetry, "http://127.0.0.1:50123/v1/logs"),
    ]
    for (format, address) in addresses { XCTAssertEqual(format.address(at: server).absoluteString, address) }
  }

  /// A skipped element may be anything that brackets and quotation marks delimit; the reader never runs past the text.
  func testDamagedBodiesAreRefusedOrReadButNeverTrap() {
    let seeds = [
      request("/collect", #"{"items":[{"kind":"event","n":"a\"b","p":{"x":[1,{"y":NaN}]}},{"kind":"event","n":"c"}]}"#),
      request("/api/1/envelope", "{}\n{\"type\":\"event\",\"length\":15}\n{\"message\":\"a\"}\n{\"type\":\"log\"}\n{}"),
      request("/mobile", "t\tcustom\ncen\tx\\\\\nm_a\t\\n\n\nt\tperf"),
      request(
        "/v1/logs", "\n\u{18}\u{12}\u{16}\u{12}\u{14}b\u{8}purchase2\u{8}\n\u{1}q\u{12}\u{2}\u{18}\u{3}",
        type: "application/x-protobuf"),
      request("/com.snowplowanalytics.snowplow/tp2", #"{"data":[{"e":"ue","ue_px":"e30="},{"e":"se","se_ac":"x"}]}"#),
      request("/matomo.php", #"{"requests":["?idsite=1&e_a=%7B"]}"#),
      request("/i", "app_key=k&device_id=d&events=%5B%7B%22key%22%3A%22a%22%7D%5D"),
      request("/track", "data=%7B%22event%22%3A%22a%22%7D", type: "application/x-www-form-urlencoded"),
      request("/api/v2/rum", "{\"type\":\"action\"}\n{\"type\":7}"),
      request("/v1/batch", #"{"batch":[{"type":"track","event":"a"}]}"#),
    ]
    let formats = AcceptedFormat.allVendors + [AcceptedFormat(shop), .beacons(at: "/mobile")]
    var generator = RandomCases.generator(seed: 12)
    for seed in seeds {
      for _ in 0..<RandomCases.count(300) {
        var damaged = seed
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<max(damaged.body.count, 1), using: &generator)
          if damaged.body.isEmpty { break }
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: damaged.body[place] = .random(in: 0...255, using: &generator)
          case 1: damaged.body.remove(at: place)
          default: damaged.body = damaged.body.prefix(place)
          }
        }
        for format in formats { _ = try? format.submission(in: damaged) }
      }
    }
  }

  func testLaunchDarklysEventsAreTenLines() throws {
    let launchDarkly = JSONEventFormat(
      "LaunchDarkly", .post, "/mobile/events/bulk", "/mobile", events: "[]", where: ["kind": "custom"], name: "key",
      params: "data", time: "creationDate"
    )
    .with(.identify, where: ["kind": .one(of: ["identify", "index"])])
    .with(.automatic, where: ["kind": .one(of: ["feature", "debug", "summary"])], name: "kind")
    .setting { format in
      format.moreParams = ["metricValue"]
      format.response = .status(202)
    }
    let body = """
      [{"kind":"custom","key":"purchase","data":{"total":3},"metricValue":9.5,"creationDate":1795260164901,"context":{"kind":"user"}},
      {"kind":"identify","context":{"key":"u"}},{"kind":"summary","features":{}}]
      """
    let submission = try launchDarkly.submission(in: request("/mobile/events/bulk", body))
    XCTAssertEqual(
      submission?.lines, ["track purchase(metricValue: 9.5, total: 3)", "identify identify()", "automatic summary()"])
    XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_260_164.901))
  }
}
