#if os(Linux)
  import Foundation
  import StubbedSession
  import XCTest

  /// Where FoundationNetworking ends.
  ///
  /// A test that fails here says that it has learnt something, and that the documentation may shrink.
  final class LinuxLimitTests: XCTestCase {
    private let url = URL(string: "https://api.example/a")!

    func testADownloadFailsAndSaysWhy() async throws {
      let session = StubbedSession.urlSession(stubs: [StubEndpoint(.get, "/a", .text("a"))])
      do {
        _ = try await session.download(from: url)
        XCTFail("no error")
      } catch {
        XCTAssertEqual((error as? URLError)?.code, .unsupportedURL)
        XCTAssertEqual(
          error.localizedDescription,
          "on Linux a download cannot be answered by a stub (swift-corelibs-foundation#5465); use a data task")
      }
    }

    func testTheBodyOfAnUploadIsNotSeen() async throws {
      let session = StubbedSession.urlSession(stubs: [StubEndpoint(.post, "/a", body: .text("photo"), .ok)])
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      do {
        _ = try await session.upload(for: request, from: Data("photo".utf8))
        XCTFail("no error")
      } catch {
        XCTAssertEqual(
          error.localizedDescription,
          #"no stub answers POST api.example/a; the nearest is POST /a with the body "photo": the body is "", not "photo""#
        )
      }
    }
  }
#endif
