import Foundation
import StubbedSession
import TrackingVerifier
import XCTest

/// A story from 2015: the test seeds the app's network through the launch environment.
///
/// A JSON text for each URL; in the app `Config.urlSession` responds from there. Found out later: equals signs get lost. Wished for: status codes, errors, and the real session for all other URLs.
final class LaunchEnvironmentStoryTests: XCTestCase {
  private lazy var verifier = TrackingVerifier(with: self)

  /// The app, in this process: its composition root, and what it would show.
  private struct App {
    var launchEnvironment: [String: String] = [:]
    var urlSession: URLSession = .shared

    mutating func launch() {
      urlSession = StubbedSession(unmatched: .passThrough, environment: launchEnvironment)?.urlSession() ?? .shared
    }

    func text(of url: String) async -> String {
      do {
        let (data, response) = try await urlSession.data(from: URL(string: url)!)
        return "\((response as? HTTPURLResponse)?.statusCode ?? 0) \(String(decoding: data, as: UTF8.self))"
      } catch {
        return "error \((error as? URLError)?.errorCode ?? 0)"
      }
    }
  }

  func testUsersAreSeededByTheTest() async {
    var app = App()
    app.launchEnvironment.merge(
      verifier.stubsEnvironment(for: [
        StubEndpoint(.request(.get, "/users", host: "api.example"), .json(["posts": 5, "name": "a=b"])),
        StubEndpoint(.request(.get, "/news", host: "api.example"), .error(.notConnectedToInternet)),
        StubEndpoint(.request(.get, "/me", host: "api.example"), .json(["error": "who are you?"], status: 401)),
      ])
    ) { $1 }
    XCTAssertFalse(app.launchEnvironment.values.contains { $0.contains("=") })
    app.launch()

    let users = await app.text(of: "https://api.example/users")
    XCTAssertEqual(users, #"200 {"name":"a=b","posts":5}"#)
    let news = await app.text(of: "https://api.example/news")
    XCTAssertEqual(news, "error -1009")
    let me = await app.text(of: "https://api.example/me")
    XCTAssertEqual(me, #"401 {"error":"who are you?"}"#)
  }

  func testURLsWithoutAStubGoToTheRealBackend() async {
    verifier.start()
    verifier.stub(.get, "/real", .text("the real one"))
    var app = App()
    app.launchEnvironment = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", .text("stubbed"))])
    app.launch()
    let base = verifier.baseURL.absoluteString.replacingOccurrences(of: "[::1]", with: "127.0.0.1")
    let real = await app.text(of: base + "/real")
    XCTAssertEqual(real, "200 the real one")
    let stubbed = await app.text(of: base + "/users")
    XCTAssertEqual(stubbed, "200 stubbed")
  }
}
