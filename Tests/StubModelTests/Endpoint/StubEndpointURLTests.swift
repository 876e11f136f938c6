import StubModel
import XCTest

/// Stubs by a whole URL.
final class StubEndpointURLTests: XCTestCase {
  func testHostPathAndQueryAreTakenFromTheURL() throws {
    XCTAssertEqual(
      StubEndpoint(.get, url: "https://api.example:8443/users/7?page=2&q=a+b", .ok),
      StubEndpoint(
        .get, "/users/7", host: "api.example", query: .exactItems(["page": "2", "q": "a b"]), .ok))
    XCTAssertEqual(
      StubEndpoint(nil, url: "http://api.example", [.status(404), .ok]),
      StubEndpoint(nil, "/", host: "api.example", query: .exact([:]), [.status(404), .ok]))
  }

  func testNothingInTheURLIsAParamOrAWildcard() throws {
    let matcher = try StubMatcher(StubEndpoint(.get, url: "https://api.example/:id/*", .ok))
    XCTAssertNotNil(matcher.match(StubRequest(method: "GET", host: "api.example", path: "/:id/*")))
    XCTAssertNil(matcher.match(StubRequest(method: "GET", host: "api.example", path: "/7/a")))
  }

  func testWhatIsNoURLIsRefusedWhenItIsInstalled() {
    for text in ["api.example/users", "https://", ""] {
      XCTAssertThrowsError(try PreparedStub(StubEndpoint(.get, url: text, .ok), folder: nil), text) {
        XCTAssertEqual("\($0)", "the path \"\(text)\" does not begin with a slash")
      }
    }
  }
}
