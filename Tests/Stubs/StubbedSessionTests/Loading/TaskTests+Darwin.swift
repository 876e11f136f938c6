#if canImport(Darwin)
  import Foundation
  import StubbedSession
  import XCTest

  /// Tasks that work on Apple's platforms but not on Linux.
  final class DarwinTaskTests: XCTestCase {
    private let url = URL(string: "https://api.example/a")!

    func testADownloadGetsItsResponse() async throws {
      let session = StubbedSession(stubs: [StubEndpoint(.get, "/a", .text("a"))]).urlSession()
      let (file, response) = try await session.download(from: url)
      XCTAssertEqual(try Data(contentsOf: file), Data("a".utf8))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
    }

    func testTheBodyThatAnUploadTellsDecides() async throws {
      let session = StubbedSession(stubs: [
        StubEndpoint(.request(.post, "/a", body: .text("photo")), .status(303).with(header: "Location", "/b")),
        StubEndpoint(.request(.get, "/b", body: .text("photo")), .status(500)), StubEndpoint(.get, "/b", .text("seen")),
      ]).urlSession()
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      let body = Data("photo".utf8)
      let (data, response) = try await session.upload(for: request.uploading(body), from: body)
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
      XCTAssertEqual(String(decoding: data, as: UTF8.self), "seen", "the redirect continues without the body")
    }
  }
#endif
