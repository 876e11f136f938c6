import Foundation
import StubbedSession
import TrackingModel
import XCTest

/// Every way to send a request with a session, whose responses are stubs'.
final class TaskTests: XCTestCase {
  private let book = URL(string: "https://api.example/1.0/books/42?lang=en")!

  private func session(_ stubs: StubEndpoint..., configuration: URLSessionConfiguration = .ephemeral) -> URLSession {
    StubbedSession(stubs: stubs).urlSession(configuration: configuration)
  }

  private func post(_ body: String, to url: String) -> URLRequest {
    var request = URLRequest(url: URL(string: url)!)
    request.httpMethod = "POST"
    request.httpBody = Data(body.utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    return request
  }

  func testDataGetsStatusHeadersAndBody() async throws {
    let session = session(
      StubEndpoint(
        .request(.get, "/1.0/books/:id", host: "api.example", query: .exact(["lang": "en"])),
        .json(["id": 42], status: 203).with(header: "ETag", "\"1\"")))
    let (data, response) = try await session.data(from: book)
    let http = try XCTUnwrap(response as? HTTPURLResponse)
    XCTAssertEqual(String(decoding: data, as: UTF8.self), #"{"id":42}"#)
    XCTAssertEqual(http.statusCode, 203)
    XCTAssertEqual(http.url, book)
    XCTAssertEqual(http.value(forHTTPHeaderField: "etag"), "\"1\"")
    XCTAssertEqual(http.mimeType, "application/json")
    XCTAssertEqual(http.expectedContentLength, 9)
  }

  func testACompletionHandlerIsCalled() {
    let session = session(StubEndpoint(.any, "/1.0/books/42", .text("Walden")))
    let isDone = expectation(description: "completed")
    session.dataTask(with: book) { data, response, error in
      XCTAssertEqual(data, Data("Walden".utf8))
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
      XCTAssertNil(error)
      isDone.fulfill()
    }.resume()
    wait(for: [isDone], timeout: 10)
  }

  func testADelegateIsToldOfEachPart() {
    final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
      let isDone: XCTestExpectation
      var status: Int?
      var data = Data()

      init(_ isDone: XCTestExpectation) { self.isDone = isDone }

      func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
      ) {
        status = (response as? HTTPURLResponse)?.statusCode
        completionHandler(.allow)
      }

      func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { self.data += data }

      func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        XCTAssertNil(error)
        isDone.fulfill()
      }
    }

    let stub = StubEndpoint(.get, "/1.0/books/42", .text("0123456789", status: 404).dribbled(over: 0.05, pieces: 5))
    let delegate = Delegate(expectation(description: "completed"))
    let session = URLSession(
      configuration: StubbedSession(stubs: [stub]).configuration(), delegate: delegate, delegateQueue: nil)
    session.dataTask(with: book).resume()
    wait(for: [delegate.isDone], timeout: 10)
    XCTAssertEqual(delegate.status, 404)
    XCTAssertEqual(delegate.data, Data("0123456789".utf8))
    session.finishTasksAndInvalidate()
  }

  func testABodyInPiecesIsWhole() async throws {
    let response = StubResponse.text("0123456789")
    let session = session(
      StubEndpoint(.get, "/slow", response.dribbled(over: 0.05, pieces: 5)),
      StubEndpoint(.get, "/fast", response.dribbled(over: 0, pieces: .max)),
      StubEndpoint(.post, "/echo", response.dribbled(over: 0.05)))
    for path in ["slow", "fast"] {
      let (data, _) = try await session.data(from: URL(string: "http://api.example/\(path)")!)
      XCTAssertEqual(String(decoding: data, as: UTF8.self), "0123456789", path)
    }
    var upload = URLRequest(url: URL(string: "http://api.example/echo")!)
    upload.httpMethod = "POST"
    let (data, _) = try await session.upload(for: upload, from: Data("a".utf8))
    XCTAssertEqual(String(decoding: data, as: UTF8.self), "0123456789")
  }

  func testAStatusWithoutABodyGetsItsResponse() async throws {
    let session = session(
      StubEndpoint(.get, "/204", .text("dropped", status: 204)), StubEndpoint(.get, "/500", .status(500)),
      StubEndpoint(.head, "/head", .text("dropped")))
    for (path, status) in [("204", 204), ("500", 500)] {
      let (data, response) = try await session.data(from: URL(string: "http://api.example/\(path)")!)
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, status)
      XCTAssertEqual(data, Data())
    }
    var head = URLRequest(url: URL(string: "http://api.example/head")!)
    head.httpMethod = "HEAD"
    let (data, response) = try await session.data(for: head)
    XCTAssertEqual(data, Data())
    XCTAssertEqual((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Length"), "7")
  }

  func testARequestsBodyDecides() async throws {
    let session = session(
      StubEndpoint(.request(.post, "/login", body: .jsonSubset(["user": "anna"])), .status(403)),
      StubEndpoint(.post, "/login", .json(["token": "t"])))
    let (_, refused) = try await session.data(for: post(#"{"user": "anna"}"#, to: "https://api.example/login"))
    XCTAssertEqual((refused as? HTTPURLResponse)?.statusCode, 403)
    let (data, _) = try await session.data(for: post(#"{"user": "bert"}"#, to: "https://api.example/login"))
    XCTAssertEqual(data, Data(#"{"token":"t"}"#.utf8))
  }

  func testABodyThatIsAStreamDecides() async throws {
    let session = session(
      StubEndpoint(.request(.post, "/a", body: .text(.equal(to: String(repeating: "x", count: 200_000)))), .status(201))
    )
    var request = URLRequest(url: URL(string: "https://api.example/a")!)
    request.httpMethod = "POST"
    request.httpBodyStream = InputStream(data: Data(repeating: UInt8(ascii: "x"), count: 200_000))
    let (_, response) = try await session.data(for: request)
    XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 201)
  }

  func testAnUploadGetsItsResponse() async throws {
    let session = session(
      StubEndpoint(.request(.post, "/photos", headers: ["X-Album": "1"]), .json(["id": 7], status: 201)))
    var request = URLRequest(url: URL(string: "https://api.example/photos")!)
    request.httpMethod = "POST"
    request.setValue("1", forHTTPHeaderField: "X-Album")
    let (data, response) = try await session.upload(for: request, from: Data([1, 2, 3]))
    XCTAssertEqual(data, Data(#"{"id":7}"#.utf8))
    XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 201)
    let isDone = expectation(description: "completed")
    session.uploadTask(with: request, from: Data([1, 2, 3])) { data, _, error in
      XCTAssertEqual(data, Data(#"{"id":7}"#.utf8))
      XCTAssertNil(error)
      isDone.fulfill()
    }.resume()
    await fulfillment(of: [isDone], timeout: 10)
  }

  func testAnErrorIsTheOneOfTheStub() async throws {
    let codes: [URLError.Code] = [.notConnectedToInternet, .timedOut, .cannotFindHost, .serverCertificateUntrusted]
    for code in codes {
      do {
        _ = try await session(StubEndpoint(.get, "/1.0/books/:id", .error(code))).data(from: book)
        XCTFail("no error")
      } catch {
        XCTAssertEqual((error as? URLError)?.code, code)
      }
    }
  }

  func testFaultsAreErrors() async throws {
    let rows: [(HTTPFault, URLError.Code?)] = [
      (HTTPFault(.reset, at: .requestHead), .networkConnectionLost),
      (HTTPFault(.close, at: .requestBody), .networkConnectionLost),
      (HTTPFault(.halfClose, at: .response), .networkConnectionLost),
      (HTTPFault(.garbage, at: .response), .cannotParseResponse),
      (HTTPFault(.reset, at: .responseBody), .networkConnectionLost), (HTTPFault(.reset, at: .afterResponse), nil),
    ]
    for (fault, code) in rows {
      do {
        let (data, _) = try await session(StubEndpoint(.get, "/1.0/books/:id", .text("Walden").failing(fault)))
          .data(from: book)
        XCTAssertNil(code, "\(fault)")
        XCTAssertEqual(data, Data("Walden".utf8))
      } catch {
        XCTAssertEqual((error as? URLError)?.code, code, "\(fault)")
      }
    }
  }

  func testAStallEndsWithTheTimeoutOfTheRequestOrOfTheSession() async throws {
    let stub = StubEndpoint(.get, "/1.0/books/:id", .fault(HTTPFault(.stall, at: .response)))
    var request = URLRequest(url: book)
    request.timeoutInterval = 0.05
    do {
      _ = try await session(stub).data(for: request)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .timedOut)
    }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 0.05
    do {
      _ = try await session(stub, configuration: configuration).data(from: book)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .timedOut)
    }
  }

  func testADelayedResponseComesLater() async throws {
    let began = ContinuousClock.now
    let (data, _) = try await session(StubEndpoint(.get, "/1.0/books/:id", .text("a").delayed(by: 0.05))).data(
      from: book)
    XCTAssertEqual(data, Data("a".utf8))
    XCTAssertGreaterThanOrEqual(ContinuousClock.now - began, .milliseconds(50))
  }

  func testATaskThatIsCancelledGetsNoResponse() {
    let session = session(StubEndpoint(.get, "/1.0/books/:id", .text("a").delayed(by: 50)))
    let isDone = expectation(description: "completed")
    let task = session.dataTask(with: book) { data, _, error in
      XCTAssertEqual((error as? URLError)?.code, .cancelled)
      isDone.fulfill()
    }
    task.resume()
    task.cancel()
    wait(for: [isDone], timeout: 10)
  }

  func testRedirectsAreFollowedFromStubToStub() async throws {
    let session = session(
      StubEndpoint(.get, "/old", .status(301).with(header: "Location", "/new?page=2")),
      StubEndpoint(.get, "/new", .text("new")),
      StubEndpoint(.post, "/orders", .status(303).with(header: "Location", "https://shop.example/orders/1")),
      StubEndpoint(.request(.get, "/orders/1", host: "shop.example"), .text("order")),
      StubEndpoint(.post, "/kept", .status(307).with(header: "Location", "/target")),
      StubEndpoint(.request(.post, "/target", body: .text("body")), .text("target")),
      StubEndpoint(.any, "/circle", .status(302).with(header: "Location", "/circle")),
      StubEndpoint(.any, "/not-modified", .status(304).with(header: "Location", "/new")))
    let (new, response) = try await session.data(from: URL(string: "https://api.example/old")!)
    XCTAssertEqual(new, Data("new".utf8))
    XCTAssertEqual(response.url?.absoluteString, "https://api.example/new?page=2")
    let (order, _) = try await session.data(for: post("body", to: "https://api.example/orders"))
    XCTAssertEqual(order, Data("order".utf8))
    let (target, _) = try await session.data(for: post("body", to: "https://api.example/kept"))
    XCTAssertEqual(target, Data("target".utf8))
    let (_, same) = try await session.data(from: URL(string: "https://api.example/not-modified")!)
    XCTAssertEqual((same as? HTTPURLResponse)?.statusCode, 304)
    do {
      _ = try await session.data(from: URL(string: "https://api.example/circle")!)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .httpTooManyRedirects)
    }
  }

  func testARedirectToAnotherSchemeIsAnError() async throws {
    let session = session(StubEndpoint(.get, "/login", .status(302).with(header: "Location", "myapp://done?code=1")))
    do {
      _ = try await session.data(from: URL(string: "https://api.example/login")!)
      XCTFail("no error")
    } catch {
      XCTAssertEqual((error as? URLError)?.code, .unsupportedURL)
      XCTAssertEqual(
        error.localizedDescription, "myapp://done?code=1 isn't http or https, and stubs respond to nothing else")
    }
  }

  func testARefusalWithAChallengeIsAResponse() async throws {
    for challenge in ["", "Bearer", "Basic realm=\"books\"", "Digest realm=\"books\", nonce=\"1\"", "Negotiate"] {
      let session = session(
        StubEndpoint(.get, "/a", .text("no", status: 401).with(header: "WWW-Authenticate", challenge)))
      let (data, response) = try await session.data(from: URL(string: "https://api.example/a")!)
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 401, challenge)
      XCTAssertEqual(data, Data("no".utf8), challenge)
    }
  }

  func testFilesOfAFolderGetResponses() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    try Data([1, 2]).write(to: root.appending(path: "a b.png"))
    let session = session(StubEndpoint(.get, "/images/*", .files(in: .url(root))))
    let (data, response) = try await session.data(from: URL(string: "https://api.example/images/a%20b.png")!)
    XCTAssertEqual(data, Data([1, 2]))
    XCTAssertEqual(response.mimeType, "image/png")
    let (_, missing) = try await session.data(from: URL(string: "https://api.example/images/..%2Fsecret")!)
    XCTAssertEqual((missing as? HTTPURLResponse)?.statusCode, 404)
  }

  func testOnlyTheRequestedPartOfAFileIsRead() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: root) }
    // 4 TiB, which no process can read whole; nearly all of it takes no room on the disk.
    let file = root.appending(path: "enormous.bin")
    try Data("head".utf8).write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: 4 << 40)
    let session = session(StubEndpoint(.get, "/files/*", [.files(in: .url(root)), .text("next")]))
    let url = URL(string: "https://api.example/files/enormous.bin")!
    var head = URLRequest(url: url)
    head.httpMethod = "HEAD"
    for _ in 1...2 {
      let (_, response) = try await session.data(for: head)
      XCTAssertEqual(
        (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Length"), "4398046511104",
        "HEAD uses no response up")
    }
    var part = URLRequest(url: url)
    part.setValue("bytes=1-3", forHTTPHeaderField: "Range")
    let (data, response) = try await session.data(for: part)
    XCTAssertEqual(data, Data("ead".utf8))
    XCTAssertEqual(
      (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Range"), "bytes 1-3/4398046511104")
    let (next, _) = try await session.data(from: url)
    XCTAssertEqual(next, Data("next".utf8))
  }

  func testSessionsDoNotKnowEachOthersStubs() async throws {
    let url = URL(string: "https://api.example/a")!
    let sessions = (0..<40).map { session(StubEndpoint(.get, "/a", .text("\($0)"))) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, session) in sessions.enumerated() {
        group.addTask {
          for _ in 0..<5 {
            let (data, _) = try await session.data(from: url)
            XCTAssertEqual(String(decoding: data, as: UTF8.self), "\(number)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  func testAPartOfAResourceIsSentAsByAServer() async throws {
    let session = session(
      StubEndpoint(.get, "/film", .data(Data("0123456789".utf8), type: "video/mp4").with(header: "ETag", "\"1\"")),
      StubEndpoint(.get, "/text", .text("0123456789")))
    let rows: [(path: String, fields: [String: String], status: Int, range: String?, body: String)] = [
      ("film", [:], 200, nil, "0123456789"), ("film", ["Range": "bytes=2-4"], 206, "bytes 2-4/10", "234"),
      ("film", ["Range": "bytes=-3"], 206, "bytes 7-9/10", "789"),
      ("film", ["Range": "bytes=10-"], 416, "bytes */10", ""), ("film", ["If-None-Match": "\"1\""], 304, nil, ""),
      ("film", ["Range": "bytes=2-4", "If-Range": "\"2\""], 200, nil, "0123456789"),
      ("text", ["Range": "bytes=2-4"], 200, nil, "0123456789"),
    ]
    for row in rows {
      var request = URLRequest(url: URL(string: "https://api.example/\(row.path)")!)
      for (name, value) in row.fields { request.setValue(value, forHTTPHeaderField: name) }
      let (data, response) = try await session.data(for: request)
      let http = try XCTUnwrap(response as? HTTPURLResponse)
      XCTAssertEqual(http.statusCode, row.status, "\(row)")
      XCTAssertEqual(http.value(forHTTPHeaderField: "Content-Range"), row.range, "\(row)")
      XCTAssertEqual(String(decoding: data, as: UTF8.self), row.body, "\(row)")
    }
  }

  func testAConditionMayUseItsOwnSession() async throws {
    let other = Locked<URLSession?>(nil)
    let session = session(
      StubEndpoint(.get, "/inner", .text("inner")),
      StubEndpoint(
        .request(
          .get, "/outer",
          where: .satisfying("uses the session") { _ in
            let isDone = DispatchSemaphore(value: 0)
            let task = other.withLock(\.self)?.dataTask(with: URL(string: "https://api.example/inner")!) { _, _, _ in
              isDone.signal()
            }
            task?.resume()
            return isDone.wait(timeout: .now() + 5) == .success
          }), .text("outer")))
    other.withLock { $0 = session }
    let (data, _) = try await session.data(from: URL(string: "https://api.example/outer")!)
    XCTAssertEqual(String(decoding: data, as: UTF8.self), "outer")
  }

  func testTasksOfASessionShareTheCountOfResponses() async throws {
    let session = session(
      StubEndpoint(.get, "/a", .status(404)), StubEndpoint(.get, "/a", .ok, times: 25))
    let url = URL(string: "https://api.example/a")!
    let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<40 { group.addTask { (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode } }
      return try await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    XCTAssertEqual(statuses.count { $0 == 200 }, 25)
    XCTAssertEqual(statuses.count { $0 == 404 }, 15)
  }
}
