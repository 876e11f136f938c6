import TestSupport
import TrackingSockets

/// Web pages that use `tracking serve`, and the names under which it is reached.
final class WebPageTests: ToolTestCase {
  private func serve(_ words: String...) throws -> (process: Process, port: UInt16) {
    let process = try tracking(["serve", "--json", "--write-env", path("serve.env")] + words)
    let url = try XCTUnwrap(URL(string: try XCTUnwrap(started().environment?["TRACKING_URL"])))
    return (process, UInt16(try XCTUnwrap(url.port)))
  }

  /// Sends a request as a page of an origin does.
  private func send(
    _ method: String, _ path: String, to port: UInt16, from origin: String, _ fields: [String: String] = [:],
    _ body: String? = nil
  ) async throws -> HTTPURLResponse {
    var request = URLRequest(url: try XCTUnwrap(URL(string: "http://localhost:\(port)\(path)")))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    request.setValue(origin, forHTTPHeaderField: "Origin")
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    let response = try await URLSession.shared.data(for: request).1
    return try XCTUnwrap(response as? HTTPURLResponse)
  }

  private func preflight(_ path: String, of method: String, to port: UInt16, from origin: String) async throws
    -> HTTPURLResponse
  {
    try await send(
      "OPTIONS", path, to: port, from: origin,
      ["Access-Control-Request-Method": method, "Access-Control-Request-Headers": "authorization,content-type"])
  }

  func testAPageWhosePreflightIsRefusedFailsTheTestWithTheOption() async throws {
    let (process, port) = try serve("--accept", "segment", "--save", path("session.json"))
    let refused = try await preflight("/v1/b", of: "POST", to: port, from: "http://localhost:3000")
    XCTAssertEqual(refused.statusCode, 403)
    let finished = try result("finish", "--env", path("serve.env"))
    XCTAssertEqual(finished.status, 1)
    assertText(
      rejections(in: finished.err),
      """
      1 submission was rejected (403): the origin "http://localhost:3000" isn't allowed
      Allow it with --allow-origin.

      Received, by time since the first arrival:
          #1  +N ms  OPTIONS /v1/b -> 403
          #2  +N ms  a rejected submission (403)

      """)
    _ = try await preflight("/v1/b", of: "POST", to: port, from: "http://localhost:5173")
    let waited = try result("wait", "purchase", "--timeout", "0", "--env", path("serve.env"))
    XCTAssertEqual(waited.status, 1)
    assertText(
      rejections(in: waited.err),
      """
      2 submissions were rejected:
          403: the origin "http://localhost:3000" isn't allowed; allow it with --allow-origin
          403: the origin "http://localhost:5173" isn't allowed; allow it with --allow-origin

      """)
    // The live page and the report have what is saved.
    XCTAssertEqual(stop(process), 1)
    let report = try result("report", path("session.json"), "--markdown")
    XCTAssertTrue(
      report.out.contains(#"rejected (403): the origin "http://localhost:5173" isn't allowed"#),
      report.out)
  }

  /// A failure from its list of rejections on.
  private func rejections(in text: String) -> String {
    String(text[(text.firstMatch(of: /\d submissions? (was|were) rejected/)?.range.lowerBound ?? text.startIndex)...])
      .replacing(/\+[0-9.]+ ms +/, with: "+N ms  ")
  }

  func testAPageOfAnAllowedOriginMayCallTheChecks() async throws {
    let (process, port) = try serve("--allow-origin", "http://localhost:3000")
    defer { end(process) }
    let token = try XCTUnwrap(
      try text("serve.env").firstMatch(of: /export TRACKING_SERVE_TOKEN='(.*)'/)?.output.1)
    for (method, name) in [("POST", "marks"), ("GET", "entries"), ("DELETE", "stubs"), ("POST", "finish")] {
      let allowed = try await preflight("/-tracking/v1/\(name)", of: method, to: port, from: "http://localhost:3000")
      XCTAssertEqual(allowed.statusCode, 204, name)
      func field(_ name: String) -> String? { allowed.value(forHTTPHeaderField: name) }
      XCTAssertEqual(field("Access-Control-Allow-Origin"), "http://localhost:3000", name)
      XCTAssertEqual(field("Access-Control-Allow-Methods"), method, name)
      XCTAssertEqual(field("Access-Control-Allow-Headers"), "authorization,content-type", name)
      let called = try await send(
        method, "/-tracking/v1/\(name)", to: port, from: "http://localhost:3000", ["Authorization": "Bearer \(token)"])
      XCTAssertEqual(called.statusCode, 200, name)
      XCTAssertEqual(called.value(forHTTPHeaderField: "Access-Control-Allow-Origin"), "http://localhost:3000", name)
    }
    // Without the token the page learns that, and nothing else.
    let unknown = try await send("GET", "/-tracking/v1/entries", to: port, from: "http://localhost:3000")
    XCTAssertEqual(unknown.statusCode, 401)
    let refused = try await preflight("/-tracking/v1/marks", of: "POST", to: port, from: "http://evil.example")
    XCTAssertEqual(refused.statusCode, 403)
    XCTAssertNil(refused.value(forHTTPHeaderField: "Access-Control-Allow-Methods"))
    // A page's checks aren't requests of the app.
    XCTAssertEqual(stop(process), 0)
    let out = try text("out")
    XCTAssertTrue(out.contains(#""requests":0"#), out)
  }

  func testANameUnderWhichTheServerIsReachedIsAllowed() throws {
    let (process, port) = try serve("--allow-host", "10.0.2.2", "--allow-host", "Host.Docker.Internal")
    let connection = HTTPConnection(to: SocketAddress.named("localhost", port: port))
    func send(to host: String) throws -> (Int, String) {
      let response = try connection.exchange(
        Array("POST / HTTP/1.1\r\nHost: \(host):\(port)\r\nContent-Length: 12\r\n\r\n{\"name\":\"a\"}".utf8),
        until: .now + .seconds(30))
      return (response.status, String(decoding: response.body, as: UTF8.self))
    }
    for host in ["10.0.2.2", "host.docker.internal", "localhost"] {
      let (status, _) = try send(to: host)
      XCTAssertEqual(status, 204, host)
    }
    let refused = try send(to: "device.local")
    XCTAssertEqual(refused.0, 403)
    XCTAssertEqual(
      refused.1,
      #"{"error":"the host \"device.local\" is not this server; use localhost, 127.0.0.1 or [::1], or allow it with "#
        + "--allow-host\"}\n")
    XCTAssertEqual(stop(process), 1)
  }

  /// A name or an origin with more than that would allow nothing, and say nothing.
  func testAHostOrAnOriginThatNoRequestHasIsRefused() throws {
    let hosts = ["http://10.0.2.2", "10.0.2.2:8080", "a/b", "a b", "*.local"]
    for (host, (status, _, error)) in zip(hosts, try results(of: hosts.map { ["serve", "--allow-host", $0] })) {
      XCTAssertEqual(status, 2, host)
      XCTAssertTrue(
        error.hasPrefix(
          "tracking serve: --allow-host: \"\(host)\" isn't a host name; write it without scheme and port"),
        error)
    }
    let origins = [
      "http://localhost:3000/", "localhost:3000", "http://a/b", "*", "ftp://a", "wss://a", "file://a", "http://a:",
      "http://a:b",
      "http://a:99999", "http://*:80", "http://*", "http://b\u{FC}cher.example", "http://a:3*", "NULL",
    ]
    for (origin, (status, _, error)) in zip(origins, try results(of: origins.map { ["serve", "--allow-origin", $0] })) {
      XCTAssertEqual(status, 2, origin)
      XCTAssertTrue(
        error.hasPrefix(
          "tracking serve: --allow-origin: \"\(origin)\" isn't an origin; write scheme, host and port"), error)
    }
  }
}
