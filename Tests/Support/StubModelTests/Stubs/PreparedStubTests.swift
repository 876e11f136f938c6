import TestSupport

/// The errors of stubs that can't be installed.
final class PreparedStubTests: XCTestCase {
  private func reason(_ stub: StubEndpoint) -> String? {
    do {
      _ = try PreparedStub(stub, folder: nil)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func reason(_ result: StubResponse) -> String? { reason(StubEndpoint(.get, "/a", result)) }

  func testAStubHasAResponse() {
    XCTAssertEqual(reason(StubEndpoint(.get, "/a", [])), "it has no response: add at least one")
    XCTAssertNoThrow(try PreparedStub(StubEndpoint(.get, "/a") { _ in .ok }, folder: nil))
  }

  func testAStubRespondsAtLeastOnce() {
    XCTAssertEqual(
      reason(StubEndpoint(.get, "/a", .ok, times: 0)), "a stub must respond at least once, not 0 times")
    XCTAssertEqual(
      reason(StubEndpoint(.get, "/a", .ok, times: -1)), "a stub must respond at least once, not -1 times")
    XCTAssertNil(reason(StubEndpoint(.get, "/a", .ok, times: 1)))
  }

  func testAPathThatIsNoneIsRefused() {
    XCTAssertEqual(reason(StubEndpoint(.get, "/:a/:a", .ok)), #"the path "/:a/:a" has the param :a twice"#)
    XCTAssertEqual(reason(StubEndpoint(.get, .regex("["), .ok)), #"the path "[" isn't a valid regular expression"#)
  }

  func testAStatusIsThatOfAFinalResponse() {
    for status in [-1, 0, 100, 199, 600, 1_000] {
      XCTAssertEqual(
        reason(.status(status)), "\(status) isn't the status of a final response, which is from 200 to 599")
    }
    for status in [200, 204, 302, 404, 599] { XCTAssertNil(reason(.status(status))) }
  }

  func testTimesAreSecondsThatEnd() {
    XCTAssertEqual(reason(.ok.delayed(by: -1)), "a response can't be delayed by -1.0 s")
    XCTAssertEqual(reason(.ok.delayed(by: .infinity)), "a response can't be delayed by inf s")
    XCTAssertEqual(reason(.ok.delayed(by: .nan)), "a response can't be delayed by nan s")
    XCTAssertEqual(reason(.ok.dribbled(over: 1, pieces: 0)), "a body can't be sent in 0 pieces over 1.0 s")
    XCTAssertEqual(reason(.ok.dribbled(over: -1)), "a body can't be sent in 10 pieces over -1.0 s")
    XCTAssertEqual(
      reason(.stream(StubStream()).dribbled(over: 1)),
      "a stream is sent as the test writes it, so it can't be sent in pieces")
    XCTAssertNil(reason(.ok.delayed(by: 0).dribbled(over: 0, pieces: 1)))
  }

  func testAHeaderCannotSplitAResponse() {
    XCTAssertEqual(reason(.ok.with(header: "X", "a\r\nY: b")), "the header X: a\r\nY: b can't be sent")
    XCTAssertEqual(reason(.ok.with(header: "X Y", "a")), "the header X Y: a can't be sent")
    XCTAssertEqual(reason(.ok.with(header: "", "a")), "the header : a can't be sent")
    XCTAssertEqual(
      reason(.ok.with(header: "content-LENGTH", "3")),
      "the header content-LENGTH: 3 can't be sent, because the server sets it")
    XCTAssertNil(reason(.ok.with(header: "X-A", "caf\u{e9}\t\"x\"")))
    XCTAssertEqual(
      reason(.text("", type: "text/plain\r\nY: b")), "the header Content-Type: text/plain\r\nY: b can't be sent")
  }

  func testAConnectionIsClosedByAFaultAndNotByAHeader() {
    for value in ["close", "Close", "keep-alive, close"] {
      XCTAssertEqual(
        reason(.ok.with(header: "Connection", value)),
        "the header Connection: \(value) can't be sent, because the server sets it: to close the connection, use HTTPFault(.close, at: .afterResponse)"
      )
    }
    XCTAssertEqual(
      reason(.ok.with(header: "connection", "keep-alive")),
      "the header connection: keep-alive can't be sent, because the server sets it")
    XCTAssertNil(reason(.ok.failing(HTTPFault(.close, at: .afterResponse))))
  }

  func testAnEarlyFaultCannotWaitForTheBody() {
    for position in [HTTPFault.Position.requestHead, .requestBody] {
      let fault = HTTPFault(.stall, at: position)
      XCTAssertEqual(
        reason(StubEndpoint(.request(.post, "/a", body: .text("x")), .fault(fault))),
        "a stub that looks at the body can't have \(fault), which comes before the body has arrived")
      XCTAssertNil(reason(.fault(fault)))
    }
    XCTAssertEqual(
      reason(.fault(HTTPFault(.reset, at: .accept))),
      "a connection is accepted before a request arrives, so a stub can't have reset at accept: use inject(_:)")
  }

  func testAValueThatCannotBeEncodedIsNamed() {
    struct Book: Encodable {
      struct Mistake: Error, CustomStringConvertible {
        let description = "no title"
      }

      func encode(to encoder: any Encoder) throws { throw Mistake() }
    }

    XCTAssertEqual(reason(.json(Book())), "Book can't be encoded as JSON: no title")
    XCTAssertEqual(
      reason(StubEndpoint(.get, "/a", [.ok, .json([Book()])])), "Array<Book> can't be encoded as JSON: no title")
  }

  func testAFolderIsSearchedForFilesByTheEndOfThePath() {
    let folder = StubFolder.url(FileManager.default.temporaryDirectory)
    XCTAssertEqual(
      reason(StubEndpoint(.get, "/a", .files(in: folder))),
      #"the path "/a" names no file of the folder: end it with /*"#)
    XCTAssertNil(reason(StubEndpoint(.get, "/a/*", .files(in: folder))))
    XCTAssertNil(reason(StubEndpoint(.get, "*", .files(in: folder))))
  }

  func testAMethodThatIsNoneIsRefused() {
    for method in ["", "G T", "GET\n"] {
      let stub = StubEndpoint(ReceivedRequest.Method(rawValue: method), "/", .ok)
      XCTAssertThrowsError(try PreparedStub(stub, folder: nil)) {
        XCTAssertEqual("\($0)", "the method \"\(method)\" isn't valid: write a word like GET, or .any")
      }
    }
  }
}
