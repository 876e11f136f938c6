import Foundation
import TrackingServer
import XCTest

@testable import StubbedSession

/// Requests that no stub matches: they fail with what differs, or go to a real server.
final class UnmatchedTests: XCTestCase {
  private let lines = Lines()

  private func session(_ stubs: [StubEndpoint], _ unmatched: StubbedSession.Unmatched = .fail) -> URLSession {
    URLSession(
      configuration: URLSessionConfiguration.ephemeral.responding(
        from: Result { () throws(StubsProblem) in try StubTable(stubs, folder: nil) }, unmatched, lines.log, nil))
  }

  private func description(_ request: URLRequest, _ session: URLSession) async -> String {
    do {
      _ = try await session.data(for: request)
      return "no error"
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .unsupportedURL)
      return error.localizedDescription
    }
  }

  func testTheErrorAndTheLogNameTheNearestStubAndWhatDiffers() async {
    let session = session([
      StubEndpoint(.request(.get, "/books/:id", query: .subset(["lang": "de"])), .ok),
      StubEndpoint(.post, "/orders", .ok),
    ])
    let request = URLRequest(url: URL(string: "https://API.example/books/42?lang=en")!)
    let reason =
      "no stub matches GET api.example/books/42?lang=en; the nearest is GET /books/:id with lang=de in the query: "
      + #"lang in the query is "en", not "de""#
    let description = await description(request, session)
    XCTAssertEqual(description, reason)
    XCTAssertEqual(lines.all, ["StubbedSession: \(reason)"])
  }

  func testTheErrorSaysThatThereAreNoStubs() async {
    let description = await description(URLRequest(url: URL(string: "http://api.example")!), session([]))
    XCTAssertEqual(description, "no stub matches GET api.example/, because none is installed")
  }

  func testAStubThatIsUsedUpIsNamed() async throws {
    let session = session([StubEndpoint(.get, "/a", .ok, times: 1)])
    let url = URL(string: "http://api.example/a")!
    _ = try await session.data(from: url)
    let description = await description(URLRequest(url: url), session)
    XCTAssertEqual(
      description, "no stub matches GET api.example/a; the nearest is GET /a: it has responded once already")
  }

  func testAStubThatCannotBeUsedFailsEveryRequest() async {
    let session = session([StubEndpoint(.get, "/a", .ok), StubEndpoint(.get, "/b", .json(file: "book"))], .passThrough)
    let problem =
      "the stub GET /b can't be used: the stub file book.json has no folder: name one with `in:`, or set "
      + "`stubFolder` in the configuration"
    let description = await description(URLRequest(url: URL(string: "http://api.example/a?b")!), session)
    XCTAssertEqual(description, "GET api.example/a?b gets no response: \(problem)")
    XCTAssertEqual(lines.all.first, "StubbedSession: \(problem)")
  }

  func testWhatNoStubMatchesGoesToTheRealServer() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let base = URL(string: "http://127.0.0.1:\(try XCTUnwrap(server.endpoint?.url.port))")!
    let session = session(
      [
        StubEndpoint(.get, "/stubbed", .text("stub")),
        StubEndpoint(.request(.post, "/", headers: ["X-Stub": "1"]), .text("stub")),
        StubEndpoint(.request(.post, "/", body: .jsonSubset(["name": "stubbed"])), .text("stub")),
        StubEndpoint(.get, "/once", .text("stub"), times: 1),
      ], .passThrough)

    func post(_ name: String, _ headers: [String: String] = [:]) async throws -> (String, Int?) {
      var request = URLRequest(url: base)
      request.httpMethod = "POST"
      request.httpBody = Data(#"{"name": "\#(name)"}"#.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      let (data, response) = try await session.data(for: request)
      return (String(decoding: data, as: UTF8.self), (response as? HTTPURLResponse)?.statusCode)
    }

    let (stubbed, _) = try await session.data(from: base.appending(path: "stubbed"))
    XCTAssertEqual(stubbed, Data("stub".utf8))
    // Another path: the session's own protocols take it.
    let (_, missing) = try await session.data(from: base.appending(path: "missing"))
    XCTAssertEqual((missing as? HTTPURLResponse)?.statusCode, 404)
    // The method and the path are a stub's, but the header and the body aren't: the request is passed on with its body.
    let real = try await post("real")
    XCTAssertEqual(real.1, 204)
    let byBody = try await post("stubbed")
    XCTAssertEqual(byBody.0, "stub")
    let byHeader = try await post("real", ["X-Stub": "1"])
    XCTAssertEqual(byHeader.0, "stub")
    XCTAssertEqual(server.journal.events.map(\.event.name), ["real"])
    // Used up: from then on the server's.
    let (once, _) = try await session.data(from: base.appending(path: "once"))
    XCTAssertEqual(once, Data("stub".utf8))
    let (_, later) = try await session.data(from: base.appending(path: "once"))
    XCTAssertEqual((later as? HTTPURLResponse)?.statusCode, 404)
    XCTAssertEqual(lines.all, [])
  }

  func testARealServerThatIsGoneIsTheSessionsOwnError() async throws {
    let server = TrackingServer()
    try server.start()
    let port = try XCTUnwrap(server.endpoint?.url.port)
    server.stop()
    var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)/a")!)
    request.httpMethod = "POST"
    let session = session([StubEndpoint(.request(.post, "/a", body: .text("x")), .ok)], .passThrough)
    do {
      _ = try await session.data(for: request)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .cannotConnectToHost)
    }
  }

  func testOtherSchemesAreLeftAlone() {
    let configuration = StubbedSession(stubs: [StubEndpoint(.any, "*", .ok)]).configuration()
    let stubs = configuration.protocolClasses?.first as? URLProtocol.Type
    for (text, isTaken) in [
      "file:///etc/hosts": false, "data:,a": false, "ws://a.example": true, "HTTP://a.example": true,
    ] {
      XCTAssertEqual(stubs?.canInit(with: URLRequest(url: URL(string: text)!)), isTaken, text)
    }
    // Apple's sessions open a web socket by an HTTP request.
    var upgrades = ["Upgrade": "WebSocket", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="].map { name, value in
      var request = URLRequest(url: URL(string: "http://a.example/chat")!)
      request.setValue(value, forHTTPHeaderField: name)
      return request
    }
    upgrades.append(URLRequest(url: URL(string: "wss://a.example")!))
    for upgrade in upgrades { XCTAssertEqual(stubs?.canInit(with: upgrade), true, "\(upgrade)") }
    // With .fail a web socket has no response, but must not reach the network either.
    let passing = StubbedSession(stubs: [StubEndpoint(.any, "*", .ok)], unmatched: .passThrough).configuration()
    let stubsOfPassing = passing.protocolClasses?.first as? URLProtocol.Type
    for upgrade in upgrades {
      XCTAssertEqual(stubsOfPassing?.canInit(with: upgrade), false, "\(upgrade.allHTTPHeaderFields ?? [:])")
    }
  }

  func testTheConfigurationThatIsGivenStaysAsItWas() {
    let configuration = URLSessionConfiguration.ephemeral
    let before = configuration.protocolClasses?.count
    let changed = StubbedSession(stubs: []).configuration(configuration)
    XCTAssertEqual(configuration.protocolClasses?.count, before)
    XCTAssertEqual(changed.protocolClasses?.count, (before ?? 0) + 1)
  }
}
