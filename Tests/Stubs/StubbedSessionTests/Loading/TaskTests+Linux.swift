#if os(Linux)
  import Foundation
  import StubbedSession
  import XCTest

  /// The limits of FoundationNetworking.
  ///
  /// If a test fails here, FoundationNetworking can do more than the documentation says.
  final class LinuxLimitTests: XCTestCase {
    private let url = URL(string: "https://api.example/a")!

    func testADownloadFailsAndSaysWhy() async throws {
      let session = StubbedSession(stubs: [StubEndpoint(.get, "/a", .text("a"))]).urlSession()
      do {
        _ = try await session.download(from: url)
        XCTFail("no error")
      } catch {
        XCTAssertEqual((error as? URLError)?.code, .unsupportedURL)
        XCTAssertEqual(
          error.localizedDescription,
          "on Linux a stub can't respond to a download (swift-corelibs-foundation#5465); use a data task")
      }
    }

    func testTheBodyOfAnUploadIsNotSeen() async throws {
      let session = StubbedSession(stubs: [StubEndpoint(.request(.post, "/a", body: .text("photo")), .ok)]).urlSession()
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      do {
        let body = Data("photo".utf8)
        _ = try await session.upload(for: request.uploading(body), from: body)
        XCTFail("no error")
      } catch {
        XCTAssertEqual(
          error.localizedDescription,
          #"no stub matches POST api.example/a; the nearest is POST /a with the body "photo": the body is "", not "photo""#
        )
      }
    }

    func testAChallengeIsLeftOut() async throws {
      let stub = StubEndpoint(.get, "/a", .status(401).with(header: "www-authenticate", "Basic").with(header: "X", "1"))
      let (_, response) = try await StubbedSession(stubs: [stub]).urlSession().data(from: url)
      XCTAssertEqual(
        (response as? HTTPURLResponse)?.allHeaderFields as? [String: String], ["Content-Length": "0", "X": "1"])
    }

    func testAnUploadIsNotSentOnWithoutItsBody() async throws {
      let stub = StubEndpoint(.request(.post, "/a", headers: ["X": "1"]), .ok)
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      do {
        _ = try await StubbedSession(stubs: [stub], unmatched: .passThrough).urlSession()
          .upload(for: request, from: Data("photo".utf8))
        XCTFail("no error")
      } catch {
        XCTAssertEqual(
          error.localizedDescription,
          "on Linux an upload can't be passed through if only its header fields or its body distinguish it from a stub's; "
            + "use a data task")
      }
    }

    /// Cancels the task when its response comes, and keeps what it is told.
    private final class CancellingDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
      let isDone: XCTestExpectation
      var data = Data()
      var error: (any Error)?
      var hasMetrics = false

      init(_ isDone: XCTestExpectation) { self.isDone = isDone }

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
      ) {
        completionHandler(.cancel)
      }

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { self.data += data }

      func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        hasMetrics = true
      }

      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        self.error = error
        isDone.fulfill()
      }
    }

    func testDelegatesCannotCancelInTheResponseAndGetNoMetricsAndTasksHaveNoProgress() {
      let delegate = CancellingDelegate(expectation(description: "completed"))
      let session = URLSession(
        configuration: StubbedSession(stubs: [StubEndpoint(.get, "/a", .text("0123456789"))]).configuration(),
        delegate: delegate, delegateQueue: nil)
      let task = session.dataTask(with: url)
      task.resume()
      wait(for: [delegate.isDone], timeout: 10)
      XCTAssertNil(delegate.error)
      XCTAssertEqual(delegate.data.count, 10)
      XCTAssertFalse(delegate.hasMetrics)
      XCTAssertEqual(task.countOfBytesReceived, 0)
      XCTAssertEqual(task.progress.completedUnitCount, 0)
      session.finishTasksAndInvalidate()
    }
  }
#endif
