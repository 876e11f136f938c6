#if canImport(Darwin)
  import Foundation
  import StubbedSession
  import XCTest

  /// What works on Apple's platforms and not on Linux.
  final class DarwinTaskTests: XCTestCase {
    private let url = URL(string: "https://api.example/a")!

    func testADownloadIsAnswered() async throws {
      let session = StubbedSession.urlSession(stubs: [StubEndpoint(.get, "/a", .text("a"))])
      let (file, response) = try await session.download(from: url)
      XCTAssertEqual(try Data(contentsOf: file), Data("a".utf8))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
    }

    func testTheBodyOfAnUploadDecides() async throws {
      let session = StubbedSession.urlSession(stubs: [StubEndpoint(.post, "/a", body: .text("photo"), .ok)])
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      let (_, response) = try await session.upload(for: request, from: Data("photo".utf8))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
    }
  }
#endif
