import StubbedSession
import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording
@testable import StubReplay

/// Real backends are recorded, and replayed in the recorded order by a server and in an app.
final class SixBackendsTests: RecordingTestCase {
  private struct Response: Equatable {
    let status: Int
    let text: String
    let cookie: String?
  }

  /// An app that sends its cookies itself, at a base URL.
  private struct App {
    let base: String
    let session: URLSession

    func send(
      _ method: String, _ target: String, _ body: Data? = nil, _ headers: [String: String] = [:]
    ) async throws -> Response {
      var request = URLRequest(url: try XCTUnwrap(URL(string: target.hasPrefix("/") ? base + target : target)))
      request.httpMethod = method
      request.httpBody = body
      request.cachePolicy = .reloadIgnoringLocalCacheData
      request.httpShouldHandleCookies = false
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      let (data, response) = try await session.data(for: request)
      let http = try XCTUnwrap(response as? HTTPURLResponse)
      // Of a body that isn't text each byte is a character.
      let text = String(data: data, encoding: .utf8) ?? String(data: data, encoding: .isoLatin1) ?? ""
      return Response(
        status: http.statusCode, text: text.replacing(base, with: "{base}"),
        cookie: http.value(forHTTPHeaderField: "Set-Cookie"))
    }
  }

  private static var configuration: URLSessionConfiguration {
    changed(URLSessionConfiguration.ephemeral) { ($0.httpCookieStorage, $0.httpShouldSetCookies) = (nil, false) }
  }

  private typealias Flow = (App) async throws -> [Response]

  private static let json = ["Content-Type": "application/json"]

  private func state(_ app: App) async throws -> [Response] {
    var seen: [Response] = []
    for (method, path, body) in [
      ("GET", "/cart", ""), ("POST", "/cart", #"{"lamp": 1, "n": 2}"#), ("GET", "/cart", ""),
      ("PUT", "/cart/lamp", #"{"lamp": 2}"#), ("GET", "/cart", ""), ("GET", "/cart", ""), ("DELETE", "/cart/lamp", ""),
      ("GET", "/cart", ""),
    ] { seen.append(try await app.send(method, path, body.isEmpty ? nil : Data(body.utf8), Self.json)) }
    return seen
  }

  private func cookies(_ app: App) async throws -> [Response] {
    var (seen, cookies): ([Response], [String: String]) = ([], [:])
    func login(_ user: String, _ password: String) async throws {
      let form = ["Content-Type": "application/x-www-form-urlencoded"]
      seen.append(try await app.send("POST", "/login", Data("user=\(user)&password=\(password)".utf8), form))
      if let cookie = seen[seen.count - 1].cookie { cookies[user] = String(cookie.prefix { $0 != ";" }) }
    }
    func me(_ user: String) async throws {
      seen.append(try await app.send("GET", "/me", nil, cookies[user].map { ["Cookie": $0] } ?? [:]))
    }
    try await me("nobody")
    for user in ["anna", "ben"] {
      try await login(user, "wrong-password")
      try await login(user, "password-of-\(user)")
      try await me(user)
    }
    for user in ["anna", "nobody", "ben", "anna"] { try await me(user) }
    seen.append(try await app.send("POST", "/logout", nil, ["Cookie": cookies["anna"] ?? ""]))
    for user in ["anna", "ben"] { try await me(user) }
    return seen
  }

  private func pages(_ app: App) async throws -> [Response] {
    var (seen, next): ([Response], String?) = ([], "/pages")
    while let page = next {
      seen.append(try await app.send("GET", page))
      next = seen[seen.count - 1].text.firstMatch(of: /"next":"([^"]+)"/).map { String($0.1) }?
        .replacing("{base}", with: app.base)
    }
    return seen
  }

  private func uploads(_ app: App) async throws -> [Response] {
    var seen: [Response] = []
    let parts = [
      [("note", "x"), ("f", "one")], [("f", "one")], [("password", "password-1"), ("f", "one")],
      [("f", "two"), ("f", "one")],
    ]
    for parts in parts {
      let boundary = UUID().uuidString
      let body = parts.map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }
      seen.append(
        try await app.send(
          "POST", "/uploads", Data((body.joined() + "--\(boundary)--\r\n").utf8),
          ["Content-Type": "multipart/form-data; boundary=\(boundary)"]))
    }
    for bytes in [[0, 255, 1], [0, 254, 1]] as [[UInt8]] {
      seen.append(try await app.send("PUT", "/uploads", Data(bytes), ["Content-Type": "image/png"]))
      seen.append(try await app.send("GET", "/uploads"))
    }
    return seen
  }

  private func graphQL(_ app: App) async throws -> [Response] {
    var seen: [Response] = []
    for query in [
      #"{"query": "{books}"}"#, #"{"query": "{count}"}"#, #"{"query":"mutation{add}","variables":{"title":"Emma"}}"#,
      #"{ "query":"{books}" }"#, #"{"variables":{"title":"Ulysses"},"query":"mutation{add}"}"#,
      #"{"query": "{count}"}"#,
      #"{"query": "{books}"}"#,
    ] { seen.append(try await app.send("POST", "/graphql", Data(query.utf8), Self.json)) }
    return seen
  }

  private func streams(_ app: App) async throws -> [Response] {
    var seen: [Response] = []
    for (path, range) in [
      ("/lines", nil), ("/file", nil), ("/file", "bytes=10-19"), ("/file", "bytes=0-9"), ("/packed", nil),
      ("/lines", nil),
    ] { seen.append(try await app.send("GET", path, nil, range.map { ["Range": $0] } ?? [:])) }
    seen.append(try await app.send("HEAD", "/file"))
    return seen
  }

  /// - Parameter isSame: Whether the responses are compared as they are, which redaction changes.
  private func check(_ flow: Flow, _ redaction: SecretRedaction, _ name: String) async throws {
    let backend = try backend("SixBackends.py")
    let network = URLSession(configuration: Self.configuration)
    defer { network.invalidateAndCancel() }
    let recorder = verifier(
      source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url], redaction: redaction)))
    let live = try await flow(App(base: "\(recorder.baseURL)", session: network))
    recorder.stop()
    backend.stop()
    let server = verifier(source(nil, .folder(at: folder)))
    let replayed = try await flow(App(base: "\(server.baseURL)", session: network))
    server.stop()
    let environment = server.stubsEnvironment(for: RecordedScenario(contentsOf: folder).stubs)
    let session = try XCTUnwrap(StubbedSession(environment: environment)?.urlSession(configuration: Self.configuration))
    let inApp = try await flow(App(base: "https://api.example", session: session))
    session.invalidateAndCancel()
    let expected = redaction == .off ? live : replayed
    XCTAssertEqual(live.map(\.status), replayed.map(\.status), name)
    for (index, response) in expected.enumerated() {
      XCTAssertEqual(replayed[index], response, "\(name) \(index)")
      XCTAssertEqual(inApp[index], response, "\(name) \(index) in an app")
    }
    XCTAssertEqual([replayed.count, inApp.count], [live.count, live.count], name)
  }

  func testTheyAreReplayedByteForByteByAServerAndInAnApp() async throws {
    for (name, flow) in [
      ("state", state), ("cookies", cookies), ("pages", pages), ("uploads", uploads), ("GraphQL", graphQL),
      ("streams", streams),
    ] {
      for redaction in [SecretRedaction.off, .standard] { try await check(flow, redaction, name) }
    }
  }
}
