import TestSupport

/// Calls as users write them, with only the imports that users need.
final class CallShapeTests: XCTestCase {
  private struct Book: Codable, Equatable {
    var title: String
    var id = 42
    var link = URL(string: "https://books.example/42")
  }

  private enum LaunchState: String, CaseIterable, StubScenario {
    case debug, screenshots

    var stubs: [StubEndpoint] {
      switch self {
      case .debug: [StubEndpoint(.get, "/books", .json(["books": []]))]
      case .screenshots: [StubEndpoint(.get, "/books", .json(file: "books_for_screenshots"))]
      }
    }
  }

  private func body(_ result: StubResponse) -> String? {
    guard case .data(let data, "application/json") = result.content else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  func testJSONIsWrittenAsALiteralOrAsAnyValue() {
    let anything: any Encodable = Book(title: "Walden")
    let none: Book? = nil
    let value: TrackingValue = ["b": 1, "a": 2]
    let rows: [(StubResponse, String)] = [
      (.json(["id": 3, "tags": ["a", nil]]), #"{"id":3,"tags":["a",null]}"#),
      (.json(["b": 1, "a": 2]), #"{"a":2,"b":1}"#),
      (.json(["books": []]), #"{"books":[]}"#),
      (.json([:]), "{}"),
      (.json([]), "[]"),
      (.json([1, "a", 1.5, true, nil]), #"[1,"a",1.5,true,null]"#),
      (.json([1, 2]), "[1,2]"),
      (.json("text"), #""text""#),
      (.json(3), "3"),
      (.json(nil), "null"),
      (.json(true), "true"),
      (.json(value), #"{"a":2,"b":1}"#),
      (.json(Book(title: "Walden")), #"{"id":42,"link":"https://books.example/42","title":"Walden"}"#),
      (.json([Book(title: "W", link: nil)]), #"[{"id":42,"title":"W"}]"#),
      (.json(["book": Book(title: "W", link: nil)]), #"{"book":{"id":42,"title":"W"}}"#),
      (.json(anything), #"{"id":42,"link":"https://books.example/42","title":"Walden"}"#),
      (.json(none), "null"),
    ]
    for (result, text) in rows {
      XCTAssertEqual(body(result), text)
      XCTAssertEqual(result.status, 200)
    }
  }

  func testAnEncoderOfOnesOwnDecidesTheForm() {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    struct Page: Encodable { var pageNumber = 3 }
    XCTAssertEqual(body(.json(Page(), encoder: encoder, status: 201)), #"{"page_number":3}"#)
    XCTAssertEqual(StubResponse.json(Page(), encoder: encoder, status: 201).status, 201)
    XCTAssertEqual(StubResponse.json(["a": 1], status: 404).status, 404)
    XCTAssertEqual(StubResponse.json(["a": nil], status: 404).status, 404)
  }

  func testAFileOfJSONIsFoundWithOrWithoutItsExtension() {
    XCTAssertEqual(StubResponse.json(file: "book").content, .file(StubFile("book.json", isJSON: true)))
    XCTAssertEqual(StubResponse.json(file: "book.json").content, .file(StubFile("book.json", isJSON: true)))
    XCTAssertEqual(StubResponse.json(file: "book.v2").content, .file(StubFile("book.v2.json", isJSON: true)))
    let folder = StubFolder.url(FileManager.default.temporaryDirectory)
    XCTAssertEqual(
      StubResponse.json(file: "book", in: folder, status: 404),
      StubResponse(status: 404, content: .file(StubFile("book.json", in: folder, isJSON: true))))
  }

  func testAResponseIsPutTogetherInAnyOrder() {
    let result = StubResponse.json(["a": 1]).with(header: "ETag", "\"1\"").with(header: "etag", "\"2\"").with(
      status: 201
    )
    .delayed(by: 0.5).dribbled(over: 2).failing(HTTPFault(.reset, at: .responseBody))
    XCTAssertEqual(
      result,
      StubResponse(
        status: 201, headers: ["etag": "\"2\""], content: .data(Data(#"{"a":1}"#.utf8), type: "application/json"),
        delay: 0.5, dribble: StubResponse.Dribble(over: 2, pieces: 10), fault: HTTPFault(.reset, at: .responseBody)))
  }

  func testShortFormsAreWhatTheySay() {
    XCTAssertEqual(StubResponse.ok, StubResponse(status: 200))
    XCTAssertEqual(StubResponse.status(503), StubResponse(status: 503))
    XCTAssertEqual(
      StubResponse.text("a"), StubResponse(content: .data(Data("a".utf8), type: "text/plain; charset=utf-8")))
    XCTAssertEqual(
      StubResponse.data(Data([1])), StubResponse(content: .data(Data([1]), type: "application/octet-stream")))
    XCTAssertEqual(StubResponse.data(Data([1]), type: nil), StubResponse(content: .data(Data([1]), type: nil)))
    XCTAssertEqual(StubResponse.file("a.png"), StubResponse(content: .file(StubFile("a.png"))))
    XCTAssertEqual(StubResponse.error(.notConnectedToInternet).errorCode, .notConnectedToInternet)
    XCTAssertEqual(StubResponse.fault(HTTPFault(.stall, at: .response)).fault?.description, "stall at response")
    var result = StubResponse.ok
    result.errorCode = .timedOut
    XCTAssertEqual(result, .error(.timedOut))
    result.errorCode = nil
    XCTAssertEqual(result, .ok)
  }

  func testAnEndpointIsWrittenShort() {
    let folder = StubFolder.bundle(.module, folder: "StubFiles")
    let stubs = [
      StubEndpoint(.get, "/1.0/books/:id", .json(file: "book")),
      StubEndpoint(.request(.post, "/login", body: .jsonSubset(["user": "anna"])), .status(403)),
      StubEndpoint(.get, "/orders", [.status(503), .json(["orders": []])]),
      StubEndpoint(.get, "/images/*", .files(in: folder)),
      StubEndpoint(.get, .regex("/user/[0-9]+/profilepicture"), .file("hello.txt", in: folder), times: 1),
      StubEndpoint(.any, "/anything", .error(.timedOut)),
      StubEndpoint(.any, "/anything", [.status(404), .ok], times: 3, name: "late"),
      StubEndpoint(.any, "/anything", .ok),
      StubEndpoint(.request("REPORT", "/x", host: "api.example", query: .exact(["a": "1"]), headers: ["A": "b"]), .ok),
    ]
    XCTAssertEqual(
      stubs.map { "\($0)" },
      [
        "GET /1.0/books/:id", #"POST /login with {"user": "anna"} in its body"#, "GET /orders", "GET /images/*",
        "GET //user/[0-9]+/profilepicture/", "* /anything", "late", "* /anything",
        "REPORT api.example/x with the query a=1 with A: b",
      ])
    XCTAssertEqual(stubs[2].results, [.status(503), .json(["orders": []])])
    XCTAssertEqual(stubs[5].results, [.error(.timedOut)])
    XCTAssertEqual(stubs[6].results, [.status(404), .ok])
  }

  func testAScenarioIsAnEnumWithStubs() {
    XCTAssertEqual(LaunchState(rawValue: "screenshots")?.stubs.map { "\($0)" }, ["GET /books"])
    XCTAssertEqual(LaunchState.allCases.flatMap(\.stubs).count, 2)
  }

  func testARequestGivesItsPartsDecoded() throws {
    var request = ReceivedRequest(
      method: "POST", path: "/a%20b", queryText: "q=x+y&q=2&e", headers: ["A": "1", "a": "2"],
      body: Data(#"{"title": "W", "id": 1}"#.utf8))
    XCTAssertEqual(request.target, "/a%20b?q=x+y&q=2&e")
    XCTAssertEqual(request.query["q"], "x y")
    XCTAssertEqual(request.query.values(of: "q"), ["x y", "2"])
    XCTAssertEqual(request.query["e"], "")
    XCTAssertNil(request.query["Q"])
    XCTAssertEqual(request.headers["a"], "1, 2")
    XCTAssertNil(request.headers["b"])
    XCTAssertEqual(try request.json(Book.self), Book(title: "W", id: 1, link: nil))
    let book: Book = try request.json()
    XCTAssertEqual(book.title, "W")
    XCTAssertThrowsError(try request.json([Book].self))
    request.body = Data("a=1+2&b=%C3%A9%".utf8)
    XCTAssertEqual(request.form, ["a": "1 2", "b": "\u{e9}%"])
    XCTAssertEqual(request.text, "a=1+2&b=%C3%A9%")
    XCTAssertEqual("\(request.form)", "a=1 2&b=\u{e9}%")
    XCTAssertEqual(ReceivedRequest(method: "GET", path: "/").target, "/")
  }

  func testAHeaderFieldIsSetInPlaceOfItsLines() {
    var headers: MessageHeaders = ["A": "1", "b": "2", "a": "3"]
    headers["a"] = "4"
    XCTAssertEqual(headers, ["b": "2", "a": "4"])
    headers["B"] = nil
    XCTAssertEqual(headers, ["a": "4"])
  }
}
