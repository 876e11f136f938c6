import StubModel
import XCTest

/// Every case of everything that a stub is made of comes back as it was.
final class StubCodingTests: XCTestCase {
  private let folder = StubFolder.url(URL(filePath: "/tmp/a b=c%/", directoryHint: .isDirectory))

  private func check<Value: Codable & Equatable>(_ values: [Value]) throws {
    for value in values {
      let data = try JSONEncoder().encode([value])
      XCTAssertEqual(try JSONDecoder().decode([Value].self, from: data), [value])
    }
  }

  func testEveryPathComesBack() throws {
    try check([StubPath.template("/a/:b/*"), .regex(#"/a\.[0-9]+"#), .template("")])
  }

  func testEveryMethodComesBack() throws {
    try check([StubEndpoint.Method.get, .head, .post, .put, .patch, .delete, .options, "REPORT"])
  }

  func testEveryConditionComesBack() throws {
    try check([
      QueryCondition.ignored, .exact([:]), .exact(["a": "=&"]), .subset(["": ""]),
      .exactItems(["a": "1", "b": "2", "a": "3"]),
    ])
    try check([
      BodyCondition.multipart(["title": "Walden", "cover": .file(named: .hasSuffix(".png"), type: "image/png")]),
      .ignored, .exact(Data([0, 255])), .text("\u{0}\u{1f4d6}"), .json(nil),
      .json(["a": [1, 1.5, true, nil, "x", .unsigned(.max)]]), .jsonSubset([:]), .form(["a": "1"]), .formSubset([:]),
    ])
  }

  func testEveryNumberOfAnswersComesBack() throws {
    try check([StubEndpoint.Times.always, .once, .times(3)])
  }

  func testEveryFaultComesBack() throws {
    let faults = HTTPFault.Position.allCases.flatMap { position in
      HTTPFault.Effect.allCases.map { HTTPFault(at: position, $0) }
    }
    XCTAssertEqual(faults.count, 30)
    try check(faults)
  }

  func testEveryContentComesBack() throws {
    try check([
      StubResult.Content.empty, .data(Data([0, 255]), type: nil), .data(Data(), type: "a/b"), .invalid("why"),
      .file(StubFile("a")), .file(StubFile("a", in: folder)), .folder(folder),
    ])
  }

  func testEveryPartOfAnAnswerComesBack() throws {
    try check([
      StubResult.ok, .error(.notConnectedToInternet), .error(.cannotFindHost),
      StubResult(
        status: 404, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"], content: .empty, delay: 0.1,
        dribble: StubResult.Dribble(over: 1.5, pieces: 3), fault: HTTPFault(at: .response, .close), errorCode: .timedOut
      ),
    ])
  }

  func testAnEndpointComesBackWhole() throws {
    try check([
      StubEndpoint("/", .ok),
      StubEndpoint(
        .post, .regex("/a"), host: "b.example", query: .subset(["c": "d"]), headers: ["E": "f"], body: .text("g"),
        [.ok, .status(404)], times: .once, name: "h"),
    ])
  }
}
