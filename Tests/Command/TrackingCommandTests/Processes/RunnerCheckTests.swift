import TestSupport
@testable import TrackingCommand
import TestAppLauncher
import TrackingJSON
import TrackingPlan
import TrackingSockets
import TrackingVerifier
import VendorFormats

/// Tests in other languages: checks by `tracking serve` over HTTP and from a shell.
final class RunnerCheckTests: ToolTestCase {
  private var process = Process()

  private func serve(_ words: String..., environment: [String: String] = [:]) throws -> Served {
    process = try tracking(["serve", "--json", "--write-env", path("serve.env")] + words, environment)
    let started = try started()
    return Served(
      events: try XCTUnwrap(started.environment?["TRACKING_URL"]),
      checks: try ServedEnvironment.checks(in: path("serve.env")))
  }

  /// A service in this process, which tells how many checks wait.
  private func service(
    connections: Int = 1_024, plan: TrackingPlan? = nil
  ) throws -> (service: CheckService, served: Served) {
    var limits = TrackingServer.Limits()
    limits.connections = connections
    let server = TrackingServer(configuration: .init(limits: limits))
    try server.start()
    addTeardownBlock { server.stop() }
    // Each event of these tests has its response before the check begins.
    let service = CheckService(about: server, plan: plan, settling: 0) { ([:], nil) }
    service.start()
    let url = try XCTUnwrap(server.endpoint?.url)
    let checks = "http://localhost:\(try XCTUnwrap(url.port))\(CheckService.path)#token=\(service.token)"
    return (service, Served(events: url.absoluteString, checks: checks))
  }

  private func wait(until service: CheckService, holds count: Int) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while service.openCount != count {
      guard ContinuousClock.now < deadline else { throw Missing(line: "\(count)", found: "\(service.openCount)") }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  func testAResponseIsHeldBackUntilTheEventArrives() async throws {
    let (service, served) = try service()
    async let response = served.wait(#"{"event": "purchase", "params": {"total": 120}, "timeout": 60}"#)
    try await wait(until: service, holds: 1)
    _ = try await post(#"{"name": "purchase"}"#, to: served.events)
    try await wait(until: service, holds: 1)
    _ = try await post(#"{"name": "purchase", "params": {"total": 120}}"#, to: served.events)
    let json = try await response
    XCTAssertEqual(json["passed"], true)
    XCTAssertEqual(json["entries"]?[0]?["name"], "purchase")
    XCTAssertEqual(json["entries"]?[0]?["params"], ["total": 120])
  }

  /// On the live page and in a session that is saved meanwhile.
  func testAnOpenCheckIsShownUntilItEnds() async throws {
    let server = TrackingServer()
    try server.start()
    addTeardownBlock { server.stop() }
    let service = CheckService(about: server, plan: nil) { ([:], nil) }
    service.start()
    let url = try XCTUnwrap(server.endpoint?.url)
    let served = Served(
      events: url.absoluteString,
      checks: "http://localhost:\(url.port ?? 0)\(CheckService.path)#token=\(service.token)")
    func member(_ name: String) throws -> TrackingValue? {
      try JSONDecoder().decode(TrackingValue.self, from: server.sessionJSON)[name]
    }
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "cart"}"#)
    async let response = served.wait(#"{"event": "bought", "count": 0, "within": 60}"#)
    async let left = served.wait(#"{"event": "opened", "timeout": 60}"#)
    try await wait(until: service, holds: 2)
    let names = try (0..<2).map { try member("waits")?[$0]?["location"] }
    XCTAssertEqual(names, ["cart", "cart"])
    XCTAssertTrue("\(try member("waits") ?? .null)".contains("bought"))
    _ = try await post(#"{"name": "opened"}"#, to: served.events)
    _ = try await left
    XCTAssertNil(try member("waits")?[1])
    _ = try await post(#"{"name": "bought"}"#, to: served.events)
    let json = try await response
    XCTAssertEqual(json["passed"], false)
    XCTAssertEqual(try member("waits"), [])
    XCTAssertEqual(try member("failures")?[0]?["message"], json["message"])
    let leaving = Task { try await served.wait(#"{"event": "never", "timeout": 600}"#) }
    try await wait(until: service, holds: 1)
    XCTAssertNotNil(try member("waits")?[0])
    leaving.cancel()
    try await wait(until: service, holds: 0)
    XCTAssertEqual(try member("waits"), [])
  }

  func testAnEntryAndAFailureNameTheLineOfTheApp() async throws {
    let (_, served) = try service()
    for site in ["src/cart.py:31", "src/view.py:88"] {
      _ = try await post(#"{"name": "purchase", "at": "\#(site)"}"#, to: served.events)
    }
    let json = try await served.wait(#"{"noDuplicates": {"within": 60}, "timeout": 0}"#)
    XCTAssertEqual(json["entries"]?[0]?["at"], "src/cart.py:31")
    XCTAssertEqual(json["entries"]?[1]?["at"], "src/view.py:88")
    guard case .string(let message)? = json["message"] else { return XCTFail("\(json)") }
    XCTAssertTrue(message.contains("\n#1 was tracked at cart.py:31, #2 at view.py:88\n"), message)
  }

  func testTooManyChecksAreRefusedAndTheAppsEventsAreNot() async throws {
    let (service, served) = try service(connections: 8)
    try await withThrowingTaskGroup(of: TrackingValue.self) { group in
      for _ in 0..<4 { group.addTask { try await served.wait(#"{"event": "a", "timeout": 60}"#) } }
      try await wait(until: service, holds: 4)
      let one = try await served.send("POST", "wait", #"{"event": "a", "timeout": 60}"#)
      XCTAssertEqual(one.status, 503)
      XCTAssertEqual(
        one.json,
        ["error": "4 checks are already waiting, which is the limit; try again when one has ended"])
      // A check whose result is known already.
      let known = try await served.wait(#"{"event": "b", "count": 0, "within": 0}"#)
      XCTAssertEqual(known["passed"], true)
      let status = try await post(#"{"name": "a"}"#, to: served.events)
      XCTAssertEqual(status, 204)
      for try await result in group { XCTAssertEqual(result["passed"], true) }
    }
    try await wait(until: service, holds: 0)
  }

  /// Each check and its form in Swift, run on the same events.
  func testAResponseIsThatOfAVerifierToTheLetter() async throws {
    let served = try serve("--accept", "segment")
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(
      with: self, configuration: .init(settling: 0.025, checksAtStop: [], reporter: reporter))
    verifier.start()
    for url in [served.events, verifier.endpoint.url.absoluteString] {
      for event in [
        #"{"name": "cart_shown", "params": {"items": 2}}"#, #"{"name": "purchase", "params": {"total": 120}}"#,
        #"{"name": "purchase", "params": {"total": 120}}"#,
      ] { _ = try await post(event, to: url) }
      _ = try await get("\(url.replacing("[::1]", with: "localhost"))/books?page=2")
    }
    let checks: [(json: String, check: TrackingCheck<CheckOutcome>)] = [
      (
        #"{"inOrder": [{"event": "purchase"}, {"event": "cart_shown"}]}"#,
        .inOrder([.named("purchase"), .named("cart_shown")])
      ),
      (
        #"{"inAnyOrder": [{"event": "cart_shown"}, {"request": "GET /books", "responded": 200}]}"#,
        .inAnyOrder([.named("cart_shown"), .request(.get, "/books").responded(200)])
      ),
      (
        #"{"consecutive": [{"event": "cart_shown"}, {"event": "purchase", "params": {"total": 3}}]}"#,
        .consecutive([.named("cart_shown"), .named("purchase", params: ["total": 3])])
      ),
      (#"{"event": "purchase", "count": 1}"#, .count(1, of: .named("purchase"))),
      (#"{"event": "purchase", "count": {"atLeast": 3}}"#, .count(3..., of: .named("purchase"))),
      (
        #"{"request": "GET /books", "query": {"page": "1"}, "count": {"atLeast": 1, "atMost": 2}}"#,
        .count(1...2, of: .request(.get, "/books", query: ["page": "1"]))
      ),
      (#"{"none": {"event": "purchase"}, "within": 0.02}"#, .none(of: .named("purchase"), within: 0.02)),
      (
        #"{"none": {"event": "cart_shown"}, "before": {"event": "purchase"}}"#,
        .none(of: .named("cart_shown"), before: .named("purchase"))
      ),
      (#"{"noDuplicates": {"within": 1}}"#, .noDuplicates(within: 1)),
      (
        #"{"nothingElse": {"within": 0.02, "ignoring": [{"event": "cart_shown"}]}}"#,
        .nothingElse(within: 0.02, ignoring: [.named("cart_shown")])
      ),
      (#"{"event": "crashed", "count": 0, "within": 0.02}"#, .count(0, of: .named("crashed"), within: 0.02)),
      (
        #"{"event": "purchase", "count": {"atMost": 1}, "within": 0.02}"#,
        .count(...1, of: .named("purchase"), within: 0.02)
      ),
      (#"{"delivery": true}"#, .delivery),
    ]
    for (json, check) in checks {
      let json = json.contains("\"within\": 0.02") ? json : json.replacing(/\}$/, with: #", "timeout": 0.02}"#)
      async let served = served.wait(json, scale: "0.1")
      let outcome = await verifier.wait(for: check, timeout: json.contains("timeout") ? 0.02 : nil)
      let response = try await served
      XCTAssertEqual(response["passed"], .bool(outcome.passed), json)
      XCTAssertEqual(response["kind"], outcome.failure.map { .string("\($0.kind)") }, json)
      XCTAssertEqual(Self.words(response["message"]?.stringValue), Self.words(outcome.failure?.message), json)
    }
    // Single entries, which `TrackingCheck` has no form for.
    let missed = try await served.wait(#"{"event": "purchase", "params": {"total": 121}, "timeout": 0.02}"#)
    await verifier.wait(for: .named("purchase", params: ["total": 121]), timeout: 0.02)
    XCTAssertEqual(Self.words(missed["message"]?.stringValue), Self.words(reporter.messages.last))
    XCTAssertEqual(missed["nearest"]?["number"], 3)
    XCTAssertEqual(
      missed["nearest"]?["differences"],
      [["param": "total", "expected": 121, "found": 120, "reason": "is 120, not 121"]])
    let next = try await served.wait(#"{"next": {"event": "purchase"}, "timeout": 0.02}"#)
    await verifier.wait(for: .next(.named("purchase")), timeout: 0.02)
    XCTAssertEqual(next["passed"], false)
    XCTAssertEqual(
      Self.words(next["message"]?.stringValue)?.replacing(/\s+at wait/, with: " at N"),
      Self.words(reporter.messages.last)?.replacing(/\s+at\s+RunnerCheckTests.swift/, with: " at N"))
    for (page, passed) in [(2, true), (3, false)] {
      let paged = try await served.wait(#"{"request": "GET /books?page=\#(page)", "timeout": 0}"#)
      XCTAssertEqual(paged["passed"], .bool(passed))
    }
    let responded = try await served.wait(#"{"request": "GET /books", "responded": 404, "timeout": 0}"#)
    XCTAssertEqual(responded["passed"], true)
    XCTAssertEqual(responded["entries"]?[0]?["target"], "/books?page=2")
  }

  /// A message without its times and its port.
  private static func words(_ message: String?) -> String? {
    message?.replacing(/[-+]?[0-9.]+ m?s\b/, with: "N").replacing(/:\d+/, with: "").replacing(/\s+/, with: " ")
  }

  /// Checks that are refused, with the reasons.
  private static let mistakes = [
    ("{", "line 1, column 2: expected a key in quotes, found the end of the text"),
    ("[]", "expected an object, found an array"),
    (
      "{}",
      "expected one of event, request, inOrder, inAnyOrder, consecutive, none, noDuplicates, nothingElse, next, plan, delivery"
    ),
    (#"{"evnt": "purchase"}"#, #""evnt" is unknown here; the nearest is event"#),
    (#"{"event": "a", "timout": 1}"#, #""timout" is unknown here; the nearest is timeout"#),
    (#"{"event": "a", "request": "/b"}"#, "request: is there besides event; send one check"),
    (#"{"event": 1}"#, "event: expected a string, found a number"),
    (#"{"event": "a", "timeout": -1}"#, "timeout: expected seconds, at most 86400, found -1"),
    (#"{"event": "a", "params": [1]}"#, "params: expected an object, found an array"),
    (#"{"event": "a", "count": {"atLeast": 3, "atMost": 1}}"#, "count: atLeast is above atMost"),
    (#"{"event": "a", "count": {}}"#, "count: expected atLeast, atMost or both"),
    (#"{"event": "a", "since": "m9"}"#, #"since: there is no mark "m9"; none was taken"#),
    (#"{"event": "a", "since": "m+1"}"#, #"since: there is no mark "m+1"; none was taken"#),
    (
      #"{"event": "a", "paramsSchema": {"type": "strin"}}"#,
      #"paramsSchema: "strin" is not a type; the nearest is "string""#
    ),
    (
      #"{"inOrder": [{"event": "a"}, {"request": "POST /o", "responded": "yes"}]}"#,
      #"inOrder[1].responded: expected a status, found "yes""#
    ),
    (
      #"{"inOrder": [{"event": "a", "count": 2}]}"#,
      #"inOrder[0]: "count" is unknown here; there are event, params, paramsSchema"#
    ),
    (#"{"inAnyOrder": []}"#, "inAnyOrder: expected at least one event or request"),
    (#"{"consecutive": []}"#, "consecutive: expected at least one event or request"),
    (
      #"{"event": "a", "count": {"atLeast": 0}}"#,
      "A count without a bound checks nothing: expect at least 1, or at most a number."
    ),
    (#"{"inOrder": []}"#, "inOrder: expected at least one event or request"),
    (#"{"request": "orders"}"#, #"request: expected a method and a path such as "POST /orders", found "orders""#),
    (#"{"request": "/a?b=1", "query": {"b": "2"}}"#, "request: the query has b twice"),
    (#"{"request": "A,B /a"}"#, #"request: expected a method and a path such as "POST /orders", found "A,B /a""#),
    (
      #"{"none": {"event": "a"}, "within": 1, "before": {"event": "b"}}"#,
      "within: is there besides before; an absence has one end"
    ),
    (
      #"{"none": {"event": "a"}, "timeout": 5}"#,
      #"timeout: an absence ends: write "within": 5, in seconds, or "before": {"event": …}"#
    ),
    (#"{"none": {"event": "a"}}"#, #"an absence ends: write "within": 1, in seconds, or "before": {"event": …}"#),
    (
      #"{"none": {"event": "a"}, "within": 1, "timeout": 5}"#,
      #"timeout: an absence has no timeout; "within" ends it"#
    ),
    (
      #"{"event": "a", "count": 0, "timeout": 2}"#,
      #"timeout: a count that may be 0 has no timeout; write "within": 2 beside "count""#
    ),
    (
      #"{"request": "/a", "count": {"atLeast": 0, "atMost": 2}, "timeout": 0}"#,
      #"timeout: a count that may be 0 has no timeout; write "within": 0 beside "count""#
    ),
    (
      #"{"nothingElse": {}, "timeout": 2.5}"#,
      #"timeout: nothingElse has no timeout; write {"nothingElse": {"within": 2.5}}"#
    ),
    (
      #"{"event": "a", "within": 1}"#,
      #"within: only a count that may be 0 has "within", such as "count": 0; write "timeout""#
    ),
    (
      #"{"event": "a", "count": {"atLeast": 1, "atMost": 2}, "within": 1}"#,
      #"within: only a count that may be 0 has "within", such as "count": 0; write "timeout""#
    ),
    (#"{"noDuplicates": true}"#, #"noDuplicates: expected an object such as {"within": 1}, found true"#),
    (#"{"nothingElse": true}"#, #"nothingElse: expected an object such as {"within": 1}, found true"#),
    (#"{"noDuplicates": {"within": 0}}"#, "noDuplicates.within: expected seconds above 0, found 0"),
    (#"{"event": "a", "timeout": null}"#, "timeout: leave the member out instead of null"),
    (#"{"none": {"event": null}}"#, "none.event: leave the member out instead of null"),
    (#"{"plan": true}"#, "There is no plan: start `tracking serve` with --plan."),
    (#"{"delivery": 1}"#, "delivery: expected true, found 1"),
  ]

  func testAMistakeInACheckIsNamedWithItsPlace() async throws {
    let served = try serve()
    for (check, reason) in Self.mistakes {
      let (status, json) = try await served.send("POST", "wait", check)
      XCTAssertEqual(status, 400, check)
      XCTAssertEqual(json, ["error": .string(reason)], check)
    }
    for (method, path, token, status) in [
      ("POST", "wait", "", 401), ("POST", "wait", "x", 401), ("GET", "wait", nil, 405), ("POST", "waits", nil, 404),
      ("GET", "entries?nme=a", nil, 400), ("GET", "events", nil, 404), ("POST", "wait?timeout=1", nil, 400),
    ] {
      let response = try await served.send(method, path, token: token)
      XCTAssertEqual(response.status, status, "\(method) \(path)")
    }
    let large = try await served.send("POST", "wait", String(repeating: " ", count: 1_048_577))
    XCTAssertEqual(large.status, 413)
  }

  func testTheSchemeOfATokenIsReadAsHTTPSays() async throws {
    let served = try serve()
    for (field, status) in [("bearer \(served.token)", 200), ("Basic \(served.token)", 401)] {
      var request = URLRequest(url: try XCTUnwrap(URL(string: "\(served.checks.prefix { $0 != "#" })marks")))
      request.httpMethod = "POST"
      request.setValue(field, forHTTPHeaderField: "Authorization")
      let response = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      XCTAssertEqual(response?.statusCode, status)
      XCTAssertEqual(response?.value(forHTTPHeaderField: "WWW-Authenticate"), status == 401 ? "Bearer" : nil)
    }
  }

  func testAPageOfAnotherOriginCannotCheckEvenWithTheToken() async throws {
    let served = try serve("--allow-origin", "http://localhost:3000")
    for (origin, status) in [("http://localhost:3000", 200), ("http://evil.example", 403)] {
      var request = URLRequest(url: try XCTUnwrap(URL(string: "\(served.checks.prefix { $0 != "#" })marks")))
      request.httpMethod = "POST"
      request.setValue("Bearer \(served.token)", forHTTPHeaderField: "Authorization")
      request.setValue(origin, forHTTPHeaderField: "Origin")
      let response = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
      XCTAssertEqual(response?.statusCode, status)
      XCTAssertEqual(
        response?.value(forHTTPHeaderField: "Access-Control-Allow-Origin"), status == 200 ? origin : nil)
    }
  }

  func testTheConnectionsOfARunnerAreNotTheApps() async throws {
    let served = try serve()
    for _ in 0..<3 {
      let response = try await served.wait(#"{"event": "a", "timeout": 0}"#)
      XCTAssertEqual(
        response["message"],
        .string(
          """
          No event named "a" arrived within 0 s; no app connected

          No app connected to \(served.events). Did you pass TRACKING_URL to the app before launching it?
          """))
    }
    let requested = try await served.wait(#"{"request": "GET /a", "responded": 200, "timeout": 0}"#)
    XCTAssertTrue(
      "\(requested)".replacing("\\n", with: " ").contains(
        "No request reached \(served.events). Is the app configured to use the server's URL as its backend's?")
    )
  }

  /// A page of another origin, and items of an SDK that aren't events.
  func testAMessageSpeaksOfOptionsAndOfTheAppsConnections() async throws {
    let served = try serve("--accept", "segment")
    let identify = #"{"batch":[{"type":"identify","messageId":"1","userId":"u"},{"type":"screen","name":"Home"}]}"#
    _ = try await post(identify, to: "\(served.events)/v1/batch")
    var request = URLRequest(url: try XCTUnwrap(URL(string: "\(served.checks.prefix { $0 != "#" })wait")))
    request.httpMethod = "POST"
    request.setValue("http://evil.example", forHTTPHeaderField: "Origin")
    let refused = try await URLSession.shared.data(for: request)
    XCTAssertEqual(
      String(decoding: refused.0, as: UTF8.self),
      #"{"error":"the origin \"http://evil.example\" isn't allowed; allow it with --allow-origin"}"#
        + "\n")
    let message = try await served.wait(#"{"event": "a", "timeout": 0}"#)["message"]
    XCTAssertEqual(
      message,
      .string(
        """
        No event named "a" arrived within 0 s; 1 connection sent no event

        Also received from SDKs, but not as events, which --keep would make them:
            identify identify (Segment)
            screen Home (Segment)

        1 connection reached \(served.events), but sent no event.
        """))
    // Neither of them is an entry, because the app has sent no request.
    let finish = try await served.send("POST", "finish").json
    XCTAssertEqual(finish["failures"], [])
    let posted = try await post(#"{"batch":[{"type":"track","event":"a"}]}"#, to: "\(served.events)/v1/import/x/y")
    XCTAssertEqual(posted, 404)
    let hint = try await served.wait(#"{"event": "b", "timeout": 0}"#)["message"]
    XCTAssertTrue("\(hint ?? "")".contains("POST /v1/import/x/y"), "\(hint ?? "")")
  }

  func testWordsOfAShellAreReadAsTheyAreMeant() throws {
    func call(_ words: String) throws -> TrackingValue { try CheckWords.call([words]) { Data() }.json.value }
    XCTAssertEqual(try call("GET /books?page=2"), ["request": "GET /books?page=2"])
    XCTAssertEqual(try call("POST /orders?x=1 responded=201"), ["request": "POST /orders?x=1", "responded": 201])
    XCTAssertEqual(
      try call("added to cart n=1 sku=a=b"), ["event": "added to cart", "params": ["n": 1, "sku": "a=b"]])
    XCTAssertEqual(try call("A/B Test Viewed n=1"), ["event": "A/B Test Viewed", "params": ["n": 1]])
    for name in [
      "購入/完了", "SCREEN /home", "GET started today", "Get started", "/books", "Cart -> Checkout", "1 > 0", "a>b",
    ] {
      XCTAssertEqual(try call(name), ["event": .string(name)])
    }
  }

  func testWordsCompareParams() async throws {
    func call(_ words: String) throws -> String { try CheckWords.call([words]) { Data() }.json.text(.compact) }
    XCTAssertEqual(
      try call("order placed total > 100 total<=200 currency=EUR"),
      #"{"event":"order placed","params":{"currency":"EUR"},"paramsSchema":{"properties":{"total":{"exclusiveMinimum":100,"maximum":200,"type":"number"}},"required":["total"],"title":"total>100 total<=200"}}"#
    )
    let served = try service().served
    let params =
      #"{"total": 120, "text": "120", "order": {"total": 5, "items": [{"n": 1}, {"n": 7.5}]}, "a.b": 3, "email": "x", "none": null, "star": "*"}"#
    _ = try await post(#"{"name": "big purchase", "params": \#(params)}"#, to: served.events)
    for (words, passed) in [
      ("total>100", true), ("total>120", false), ("total>=120", true), ("total<120", false), ("total<=1.2e2", true),
      ("total>100 total<121 total=120", true), ("total>100 total<120", false), ("text>100", false),
      ("order.total>=5 total>1", true), ("order.total>5", false), ("order.items[1].n>7", true),
      ("order.items[2].n>7", false), ("order.items[0].n>=1 order.items[1].n<8", true), ("a.b<4", true),
      ("a.b>3", false), ("order>1", false), ("gone>1", false), ("email=*", true), ("order.total = *", true),
      ("gone=*", false), ("none=*", false), ("order.gone=*", false), ("star=\"*\"", true), ("email=\"*\"", false),
      ("total>=-1", true),
    ] {
      var check = try CheckWords.call(["big purchase \(words)"]) { Data() }.json
      check = check.adding([.init("timeout", JSONTree(of: 0))])
      let json = try await served.wait(check.text(.compact))
      XCTAssertEqual(json["passed"], .bool(passed), "\(words): \(json)")
      guard !passed, words == "total>120" else { continue }
      XCTAssertEqual(
        json["message"]?.stringValue?.split(separator: "\n").first.map(String.init),
        "No event big purchase(…) arrived within 0 s; #1 has total: 120, expected a number above 120")
    }
  }

  /// `--accept customerio`, of which a hint reads the name from the static member.
  func testAHintNamesEachSDKByAWordOfTheCommand() throws {
    for (member, format) in VendorLinkage.formats {
      XCTAssertEqual(try SDKName(word: member.lowercased()).format.name, format.name)
    }
  }

  func testASessionThatCannotBeWrittenFailsTheFinish() async throws {
    let served = try serve("--save", path("session.json"))
    try FileManager.default.createDirectory(atPath: path("session.json"), withIntermediateDirectories: false)
    let finish = try await served.send("POST", "finish").json
    XCTAssertEqual(finish["passed"], false)
    XCTAssertEqual(
      finish["failures"]?[0]?["message"], .string("The session can't be written to \(path("session.json"))."))
    XCTAssertEqual(finish["files"], [:])
  }

  func testMarksEntriesStubsAndTheFinish() async throws {
    try write(#"{"events": {"tapped": {"params": {"n": {"type": "integer"}}}}}"#, to: "plan.json")
    let served = try serve("--plan", path("plan.json"), "--save", path("session.json"))
    _ = try await post(#"{"name": "tapped", "params": {"n": 1}}"#, to: served.events)
    let mark = try await served.send("POST", "marks")
    XCTAssertEqual(mark.json, ["mark": "m1"])
    _ = try await post(#"{"name": "tapped", "params": {"n": 2}}"#, to: served.events)
    _ = try await post(#"{"name": "closed"}"#, to: served.events)
    let events = try await served.send("GET", "entries?since=m1&name=tapped").json
    XCTAssertEqual(events["entries"]?[0]?["params"], ["n": 2])
    XCTAssertNil(events["entries"]?[1])
    let late = try await served.wait(#"{"event": "tapped", "params": {"n": 1}, "since": "m1", "timeout": 0.1}"#)
    XCTAssertEqual(late["passed"], false)

    let stubs =
      #"[{"request": "GET /books", "json": {"b": 9999999999999999.999999999999, "a": 1.50}}, {"request": "GET /books", "query": {"page": "2"}, "status": 204}]"#
    let installed = try await served.send("POST", "stubs", stubs)
    XCTAssertEqual(installed.json, ["stubs": 2])
    let books = served.events.replacing("[::1]", with: "localhost") + "/books"
    let stubbed = try await get(books)
    XCTAssertEqual(stubbed.status, 200)
    XCTAssertEqual(stubbed.body, #"{"b":9999999999999999.999999999999,"a":1.50}"#)
    let second = try await get(books + "?page=2&size=9")
    XCTAssertEqual(second.status, 204)
    for (body, message) in [
      (
        #"[{"request": "/a"}, {"request": "/b", "file": "b.json"}]"#,
        #"[1]: "file" is unknown here; there are request, query, requestHeaders, body, times, responses, status, headers, delay, fault, json, text"#
      ),
      (#"[{"path": "/a"}]"#, #"[0].path: is unknown here; write "request": "GET /books/:id""#),
      (#"[{"status": 201}]"#, #"[0]: the member "request" is missing"#),
      (#"[{"request": "books"}]"#, #"[0].request: expected a method and a path such as "POST /orders", found "books""#),
      (#"[{"request": "/a", "status": 99}]"#, "[0].status: expected a status from 200 to 599, found 99"),
      (#"[{"request": "/a", "times": 0}]"#, "[0].times: expected a number of at least 1, found 0"),
      (#"[{"request": "/a", "delay": -1}]"#, "[0].delay: expected seconds, at most 86400, found -1"),
      (#"[{"request": "/a", "status": null}]"#, "[0].status: leave the member out instead of null"),
      (
        #"[{"request": "/a", "fault": {"at": "response", "effect": "rest"}}]"#,
        #"[0].fault.effect: expected one of close, reset, stall, garbage, halfClose, found "rest""#
      ),
      (
        #"[{"request": "/a", "fault": {"at": "accept", "effect": "reset"}}]"#,
        #"[0].fault.at: expected one of requestHead, requestBody, response, responseBody, afterResponse, found "accept""#
      ),
      (#"[{"request": "/a", "fault": "reset"}]"#, "[0].fault: expected an object, found a string"),
      (#"{"request": "/a"}"#, "expected an array, found an object"),
      (
        #"[{"request": "/a"}, {"request": "GET /-tracking/v1/openapi.json"}]"#,
        "GET /-tracking/v1/openapi.json can't be a stub: paths under /-tracking/ belong to the server"
      ),
      (#"[{"request": "POST /"}]"#, "POST / can't be a stub: it receives the app's events"),
      (
        #"[{"request": "POST /tracking-session"}]"#,
        "POST /tracking-session can't be a stub: the server responds to it itself"
      ),
      ("[", "line 1, column 2: expected a value, found the end of the text, at [0]"),
    ] {
      let refused = try await served.send("POST", "stubs", body)
      XCTAssertEqual(refused.status, 400)
      XCTAssertEqual(refused.json, ["error": .string(message)])
    }
    _ = try await served.send("DELETE", "stubs")
    let removed = try await get(books)
    XCTAssertEqual(removed.status, 404)

    let finish = try await served.send("POST", "finish").json
    XCTAssertEqual(finish["passed"], false)
    XCTAssertEqual(finish["failures"]?[0]?["kind"], "brokenRule")
    XCTAssertEqual(finish["failures"]?[1]?["kind"], "unmatchedRequest")
    XCTAssertEqual(finish["files"], ["session": .string(path("session.json"))])
    XCTAssertTrue(try text("session.json").contains(#""name":"closed""#))
    // Neither what a failure has listed nor a late match of a check from before the finish.
    _ = try await post(#"{"name": "tapped", "params": {"n": 1}}"#, to: served.events)
    let again = try await served.send("POST", "finish").json
    XCTAssertEqual(again["passed"], true, "\(again)")
  }

  func testAMarkIsTheBeginningForLaterChecks() async throws {
    let served = try serve()
    let before = try await served.send("POST", "marks").json
    XCTAssertEqual(before, ["mark": "m1"])
    _ = try await post(#"{"name": "opened"}"#, to: served.events)
    let mark = try await served.send("POST", "marks", #"{"asDefault": true}"#).json
    XCTAssertEqual(mark, ["mark": "m2"])
    let early = try await served.wait(#"{"event": "opened", "timeout": 0}"#)
    XCTAssertEqual(early["passed"], false)
    let named = try await served.wait(#"{"event": "opened", "timeout": 0, "since": "m1"}"#)
    XCTAssertEqual(named["passed"], true)
    _ = try await post(#"{"name": "closed"}"#, to: served.events)
    // A mark without that changes nothing.
    _ = try await served.send("POST", "marks", "{}")
    let late = try await served.wait(#"{"event": "closed", "timeout": 0}"#)
    XCTAssertEqual(late["passed"], true)
    let events = try await served.send("GET", "entries").json
    XCTAssertEqual(events["entries"]?[0]?["name"], "closed")
    XCTAssertNil(events["entries"]?[1])
    let all = try await served.send("GET", "entries?since=m1").json
    XCTAssertEqual(all["entries"]?[1]?["name"], "closed")
    for (body, reason) in [
      (#"{"asDefault": false}"#, "asDefault: expected true, found false"),
      (#"{"default": true}"#, #""default" is unknown here; the nearest is asDefault"#), ("x", "line 1, column 1: "),
    ] {
      let (status, json) = try await served.send("POST", "marks", body)
      XCTAssertEqual(status, 400)
      XCTAssertTrue("\(json["error"]?.stringValue ?? "")".hasPrefix(reason), "\(json)")
    }
  }

  func testAnOpenCheckIsOfTheTestThatStartedIt() async throws {
    let (service, served) = try service()
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "first"}"#)
    async let waited = served.wait(#"{"event": "never", "timeout": 600}"#)
    try await wait(until: service, holds: 1)
    let first = try await served.send("POST", "finish").json
    XCTAssertEqual(first["passed"], false)
    XCTAssertEqual(
      first["failures"]?[0],
      [
        "kind": "unfinished",
        "message": "The test was finished before this check was decided: an event named \"never\"",
      ])
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "second"}"#)
    // Passes in the time of the second test, and fails neither of them again.
    _ = try await post(#"{"name": "never"}"#, to: served.events)
    let late = try await waited
    XCTAssertEqual(late["passed"], true)
    // The check of a client that disconnects ends, and fails no test.
    let leaving = Task { try await served.wait(#"{"event": "never2", "timeout": 600}"#) }
    try await wait(until: service, holds: 1)
    leaving.cancel()
    try await wait(until: service, holds: 0)
    async let failing = served.wait(#"{"event": "neither", "timeout": 0.3}"#)
    try await wait(until: service, holds: 1)
    // A mark ends the test, too.
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "third"}"#)
    let failed = try await failing
    XCTAssertEqual(failed["passed"], false)
    let own = try await served.wait(#"{"event": "neither", "timeout": 0}"#)
    XCTAssertEqual(own["passed"], false)
    let last = try await served.send("POST", "finish").json
    XCTAssertEqual(last["passed"], true)
    let tests = last["tests"]?.arrayValue ?? []
    XCTAssertEqual(tests.map { $0["name"] }, ["first", "second", "third"])
    XCTAssertEqual(tests.map { $0["failures"]?.arrayValue?.count }, [1, 1, 1])
    // The names of tests are notes on the page, not entries of a response.
    XCTAssertEqual(failed["entries"], [])
    XCTAssertEqual(late["entries"]?.arrayValue?.map { $0["kind"] }, ["event"])
  }

  /// The client leaves during the first look, during the look after a wake, or while the check waits.
  func testACheckWhoseClientLeavesAtAnyTimeIsForgotten() async throws {
    let (service, served) = try service()
    let request = ReceivedRequest(
      method: "POST", host: "localhost", path: "\(CheckService.path)wait",
      headers: MessageHeaders(fields: [("Authorization", "Bearer \(service.token)")]),
      body: Data(#"{"event": "never", "timeout": 600}"#.utf8))
    for looks in 1...3 {
      guard case .work(let look) = service.respond(to: request) else { return XCTFail("no work") }
      var outcome = look()
      for _ in 1..<looks {
        guard case .wait(_, let until, let then, _) = outcome else { return XCTFail("no wait") }
        let end = until {}
        XCTAssertEqual(service.openCount, 1)
        end?()
        outcome = then()
        XCTAssertEqual(service.openCount, 0)
      }
      guard case .wait(_, let until, _, let abandon?) = outcome else { return XCTFail("no wait") }
      if looks == 3 { until {}?() }
      abandon()
      abandon()
      XCTAssertEqual(service.openCount, 0)
      let finish = try await served.send("POST", "finish").json
      XCTAssertEqual(finish["failures"], [])
    }
  }

  func testChecksOfAServerThatEndsGetResponsesAndThoseOfClientsThatLeaveEnd() async throws {
    let (service, served) = try service()
    let leaving = Task { try await served.wait(#"{"event": "never", "timeout": 600}"#) }
    try await wait(until: service, holds: 1)
    leaving.cancel()
    try await wait(until: service, holds: 0)
    let responses = try await withThrowingTaskGroup(of: (Int?, TrackingValue).self) { group in
      for number in 0..<120 {
        group.addTask { try await served.send("POST", "wait", #"{"event": "e\#(number)", "timeout": 600}"#) }
      }
      try await wait(until: service, holds: 120)
      for number in 0..<80 { _ = try await post(#"{"name": "e\#(number)"}"#, to: served.events) }
      try await wait(until: service, holds: 40)
      service.end()
      var responses: [(Int?, TrackingValue)] = []
      for try await response in group { responses.append(response) }
      return responses
    }
    XCTAssertEqual(responses.count { $0.0 == 200 && $0.1["passed"] == true }, 80)
    let ended = responses.filter { $0.0 == 503 }
    XCTAssertEqual(ended.count, 40)
    XCTAssertEqual(ended.first?.1, ["error": "`tracking serve` ended before the check passed or failed"])
  }

  func testATimeoutIsScaledByTheServersVariableOrByTheClients() async throws {
    let served = try serve(environment: ["TRACKING_TIMEOUT_SCALE": "0.5"])
    func send(_ scale: String?) async throws -> (status: Int?, json: TrackingValue) {
      try await served.send("POST", "wait", #"{"event": "a", "timeout": 0.04}"#, scale: scale)
    }
    for (scale, time) in [(nil, "0.02"), ("2", "0.08"), ("1", "0.04")] {
      let message = try await send(scale).json["message"]?.stringValue ?? ""
      XCTAssertTrue(message.hasPrefix("No event named \"a\" arrived within \(time) s;"), message)
    }
    let wrong = try await send("0")
    XCTAssertEqual(wrong.status, 400)
    XCTAssertEqual(
      wrong.json, ["error": "Tracking-Timeout-Scale: expected a number greater than 0 and at most 100, found \"0\""])
  }

  /// Runs a verb beside `serve`, and returns its exit status and what it wrote.
  private func shell(
    _ words: [String], of served: Served, input: String? = nil, scale: String = ""
  ) throws -> (Int32, String, String) {
    let names = (out: path("out2"), err: path("err2"))
    for name in [names.out, names.err] { try Data().write(to: URL(fileURLWithPath: name)) }
    let process = Process()
    process.executableURL = TestApp("tracking").executable
    process.arguments = words
    process.environment = ["TRACKING_SERVE": served.checks, "TRACKING_TIMEOUT_SCALE": scale]
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: names.out))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: names.err))
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    pipe.fileHandleForWriting.write(Data((input ?? "").utf8))
    try pipe.fileHandleForWriting.close()
    finish(process)
    return (process.terminationStatus, try text("out2"), try text("err2"))
  }

  func testTheVerbsOfAShell() async throws {
    let served = try serve()
    _ = try await post(#"{"name": "added to cart", "params": {"n": 1, "sku": "a=b"}}"#, to: served.events)
    func shell(_ words: String..., input: String? = nil, scale: String = "") throws -> (Int32, String, String) {
      try self.shell(words, of: served, input: input, scale: scale)
    }
    let found = try shell("wait", "added to cart n=1 sku=a=b")
    XCTAssertEqual(found.0, 0, found.2)
    XCTAssertEqual(found.1 + found.2, "")
    let missing = try shell("wait", "added to cart n=2", "--timeout", "0.1")
    XCTAssertEqual(missing.0, 1)
    XCTAssertEqual(missing.1, "")
    XCTAssertTrue(
      missing.2.hasPrefix(
        "No event named \"added to cart\" with n: 2 arrived within 0.1 s; #1 has n: 1\n"),
      missing.2)
    let scaled = try shell("wait", "added to cart n=2", "--timeout", "0.1", scale: "0.5")
    XCTAssertTrue(scaled.2.hasPrefix("No event named \"added to cart\" with n: 2 arrived within 0.05 s;"), scaled.2)
    let unscaled = try shell("wait", "added to cart n=2", "--timeout", "0.1", scale: "101")
    XCTAssertTrue(
      unscaled.2.hasPrefix(
        "warning: TRACKING_TIMEOUT_SCALE can't be \"101\": it is a number greater than 0 and at most 100, so timeouts aren't scaled\n"
          + "No event named \"added to cart\" with n: 2 arrived within 0.1 s;"), unscaled.2)
    XCTAssertEqual(try shell("wait", #"{"event": "added to cart"}"#, "--count", "1", scale: "0.1").0, 0)
    XCTAssertEqual(try shell("wait", "added", "to", "cart", "n=1").0, 0)
    let json = try shell("wait", "-", "--json", input: #"{"noDuplicates": {"within": 0.01}}"#, scale: "0.1")
    XCTAssertEqual(json.0, 0)
    XCTAssertEqual(json.1, "{\"entries\":[],\"passed\":true}\n")
    XCTAssertEqual(try shell("mark").1, "m1\n")
    XCTAssertEqual(try shell("mark", "--as-default").1, "m2\n")
    XCTAssertEqual(try shell("wait", "added to cart", "--timeout", "0", "--env", path("serve.env")).0, 1)
    let none = try shell("wait", "a", "--env", path("out2"))
    XCTAssertEqual(none.0, 2)
    XCTAssertTrue(none.2.hasSuffix("it isn't a file of `tracking serve --write-env`\n"), none.2)
    for (words, address, reason) in [
      (["wait", "a"], "http://localhost:1/", #"TRACKING_SERVE: "http://localhost:1/" isn't the URL"#),
      (["mark", "--env", path("wrong.env")], served.checks, #"--env \#(path("wrong.env")): "a" isn't the URL"#),
    ] {
      try write("export TRACKING_SERVE='a'\n", to: "wrong.env")
      let wrong = try self.shell(words, of: Served(events: "", checks: address))
      XCTAssertEqual(wrong.0, 2)
      XCTAssertEqual(
        wrong.2,
        "tracking \(words[0]): \(reason) of `tracking serve`, which ends with /-tracking/v1/#token=…\n")
    }
    XCTAssertEqual(try shell("wait", "added to cart", "--since", "m1", "--timeout", "0").0, 1)
    let negative = try shell("wait", "added to cart", "--timeout", "-1")
    XCTAssertEqual(negative.0, 2)
    XCTAssertTrue(negative.2.hasPrefix(#"tracking wait: --timeout: "-1" isn't a number of seconds from 0 to 86400"#))
    let mistake = try shell("wait", "-", input: #"{"event": 1}"#)
    XCTAssertEqual(mistake.0, 2)
    XCTAssertEqual(mistake.2, "tracking wait: event: expected a string, found a number\n")
    let unknown = try shell("ask", "-")
    XCTAssertEqual(unknown.0, 2)
    XCTAssertEqual(
      unknown.2,
      "tracking: there is no verb ask; `tracking wait` takes JSON, too: tracking wait '{…}', or tracking wait - < FILE\n"
    )
    let taken = try shell("wait", "cart added", "--timeout", "0")
    XCTAssertEqual(taken.0, 1)
    XCTAssertTrue(
      taken.2.hasSuffix(
        """

        The words were taken for the name of an event, "cart added". A param is written name=value or
        'name>5', in quotes because a shell takes < and > for itself, and a request METHOD /path.

        """), taken.2)
    XCTAssertEqual(try shell("finish").0, 0)
    XCTAssertEqual(stop(process), 0)
    let gone = try shell("wait", "a")
    XCTAssertEqual(gone.0, 2)
    XCTAssertTrue(gone.2.hasSuffix("does `tracking serve` still run?\n"), gone.2)
  }

  /// Slips are refused at once, and not waited for.
  func testASlipInTheWordsOfAShellIsRefusedWithWhatToWrite() throws {
    func refusal(_ words: String..., input: String = "") -> String {
      do {
        let check = try CheckWords.call(words) { Data(input.utf8) }
        return check.json.text(.compact)
      } catch {
        return "\(error)"
      }
    }
    try write("{}", to: "check")
    func name(_ name: String) -> String { #"; for an event of this name, write '{"event":"\#(name)"}'"# }
    for (words, text) in [
      ("POST orders", "the path of a request begins with a slash: POST /orders" + name("POST orders")),
      (
        "GET http://localhost:3000/orders/7",
        "the path of a request begins with a slash: GET /orders/7" + name("GET http://localhost:3000/orders/7")
      ),
      ("post /orders", "a method is in capitals: POST /orders" + name("post /orders")),
      ("a=b", "a=b is a param without an event: the event's name comes first" + name("a=b")),
      ("a>5", "a>5 is a param without an event: the event's name comes first" + name("a>5")),
      ("GET started", "the path of a request begins with a slash: GET /started" + name("GET started")),
      (
        "buy sku!=lamp",
        #"words have no !=: for dates and other values, write '{"event":"buy","paramsSchema":{"properties":{"sku":{"not":{"const":"lamp"}}},"required":["sku"],"type":"object"}}'"#
      ),
      (
        "buy on>2026-11-28",
        #"on>2026-11-28 compares with a number, which 2026-11-28 isn't: for dates and other values, write '{"event":"buy","paramsSchema":{"properties":{"on":{"pattern":"…"}},"required":["on"],"type":"object"}}'"#
      ),
      ("buy n=>5", "n=>5 compares in the other order: write n>=5"), ("buy n> 1 n > 2", "n> is given twice"),
      ("buy n=1 n=2", "n is given twice"), ("buy n==1", "a value follows one equals sign: n==1"),
      ("buy n>", "n> has no value"), ("buy n > ", "n> has no value"),
      ("purchase title=a b", "a value with a space can't follow title=: write JSON" + name("purchase title=a b")),
      (" ", "the check is empty: name an event, or a method and a path"),
      ("POST /orders 201", "201 is unknown after a path; write responded=201"),
      (
        "POST /orders n>1",
        #"a request is compared only by its status, as responded=201, and not by n>1; for more, write JSON: '{"request": "POST /orders", …}'"#
      ),
      (
        "check.json",
        "check.json is a file, and a check is read from standard input: tracking wait - < check.json"
          + name("check.json")
      ),
      (
        path("check"),
        "\(path("check")) is a file, and a check is read from standard input: tracking wait - < \(path("check"))"
          + name(path("check"))
      ),
      (
        #"{"event": "#, "the check: line 1, column 11: expected a value, found the end of the text, at event"
      ),
      ("[1]", "the check: line 1, column 1: expected an object, found an array"),
      ("buy n>5 b", "a value with a space can't follow n>: write JSON" + name("buy n>5 b")),
      // Whatever may be meant is taken.
      ("Cart -> Paid", #"{"event":"Cart -> Paid"}"#),
      ("Get Started", #"{"event":"Get Started"}"#), ("GET /a?b=1", #"{"request":"GET /a?b=1"}"#),
      ("purchase total=1.50", #"{"event":"purchase","params":{"total":1.5}}"#),
      (#" {"event": "a", "params": {"n": 1.50}}"#, #"{"event":"a","params":{"n":1.50}}"#),
    ] {
      XCTAssertEqual(refusal(words), text, words)
    }
    XCTAssertEqual(
      refusal("-", input: "{\n"),
      "standard input: line 2, column 1: expected a key in quotes, found the end of the text")
    let (status, _, error) = try result(
      "wait", #"{"event": "a", "timeout": 1}"#, "--timeout", "2", "--env", path("none"))
    XCTAssertEqual(status, 2)
    XCTAssertTrue(error.hasPrefix("tracking wait: --timeout: the JSON has a timeout, too\n"), error)
    let served = try serve()
    let timed = try shell(["wait", "a", "--count", "0", "--timeout", "2"], of: served)
    XCTAssertEqual(timed.0, 2)
    XCTAssertTrue(
      timed.2.hasPrefix(
        #"tracking wait: timeout: a count that may be 0 has no timeout; write "within": 2 beside "count""#), timed.2)
  }

  func testAPlaceThatIsWrongIsToldWithTheRightOne() async throws {
    let served = try serve("--accept", "segment")
    let there = "there are GET entries; POST finish; POST marks; GET openapi.json; DELETE, POST stubs; POST wait"
    for (path, reason) in [
      ("../v2/wait", "there is no /-tracking/v2/wait; a check is sent to POST /-tracking/v1/wait"),
      ("../wait", "there is no /-tracking/wait; a check is sent to POST /-tracking/v1/wait"),
      ("ask", "there is no /-tracking/v1/ask; a check is sent to POST /-tracking/v1/wait, and \(there)"),
      (
        "../../v1/btch",
        "nothing is served at /v1/btch; events are posted to /; an accepted SDK posts to /v1/batch, /v1/b, /v1/import"
      ),
      (
        "../../ask",
        "nothing is served at /ask; events are posted to /; checks are sent to /-tracking/v1/wait"
      ),
    ] {
      let (status, json) = try await served.send("POST", path, #"{"event": "a"}"#)
      XCTAssertEqual(status, 404, path)
      XCTAssertEqual(json["error"], .string(reason), path)
    }
  }

  func testAFinishLooksSinceTheMarkAndNotAtAnotherTest() async throws {
    let served = try serve()
    let book = served.events.replacing("[::1]", with: "localhost") + "/books"
    func finish(_ body: String? = nil) async throws -> [TrackingValue?] {
      let json = try await served.send("POST", "finish", body).json
      return [json["passed"], json["failures"]?[0]?["kind"], json["failures"]?[1]?["kind"]]
    }
    // A test that fails before its finish: an extra, and a request without a stub.
    _ = try await post(#"{"name": "bought"}"#, to: served.events)
    _ = try await served.wait(#"{"event": "bought", "count": 1}"#)
    _ = try await post(#"{"name": "bought"}"#, to: served.events)
    _ = try await get(book)
    _ = try await served.send("POST", "marks", #"{"asDefault": true}"#)
    _ = try await post(#"{"name": "bought"}"#, to: served.events)
    let second = try await finish()
    XCTAssertEqual(second, [true, nil, nil])
    let whole = try await finish(#"{"since": "m1"}"#)
    XCTAssertEqual(whole, [true, nil, nil])
    _ = try await get(book)
    let third = try await finish("{}")
    XCTAssertEqual(third, [false, "unmatchedRequest", nil])
    let again = try await finish()
    XCTAssertEqual(again, [true, nil, nil])
    for (body, reason) in [
      (#"{"since": "m2"}"#, #"since: there is no mark "m2"; the last is m1"#),
      (#"{"tst": "a"}"#, #""tst" is unknown here; the nearest is test"#),
      (#"{"test": ""}"#, #"test: expected a test's name, found """#), ("[]", "expected an object, found an array"),
    ] {
      let (status, json) = try await served.send("POST", "finish", body)
      XCTAssertEqual(status, 400, body)
      XCTAssertEqual(json, ["error": .string(reason)], body)
    }
    let named = try await served.send("POST", "marks", #"{"test": "a"}"#)
    XCTAssertEqual(named.json, ["error": "a test begins at the default mark: add \"asDefault\": true"])
  }

  func testAFailureIsNotAboutATestThatHasFinished() async throws {
    let served = try serve()
    func message(_ check: String) async throws -> String {
      try await served.wait(check)["message"]?.stringValue ?? ""
    }
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "first"}"#)
    _ = try await post(#"{"name": "bought"}"#, to: served.events)
    _ = try await served.send("POST", "finish")
    // The app of the second test doesn't start.
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "second"}"#)
    let silent = try await message(#"{"event": "bought", "timeout": 0}"#)
    XCTAssertTrue(
      silent.replacing("\n", with: " ").contains(
        """
        No new connection reached \(served.events) in this test, and none that is still open sent events. \
        Did you pass TRACKING_URL to the app before launching it?
        """),
      silent)
    XCTAssertTrue(
      silent.hasPrefix("No event named \"bought\" arrived within 0 s; no app connected in this test\n"), silent)
    for word in ["before the mark", "#1"] { XCTAssertFalse(silent.contains(word), silent) }
    // A check that names an earlier mark is about the first test, too.
    let both = try await message(#"{"event": "bought", "count": 2, "timeout": 0, "since": "m1"}"#)
    XCTAssertTrue(both.contains("#1"), both)
    // An event between two tests may belong to the second, if its mark came too late.
    _ = try await served.send("POST", "finish")
    _ = try await post(#"{"name": "bought"}"#, to: served.events)
    _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "third"}"#)
    let late = try await message(#"{"event": "bought", "timeout": 0}"#)
    XCTAssertTrue(late.contains("before the mark") && late.contains("#2") && !late.contains("#1"), late)
  }

  /// Failed waits and findings, with the tests' names: in the session, on the page and as JUnit.
  func testTheArtifactsTellWhichTestFailed() async throws {
    let served = try serve("--save", path("session.json"))
    func begin(_ test: String) async throws {
      _ = try await served.send("POST", "marks", #"{"asDefault": true, "test": "\#(test)"}"#)
    }
    try await begin("cart")
    _ = try await served.wait(#"{"event": "opened", "timeout": 0}"#)
    let other = try await served.send("POST", "finish", #"{"test": "checkout"}"#)
    XCTAssertEqual(other.status, 400)
    XCTAssertEqual(
      other.json["error"],
      #"test: the test that runs is "cart": finish it by this name, or begin "checkout" with a default mark"#)
    _ = try await served.wait(#"{"event": "a<b", "timeout": 0}"#)
    let cart = try await served.send("POST", "finish", #"{"test": "cart"}"#).json
    XCTAssertEqual(cart["passed"], true)
    try await begin("books & more")
    _ = try await served.wait(#"{"event": "closed", "count": 0, "within": 0}"#)
    _ = try await get(served.events.replacing("[::1]", with: "localhost") + "/books")
    // The next mark ends it. What is late belongs to it.
    _ = try await post(#"{"name": "closed"}"#, to: served.events)
    try await begin("last")
    let (status, _, error) = try shell(["finish", "--junit", path("results.xml")], of: served)
    XCTAssertEqual(status, 0, error)
    let server = "tracking serve at localhost:\(URL(string: served.checks)?.port ?? 0)"
    assertText(
      try text("results.xml").replacing(/time="[0-9.]+"/, with: "time").replacing(
        /message="[^"]+">[^<]+</, with: "message>text<"),
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="\(server)" tests="3" failures="2" errors="0" skipped="0" time>
          <testcase classname="tracking serve" name="cart" time>
            <failure type="tooFew" message>text</failure>
          </testcase>
          <testcase classname="tracking serve" name="books &amp; more" time>
            <failure type="tooMany" message>text</failure>
          </testcase>
          <testcase classname="tracking serve" name="last" time/>
        </testsuite>
      </testsuites>

      """)
    XCTAssertTrue(try text("results.xml").contains("event named &quot;a&lt;b&quot;"))
    XCTAssertEqual(stop(process), 0)
    let session = try SessionFile(contentsOf: path("session.json"))
    XCTAssertEqual(session.title, server)
    XCTAssertEqual(session.failures.map(\.location), ["cart, wait:1", "cart, wait:2", "books & more, wait:3"])
    XCTAssertTrue(try text("session.json").contains(#""kind":"note","number":0"#))
    XCTAssertEqual(try run("report", path("session.json"), "--output", path("report.html")), 0)
    XCTAssertTrue(try text("report.html").contains("cart, wait:1"))
  }

  func testACheckOfAnEventThatIsNotPlannedIsAWarning() async throws {
    try Data(#"{"events": {"app_opened": {}}}"#.utf8).write(to: URL(fileURLWithPath: path("plan.json")))
    let served = try serve("--plan", path("plan.json"), environment: ["TRACKING_TIMEOUT_SCALE": "0.1"])
    let warning =
      "The absence of \"app_opend\" proves nothing: the plan has no event with this name; the nearest is app_opened."
    for check in [
      #"{"none": {"event": "app_opend"}, "within": 0}"#, #"{"event": "app_opend", "count": {"atMost": 1}}"#,
    ] {
      let json = try await served.wait(check)
      XCTAssertEqual(json["passed"], true)
      XCTAssertEqual(json["warning"], .string(warning), check)
    }
    let planned = try await served.wait(#"{"none": {"event": "app_opened"}, "within": 0}"#)
    XCTAssertNil(planned["warning"])
    let process = Process()
    process.executableURL = TestApp("tracking").executable
    process.arguments = ["wait", "app_opend", "--count", "0"]
    process.environment = ["TRACKING_SERVE": served.checks]
    try Data().write(to: URL(fileURLWithPath: path("warnings")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: path("warnings")))
    try process.run()
    finish(process)
    XCTAssertEqual(process.terminationStatus, 0)
    XCTAssertEqual(try text("warnings"), "warning: \(warning)\n")
  }

  /// An app with an outdated TRACKING_SESSION: its events are refused, so that none have come proves nothing.
  func testAfterASubmissionOfAnotherSessionNoCheckPassesBecauseNothingElseCame() async throws {
    let silent: [(check: String, words: String)] = [
      (#"{"event": "opened", "count": 1, "timeout": 0}"#, #"exactly 1 event named "opened""#),
      (#"{"event": "opened", "count": {"atLeast": 1, "atMost": 2}}"#, #"1 to 2 events named "opened""#),
      (#"{"event": "opened", "count": {"atMost": 2}}"#, #"at most 2 events named "opened""#),
      (#"{"none": {"event": "left"}, "within": 0}"#, #"no event named "left" within 0 s"#),
      (#"{"none": {"event": "left"}, "before": {"event": "closed"}}"#, #"no event named "left" before "closed""#),
      (#"{"consecutive": [{"event": "opened"}, {"event": "closed"}]}"#, "2 events in a row"),
      (#"{"noDuplicates": {"within": 0.01}}"#, "no two equal events within 0.01 s"),
      (
        #"{"nothingElse": {"ignoring": [{"event": "opened"}, {"event": "closed"}]}}"#,
        ""
      ),
      (#"{"plan": true}"#, #"every event to match the plan "tracking-plan""#),
      (#"{"delivery": true}"#, ""),
    ]
    let certain = [
      #"{"event": "opened"}"#, #"{"event": "opened", "count": {"atLeast": 1}}"#,
      #"{"inOrder": [{"event": "opened"}, {"event": "closed"}]}"#,
      #"{"inAnyOrder": [{"event": "closed"}, {"event": "opened"}]}"#, #"{"none": {"request": "/books"}, "within": 0}"#,
      #"{"none": {"request": "/books"}, "before": {"event": "closed"}}"#,
    ]
    for others in [0, 4] {
      let plan = try TrackingPlan(text: #"{"events": {"opened": {}, "closed": {}}}"#)
      let (_, served) = try service(plan: plan)
      _ = try await post(#"{"name": "opened"}"#, to: served.events)
      for _ in 0..<others {
        let status = try await post(#"{"name": "left"}"#, to: served.events, ["Tracking-Session": "yesterday"])
        XCTAssertEqual(status, 403)
      }
      _ = try await post(#"{"name": "closed"}"#, to: served.events)
      for check in certain {
        let json = try await served.wait(check)
        XCTAssertEqual(json["passed"], true, check)
      }
      for (check, words) in silent {
        let json = try await served.wait(check)
        XCTAssertEqual(json["passed"], .bool(others == 0), check)
        guard others > 0 else { continue }
        XCTAssertEqual(json["kind"], "rejected", check)
        XCTAssertEqual(json["entries"]?.arrayValue?.count { $0["status"] == 403 }, others, check)
        XCTAssertEqual(
          json["message"]?.stringValue?.split(separator: "\n").first.map(String.init),
          "\(words.isEmpty ? "Can't" : "Expected \(words), but can't") tell: 4 submissions came with another session's token"
        )
      }
      // A failure that is certain says what happened.
      let extra = try await served.wait(#"{"none": {"event": "opened"}, "within": 0}"#)
      XCTAssertEqual(extra["kind"], "unexpectedExtra")
      // Since a later mark nothing was refused.
      let mark = try await served.send("POST", "marks").json["mark"]?.stringValue ?? ""
      let later = try await served.wait(#"{"delivery": true, "since": "\#(mark)"}"#)
      XCTAssertEqual(later["passed"], true)
    }
  }

  func testAFinishFailsOnceAfterSubmissionsOfAnotherSession() async throws {
    try Data(#"{"events": {"opened": {}}}"#.utf8).write(to: URL(fileURLWithPath: path("plan.json")))
    let served = try serve("--plan", path("plan.json"))
    _ = try await post(#"{"name": "opened"}"#, to: served.events)
    for name in ["a", "b"] {
      _ = try await post(#"{"name": "\#(name)"}"#, to: served.events, ["Tracking-Session": "yesterday"])
    }
    let finish = try await served.send("POST", "finish").json
    XCTAssertEqual(finish["passed"], false)
    XCTAssertEqual(finish["failures"]?[0]?["kind"], "rejected")
    assertText(
      (finish["failures"]?[0]?["message"]?.stringValue ?? "").replacing(/\+\d+(\.\d+)? ms */, with: "+N ms  "),
      """
      Can't tell: 2 submissions came with another session's token
      Not checked: every tracked event to arrive, and no submission to be rejected.

      Received, by time since the first arrival:
          #1  +N ms  opened()
          #2  +N ms  POST / -> 403
          #3  +N ms  of another session  a rejected submission (403)
          #4  +N ms  POST / -> 403
          #5  +N ms  of another session  a rejected submission (403)

      2 submissions came from an app of another session and were refused: was it launched with the
      TRACKING_SESSION of another or an earlier server?
      """)
    // The plan is checked, too, and repeats nothing.
    XCTAssertNil(finish["failures"]?[1])
    let again = try await served.send("POST", "finish").json
    XCTAssertEqual(again["passed"], true)
  }

  func testDeliveryOfEventsWithoutNumbersIsAWarning() async throws {
    let (_, served) = try service()
    let empty = try await served.wait(#"{"delivery": true}"#)
    XCTAssertNil(empty["warning"])
    _ = try await post(
      #"{"name": "opened"}"#, to: served.events, ["Tracking-Launch": "p.1", "Tracking-Sequence": "1"])
    let numbered = try await served.wait(#"{"delivery": true}"#)
    XCTAssertEqual(numbered["passed"], true)
    XCTAssertNil(numbered["warning"])
    _ = try await post(#"[{"name": "opened"}, {"name": "closed"}]"#, to: served.events)
    let unnumbered = try await served.wait(#"{"delivery": true}"#)
    XCTAssertEqual(unnumbered["passed"], true)
    XCTAssertEqual(
      unnumbered["warning"],
      "The loss of an event would not show: 2 of 3 events came without Tracking-Sequence, which a `TrackerDouble` sends."
    )
    let other = try await served.wait(#"{"event": "closed"}"#)
    XCTAssertNil(other["warning"])
    let mark = try await served.send("POST", "marks").json["mark"]?.stringValue ?? ""
    let later = try await served.wait(#"{"delivery": true, "since": "\#(mark)"}"#)
    XCTAssertNil(later["warning"])
  }

  /// For programs: what differs, what was rejected, and what was lost.
  func testAResponseHasTheFactsOfAFailure() async throws {
    let served = try serve("--accept", "segment")
    _ = try await post(#"{"name": "bought", "params": {"n": 1, "sku": "x", "it": {"p": 1}}}"#, to: served.events)
    func differences(_ check: String) async throws -> TrackingValue? {
      try await served.wait(check)["nearest"]?["differences"]
    }
    let event = try await differences(
      #"{"event": "bought", "params": {"n": "1", "it.q": 2, "skv": "x"}, "timeout": 0}"#)
    XCTAssertEqual(
      event,
      [
        ["param": "it.q", "expected": 2, "reason": "is missing; \"it\" is an object"],
        [
          "param": "n", "expected": "1", "found": 1,
          "reason": "is 1, not \"1\" (1 is a number, expected the string \"1\")",
        ],
        ["param": "skv", "expected": "x", "reason": "is missing"],
      ])
    let name = try await differences(#"{"event": "bougth", "timeout": 0}"#)
    XCTAssertEqual(
      name, [["expected": "bougth", "found": "bought", "reason": #"the name is "bought", not "bougth""#]])
    let check =
      #"{"event": "bought", "paramsSchema": {"properties": {"n": {"minimum": 5}, "sku": {"enum": ["a", "b"]}}, "required": ["z"]}, "timeout": 0}"#
    let schema = try await served.wait(check)
    XCTAssertEqual(
      schema["nearest"]?["differences"],
      [
        ["param": "n", "expected": "minimum", "found": 1, "reason": "1, expected a number of at least 5"],
        [
          "param": "sku", "expected": "enum", "found": "x",
          "reason": #""x", expected one of "a", "b"; the nearest is "a""#,
        ],
        ["param": "z", "expected": "required", "reason": "is missing"],
      ])
    XCTAssertTrue("\(schema)".contains("! n: 1, expected"), "\(schema)")
    _ = try await post("{}", to: served.events + "/orders")
    let request = try await differences(#"{"request": "POST /ordres", "timeout": 0}"#)
    XCTAssertEqual(
      request,
      [["param": "path", "expected": "/ordres", "found": "/orders", "reason": "the path is /orders, not /ordres"]])
    _ = try await post(#"{"total": 120, "items": [{"id": "A", "n": 1}]}"#, to: served.events + "/carts")
    let body = try await differences(
      #"{"request": "POST /carts", "body": {"total": "120", "items": [{"id": "B"}], "note": null}, "timeout": 0}"#)
    XCTAssertEqual(
      body,
      [
        ["param": "items[0].id", "expected": "B", "found": "A", "reason": #"items[0].id in the body is "A", not "B""#],
        ["param": "note", "expected": nil, "reason": "note in the body is missing, not null"],
        [
          "param": "total", "expected": "120", "found": 120, "reason": #"total in the body is 120, not "120""#,
        ],
      ])
    _ = try await post(#"{"nme": 1}"#, to: served.events)
    let rejected = try await served.wait(#"{"delivery": true, "timeout": 0}"#)
    XCTAssertEqual(rejected["kind"], "rejected")
    XCTAssertEqual(rejected["entries"]?[0]?["kind"], "rejection")
    XCTAssertEqual(rejected["entries"]?[0]?["path"], "nme")
    _ = try await served.send("POST", "marks", #"{"asDefault": true}"#)
    for number in [1, 3] {
      var request = URLRequest(
        url: try XCTUnwrap(URL(string: served.events.replacing("[::1]", with: "localhost"))))
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"name": "a"}"#.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      request.setValue("7d5b.1", forHTTPHeaderField: "Tracking-Launch")
      request.setValue("\(number)", forHTTPHeaderField: "Tracking-Sequence")
      let status = (try await URLSession.shared.data(for: request).1 as? HTTPURLResponse)?.statusCode
      XCTAssertEqual(status, 204)
    }
    let lost = try await served.wait(#"{"delivery": true, "timeout": 0}"#)
    XCTAssertEqual(lost["kind"], "lost", "\(lost)")
    XCTAssertEqual(lost["entries"], [["kind": "lost", "launch": "7d5b.1", "count": 1]])
  }

  func testTheTextsForARunnerHaveNoWordOfSwift() async throws {
    let served = try serve()
    let url = served.events.replacing("[::1]", with: "localhost")
    let port = UInt16(clamping: URL(string: url)?.port ?? 0)
    let socket = try Socket.connected(to: SocketAddress(.ipv6, port: port), until: .now + .seconds(60))
    defer { socket.close() }
    var silent = ""
    let deadline = ContinuousClock.now + .seconds(60)
    while !silent.contains("1 connection reached"), ContinuousClock.now < deadline {
      silent = try await served.wait(#"{"event": "a", "timeout": 0}"#)["message"]?.stringValue ?? ""
    }
    XCTAssertTrue(silent.contains("but sent no event: it sent no whole request."), silent)
    _ = try await get(url + "/books")
    let sent = try await served.wait(#"{"event": "a", "timeout": 0}"#)["message"]?.stringValue ?? ""
    XCTAssertTrue(
      sent.replacing(/\s+/, with: " ").contains(
        "but sent no event: they sent GET /books, and 1 sent no whole request."), sent)
    for name in ["b", "a"] { _ = try await post(#"{"name": "\#(name)"}"#, to: served.events) }
    let order = try await served.wait(#"{"inOrder": [{"event": "a"}, {"event": "b"}], "timeout": 0}"#)
    XCTAssertFalse("\(order)".contains("`."), "\(order)")
    var large = URLRequest(url: try XCTUnwrap(URL(string: url)))
    large.setValue(String(repeating: "a", count: 70_000), forHTTPHeaderField: "X-Large")
    let refused = String(decoding: try await URLSession.shared.data(for: large).0, as: UTF8.self)
    XCTAssertEqual(refused, "{\"error\":\"the request head is larger than 65536 bytes\"}\n")
  }

  func testStubsRespondAsTheyAreWritten() async throws {
    let served = try serve()
    let (status, json) = try await served.send(
      "POST", "stubs",
      #"""
      [{"request": "GET /orders", "responses": [{"status": 503}, {"json": {"total": 9999999999999999.999999999999}}]},
       {"request": "GET /session", "headers": {"Set-Cookie": ["a=1", "b=2"]}},
       {"request": "GET /session", "requestHeaders": {"Authorization": "Bearer x"}, "status": 403}]
      """#)
    XCTAssertEqual(status, 200)
    XCTAssertEqual(json, ["stubs": 3])
    let url = served.events.replacing("[::1]", with: "localhost")
    func get(_ path: String, _ field: String? = nil) async throws -> (HTTPURLResponse, String) {
      var request = URLRequest(url: try XCTUnwrap(URL(string: "\(url)\(path)")))
      request.setValue(field, forHTTPHeaderField: "Authorization")
      let (data, response) = try await URLSession.shared.data(for: request)
      return (try XCTUnwrap(response as? HTTPURLResponse), String(decoding: data, as: UTF8.self))
    }
    var orders: [String] = []
    for _ in 0..<3 {
      let (response, body) = try await get("/orders")
      orders.append("\(response.statusCode) \(body)")
    }
    XCTAssertEqual(orders, ["503 "] + Array(repeating: #"200 {"total":9999999999999999.999999999999}"#, count: 2))
    let open = try await get("/session").0
    XCTAssertEqual(open.statusCode, 200)
    XCTAssertEqual(open.value(forHTTPHeaderField: "Set-Cookie")?.replacing(" ", with: ""), "a=1,b=2")
    let refused = try await get("/session", "Bearer x").0.statusCode
    XCTAssertEqual(refused, 403)
    let found = try await served.wait(
      #"{"request": "GET /session", "requestHeaders": {"authorization": "Bearer x"}, "count": 1, "timeout": 0}"#)
    XCTAssertEqual(found["passed"], true)
    let hidden = try await served.send(
      "POST", "stubs", #"[{"request": "GET /a", "status": 503, "times": 1}, {"request": "GET /a"}]"#)
    XCTAssertEqual(hidden.status, 400)
    XCTAssertEqual(
      hidden.json,
      [
        "error":
          """
        [0]: never responds, because [1] matches the same requests and comes first, as the later one does; \
        write one stub with "responses", or put the one with "times" last
        """
      ])
  }

  func testTheDescriptionIsThatOfTheServer() async throws {
    let served = try serve()
    // As a client that generates its code: without the token.
    let (status, body) = try await get("\(served.checks.prefix { $0 != "#" })openapi.json")
    XCTAssertEqual(status, 200)
    // Its definitions are inside the schema, as in a separate one.
    let text = body.replacing("#/components/schemas/", with: "#/$defs/")
    let document = try JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))
    _ = try await post(#"{"name": "a", "params": {"n": 1}}"#, to: served.events)
    let checks = [
      #"{"event": "a"}"#, #"{"event": "b", "timeout": 0.1}"#, #"{"request": "POST /", "timeout": 0}"#,
      #"{"event": "a", "params": {"n": 2}, "timeout": 0}"#,
      #"{"inOrder": [{"event": "a"}, {"event": "b"}], "timeout": 0}"#, #"{"event": 1}"#, #"{"plan": true}"#,
      #"{"none": {"event": "b"}, "within": 0}"#,
    ]
    var requests = checks.map { ("POST", "wait", Optional($0)) }
    requests += [
      ("POST", "marks", nil), ("POST", "marks", "[]"), ("GET", "entries?name=a", nil), ("GET", "entries?x=1", nil),
      ("DELETE", "stubs", nil),
      ("POST", "stubs", #"[{"request": "GET /b"}]"#), ("POST", "finish", nil),
    ]
    for (method, path, body) in requests {
      let (status, json) = try await served.send(method, path, body, scale: "0.1")
      let operation = document["paths"]?["/\(path.prefix { $0 != "?" })"]?[method.lowercased()]
      var response = try XCTUnwrap(operation?["responses"]?["\(status ?? 0)"], "\(method) \(path) \(body ?? "")")
      if let name = response["$ref"]?.stringValue?.split(separator: "/").last {
        response = try XCTUnwrap(document["components"]?["responses"]?[String(name)])
      }
      let schema = try Served.schema(response["content"]?["application/json"]?["schema"], in: document)
      XCTAssertTrue(schema.isValid(json), "\(method) \(path) \(body ?? ""): \(json)")
      XCTAssertFalse(schema.isValid(["x": 1]))
    }
    let check = try Served.schema(["$ref": "#/$defs/Check"], in: document)
    func isValid(_ text: String) throws -> Bool {
      check.isValid(try JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8)))
    }
    // Each check of the article and the help, which the server takes.
    let article = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
        path: "../../../../Sources/TrackingVerifier/TrackingVerifier.docc/OtherRunners.md"), encoding: .utf8)
    let rows = JSONCheck.examples.map { example in
      "| `\(example.json)` | \(example.meaning.prefix(1).lowercased() + example.meaning.dropFirst().dropLast()) |"
    }
    let table = "| JSON | Passes when |\n|---|---|\n\(rows.joined(separator: "\n"))\n"
    XCTAssertTrue(article.contains(table), "the article has another table of checks; replace it by\n\(table)")
    let examples = JSONCheck.examples.map(\.json)
    for example in checks.filter({ $0 != #"{"event": 1}"# }) + examples {
      XCTAssertTrue(try isValid(example), example)
      let timed =
        example.contains("within") || example.contains("timeout")
        ? example.replacing(/"within": [0-9.]+/, with: #""within": 0.01"#)
        : example.replacing(/\}$/, with: #", "timeout": 0}"#)
      let (status, json) = try await served.send("POST", "wait", timed, scale: "0.1")
      // There is no plan.
      XCTAssertEqual(status, example.contains(#""plan""#) ? 400 : 200, "\(timed): \(json)")
    }
    // Each refused check, except for what a schema can't say.
    let unsaid = [
      #"{"event": "a", "count": {"atLeast": 3, "atMost": 1}}"#, #"{"event": "a", "since": "m9"}"#,
      #"{"event": "a", "paramsSchema": {"type": "strin"}}"#, #"{"event": "a", "count": {"atLeast": 0}}"#,
      #"{"request": "/a?b=1", "query": {"b": "2"}}"#, #"{"plan": true}"#,
    ]
    for (text, reason) in Self.mistakes where text != "{" {
      XCTAssertEqual(try isValid(text), unsaid.contains(text), "\(text): \(reason)")
    }
    for (path, text, isRight) in [
      ("/marks", "{}", true), ("/marks", #"{"asDefault": true, "test": "a"}"#, true),
      ("/marks", #"{"test": "a"}"#, false),
      ("/marks", #"{"asDefault": false}"#, false), ("/marks", #"{"asDefault": true, "test": ""}"#, false),
      ("/finish", #"{"since": "m1", "test": "a"}"#, true), ("/finish", #"{"tests": "a"}"#, false),
      ("/finish", #"{"since": 1}"#, false), ("/finish", #"{"test": ""}"#, false),
    ] {
      let content = document["paths"]?[path]?["post"]?["requestBody"]?["content"]
      let schema = try Served.schema(content?["application/json"]?["schema"], in: document)
      let json = try JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))
      XCTAssertEqual(schema.isValid(json), isRight, "\(path) \(text)")
      let (status, found) = try await served.send("POST", String(path.dropFirst()), text)
      XCTAssertEqual(status, isRight ? 200 : 400, "\(path) \(text): \(found)")
    }
    let stub = try Served.schema(["$ref": "#/$defs/Stub"], in: document)
    for text in [
      #"{"request": "/a", "responses": [{"status": 503, "headers": {"A": ["b", "c"]}}, {"json": null, "delay": 1}]}"#,
      #"{"request": "/a", "requestHeaders": {"A": "b"}, "fault": {"at": "response", "effect": "reset"}, "times": 1}"#,
      #"{"request": "/a", "responses": []}"#, #"{"request": "/a", "responses": [{}], "status": 200}"#,
      #"{"request": "/a", "responses": [{"json": 1, "text": ""}]}"#, #"{"request": "/a", "json": 1, "text": ""}"#,
      #"{"request": "/a", "headers": {"A": [1]}}"#, #"{"request": "/a", "requestHeaders": {"A": 1}}"#,
    ] {
      let json = try JSONDecoder().decode(TrackingValue.self, from: Data(text.utf8))
      let status = try await served.send("POST", "stubs", "[\(text)]").status
      XCTAssertEqual(stub.isValid(json), status == 200, text)
    }
  }
}
