import TestSupport

@testable import StubRecording
@testable import StubReplay

/// The responses that the requests of a recording get in its replay: in the recorded order always their own, in others unless a warning says so.
final class RecordedOrderTests: RecordingTestCase {
  private let json: MessageHeaders = ["Content-Type": "application/json"]
  private let form: MessageHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

  private func exchange(
    _ method: String, _ target: String, _ headers: MessageHeaders = [:], _ body: Data = Data(),
    says text: String = "{}",
    _ fields: MessageHeaders = [:]
  ) -> RecordedExchange {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return RecordedExchange(
      request: .init(
        method: method, origin: "http://api.example", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
        headers: headers, body: body),
      response: .init(headers: MessageHeaders(lines: json.lines + fields.lines), body: Data(text.utf8)))
  }

  private func exchange(
    _ method: String, _ target: String, _ headers: MessageHeaders = [:], _ body: String, says text: String = "{}"
  ) -> RecordedExchange {
    exchange(method, target, headers, Data(body.utf8), says: text)
  }

  /// An app that sends recorded requests again, with the tokens that the replay has handed out in place of the recorded ones.
  private struct App {
    var table: StubTable
    var tokens: [String: String] = [:]

    /// The number of the exchange whose response it gets; `nil` for a 404.
    mutating func send(_ exchange: RecordedExchange) -> Int? {
      func current(_ text: String, _ encoded: (String) -> String = { $0 }) -> String {
        tokens.reduce(text) { $0.replacing($1.key, with: encoded($1.value)) }
      }
      func percentEncoded(_ text: String) -> String {
        String(decoding: PercentEncoding.encoded(Array(text.utf8)), as: UTF8.self)
      }
      let request = exchange.request
      let body = String(data: request.body, encoding: .utf8).map { Data(current($0).utf8) } ?? request.body
      let result = table.take(
        ReceivedRequest(
          method: .init(rawValue: request.method), path: current(request.path, percentEncoded),
          queryText: request.query.map { current($0, percentEncoded) },
          headers: MessageHeaders(lines: request.headers.lines.map { .init(name: $0.name, value: current($0.value)) }),
          body: body))?.result
      guard let result else { return nil }
      let seen = String(decoding: result.bytes, as: UTF8.self) + (result.result.headers["Set-Cookie"] ?? "")
      let sent =
        String(decoding: exchange.response.body, as: UTF8.self) + (exchange.response.headers["Set-Cookie"] ?? "")
      func token(in text: String) -> String? { text.firstMatch(of: /(?:"token":"|sid=)([^";]+)/).map { String($0.1) } }
      if let own = token(in: sent) { tokens[own] = token(in: seen) }
      return result.result.headers["X-Number"].flatMap(Int.init)
    }
  }

  /// The numbers of the exchanges whose responses they get when they are sent in some order, and what the recorder says.
  private func replayed(
    _ exchanges: [RecordedExchange], inOrder order: [Int]? = nil, matching: [String] = []
  ) throws -> (numbers: [Int?], warnings: [String]) {
    let recorded = try recorded(exchanges, matching: matching)
    return (recorded.numbers(order.map { $0.map { exchanges[$0] } } ?? exchanges), recorded.warnings)
  }

  private struct Recorded {
    let stubs: [PreparedStub]
    let warnings: [String]

    /// The number of each request's response, in the order of the requests.
    func numbers(_ requests: [RecordedExchange]) -> [Int?] {
      var app = App(table: StubTable())
      for stub in stubs { app.table.install(stub) }
      return requests.map { app.send($0) }
    }
  }

  private func recorded(_ exchanges: [RecordedExchange], matching: [String] = []) throws -> Recorded {
    let numbered = exchanges.enumerated().map { index, exchange in
      changed(exchange) { $0.response.headers["X-Number"] = "\(index)" }
    }
    var warnings: [String] = []
    let recording = BackendRecording(
      upstreams: ["/*": "http://api.example"], exchanges: numbered, matching: matching)
    _ = try recording.write(to: folder) { warnings.append($0) }
    let stubs = try BackendRecording(contentsOf: folder).stubs.map { try PreparedStub($0, folder: nil) }
    return Recorded(stubs: stubs, warnings: warnings.filter { !$0.hasPrefix("redacted: ") })
  }

  /// Each request gets its own response, in the recorded order and in some others.
  private func check(
    _ exchanges: [RecordedExchange], others: [[Int]] = [], says warnings: [String]? = [], line: UInt = #line
  ) throws {
    let recorded = try recorded(exchanges)
    for order in [Array(exchanges.indices)] + others {
      XCTAssertEqual(recorded.numbers(order.map { exchanges[$0] }), order, line: line)
    }
    if let warnings { XCTAssertEqual(recorded.warnings, warnings, line: line) }
  }

  // MARK: RunningSenders

  func testASignedInUserAndNobodyGetTheirOwnResponsesInAnyOrder() throws {
    // The backend's cookie and the app's own token, as Instana's staging wants both.
    let login = exchange("POST", "/login", [:], Data(), says: "{}", ["Set-Cookie": "sid=token-of-anna; Path=/"])
    let anna: MessageHeaders = ["Cookie": "sid=token-of-anna", "Authorization": "Bearer own-token-1234"]
    try check([login, exchange("GET", "/me", anna), exchange("GET", "/me")], others: [[0, 2, 1], [2, 0, 1]])
  }

  func testACookieThatNoResponseHasSetIsACredentialToo() throws {
    let (own, nobody) = (exchange("GET", "/me", ["Cookie": "device=own-cookie-1; theme=dark"]), exchange("GET", "/me"))
    try check([own, nobody], others: [[1, 0]])
    try check([nobody, own], others: [[1, 0]])
    // A user of the backend's, a guest with a cookie of the app's own, and a client without credentials.
    let login = exchange("POST", "/login", [:], Data(), says: "{}", ["Set-Cookie": "sid=token-of-anna; Path=/"])
    let anna = exchange("GET", "/me", ["Cookie": "sid=token-of-anna; theme=dark"])
    let others = [[0, 2, 1, 3], [0, 3, 2, 1], [3, 2, 0, 1], [2, 3, 0, 1]]
    try check([login, anna, own, nobody], others: others)
    let bearer: MessageHeaders = ["Authorization": "Bearer own-token-1234", "Cookie": "theme=dark"]
    try check([login, exchange("GET", "/me", bearer), own, nobody], others: others)
    let two = [own, exchange("GET", "/me", ["Cookie": "device=other-cookie-1; theme=dark"]), nobody]
    try check(two, says: ["GET /me was sent by 2 senders with different responses; only the recorded order is right"])
    XCTAssertEqual(try replayed(two, inOrder: [2, 0, 1]).numbers, [2, 0, 1])
  }

  func testMatchingCookieComparesTheAppsOwnCookies() throws {
    let (own, nobody) = (exchange("GET", "/me", ["Cookie": "device=own-cookie-1"]), exchange("GET", "/me"))
    let other = exchange("GET", "/me", ["Cookie": "account=other-cookie-1"])
    XCTAssertEqual(try replayed([own, other, nobody], inOrder: [2, 1, 0], matching: ["Cookie"]).numbers, [2, 1, 0])
    XCTAssertEqual(try replayed([own, other, nobody], matching: ["Cookie"]).warnings, [])
  }

  func testAGuestWithAConstantTokenBetweenRequestsOfAUserGetsItsOwnResponse() throws {
    let login = exchange("POST", "/login", [:], Data(), says: #"{"token":"token-of-anna"}"#)
    let (anna, guest): (MessageHeaders, MessageHeaders) = (
      ["Authorization": "Bearer token-of-anna"], ["Authorization": "Bearer guest-12345678"]
    )
    try check(
      [login, exchange("GET", "/me", anna), exchange("GET", "/me", guest), exchange("GET", "/me", anna)],
      says: nil)
  }

  // MARK: Uploads

  private func upload(_ parts: [(name: String, file: String?, data: Data)], _ boundary: String = "b-1")
    -> RecordedExchange
  {
    var body = Data()
    for part in parts {
      let file = part.file.map { "; filename=\"\($0)\"" } ?? ""
      body += Data("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n\r\n".utf8)
      body += part.data + Data("\r\n".utf8)
    }
    body += Data("--\(boundary)--\r\n".utf8)
    return exchange("POST", "/upload", ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body)
  }

  func testUploadsWithMoreOrOtherPartsGetTheirOwnResponses() throws {
    let (f, g) = (("f", "a.bin", Data("one".utf8)), ("f", "a.bin", Data("two".utf8)))
    let note = ("note", nil as String?, Data("x".utf8)),
      password = ("password", nil as String?, Data("pass-word-1".utf8))
    let flows: [[[(name: String, file: String?, data: Data)]]] = [
      [[note, f], [f]], [[password, f], [f]], [[f, g], [g, f], [g]], [[f], [("f", "b.bin", f.2)], [("f", nil, f.2)]],
      [[("f", "a", Data([0xFF, 1]))], [("f", "a", Data([0xFE, 1]))], [("f", "a", Data("\u{FFFD}\u{1}".utf8))]],
    ]
    for flow in flows {
      let order = Array(flow.indices)
      try check(flow.map { upload($0) }, others: [order.reversed(), Array(order.dropFirst() + order.prefix(1))])
    }
  }

  func testAnUploadThatIsNotRecordedGetsTheNearest() throws {
    func differences(_ parts: [(name: String, file: String?, data: Data)]) throws -> [String] {
      let request = upload(parts).request
      var table = StubTable()
      for stub in try BackendRecording(contentsOf: folder).stubs { table.install(try PreparedStub(stub, folder: nil)) }
      let sent = ReceivedRequest(method: "POST", path: "/upload", headers: request.headers, body: request.body)
      return table.nearest(to: sent)?.differences ?? []
    }
    try BackendRecording(exchanges: [
      upload([("password", nil, Data("pass-word-1".utf8)), ("f", "a.bin", Data([0xFF]))])
    ]).write(to: folder)
    let other =
      [("f", "b.bin", Data([0xFE])), ("note", nil, Data("x".utf8))] as [(name: String, file: String?, data: Data)]
    XCTAssertEqual(
      try differences(other),
      [
        #"the part f is "b.bin" of the type text/plain, not one that is 1 byte in a file named "a.bin" of the type "text/plain""#,
        "the part password is missing", "the part note is there, too",
      ])
  }

  // MARK: Encodings

  /// Whatever is replaced in it, and however that is encoded.
  func testARequestThatWasJustRecordedGetsItsOwnResponse() throws {
    let login = exchange("POST", "/login", json, #"{"password":"key/of-anna-1234"}"#)
    let (secret, token): (MessageHeaders, MessageHeaders) = (
      ["Authorization": "Bearer key/of-anna-1234"], ["X-Api-Key": "schl\u{FC}ssel-1234"]
    )
    func latin(_ text: String) -> Data { text.data(using: .isoLatin1) ?? Data() }
    let text: MessageHeaders = ["Content-Type": "text/plain; charset=iso-8859-1"]
    let mixed: MessageHeaders = ["Content-Type": "multipart/related; boundary=b-1"]
    for (name, flow) in [
      "a path": [
        exchange("GET", "/reset/key/of-anna-1234/now"), exchange("GET", "/reset/x/now"), exchange("GET", "/reset/now"),
      ],
      "several in paths": [
        exchange("GET", "/a/key/of-anna-1234/b"), exchange("GET", "/a/key/of-anna-1234/key%2Fof-anna-1234"),
        exchange("GET", "/key/of-anna-1234/x"), exchange("GET", "/b/key/of-anna-1234"),
      ],
      "numbers": [
        exchange("POST", "/json", json, #"{"password": 12345678, "n": 1}"#),
        exchange("POST", "/json", json, #"{"n": 2, "password": 12345678}"#),
        exchange("POST", "/lines", [:], "{\"password\": 12345678}\n{\"n\": 1}"),
        exchange("GET", "/q?a=%7B%22password%22:12345678%7D"),
      ],
      "two in a path": [exchange("GET", "/a/key%2Fof-anna-1234/b/key%2Fof-anna-1234")],
      "a Latin-1 text": [
        exchange("POST", "/text", text, latin("\u{E9} key/of-anna-1234 1")),
        exchange("POST", "/text", text, latin("\u{E9} key/of-anna-1234 2")),
        exchange("POST", "/text", text, latin("\u{E8} key/of-anna-1234 2")),
      ],
      "a form": [
        exchange("POST", "/form", form, "password=key%2Fof-anna-1234&a=1"),
        exchange("POST", "/form", form, "a=2&x=key%2fof-anna-1234"),
        exchange("POST", "/form", form, "a=%E9"), exchange("POST", "/form", form, "key%2Fof-anna-1234=1"),
      ],
      "a query": [
        exchange("GET", "/q?a=key%2Fof-anna-1234&b=1"), exchange("GET", "/q?b=2&a=key%2Fof-anna-1234"),
        exchange("GET", "/q?u=http%3A%2F%2Fa%2F%3Fpassword%3Dkey%252Fof-anna-1234"),
        exchange("GET", "/q?key%2Fof-anna-1234"),
      ],
      "JSON": [
        exchange("POST", "/json", json, #"{"tokens":{"key/of-anna-1234":1},"a":1}"#),
        exchange("POST", "/json", json, #"{"a": "my key/of-anna-1234", "b": 1e400}"#),
        exchange("POST", "/json", json, #"{"a": "no key/of-anna-1234", "a": 1.0}"#),
        exchange("POST", "/json", json, #" "key/of-anna-1234" "#),
        exchange(
          "POST", "/json", json,
          String(repeating: "[ ", count: 80) + #""key/of-anna-1234""# + String(repeating: "]", count: 80)),
        exchange("POST", "/json", json, #"{"a": "\ud800 key/of-anna-1234"}"#),
        exchange("POST", "/json", json, "{not JSON: key/of-anna-1234}"),
      ],
      "XML": [
        exchange("POST", "/soap", [:], "<a><password>key/of-anna-1234</password></a>"),
        exchange("POST", "/soap", [:], "<a><password>key/of-anna-1234</password><b/></a>"),
        exchange("POST", "/soap", [:], "<a><password>key/of-anna-1234</password><b/><b/></a>"),
      ],
      "parts": [
        exchange("POST", "/parts", mixed, "--b-1\r\n\r\nkey/of-anna-1234\r\n--b-1\r\n\r\none\r\n--b-1--"),
        exchange("POST", "/parts", mixed, "--b-1\r\n\r\nkey/of-anna-1234\r\n--b-1\r\n\r\ntwo\r\n--b-1--"),
      ],
      "JSON in other texts": [
        exchange(
          "POST", "/lines", ["Content-Type": "application/x-ndjson"],
          "{ \"a\": 1,  \"password\": \"key/of-anna-1234\" }\n{ \"b\": 2 }\n"),
        exchange(
          "POST", "/lines", ["Content-Type": "text/plain"],
          "password: key/of-anna-1234\r\n { \"password\" : \"key\\/of-anna-1234\" }"),
        exchange("POST", "/lines", json, #"{"a": "{ \"password\": \"key/of-anna-1234\", \"n\": 1.0 }"}"#),
        exchange("POST", "/lines", form, "a=%7B%20%22password%22%3A+%22key%2fof-anna-1234%22%7d&b=%2f"),
        exchange("GET", "/lines?a=%7B%20%22password%22%3A+%22key%2fof-anna-1234%22%7d&b=%2f"),
        exchange("GET", "/lines?a=http%3a%2f%2fa%2f%3fpassword%3dkey%252fof-anna-1234%26x%3d1%2b2"),
        upload([("note", nil, Data("{ \"password\": \"key/of-anna-1234\",  \"n\": 1 }".utf8))]),
        upload([
          ("note", "password=key%2fof-anna-1234.json", Data("{ \"password\": \"key/of-anna-1234\",  \"n\": 2 }".utf8))
        ]),
        upload([("note", nil, Data("a=%2f&password=key%2fof-anna-1234".utf8))]),
        exchange(
          "POST", "/lines", ["Content-Type": "text/html"],
          "<input name=password value='key/of-anna-1234'><p a=\"x&#47;key&#47;of-anna-1234\">"),
      ],
      "bytes": [
        exchange("PUT", "/bytes", [:], Data([0, 255]) + Data("key/of-anna-1234".utf8)),
        exchange("PUT", "/bytes", [:], Data([0, 254])),
        exchange("PUT", "/bytes", [:], Data()),
      ],
      "an echo": [
        exchange("GET", "/me?api_key=own-key-1234&page=1", [:], Data(), says: #"{"self":"/me?api_key=own-key-1234"}"#),
        exchange("GET", "/me?api_key=own-key-5678&page=1", [:], Data(), says: #"{"self":"/me?api_key=own-key-5678"}"#),
      ],
    ] {
      for flow in [flow, flow.reversed()] {
        let all = [login, exchange("GET", "/", secret), exchange("GET", "/", token)] + flow
        let numbers = try replayed(all).numbers
        XCTAssertEqual(numbers, Array(all.indices), name)
      }
    }
  }

  /// The file is sorted by what a replay compares, so that equal requests keep their order.
  func testEqualRequestsKeepTheirOrderHoweverTheyAreWritten() throws {
    let flows: [[RecordedExchange]] = [
      [exchange("GET", "/a?b=2&a=1"), exchange("GET", "/a?a=1&b=2"), exchange("GET", "/a?b=2&%61=1")],
      [exchange("GET", "/b~"), exchange("GET", "/%62~"), exchange("GET", "/b%7E")],
      [exchange("SEARCH", "/a", json, #"{"b": 1, "a": 2}"#), exchange("SEARCH", "/a", json, #"{"a":2,"b":1}"#)],
      [
        exchange("SEARCH", "/a", ["Content-Type": "multipart/related; boundary=z"], "--z\r\n\r\n1\r\n--z--"),
        exchange("SEARCH", "/a", ["Content-Type": "multipart/related; boundary=a"], "--a\r\n\r\n1\r\n--a--"),
      ],
      [exchange("GET", "/a", ["Range": "bytes=9-"]), exchange("GET", "/a", ["Range": "bytes=0-"])],
    ]
    for flow in flows { try check(flow, says: []) }
    try check([exchange("GET", "/a", ["Accept": "b"]), exchange("GET", "/a", ["Accept": "a"])], says: nil)
    let (b, a) = (exchange("GET", "/books/b"), exchange("GET", "/books/a"))
    try BackendRecording(exchanges: [b, a, b], paths: ["/books/:id"]).write(to: folder)
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map(\.request.path), ["/books/b", "/books/a", "/books/b"])
  }

  func testIntegersBeyond64BitsTellRequestsApart() throws {
    let flow = ["123456789012345678901234", "123456789012345678901235", "\"123456789012345678901234\""].map {
      exchange("SEARCH", "/transfer", json, #"{"wei": \#($0)}"#)
    }
    try check(flow, others: [[1, 2, 0], [2, 1, 0]])
  }

  func testPagesStayApartAndAnOwnValueIsAnyValue() throws {
    func page(_ token: String?, next: String) -> RecordedExchange {
      exchange(
        "GET", "/pages?api_key=own-key-1234\(token.map { "&pageToken=\($0)" } ?? "")", [:], Data(),
        says: #"{"token":"\#(next)","self":"own-key-1234"}"#)
    }
    let pages = [
      page(nil, next: "token-of-two"), page("token-of-two", next: "token-of-three"), page("token-of-three", next: ""),
    ]
    try check(pages, others: [[0, 1, 2, 1, 2, 0]])
    var app = App(table: StubTable())
    for stub in try BackendRecording(contentsOf: folder).stubs {
      app.table.install(try PreparedStub(stub, folder: nil))
    }
    let other = exchange("GET", "/pages?api_key=another-key-5")
    XCTAssertEqual(app.send(other), 0)
  }

  // MARK: Warnings

  func testTheRecorderSaysWhatDistinguishesSendersAndWhatDoesNot() throws {
    let login = exchange("POST", "/login", json, #"{"user":"anna"}"#, says: #"{"token":"token-of-anna"}"#)
    let (anna, guest, other): (MessageHeaders, MessageHeaders, MessageHeaders) = (
      ["Authorization": "Bearer token-of-anna"], ["Authorization": "Bearer guest-12345678"],
      ["Authorization": "Bearer other-12345678"]
    )
    let hint =
      #"GET /me was sent by 2 senders with different responses; to distinguish them: `matching: ["Authorization"]`"#
    let flow = [login, exchange("GET", "/me", anna), exchange("GET", "/me", guest)]
    try check(flow, says: [hint])
    XCTAssertEqual(try replayed(flow, inOrder: [0, 2, 1], matching: ["Authorization"]).numbers, [0, 2, 1])
    XCTAssertEqual(try replayed(flow, matching: ["Authorization"]).warnings, [])
    let tenants = ["a", "b", "a", "b"].map { exchange("GET", "/list", ["X-Tenant": $0]) }
    try check(
      tenants,
      says: [
        #"GET /list was sent by 2 senders with different responses; to distinguish them: `matching: ["X-Tenant"]`"#
      ])
    try check(
      [exchange("GET", "/me", guest), exchange("GET", "/me", other)],
      says: ["GET /me was sent by 2 senders with different responses; only the recorded order is right"])
    try check(
      ["wrong-password", "right-password"].map {
        exchange("POST", "/login", json, #"{"user":"anna","password":"\#($0)"}"#)
      },
      says: [
        "POST /login: 2 requests with different responses differ only in what is replaced; only the recorded order is right"
      ])
    // Sent once each, by a field or a cookie of the app's own.
    for (name, values) in [
      ("X-User", ["anna", "ben"]), ("X-User", ["17", "18", "19"]), ("Accept", ["text/html", "image/png"]),
      ("X-Device", ["550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440001"]),
    ] {
      let flow = values.map { exchange("GET", "/me", [name: $0]) }
      try check(
        flow,
        says: [
          "GET /me was sent by \(values.count) senders with different responses; to distinguish them: `matching: [\"\(name)\"]`"
        ])
      XCTAssertEqual(try replayed(flow, inOrder: [1, 0], matching: [name]).numbers, [1, 0])
      // Two users and a guest.
      let guest = Array(flow.prefix(2)) + [exchange("GET", "/me")]
      XCTAssertEqual(try replayed(guest, inOrder: [2, 1, 0], matching: [name]).numbers, [2, 1, 0])
      XCTAssertEqual(
        try replayed(guest).warnings,
        [
          "GET /me was sent by 3 senders with different responses; to distinguish them: `matching: [\"\(name)\"]`"
        ])
    }
    for (name, values) in [
      ("X-Request-Id", ["a", "b"]), ("traceparent", ["00-1", "00-2"]), ("Referer", ["/a", "/b"]),
      ("X-Retry-Count", ["1", "2"]),
      (
        "X-Id",
        [
          "550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440001",
          "0f8fad5b-d9cb-469f-a165-70867728950e",
        ]
      ),
    ] { try check(values.map { exchange("GET", "/poll", [name: $0]) }, says: []) }
    // One sender, whatever else differs in each request.
    try check(
      (0..<3).map { exchange("GET", "/poll", ["X-Request-Id": "\($0)", "Authorization": "Bearer guest-12345678"]) },
      says: [])
  }

  /// Users with tokens of logins, guests and apps with other tokens, and senders without any.
  func testEachResponseOfAnotherSenderIsSaidWhileRecording() throws {
    let ways: [(String) -> MessageHeaders] = [
      { ["Authorization": "Bearer \($0)"] }, { ["Cookie": "theme=dark; sid=\($0)"] }, { ["X-Session-Token": $0] },
      { ["Cookie": "sid=\($0)", "Authorization": "Bearer own-12345678"] },
    ]
    let users = ["anna", "ben"]
    for seed in RandomCases.seeds(300) {
      var generator = SeededGenerator(seed: UInt64(seed))
      let way = ways[Int.random(in: 0..<ways.count, using: &generator)]
      var exchanges = users.map { user in
        let says = #"{"token":"token-of-\#(user)"}"#
        return exchange("POST", "/login/\(user)", [:], Data(), says: says)
      }
      var senders = users
      for _ in 0..<Int.random(in: 2...9, using: &generator) {
        let sender =
          (users + ["guest-12345678", "other-12345678", "nobody", "nobody"]).randomElement(using: &generator) ?? ""
        let method = ["GET", "POST"].randomElement(using: &generator) ?? ""
        let headers = sender == "nobody" ? [:] : way(users.contains(sender) ? "token-of-\(sender)" : sender)
        exchanges.append(exchange(method, "/\(Int.random(in: 0..<2, using: &generator))", headers))
        senders.append(sender)
      }
      let recorded = try recorded(exchanges)
      let numbers = recorded.numbers(exchanges)
      guard numbers == Array(exchanges.indices) else {
        return XCTFail("seed \(seed): \(numbers) of \(senders), \(exchanges.map(\.request.line))")
      }
      let order = Array(users.indices) + (users.count..<exchanges.count).shuffled(using: &generator)
      let matching = try self.recorded(exchanges, matching: ["Authorization", "Cookie", "X-Session-Token"])
      for recorded in [recorded, matching] {
        let warnings = recorded.warnings
        for (index, number) in zip(order, recorded.numbers(order.map { exchanges[$0] })) {
          let line = exchanges[index].request.line
          guard
            number.map({ senders[$0] == senders[index] }) == true
              || warnings.contains(where: { $0.hasPrefix("\(line) was sent by ") })
          else {
            return XCTFail(
              "seed \(seed): \(line) of \(senders[index]) got \(number.map { senders[$0] } ?? "404"): \(warnings)")
          }
        }
      }
    }
  }
}
