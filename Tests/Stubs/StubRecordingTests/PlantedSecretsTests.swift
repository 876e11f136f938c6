import TestSupport
import TrackingVerifier

@testable import StubRecording

/// Secrets in many places of a real backend, each in a different one: none of them is in the files.
final class PlantedSecretsTests: RecordingTestCase {
  /// With characters that are encoded in URLs, escaped in JSON, or both.
  private let secrets = [
    "bearer": "bearer/7f3a+Q9==", "refresh": "refresh-\"51c0\\9e", "cookie": "cookie-88d1f0aa",
    "password": "pass w\u{f6}rd/31b7",
    "basic": "basic&4e:c2f9", "apiKey": "apikey_0b66dd21", "query": "query=9a+17/c4", "path": "path-5d20e8b3",
    "multipart": "multi part%2F6c19", "sessionSecret": "header-secret-d3f4",
    // {"alg":"HS256"}, {"sub":"anna"}
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm5hIn0.c2lnbmF0dXJlLTEyMzQ",
    "pem": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n-----END PRIVATE KEY-----",
    "nested": "nested-7c11e0d2", "element": "element<&>51", "cdata": "cdata-<4411>", "descendant": "descendant-90ab",
    "meta": "meta-2b7d10c4", "hidden": "hidden-62f0/a9==", "matrix": "matrix5D20E8B3",
    "record": "record-3fa8", "marked": "marked-c771", "patched": "patched-0f66", "member": "member-8d12",
    "semicolon": "semicolon-5b1e", "joined": "joined-cookie-44d1",
    "loose": "loose-0123456789abcdef",
    "code": "4/0AX4XfWh-c0de-1", "redis": "redis-90d3e1",
  ]

  private func secretBackend() throws -> (url: URL, stop: () -> Void) {
    try backend("SecretBackend.py", [String(decoding: JSONEncoder().encode(secrets), as: UTF8.self)])
  }

  private func encoded(_ text: String) -> String {
    String(decoding: PercentEncoding.encoded(Array(text.utf8)), as: UTF8.self)
  }

  /// Sends an app's requests, with secrets that it received and secrets that it was built with.
  private func journey(_ client: Client) async throws -> [Seen] {
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    var seen = [
      try await client.send("POST", "/login", "user=anna&password=\(encoded(secrets["password"] ?? ""))", form)
    ]
    let login = try JSONDecoder().decode([String: AnyText].self, from: Data(seen[0].body.utf8))
    let token = try XCTUnwrap(login["access_token"]?.text)
    let profile = try XCTUnwrap(login["profile_token"]?.text)
    seen.append(try await client.get("/books", ["Authorization": "Bearer \(token)"]))
    seen.append(try await client.get("/users/\(encoded(profile))"))
    let basic = Data("anna:\(secrets["basic"] ?? "")".utf8).base64EncodedString()
    seen.append(try await client.get("/basic", ["Authorization": "Basic \(basic)"]))
    seen.append(
      try await client.get(
        "/keys", ["X-Api-Key": secrets["apiKey"] ?? "", "X-Session-Secret": secrets["sessionSecret"] ?? ""]))
    seen.append(try await client.get("/note"))
    seen.append(try await client.get("/image"))
    seen.append(try await client.get("/moved"))
    for path in ["/onward", "/soap", "/page", "/records", "/marked", "/patch", "/struct", "/log", "/cookies"] {
      seen.append(try await client.get(path))
    }
    seen.append(try await client.get("/books?n=1;access_token=\(secrets["semicolon"] ?? "");m=2"))
    let parts =
      "--b\r\nContent-Disposition: form-data; name=\"client_secret\"\r\n\r\n\(secrets["multipart"] ?? "")\r\n--b--\r\n"
    seen.append(
      try await client.send("POST", "/upload", parts, ["Content-Type": "multipart/form-data; boundary=b"]))
    return seen
  }

  /// A member that may be a text.
  private struct AnyText: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }

  /// The spellings of a secret, each once, by means other than the redaction's own.
  private func spellings(of secret: String) throws -> [String] {
    let unreserved = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
    var url = URLComponents()
    (url.path, url.queryItems) = ("/\(secret)", [URLQueryItem(name: "", value: secret)])
    // Foundation leaves a colon behind the first slash of a path.
    let sets: [CharacterSet] = [unreserved, .urlPathAllowed, .urlQueryAllowed]
    var upper: [String] = sets.compactMap { set in
      ("/" + secret).addingPercentEncoding(withAllowedCharacters: set)?.replacing(/^(\/|%2F)/, with: "")
    }
    upper += [String(url.percentEncodedPath.dropFirst()), String((url.percentEncodedQuery ?? "").dropFirst())]
    let lower: [String] = upper.map { $0.replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() } }
    let slashed = String(String(decoding: try JSONEncoder().encode(secret), as: UTF8.self).dropFirst().dropLast())
    let json: [String] = [slashed, slashed.replacing("\\/", with: "/")]
    let ascii: [String] = json.map { $0.replacing("\u{e9}", with: "\\u00e9") }
    let html = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    let quoted = html.replacing("\"", with: "&quot;").replacing("'", with: "&#x27;")
    let base64 = [Data(secret.utf8).base64EncodedString(), Data(secret.utf8).base64URL]
    let forms: [String] = (upper + lower).map { $0.replacing("%20", with: "+") }
    return Set([[secret], upper, lower, forms, json, ascii, [html, quoted], base64].joined()).sorted()
  }

  /// The secrets that are in the files, or in the strings of the JSON in them, in any spelling.
  private func found(_ secrets: [String: String]) throws -> Set<String> {
    func strings(_ value: Any) -> [String] {
      switch value {
      case let text as String: [text]
      case let list as [Any]: list.flatMap(strings)
      case let members as [String: Any]: members.flatMap { [$0] + strings($1) }
      default: []
      }
    }
    let contents = try files().flatMap { name, data in
      [name, String(decoding: data, as: UTF8.self)] + strings((try? JSONSerialization.jsonObject(with: data)) ?? [])
    }
    let bytes = Array(contents.joined(separator: "\0").utf8)
    return Set(
      try secrets.filter { _, secret in
        try spellings(of: secret).contains { bytes.firstRange(of: Array($0.utf8)) != nil }
      }.keys)
  }

  func testNoSecretIsInTheFiles() async throws {
    let backend = try secretBackend()
    try await recording(of: backend.url) { _ = try await journey($0) }
    XCTAssertEqual(try found(secrets), [])
  }

  /// Otherwise the other test would find nothing, whatever redaction does.
  func testWithoutRedactionAllSecretsAreInTheFiles() async throws {
    let backend = try secretBackend()
    let reporter = RecordingReporter()
    let verifier = verifier(
      source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url], redaction: .off)), reporter)
    _ = try await journey(Client(verifier.baseURL))
    verifier.stop()
    XCTAssertEqual(reporter.sentences, [])
    XCTAssertEqual(try found(secrets), Set(secrets.keys))
  }

  func testTheAppGoesTheSameWayWithoutTheBackend() async throws {
    let backend = try secretBackend()
    var live: [Seen] = []
    try await recording(of: backend.url) { live = try await journey($0) }
    backend.stop()
    let verifier = verifier(source(nil, .folder(at: folder)))
    let replayed = try await journey(Client(verifier.baseURL))
    XCTAssertEqual(replayed.map(\.status), live.map(\.status))
    XCTAssertEqual(verifier.unmatchedRequests, [])
    verifier.stop()
  }

  /// Secrets at random places by name, and their copies in each spelling in bodies of each type.
  func testNoSecretIsInFilesOfRandomExchanges() throws {
    for seed in RandomCases.seeds(100) {
      var random = SeededGenerator(seed: UInt64(seed))
      let secrets = (0..<3).map { index in
        let middle = (0..<Int.random(in: 6...14, using: &random)).compactMap { _ in
          "aZ09/+=&<>\"'\\% \u{e9}:;,{}[]?#@".randomElement(using: &random)
        }
        return "S\(index)\(String(middle))\(index)E"
      }
      func json(_ value: Any) throws -> String { string(try JSONSerialization.data(withJSONObject: value)) }
      var exchanges: [RecordedExchange] = []
      func add(_ type: String, _ body: String, _ path: String, _ query: String? = nil, _ headers: MessageHeaders = [:])
      {
        let request = RecordedExchange.Request(
          method: "GET", origin: "http://127.0.0.1:1", path: path, query: query, headers: headers)
        let response = RecordedExchange.Response(headers: ["Content-Type": type], body: Data(body.utf8))
        exchanges.append(RecordedExchange(request: request, response: response))
      }
      for secret in secrets {
        switch Int.random(in: 0...5, using: &random) {
        case 0: add("application/json", try json(["a": [["password1": secret]], "n": 1]), "/a")
        case 1: add("text/plain", "", "/b", "x=1&api_key=\(encoded(secret))")
        case 2: add("text/plain", "", "/c", nil, ["X-Auth-Token": secret])
        case 3: add("application/x-www-form-urlencoded", "DB_PASS=\(encoded(secret))", "/d")
        case 4: add("text/xml", "<r><client-key-data><![CDATA[\(secret)]]></client-key-data></r>", "/e")
        default: add("text/event-stream", "data: \(try json(["name": "api_key", "value": secret]))\n\n", "/f")
        }
        for spelling in try spellings(of: secret) {
          let lead = ["", "x ", "\"", ">", "\u{e9}"].randomElement(using: &random) ?? ""
          let type = ["text/plain", "text/javascript", "text/html", "image/png"].randomElement(using: &random) ?? ""
          add(type, "\(lead)\(spelling) \(lead)", "/\(exchanges.count)", nil, ["X-Note": lead + spelling])
          let (copies, path) = (
            try json([lead: [spelling], "\(spelling)": 1]), "/\(exchanges.count)/\(encoded(spelling))"
          )
          add("application/json", copies, path, "q=\(encoded(lead + spelling))")
        }
      }
      let recording = BackendRecording(upstreams: ["/*": "http://127.0.0.1:1"], exchanges: exchanges)
      let leaks = try recording.write(to: folder)
      XCTAssertEqual(leaks.map(\.description), [], "seed \(seed)")
      let all = Dictionary(uniqueKeysWithValues: secrets.map { ($0, $0) })
      XCTAssertEqual(try found(all), [], "seed \(seed)")
    }
  }

  /// Equal by chance to a part of a number.
  func testCoincidencesWithNumbersAreNoLeaks() throws {
    let exchange = RecordedExchange(
      request: .init(
        method: "GET", origin: "http://127.0.0.1:1", path: "/a",
        headers: ["Cookie": "t=1643952222"]),
      response: .init(
        headers: ["Content-Type": "application/json"],
        body: Data(#"{"at":1643952222045,"cents":16439522.22,"text":"id 1643952222, 11643952222"}"#.utf8)))
    let recording = BackendRecording(upstreams: ["/*": "http://127.0.0.1:1"], exchanges: [exchange])
    XCTAssertEqual(try recording.write(to: folder), [])
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { String(decoding: $0.response.body, as: UTF8.self) },
      [#"{"at":1643952222045,"cents":16439522.22,"text":"id [redacted cookie 1], 11643952222"}"#])
  }

  /// A secret that the replacement doesn't reach costs its own value, and not the recording.
  func testAValueWithASecretThatIsLeftIsLeftOutAndNamed() throws {
    let secret = "leaked-token-1"
    func exchange(_ path: String, _ response: MessageHeaders) -> RecordedExchange {
      RecordedExchange(
        request: .init(
          method: "GET", origin: "http://127.0.0.1:1", path: path, headers: ["Authorization": "Bearer \(secret)"]),
        response: .init(headers: response, body: Data("text".utf8)))
    }
    let recording = BackendRecording(
      upstreams: ["/*": "http://127.0.0.1:1"],
      exchanges: [exchange("/a", ["X-\(secret)": "1", "X-Other": "2"]), exchange("/b", [:])])
    let leaks = try recording.write(to: folder)
    XCTAssertEqual(
      leaks.map(\.description),
      [
        "GET /a: the name of a field in the response header is left out, because it still had the value of [redacted token 1]"
      ])
    let written = try BackendRecording(contentsOf: folder).exchanges
    XCTAssertEqual(written.map(\.request.line), ["GET /a", "GET /b"])
    XCTAssertEqual(written[0].response.headers, ["X-Other": "2"])
    for (name, data) in try files() { XCTAssertFalse(String(decoding: data, as: UTF8.self).contains(secret), name) }
  }

  /// The time of a recording's lines grows with their number, however many secrets are known.
  func testPrintedLinesTakeLinearTime() {
    func time(_ count: Int) -> Duration {
      var lines = LineRedaction(SecretRedaction())
      return ContinuousClock().measure {
        for index in 0..<count {
          let exchange = RecordedExchange(
            request: .init(
              method: "GET", origin: "http://127.0.0.1:1", path: "/a/\(index)",
              headers: ["Authorization": "Bearer token-number-\(index)"]), response: .init())
          let line = lines.redacted("GET /a/token-number-\(index)?key=k-\(index)", knowing: [exchange])
          XCTAssertTrue(line.hasPrefix("GET /a/[redacted token \(index + 1)]?key="), line)
        }
      }
    }
    // Eight times as many take 64 times as long where each line looks at all that came before.
    XCTAssertLessThan(time(400) / time(50), 24)
  }
}
