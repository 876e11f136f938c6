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
    "meta": "meta-2b7d10c4", "hidden": "hidden-62f0/a9==", "props": "props-<18e3>", "matrix": "matrix5D20E8B3",
    "script": "script-44d1c0", "record": "record-3fa8", "marked": "marked-c771", "wide": "wide-90d3e1",
    "semicolon": "semicolon-5b1e", "assigned": "assigned-0f66", "stated": "stated-8d12",
    "loose": "loose-0123456789abcdef",
    "code": "4/0AX4XfWh-c0de-1",
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
    for path in ["/onward", "/soap", "/page", "/records", "/marked", "/wide", "/log", "/trace"] {
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

  /// A text as Python's `html.escape` writes it.
  private func html(_ text: String) -> [UInt8] {
    let references = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    return Array(text.map { references[String($0)] ?? String($0) }.joined().utf8)
  }

  /// The secrets that are in the files, as they are, or as JSON, URLs and base64 write them.
  private func found() throws -> Set<String> {
    let contents = try files().flatMap { [$0.value, Data($0.key.utf8)] }.map { [UInt8]($0) }
    var found: Set<String> = []
    for (name, secret) in secrets {
      let json = String(decoding: try JSONEncoder().encode([secret]), as: UTF8.self).dropFirst(2).dropLast(2)
      var forms = [secret, encoded(secret), encoded(secret).lowercased(), String(json)].map { Array($0.utf8) }
      forms.append(Array(String(json).replacingOccurrences(of: "\\/", with: "/").utf8))
      forms += [html(secret), secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }]
      forms += Base64.cores(of: Array(secret.utf8)).map(\.text)
      if contents.contains(where: { content in forms.contains { content.firstRange(of: $0) != nil } }) {
        found.insert(name)
      }
    }
    return found
  }

  func testNoSecretIsInTheFiles() async throws {
    let grep = try Tool("grep")
    let backend = try secretBackend()
    try await recording(of: backend.url) { _ = try await journey($0) }
    XCTAssertEqual(try found(), [])
    let list = try temporaryFolder().appending(path: "secrets").path(percentEncoded: false)
    let lines = secrets.values.filter { !$0.contains("\n") }.joined(separator: "\n")
    try lines.write(toFile: list, atomically: true, encoding: .utf8)
    XCTAssertEqual(try grep.output("-rFf", list, folder.path(percentEncoded: false)), "")
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
    XCTAssertEqual(try found(), Set(secrets.keys))
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

  /// Equal by chance to a part of a number.
  func testCoincidencesWithNumbersAreNoLeaks() throws {
    let exchange = RecordedExchange(
      request: .init(
        method: "GET", origin: "http://127.0.0.1:1", path: "/a",
        headers: ["Cookie": "t=1643952222"]),
      answer: .init(
        headers: ["Content-Type": "application/json"],
        body: Data(#"{"at":1643952222045,"cents":16439522.22,"text":"id 1643952222, 11643952222"}"#.utf8)))
    let recording = BackendRecording(upstreams: ["/*": "http://127.0.0.1:1"], exchanges: [exchange])
    XCTAssertEqual(try recording.write(to: folder), [])
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { String(decoding: $0.answer.body, as: UTF8.self) },
      [#"{"at":1643952222045,"cents":16439522.22,"text":"id [redacted cookie 1], 11643952222"}"#])
  }

  /// A secret that the replacement doesn't reach costs its own value, and not the recording.
  func testAValueWithASecretThatIsLeftIsLeftOutAndNamed() throws {
    let secret = "leaked-token-1"
    func exchange(_ path: String, _ answer: MessageHeaders) -> RecordedExchange {
      RecordedExchange(
        request: .init(
          method: "GET", origin: "http://127.0.0.1:1", path: path, headers: ["Authorization": "Bearer \(secret)"]),
        answer: .init(headers: answer, body: Data("text".utf8)))
    }
    let recording = BackendRecording(
      upstreams: ["/*": "http://127.0.0.1:1"],
      exchanges: [exchange("/a", ["X-\(secret)": "1", "X-Other": "2"]), exchange("/b", [:])])
    let leaks = try recording.write(to: folder)
    XCTAssertEqual(
      leaks.map(\.description),
      [
        "GET /a: the name of a field in the answer header is left out, because it still had the value of [redacted token 1]"
      ])
    let written = try BackendRecording(contentsOf: folder).exchanges
    XCTAssertEqual(written.map(\.request.line), ["GET /a", "GET /b"])
    XCTAssertEqual(written[0].answer.headers, ["X-Other": "2"])
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
              headers: ["Authorization": "Bearer token-number-\(index)"]), answer: .init())
          let line = lines.redacted("GET /a/token-number-\(index)?key=k-\(index)", knowing: [exchange])
          XCTAssertTrue(line.hasPrefix("GET /a/[redacted token \(index + 1)]?key="), line)
        }
      }
    }
    // Eight times as many take 64 times as long where each line looks at all that came before.
    XCTAssertLessThan(time(800) / time(100), 24)
  }
}
