import TestSupport
import VendorFormats

/// Each vendor's wire, by a small request of its shape.
final class VendorTests: XCTestCase {
  func testSegmentTellsItsKindsApart() throws {
    let body = """
      {"batch": [
        {"type": "track", "event": "purchase", "properties": {"total": 12.5}, "messageId": "m1", "userId": "u"},
        {"type": "identify", "traits": {"plan": "free"}, "messageId": "m2"},
        {"type": "screen", "name": "Cart", "properties": {"items": 3}, "messageId": "m3"},
        {"type": "track", "event": "Application Opened", "properties": {"from_background": false}, "messageId": "m4"}
      ], "writeKey": "k"}
      """
    let expected = [
      "track purchase(total: 12.5) id m1", "identify identify(plan: \"free\") id m2",
      "screen Cart(items: 3) id m3", "automatic Application Opened(from_background: false) id m4",
    ]
    for path in ["/v1/batch", "/v1/b", "/v1/b/"] {
      XCTAssertEqual(try AcceptedFormat.segment.lines(request(path, body)), expected)
    }
    XCTAssertEqual(try AcceptedFormat.rudderStack.lines(request("/v1/batch", body)), expected)
    let submission = try AcceptedFormat.segment.submission(in: request("/v1/b", body, headers: ["X-Retry-Count": "2"]))
    XCTAssertEqual(submission?.attempt, 2)
    XCTAssertEqual(submission?.items[0].context["userId"], "u")
  }

  func testTheTimeOfRudderStacksSwiftSDKIsReadInBothSpellings() throws {
    for key in ["timestamp", "originalTimestamp", "originalTimeStamp"] {
      let body = #"{"batch": [{"type": "track", "event": "paid", "\#(key)": "2026-11-23T10:00:00.500Z"}]}"#
      let submission = try AcceptedFormat.rudderStack.submission(in: request("/v1/batch", body))
      XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_428_000.5), key)
    }
  }

  func testPostHogKeepsTheAppsParamsApartFromTheSDKs() throws {
    let event = """
      {"event": "purchase", "properties": {"total": 3, "$lib": "posthog-ios"}, "distinct_id": "u", "uuid": "a-1"}
      """
    let body = """
      {"api_key": "k", "batch": [\(event),
        {"event": "$screen", "properties": {"$screen_name": "Cart"}, "uuid": "a-2"},
        {"event": "$feature_flag_called", "properties": {}, "uuid": "a-3"}]}
      """
    let submission = try AcceptedFormat.postHog.submission(in: request("/batch/", body))
    XCTAssertEqual(
      submission?.lines,
      ["track purchase(total: 3) id a-1", "screen Cart() id a-2", "automatic $feature_flag_called() id a-3"])
    XCTAssertEqual(submission?.items[0].context["$lib"], "posthog-ios")
    let response = try AcceptedFormat.postHog.submission(in: request("/i/v1/analytics/events", body))?.response.text
    XCTAssertEqual(
      response, #"{"results":{"a-1":{"result":"ok"},"a-2":{"result":"ok"},"a-3":{"result":"ok"}}}"#)
    XCTAssertEqual(try AcceptedFormat.postHog.lines(request("/capture", event)), ["track purchase(total: 3) id a-1"])
  }

  func testEventsThatSDKsSendByThemselvesAreAutomatic() throws {
    let survey = { (name: String) in
      #"{"event": "survey \#(name)", "properties": {"$survey_id": "s", "source": "cart"}}"#
    }
    let surveys = ["shown", "sent", "dismissed", "abandoned"]
    XCTAssertEqual(
      try AcceptedFormat.postHog.lines(
        request("/batch", #"{"batch": [\#((surveys.map(survey) + [survey("skipped")]).joined(separator: ","))]}"#)),
      surveys.map { #"automatic survey \#($0)(source: "cart")"# } + [#"track survey skipped(source: "cart")"#])
    let exposure = #"{"event_type": "$exposure", "event_properties": {"flag_key": "f"}}"#
    XCTAssertEqual(
      try AcceptedFormat.amplitude.lines(request("/2/httpapi", #"{"api_key": "k", "events": [\#(exposure)]}"#)),
      [#"automatic $exposure(flag_key: "f")"#])
    let form = "e=" + (exposure.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    XCTAssertEqual(
      try AcceptedFormat.amplitude.lines(request("/", form, type: "application/x-www-form-urlencoded")),
      [#"automatic $exposure(flag_key: "f")"#])
  }

  func testMatomosMediaAndCrashesAreNoPageViews() throws {
    for (fields, line) in [
      (
        "ma_id=8C1&ma_ti=Trailer&ma_mt=video&ma_st=0",
        #"automatic media(ma_id: "8C1", ma_mt: "video", ma_st: "0", ma_ti: "Trailer") text"#
      ),
      ("ca=1&cra=nil&cra_tp=Error", #"automatic crash(cra: "nil", cra_tp: "Error") text"#),
      ("ca=1&fa_id=7", "automatic custom_action() text"),
      ("ca=1&e_c=shop&e_a=add", #"track add(category: "shop") text"#),
      ("ca=0&action_name=Cart", "track Cart() text"), ("mail=1", "track http://x/() text"),
    ] {
      XCTAssertEqual(
        try AcceptedFormat.matomo.lines(
          request("/matomo.php?idsite=1&rec=1&url=http%3A%2F%2Fx%2F&\(fields)", method: "GET")),
        [line])
    }
  }

  func testOpenPanelsRevenueIsAParam() throws {
    for (properties, line) in [
      (#"{"__revenue":9.5,"__path":"/","plan":"pro"}"#, #"track revenue(__revenue: 9.5, plan: "pro")"#),
      (#"{"__revenue":9.5}"#, "track revenue(__revenue: 9.5)"), ("{}", "track revenue()"),
    ] {
      let body = #"{"type":"track","payload":{"name":"revenue","properties":\#(properties)}}"#
      XCTAssertEqual(try AcceptedFormat.openPanel.lines(request("/track", body)), [line])
    }
  }

  func testAmplitude() throws {
    let body = """
      {"api_key": "k", "events": [
        {"event_type": "purchase", "event_properties": {"total": 3}, "insert_id": "i1", "time": 1795260164901, "price": 9.5},
        {"event_type": "$identify", "user_properties": {"$set": {"plan": "free"}}},
        {"event_type": "session_start"}]}
      """
    let submission = try AcceptedFormat.amplitude.submission(in: request("/2/httpapi", body))
    XCTAssertEqual(
      submission?.lines,
      [
        "track purchase(price: 9.5, total: 3) id i1", #"identify identify($set: {"plan": "free"})"#,
        "automatic session_start()",
      ])
    XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_260_164.901))
    XCTAssertEqual(
      submission?.response.text.contains(#""code":200,"events_ingested":3"#), true, submission?.response.text ?? "")
    XCTAssertEqual(
      try AcceptedFormat.amplitude(at: "/collect").lines(request("/collect", body))?.first,
      "track purchase(price: 9.5, total: 3) id i1")
  }

  func testMixpanelReadsFormsArraysAndProfiles() throws {
    let event = #"{"event":"purchase","properties":{"token":"t","time":1,"$insert_id":"i1","mp_lib":"x","total":12.5}}"#
    let form = "application/x-www-form-urlencoded"
    let data = event.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let expected = ["track purchase(total: 12.5) id i1"]
    let python = try AcceptedFormat.mixpanel.submission(in: request("/track", "data=\(data)&verbose=1", type: form))
    XCTAssertEqual(python?.lines, expected)
    XCTAssertEqual(python?.response.text, #"{"error":null,"status":1}"#)
    let base64 = Data(event.utf8).base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics)
    XCTAssertEqual(
      try AcceptedFormat.mixpanel.lines(request("/track/?ip=1", "data=\(base64 ?? "")", type: form)), expected)
    let swift = try AcceptedFormat.mixpanel.submission(in: request("/track/?ip=1", "[\(event)]"))
    XCTAssertEqual(swift?.lines, expected)
    XCTAssertEqual(swift?.response.text, "1")
    XCTAssertEqual(
      try AcceptedFormat.mixpanel.lines(request("/engage/", #"[{"$token":"t","$set":{"plan":"free"}}]"#)),
      [#"identify identify(plan: "free")"#])
  }

  func testMixpanelsIOSSDKsHaveTheIDOfAnEventBesideItsProperties() throws {
    let event = #"{"event":"purchase","properties":{"token":"t"},"$mp_metadata":{"$mp_event_id":"ab01"}}"#
    XCTAssertEqual(try AcceptedFormat.mixpanel.lines(request("/track/", "[\(event)]")), ["track purchase() id ab01"])
    let profile = #"[{"$token":"t","$set":{"plan":"free"},"$mp_metadata":{"$mp_event_id":"ab02"}}]"#
    XCTAssertEqual(
      try AcceptedFormat.mixpanel.lines(request("/engage/", profile)), [#"identify identify(plan: "free") id ab02"#])
  }

  func testAmplitudesOlderSDKsPostAForm() throws {
    let events = """
      [{"event_type":"purchase","event_properties":{"total":3},"uuid":"u1","timestamp":1795260164901,"api_properties":{}},
      {"event_type":"$identify","user_properties":{"$set":{"plan":"free"}}},{"event_type":"session_start"}]
      """
    let text = events.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let form = request(
      "/", "v=2&client=k&e=\(text)&upload_time=1795260164901&checksum=c", type: "application/x-www-form-urlencoded")
    let submission = try AcceptedFormat.amplitude.submission(in: form)
    XCTAssertEqual(
      submission?.lines,
      [
        "track purchase(total: 3) id u1", #"identify identify($set: {"plan": "free"})"#, "automatic session_start()",
      ])
    XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_260_164.901))
    XCTAssertEqual(submission?.response.text, "success")
    XCTAssertNil(try AcceptedFormat.amplitude.lines(request("/", #"{"name":"purchase"}"#)), "the double's own format")
  }

  func testAmplitudesSwiftSDKWritesRevenueInSnakeCase() throws {
    let body = """
      {"events":[{"event_type":"revenue_amount","insert_id":"i1","product_id":"42","revenue_type":"sale","currency":"EUR",
      "revenue":9.5,"library":"amplitude-swift/1.18"}]}
      """
    let submission = try AcceptedFormat.amplitude.submission(in: request("/2/httpapi", body))
    XCTAssertEqual(
      submission?.lines,
      [#"track revenue_amount(currency: "EUR", product_id: "42", revenue: 9.5, revenue_type: "sale") id i1"#])
    XCTAssertEqual(submission?.items[0].context["library"], "amplitude-swift/1.18")
  }

  func testTelemetryDeckCallsSignalsOfTheAppEvents() throws {
    let signals = """
      [{"type":"TelemetryDeck.Error.occurred","payload":{"TelemetryDeck.Error.id":"e","TelemetryDeck.Device.platform":"iOS"},
      "receivedAt":"2026-11-21T23:31:51+0000"},
      {"type":"TelemetryDeck.Purchase.completed","payload":{"TelemetryDeck.Purchase.type":"subscription"}},
      {"type":"TelemetryDeck.Session.started"},{"type":"TelemetryDeck.Acquisition.newInstallDetected"}]
      """
    let submission = try AcceptedFormat.telemetryDeck.submission(in: request("/v2/", signals))
    XCTAssertEqual(
      submission?.lines,
      [
        #"track TelemetryDeck.Error.occurred(TelemetryDeck.Error.id: "e") text"#,
        #"track TelemetryDeck.Purchase.completed(TelemetryDeck.Purchase.type: "subscription") text"#,
        "automatic TelemetryDeck.Session.started() text",
        "automatic TelemetryDeck.Acquisition.newInstallDetected() text",
      ])
    XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_303_911))
    XCTAssertEqual(submission?.items[0].context["TelemetryDeck.Device.platform"], "iOS")
  }

  func testAttributesThatSDKsAddToLogsAreContext() throws {
    func logs(_ attributes: String...) -> String {
      let list = attributes.map { #"{"key":"\#($0)","value":{"stringValue":"x"}}"# }.joined(separator: ",")
      let record = #"{"body":{"stringValue":"paid"},"attributes":[\#(list)]}"#
      return #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(record)]}]}]}"#
    }
    let postHog = logs("total", "posthogDistinctId", "sessionId", "screen.name", "app.state", "feature_flags")
    XCTAssertEqual(
      try AcceptedFormat.postHog.lines(request("/i/v1/logs", postHog)), [#"track paid(total: "x")"#])
    let python = logs("total", "code.file.path", "code.function.name", "code.line.number")
    XCTAssertEqual(
      try AcceptedFormat.openTelemetry.lines(request("/v1/logs", python)), [#"track paid(total: "x")"#])
    let datadog = #"[{"message":"paid","total":3,"account.id":"a","account.name":"b"}]"#
    XCTAssertEqual(try AcceptedFormat.datadog.lines(request("/api/v2/logs", datadog)), ["track paid(total: 3)"])
  }

  func testTextThatIsNotUTF8IsMalformed() throws {
    let form = "application/x-www-form-urlencoded"
    let requests: [(AcceptedFormat, ReceivedRequest)] = [
      (.matomo, request("/matomo.php?idsite=1&e_c=shop&e_a=%FF", method: "GET")),
      (.matomo, request("/matomo.php", "idsite=1&e_a=%C3", type: form)),
      (.countly, request("/i", "app_key=k&device_id=d&events=%5B%7B%22key%22:%22%FF%22%7D%5D", type: form)),
      (.snowplow, request("/i?e=se&p=web&se_ac=%E9", method: "GET")),
      (.mixpanel, request("/track", "data=%7B%22event%22:%22%FF%22%7D", type: form)),
      (.beacons(at: "/"), request("/?t=%FF", method: "GET", type: "text/plain")),
      (.beacons(at: "/"), request("/", "t=%FF", type: form)),
    ]
    for (format, request) in requests {
      XCTAssertThrowsError(try format.lines(request), request.target) {
        XCTAssertTrue("\($0)".hasSuffix("is not UTF-8"), "\($0)")
      }
    }
    var lines = request("/mobile", type: "text/plain")
    lines.body = Data("t\tcustom\ncen\tpaid\nm_a\t".utf8) + [0xFF] + Data("\nm_b\tc".utf8)
    XCTAssertEqual(
      try AcceptedFormat.instana.lines(lines), [#"track paid(b: "c") text"#, "malformed line 3: not UTF-8"])
    XCTAssertThrowsError(try AcceptedFormat.beacons(at: "/mobile").lines(lines)) {
      XCTAssertEqual("\($0)", "the beacons are not UTF-8")
    }
    XCTAssertEqual(
      try AcceptedFormat.matomo.lines(request("/matomo.php", #"{"requests":["?idsite=1&e_a=%FF","?idsite=1&e_a=a"]}"#)),
      ["track a() text", "malformed requests[0]: not UTF-8"])
  }

  func testGoogleAnalyticsSendsOneEventAlsoWithoutAnArray() throws {
    let event = #"{"name":"purchase","params":{"value":3,"session_id":"1","engagement_time_msec":"100"}}"#
    for events in [event, "[\(event)]"] {
      let body = #"{"client_id":"c","timestamp_micros":"1795260164901000","events":\#(events)}"#
      let submission = try AcceptedFormat.googleAnalytics.submission(in: request("/mp/collect?api_secret=s", body))
      XCTAssertEqual(submission?.lines, ["track purchase(value: 3)"])
      XCTAssertEqual(submission?.items[0].context["client_id"], "c")
      XCTAssertEqual(submission?.items[0].time, Date(timeIntervalSince1970: 1_795_260_164.901))
      XCTAssertEqual(submission?.response.status, 204)
    }
  }

  func testSnowplowReadsSelfDescribingEventsPlainAndInBase64() throws {
    let data = """
      {"schema":"iglu:com.snowplowanalytics.snowplow/unstruct_event/jsonschema/1-0-0",\
      "data":{"schema":"iglu:com.shop/purchase/jsonschema/1-0-0","data":{"total":12.5,"first":true}}}
      """
    let encoded = Data(data.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    let quoted = data.replacing("\"", with: "\\\"")
    let body = """
      {"schema":"s","data":[
        {"e":"ue","ue_px":"\(encoded)","eid":"1","p":"mob","dtm":"1795260164901"},
        {"e":"ue","ue_pr":"\(quoted)","eid":"2","p":"mob"},
        {"e":"se","se_ca":"shop","se_ac":"add","se_va":"2.5","eid":"3","p":"mob"},
        {"e":"pv","page":"Cart","url":"http://shop/cart","eid":"4","p":"mob"},
        {"e":"ue","ue_pr":"{}","eid":"5","p":"mob"}]}
      """
    XCTAssertEqual(
      try AcceptedFormat.snowplow.lines(request("/com.snowplowanalytics.snowplow/tp2", body)),
      [
        "track purchase(first: true, total: 12.5) id 1", "track purchase(first: true, total: 12.5) id 2",
        #"track add(category: "shop", value: "2.5") id 3 text"#,
        #"screen Cart(title: "Cart", url: "http://shop/cart") id 4 text"#,
        "malformed data[4].ue_pr: no self-describing event with a schema",
      ])
    XCTAssertEqual(
      try AcceptedFormat.snowplow.lines(
        request("/i?e=ue&p=mob&eid=9&ue_px=\(encoded.replacing("=", with: "%3D"))", method: "GET")),
      ["track purchase(first: true, total: 12.5) id 9"])
  }

  func testSnowplowsRejectionsNameTheMemberThatCanNotBeRead() throws {
    func line(_ member: String) throws -> String? {
      let body = #"{"data":[{"e":"ue","p":"mob",\#(member)}]}"#
      return try AcceptedFormat.snowplow.lines(request("/com.snowplowanalytics.snowplow/tp2", body))?.first
    }
    XCTAssertEqual(
      try line(#""ue_pr":"{""#), "malformed data[0].ue_pr: expected a key in quotes, found the end of the text")
    XCTAssertEqual(try line(#""ue_px":"!""#), "malformed data[0].ue_px: not base64")
    XCTAssertEqual(try line(#""ue_px":"eA==""#), #"malformed data[0].ue_px: expected a value, found "x""#)
    XCTAssertEqual(try line(#""co":"x""#), #"malformed data[0].co: expected a value, found "x""#)
  }

  func testWhatSnowplowsTrackersSendByThemselvesIsNoEvent() throws {
    func kind(of schema: String) throws -> String? {
      let data = #"{\"schema\":\"s\",\"data\":{\"schema\":\"iglu:\#(schema)\",\"data\":{\"name\":\"Cart\"}}}"#
      let body = #"{"data":[{"e":"ue","p":"mob","ue_pr":"\#(data)"}]}"#
      return try AcceptedFormat.snowplow.lines(request("/com.snowplowanalytics.snowplow/tp2", body))?.first
    }
    XCTAssertEqual(
      try kind(of: "com.snowplowanalytics.snowplow/application_foreground/jsonschema/1-0-0"),
      #"automatic application_foreground(name: "Cart")"#)
    XCTAssertEqual(
      try kind(of: "com.snowplowanalytics.mobile/screen_view/jsonschema/1-0-0"), #"screen Cart(name: "Cart")"#)
    XCTAssertEqual(
      try kind(of: "com.snowplowanalytics.snowplow/link_click/jsonschema/1-0-1"),
      #"track link_click(name: "Cart")"#)
  }

  func testMatomoReadsEventsAndPageViewsOfQueriesAndBulks() throws {
    let variables = #"{"1": ["total", "12.5"]}"#.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let view = "idsite=1&rec=1&action_name=purchase+now&cvar=\(variables)"
    XCTAssertEqual(
      try AcceptedFormat.matomo.lines(request("/matomo.php?\(view)", method: "GET")),
      [#"track purchase now(total: "12.5") text"#])
    let body =
      #"{"requests":["?idsite=1&e_c=shop&e_a=add&e_v=2&cdt=2026-11-21%2010%3A00%3A00","?\#(view)&dimension2=x", 7]}"#
    let bulk = try AcceptedFormat.matomo.submission(in: request("/matomo.php", body))
    XCTAssertEqual(
      bulk?.lines,
      [
        #"track add(category: "shop", value: "2") text"#, #"track purchase now(dimension2: "x", total: "12.5") text"#,
        "malformed requests[2]: expected a query, found a number",
      ])
    XCTAssertEqual(bulk?.items[0].time, Date(timeIntervalSince1970: 1_795_255_200))
    XCTAssertEqual(bulk?.response.text, #"{"invalid":1,"status":"success","tracked":2}"#)
  }

  func testNullInPlaceOfAnItemIsReported() throws {
    let form = "application/x-www-form-urlencoded"
    let logs = "/v1/logs"
    for (format, request) in [
      (.countly, request("/i", "app_key=k&device_id=d&events=%5Bnull%5D", type: form)),
      (.matomo, request("/matomo.php", #"{"requests":[null]}"#)),
      (.snowplow, request("/com.snowplowanalytics.snowplow/tp2", #"{"data":[null]}"#)),
      (.openTelemetry, request(logs, #"{"resourceLogs":[null]}"#)),
      (.openTelemetry, request(logs, #"{"resourceLogs":[{"scopeLogs":[null]}]}"#)),
      (.openTelemetry, request(logs, #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[null]}]}]}"#)),
      (.segment, request("/v1/b", #"{"batch":[null]}"#)), (.segment, request("/v1/b", #"{"batch":null}"#)),
    ] as [(AcceptedFormat, ReceivedRequest)] {
      let lines = try format.lines(request) ?? []
      XCTAssertEqual(lines.count, 1, request.text)
      XCTAssertTrue(lines.first?.hasPrefix("malformed ") ?? false, "\(lines)")
    }
  }

  func testMatomosCartUpdateIsNotAnOrder() throws {
    let items = #"[["SKU","Book",["Books"],9.5,2]]"#.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    for (fields, line) in [
      (
        "ec_items=\(items)&revenue=19",
        #"track cart_update(ec_items: "[[\"SKU\",\"Book\",[\"Books\"],9.5,2]]", idgoal: "0", revenue: "19") text"#
      ),
      ("ec_id=A1&revenue=19", #"track order(ec_id: "A1", idgoal: "0", revenue: "19") text"#),
      ("ec_id=&revenue=19", #"track cart_update(ec_id: "", idgoal: "0", revenue: "19") text"#),
    ] {
      XCTAssertEqual(
        try AcceptedFormat.matomo.lines(request("/matomo.php?idsite=1&rec=1&idgoal=0&\(fields)", method: "GET")), [line]
      )
    }
  }

  func testCountlyReadsEventsOfQueriesAndForms() throws {
    let events = """
      [{"key":"purchase","count":1,"sum":12.5,"dur":0,"segmentation":{"currency":"EUR"},"id":"e1","timestamp":1795260164901},
      {"key":"[CLY]_view","count":1,"segmentation":{"name":"Cart"}},{"count":1}]
      """
    let fields =
      "app_key=k&device_id=d&events=\(events.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
    let expected = [
      #"track purchase(currency: "EUR", sum: 12.5) id e1"#, #"screen Cart(name: "Cart")"#,
      "malformed events[2].key: expected a name",
    ]
    XCTAssertEqual(try AcceptedFormat.countly.lines(request("/i?\(fields)", method: "GET")), expected)
    let form = request("/i", fields, type: "application/x-www-form-urlencoded")
    XCTAssertEqual(try AcceptedFormat.countly.lines(form), expected)
    XCTAssertEqual(try AcceptedFormat.countly.submission(in: form)?.response.text, #"{"result":"Success"}"#)
    XCTAssertNil(try AcceptedFormat.countly.lines(request("/i?e=pv&p=mob", method: "GET")), "Snowplow's")
    // A field that is there and has no events is not one without events.
    for (fields, problems) in [
      ("events=null", ["malformed events: expected an array, found null"]),
      ("events=%7B%7D", ["malformed events: expected an array, found an object"]), ("events=%5B%5D", []),
      ("user_details=null", ["malformed user_details: expected an object, found null"]),
    ] {
      XCTAssertEqual(
        try AcceptedFormat.countly.lines(request("/i?app_key=k&device_id=d&\(fields)", method: "GET")), problems, fields
      )
    }
  }

  func testCustomerIO() throws {
    let event = request(
      "/api/v1/customers/anna/events", #"{"name":"purchase","data":{"total":3},"timestamp":1795260164}"#)
    let submission = try AcceptedFormat.customerIO.submission(in: event)
    XCTAssertEqual(submission?.lines, ["track purchase(total: 3)"])
    XCTAssertEqual(submission?.items[0].context["customer"], "anna")
    XCTAssertEqual(
      try AcceptedFormat.customerIO.lines(request("/api/v1/customers/anna", #"{"plan":"free"}"#, method: "PUT")),
      [#"identify identify(plan: "free")"#])
  }

  func testHeapAptabaseTelemetryDeckOpenPanelStatsig() throws {
    let one = #"{"app_id":"1","identity":"u","event":"purchase","properties":{"total":3}}"#
    XCTAssertEqual(try AcceptedFormat.heap.lines(request("/api/track", one)), ["track purchase(total: 3)"])
    XCTAssertEqual(
      try AcceptedFormat.heap.lines(request("/api/track", #"{"app_id":"1","events":[\#(one)]}"#)),
      ["track purchase(total: 3)"])
    XCTAssertEqual(
      try AcceptedFormat.aptabase.lines(
        request("/api/v0/events", #"[{"eventName":"purchase","props":{"total":3},"systemProps":{"osName":"iOS"}}]"#)),
      ["track purchase(total: 3)"])
    let signals = """
      [{"type":"purchase","payload":{"total":"3","TelemetryDeck.Device.platform":"iOS"},"floatValue":9.5},
      {"type":"TelemetryDeck.Session.started","payload":{}}]
      """
    XCTAssertEqual(
      try AcceptedFormat.telemetryDeck.lines(request("/v2/", signals)),
      [#"track purchase(floatValue: 9.5, total: "3") text"#, "automatic TelemetryDeck.Session.started() text"])
    XCTAssertEqual(
      try AcceptedFormat.openPanel.lines(
        request("/track", #"{"type":"track","payload":{"name":"purchase","properties":{"total":3,"__path":"/"}}}"#)),
      ["track purchase(total: 3)"])
    let events =
      #"{"events":[{"eventName":"purchase","value":9.5,"metadata":{"total":"3"}},{"eventName":"statsig::gate_exposure"},{"eventName":"auto_capture::page_view","metadata":{"title":"Cart"}}]}"#
    XCTAssertEqual(
      try AcceptedFormat.statsig.lines(request("/v1/rgstr", events)),
      [
        #"track purchase(total: "3", value: 9.5)"#, "automatic statsig::gate_exposure()",
        #"automatic auto_capture::page_view(title: "Cart")"#,
      ])
  }

  func testMParticleReadsServersAndNativeBatches() throws {
    let batch = """
      {"events":[{"event_type":"custom_event","data":{"event_name":"purchase","custom_attributes":{"total":"3"}}},
      {"event_type":"session_start","data":{}}]}
      """
    let expected = [#"track purchase(total: "3")"#, "automatic session_start()"]
    XCTAssertEqual(try AcceptedFormat.mParticle.lines(request("/v2/events", batch)), expected)
    XCTAssertEqual(try AcceptedFormat.mParticle.lines(request("/v2/bulkevents", "[\(batch)]")), expected)
    let native =
      #"{"msgs":[{"dt":"ss"},{"dt":"e","n":"purchase","attrs":{"total":"3"},"id":"1"},{"dt":"v","n":"Cart"}]}"#
    XCTAssertEqual(
      try AcceptedFormat.mParticle.lines(request("/v2/us1-abc/events", native)),
      ["automatic ss() text", #"track purchase(total: "3") id 1 text"#, "screen Cart() text"])
  }

  func testDatadogReadsLinesAndLogsAtOnePath() throws {
    let lines = """
      {"type":"action","action":{"type":"custom","id":"a1","target":{"name":"purchase"}},"context":{"total":3},"date":1795260164901}
      {"type":"view","view":{"id":"v","name":"Cart"},"_dd":{"document_version":2}}
      {"type":"action","action":
      """
    let datadog = AcceptedFormat.datadog(at: "/rum")
    XCTAssertEqual(
      try datadog.lines(request("/rum?ddsource=ios", lines, type: "text/plain;charset=UTF-8")),
      [
        "track purchase(total: 3) id a1", "screen Cart()",
        "malformed line 3: action: expected a value, found the end of the text",
      ])
    let error = #"{"type":"error","action":{"id":"a1"},"error":{"message":"x"}}"#
    XCTAssertEqual(
      try datadog.lines(request("/rum", error)), ["automatic error()"], "the id is that of the action it belongs to")
    let logs = #"[{"message":"purchase","status":"info","date":1,"service":"app","total":3}]"#
    XCTAssertEqual(try datadog.lines(request("/rum", logs)), ["track purchase(total: 3)"])
    XCTAssertEqual(try AcceptedFormat.datadog.lines(request("/api/v2/logs", logs)), ["track purchase(total: 3)"])
  }

  func testOpenTelemetryReadsProtobufAndJSON() throws {
    // Field numbers of opentelemetry-proto: resource_logs 1, scope_logs 2, log_records 2, attributes 6, event_name 12.
    func field(_ number: Int, _ content: [UInt8]) -> [UInt8] {
      [UInt8(number << 3 | 2), UInt8(content.count)] + content
    }
    let quantity = field(6, field(1, Array("quantity".utf8)) + field(2, [3 << 3, 3]))
    let total = field(6, field(1, Array("total".utf8)) + field(2, [4 << 3 | 1, 0, 0, 0, 0, 0, 0, 0x29, 0x40]))
    let record = field(2, quantity + total + field(12, Array("purchase".utf8)))
    let message = field(1, field(2, record))
    var protobuf = request("/v1/logs", type: "application/x-protobuf")
    protobuf.body = Data(message)
    let expected = ["track purchase(quantity: 3, total: 12.5)"]
    XCTAssertEqual(try AcceptedFormat.openTelemetry.lines(protobuf), expected)
    let json = """
      {"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1795260164901000000","body":{"stringValue":"purchase"},
      "attributes":[{"key":"quantity","value":{"intValue":"3"}},{"key":"total","value":{"doubleValue":12.5}}]}]}]}]}
      """
    XCTAssertEqual(try AcceptedFormat.openTelemetry.lines(request("/v1/logs", json)), expected)
    protobuf.body = Data(message.dropLast())
    XCTAssertThrowsError(try AcceptedFormat.openTelemetry.lines(protobuf)) {
      XCTAssertEqual("\($0)", "the protobuf message ends in the middle of a field, at byte 2")
    }
    protobuf.body = Data(count: 4)
    XCTAssertThrowsError(try AcceptedFormat.openTelemetry.lines(protobuf)) {
      XCTAssertEqual("\($0)", "the protobuf message has a field of the number 0, at byte 0")
    }
    protobuf.body = Data()
    XCTAssertEqual(try AcceptedFormat.openTelemetry.lines(protobuf), [])
  }

  func testParamsOfAnotherShapeAreRefusedWithTheirPlace() throws {
    let form = "application/x-www-form-urlencoded"
    func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
    func logs(_ record: String) -> ReceivedRequest {
      request("/v1/logs", #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[\#(record),{"eventName":"b"}]}]}]}"#)
    }
    let record = "resourceLogs[0].scopeLogs[0].logRecords[0]"
    func selfDescribing(_ data: String) -> String {
      #"{\"data\":{\"schema\":\"iglu:com.shop/b/jsonschema/1-0-0\"\#(data)}}"#
    }
    let snowplow = #"""
      {"data":[{"e":"ue","ue_pr":"\#(selfDescribing(#",\"data\":[1]"#))"},{"e":"ue","ue_pr":"\#(selfDescribing(""))"}]}
      """#
    let cases: [(AcceptedFormat, ReceivedRequest, String)] = [
      (
        .openTelemetry, logs(#"{"eventName":"a","attributes":{"total":3}}"#),
        "\(record).attributes: expected an array, found an object"
      ),
      (
        .openTelemetry, logs(#"{"eventName":"a","attributes":[{"key":"total","value":3}]}"#),
        "\(record).attributes[0].value: expected an object, found a number"
      ),
      (
        .openTelemetry, logs(#"{"eventName":"a","attributes":[{"value":{"intValue":3}}]}"#),
        "\(record).attributes[0].key: expected a name, found nothing"
      ),
      (
        .openTelemetry, logs(#"{"eventName":"a","attributes":[{"key":"total","value":{"intValue":"three"}}]}"#),
        "\(record).attributes[0].value.intValue: expected an integer, found a string"
      ),
      (
        .openTelemetry,
        logs(#"{"eventName":"a","attributes":[{"key":"l","value":{"arrayValue":{"values":[{"boolValue":1}]}}}]}"#),
        "\(record).attributes[0].value.arrayValue.values[0].boolValue: expected a boolean, found a number"
      ),
      (
        .openTelemetry,
        logs(#"{"eventName":"a","attributes":[{"key":"m","value":{"kvlistValue":{"values":{"n":1}}}}]}"#),
        "\(record).attributes[0].value.kvlistValue.values: expected an array, found an object"
      ),
      (
        .openTelemetry, logs(#"{"eventName":"a","attributes":[{"key":"m","value":{"total":3}}]}"#),
        "\(record).attributes[0].value: expected a member such as stringValue or intValue"
      ),
      (.openTelemetry, logs(#"{"body":"a"}"#), "\(record).body: expected an object, found a string"),
      (.openTelemetry, logs(#"{"attributes":[]}"#), "\(record): expected an event name, or a body that is a string"),
      (.openTelemetry, logs("7"), "\(record): expected an object, found a number"),
      (
        .countly,
        request(
          "/i", "app_key=k&device_id=d&events=" + encoded(#"[{"key":"a","segmentation":"x"},{"key":"b"}]"#), type: form),
        "events[0].segmentation: expected an object, found a string"
      ),
      (
        .countly,
        request("/i", "app_key=k&device_id=d&events=" + encoded(#"[{"key":"b"}]"#) + "&user_details=7", type: form),
        "user_details: expected an object, found a number"
      ),
      (
        .snowplow, request("/com.snowplowanalytics.snowplow/tp2", snowplow),
        "data[0].ue_pr.data.data: expected an object, found an array"
      ),
      (
        .matomo,
        request(
          "/matomo.php", #"{"requests":["?idsite=1&e_a=a&cvar=\#(encoded(#"["x"]"#))","?idsite=1&e_a=b&cvar=%5B%5D"]}"#),
        "requests[0].cvar: expected an object, found an array"
      ),
      (
        .matomo, request("/matomo.php", #"{"requests":["?idsite=1&e_a=a&_cvar=%7B","?idsite=1&e_a=b"]}"#),
        "requests[0]._cvar: expected a key in quotes, found the end of the text"
      ),
      (
        .matomo,
        request(
          "/matomo.php", #"{"requests":["?idsite=1&e_a=a&cvar=\#(encoded(#"{"1":{"x":1}}"#))","?idsite=1&e_a=b"]}"#),
        "requests[0].cvar: expected a pair of a name and a value for each number"
      ),
      (
        .mParticle,
        request(
          "/v2/events",
          #"{"events":[{"event_type":"screen_view","data":"x"},{"event_type":"custom_event","data":{"event_name":"b"}}]}"#
        ),
        "events[0].data: expected an object, found a string"
      ),
    ]
    for (format, request, problem) in cases {
      let lines = try XCTUnwrap(format.lines(request), problem)
      XCTAssertEqual(lines.filter { $0.hasPrefix("malformed") }, ["malformed \(problem)"])
      XCTAssertEqual(lines.last { !$0.hasPrefix("malformed") }?.contains(" b("), true, "\(problem): \(lines)")
    }
  }

  func testAnEmptyArrayIsAnObjectWithoutMembers() throws {
    XCTAssertEqual(
      try AcceptedFormat.segment.lines(
        request("/v1/batch", #"{"batch":[{"type":"track","event":"a","properties":[],"messageId":"1"}]}"#)),
      ["track a() id 1"])
  }

  func testOpenTelemetrysExamplesAndOlderShapesAreRead() throws {
    func line(
      _ record: String, logs: String = "scopeLogs", scope: String = "scope", records: String = "logRecords"
    ) throws -> DecodedSubmission? {
      let body = #"{"resourceLogs":[{"\#(logs)":[{"\#(scope)":{"name":"shop"},"\#(records)":[\#(record)]}]}]}"#
      return try AcceptedFormat.openTelemetry.submission(in: request("/v1/logs", body))
    }
    let name = #""attributes":[{"key":"event.name","value":{"stringValue":"a"}}]"#
    // The example of events in opentelemetry-proto has the members without `values`.
    XCTAssertEqual(
      try line(#"{\#(name),"body":{"kvlistValue":[{"key":"type","value":{"intValue":"0"}}]}}"#)?.lines,
      ["track a(type: 0)"])
    // Versions of opentelemetry-rust write each value in one more object.
    XCTAssertEqual(
      try line(
        #"{"body":{"value":{"stringValue":"a"}},"attributes":[{"key":"l","value":{"arrayValue":{"values":[{"value":{"intValue":1}}]}}}]}"#
      )?.lines,
      ["track a(l: [1])"])
    XCTAssertEqual(
      try line(
        #"{"eventName":"a","attributes":[{"key":"x","value":{}},{"key":"y","value":{"doubleValue":null}},{"key":"z"}]}"#
      )?.lines,
      ["track a(x: null, y: null, z: null)"])
    XCTAssertEqual(
      try line(
        #"{"eventName":"a","attributes":[{"key":"x","value":{"stringValue":"1","unknown":{}}},{"key":"y","value":{"doubleValue":"Infinity"}},{"key":"z","value":{"bytesValue":"AQ=="}}]}"#
      )?.lines,
      [#"track a(x: "1", y: "Infinity", z: "AQ==")"#])
    for (logs, scope, records) in [
      ("scopeLogs", "scope", "logRecords"), ("instrumentationLibraryLogs", "instrumentationLibrary", "logRecords"),
      ("instrumentationLibraryLogs", "instrumentationLibrary", "logs"),
    ] {
      let submission = try line(#"{"eventName":"a"}"#, logs: logs, scope: scope, records: records)
      XCTAssertEqual(submission?.lines, ["track a()"])
      XCTAssertEqual(submission?.items.first?.context["scope"], "shop")
    }
    let resource =
      #"{"resourceLogs":[{"resource":{"attributes":{"a":1}},"scopeLogs":[{"logRecords":[{"eventName":"a"}]}]}, 7, {"scopeLogs":{}}]}"#
    XCTAssertEqual(
      try AcceptedFormat.openTelemetry.lines(request("/v1/logs", resource)),
      [
        "track a()", "malformed resourceLogs[0].resource.attributes: expected an array, found an object",
        "malformed resourceLogs[1]: expected an object, found a number",
        "malformed resourceLogs[2].scopeLogs: expected an array, found an object",
      ])
  }

  func testTheFieldsOfAProtobufMessageComeInAnyOrder() throws {
    func field(_ number: Int, _ content: [UInt8]) -> [UInt8] {
      let key = number < 16 ? [UInt8(number << 3 | 2)] : [UInt8(number << 3 & 0x7F | 0x82), UInt8(number >> 4)]
      return key + [UInt8(content.count)] + content
    }
    func attribute(_ name: String) -> [UInt8] { field(2, field(1, [3])) + field(1, Array(name.utf8)) }
    let records = field(2, field(12, Array("paid".utf8))) + field(1, field(1, Array("shop".utf8)))
    let resource = field(1, field(1, field(1, Array("env".utf8)) + field(2, field(1, Array("test".utf8)))))
    // 2 is `scope_logs`; 1000 was `instrumentation_library_logs`.
    for number in [2, 1_000] {
      var protobuf = request("/v1/logs", type: "application/x-protobuf")
      protobuf.body = Data(field(1, field(number, records) + resource))
      let submission = try AcceptedFormat.openTelemetry.submission(in: protobuf)
      XCTAssertEqual(submission?.lines, ["track paid()"])
      XCTAssertEqual(submission?.items.first?.context, ["env": "test", "scope": "shop"])
    }
  }

  func testWhatWebSDKsNameOnlyInTheFormIsRead() throws {
    let event = #"{"event":"paid","properties":{"total":3}}"#
    let form = "application/x-www-form-urlencoded"
    let base64 =
      Data(event.utf8).base64EncodedString().addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let plain = event.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    for type in [form, "text/plain;charset=UTF-8"] {
      for text in [base64, plain] {
        XCTAssertEqual(
          try AcceptedFormat.postHog.lines(request("/e/?compression=base64", "data=\(text)", type: type)),
          ["track paid(total: 3)"])
        let mixpanel = try AcceptedFormat.mixpanel.submission(
          in: request("/track/?verbose=1", "data=\(text)", type: type))
        XCTAssertEqual(mixpanel?.lines, ["track paid(total: 3)"])
        XCTAssertEqual(mixpanel?.response.text, #"{"error":null,"status":1}"#)
      }
    }
  }

  func testInstanaUndoesItsEscapes() throws {
    let body = "t\tcustom\ncen\tpurchase\nm_note\ta\\tb\\\\c\nbid\tb1\nti\t1795260164901\n\nt\tsessionStart\nbid\tb2\n"
    XCTAssertEqual(
      try AcceptedFormat.instana.lines(request("/mobile", body, type: "text/plain")),
      [#"track purchase(note: "a\tb\\c") id b1 text"#, "automatic sessionStart() id b2 text"])
    XCTAssertNil(try AcceptedFormat.instana.lines(request("/mobile", #"{"name":"purchase"}"#)))
    let measured = request("/mobile", "t\tcustom\ncen\tloaded\nd\t250\ncm\t2.5\n", type: "text/plain")
    XCTAssertEqual(
      try AcceptedFormat.instana.lines(measured), [#"track loaded(customMetric: "2.5", duration: "250") text"#])
  }
}
