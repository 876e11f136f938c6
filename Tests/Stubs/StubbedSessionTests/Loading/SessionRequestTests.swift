import Foundation
import StubbedSession
import TrackingSockets
import XCTest

/// The headers and cookies that a session adds to requests, and the requests that it refuses to send.
final class SessionRequestTests: XCTestCase {
  private func status(_ session: URLSession, _ request: URLRequest) async throws -> Int? {
    (try await session.data(for: request).1 as? HTTPURLResponse)?.statusCode
  }

  private func request(_ url: String, _ fields: [String: String] = [:]) -> URLRequest {
    var request = URLRequest(url: URL(string: url)!)
    for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
    return request
  }

  func testHeadersOfTheConfigurationCount() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Key": "1", "Accept": "a/b"]
    let session = StubbedSession(stubs: [
      StubEndpoint(.request(.get, "/", headers: ["X-Key": "1", "Accept": "c/d"]), .ok)
    ]).urlSession(configuration: configuration)
    let received = try await status(session, request("https://api.example", ["accept": "c/d"]))
    XCTAssertEqual(received, 200, "the request's own field wins")
  }

  func testCookiesAreKeptAndSent() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    let session = StubbedSession(stubs: [
      StubEndpoint(
        .post, "/login",
        StubResponse(
          headers: MessageHeaders(fields: [
            ("Set-Cookie", "session=7; Path=/; Expires=Wed, 21 Oct 2065 07:28:00 GMT"),
            ("Set-Cookie", "theme=dark; Path=/"),
          ]))),
      StubEndpoint(.request(.get, "/orders", cookies: ["session": "7", "theme": "dark"]), .status(202)),
      StubEndpoint(.get, "/orders", .status(401)),
    ]).urlSession(configuration: configuration)
    var login = request("https://api.example/login")
    login.httpMethod = "POST"
    _ = try await status(session, login)
    let known = try await status(session, request("https://api.example/orders"))
    XCTAssertEqual(known, 202)
    let other = try await status(session, request("https://other.example/orders"))
    XCTAssertEqual(other, 401, "another host gets no cookies")
  }

  func testARedirectToAnotherHostLosesItsCredentials() async throws {
    for (location, keeps) in [
      ("https://api.example/b", true), ("https://other.example/b", false), ("http://api.example/b", false),
    ] {
      let session = StubbedSession(stubs: [
        StubEndpoint(.get, "/a", .status(302).with(header: "Location", location)),
        StubEndpoint(.request(.get, "/b", headers: ["Authorization": .present]), .status(201)),
        StubEndpoint(.request(.get, "/b", headers: ["Authorization": .absent, "X": "1"]), .status(202)),
      ]).urlSession()
      let found = try await status(session, request("https://api.example/a", ["Authorization": "Bearer t", "X": "1"]))
      XCTAssertEqual(found, keeps ? 201 : 202, location)
    }
  }

  func testClosuresRespondAndDecline() async throws {
    struct Broken: LocalizedError { var errorDescription: String? { "no more cups" } }
    let session = StubbedSession(stubs: [
      StubEndpoint(.get, "/:name") { _ in .text("all") },
      StubEndpoint(.get, "/cups") { request in
        guard request.query["n"] != "0" else { throw Broken() }
        return request.query["n"].map { .text("cups \($0)") }
      },
    ]).urlSession()
    let (cups, _) = try await session.data(from: URL(string: "https://api.example/cups?n=2")!)
    XCTAssertEqual(String(decoding: cups, as: UTF8.self), "cups 2")
    let (all, _) = try await session.data(from: URL(string: "https://api.example/cups")!)
    XCTAssertEqual(String(decoding: all, as: UTF8.self), "all")
    do {
      _ = try await session.data(from: URL(string: "https://api.example/cups?n=0")!)
      XCTFail("no error")
    } catch {
      XCTAssertEqual(
        error.localizedDescription, "the closure for GET /cups returned no response to /cups?n=0: no more cups")
    }
  }

  func testAStubOfItsPathDoesNotRespondToAWebSocket() async throws {
    let session = StubbedSession(stubs: [StubEndpoint(.get, "/chat", .ok)]).urlSession()
    var request = URLRequest(url: URL(string: "http://api.example/chat")!)
    request.setValue("websocket", forHTTPHeaderField: "Upgrade")
    do {
      _ = try await session.data(for: request)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .unsupportedURL)
      XCTAssertEqual(
        error.localizedDescription, "http://api.example/chat opens a web socket, which stubs don't support")
    }
  }

  func testAWebSocketDoesNotReachTheNetwork() async throws {
    // A connection here means that the session has reached the network.
    let listener = try Listener(port: 0)
    defer { listener.close() }
    let session = StubbedSession(stubs: [StubEndpoint(.get, "/", .ok)]).urlSession()
    let task = session.webSocketTask(with: URL(string: "ws://localhost:\(listener.address.port)/chat")!)
    task.resume()
    do {
      _ = try await task.receive()
      XCTFail("no error")
    } catch {
      XCTAssertTrue(error is URLError, "\(error)")
    }
    for socket in listener.sockets { XCTAssertNil(try socket.accept()) }
  }
}
