import Foundation
import StubbedSession
import XCTest

/// A story from 2019: launch states with stub endpoints in a separate target, passed as a launch argument; used for tests, for screenshots, and
/// to build screens before there is a backend.
final class LaunchStatesStoryTests: XCTestCase {
  /// The mock target.
  private enum TestingLaunchState: String, CaseIterable, StubScenario {
    case debug, externalActions, screenShots

    var stubs: [StubEndpoint] {
      switch self {
      case .debug: [user, picture]
      case .externalActions: [user, picture, StubEndpoint(.post, "/user/actions", .ok)]
      case .screenShots:
        [
          user, picture,
          StubEndpoint(.request(.post, "/search", body: .formSubset(["language": "fr"])), .json(["found": "livre"])),
          StubEndpoint(.post, "/search", .json(["found": "book"])),
          StubEndpoint(.request(.get, "/feed", query: .exact(["page": "2"])), .error(.timedOut)),
        ]
      }
    }

    private var user: StubEndpoint { StubEndpoint(.get, .regex("/user/[0-9]+"), .json(file: "user_success")) }
    private var picture: StubEndpoint {
      StubEndpoint(.get, .regex("/user/[0-9]+/profilepicture"), .file("profilepicture_success.png"))
    }
  }

  private let files = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data(#"{"name":"Anna"}"#.utf8).write(to: files.appending(path: "user_success.json"))
    try Data([0x89, 0x50]).write(to: files.appending(path: "profilepicture_success.png"))
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: files)
  }

  /// The app's composition root, launched with these arguments.
  private func launch(_ arguments: [String]) throws -> URLSession {
    try XCTUnwrap(
      StubbedSession(
        scenarios: TestingLaunchState.self, folder: .url(files), arguments: ["app"] + arguments, environment: [:])?
        .urlSession())
  }

  private func get(_ target: String, _ session: URLSession) async throws -> (data: Data, http: HTTPURLResponse?) {
    let (data, response) = try await session.data(from: URL(string: "https://api.example\(target)")!)
    return (data, response as? HTTPURLResponse)
  }

  func testEveryStateRespondsForTheUserAndHisPicture() async throws {
    for state in TestingLaunchState.allCases {
      let session = try launch(state.launchArguments)
      let user = try await get("/user/42", session)
      XCTAssertEqual(user.data, Data(#"{"name":"Anna"}"#.utf8))
      XCTAssertEqual(user.http?.mimeType, "application/json")
      let picture = try await get("/user/42/profilepicture", session)
      XCTAssertEqual(picture.data, Data([0x89, 0x50]))
      XCTAssertEqual(picture.http?.mimeType, "image/png")
    }
  }

  func testAScreenshotIsTakenInEachLanguage() async throws {
    let session = try launch(["-AppleLanguages", "(fr)", "-StubScenario", "screenShots"])
    var request = URLRequest(url: URL(string: "https://api.example/search")!)
    request.httpMethod = "POST"
    for (language, response) in ["fr": #"{"found":"livre"}"#, "en": #"{"found":"book"}"#] {
      request.httpBody = Data("q=a+b&language=\(language)".utf8)
      let (data, _) = try await session.data(for: request)
      XCTAssertEqual(String(decoding: data, as: UTF8.self), response)
    }
    do {
      _ = try await get("/feed?page=2", session)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .timedOut)
    }
  }

  func testAnActionGetsNothing() async throws {
    var request = URLRequest(url: URL(string: "https://api.example/user/actions")!)
    request.httpMethod = "POST"
    let (data, response) = try await launch(TestingLaunchState.externalActions.launchArguments).data(for: request)
    XCTAssertEqual(data, Data())
    XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
  }

  func testAStateThatIsMisspeltDoesNotReachTheRealBackend() async throws {
    do {
      _ = try await get("/user/42", launch(["-StubScenario", "screenshots"]))
      XCTFail("no error")
    } catch {
      XCTAssertEqual(
        error.localizedDescription,
        "GET api.example/user/42 gets no response: "
          + #"there is no scenario "screenshots"; there are debug, externalActions, screenShots"#)
    }
  }
}
