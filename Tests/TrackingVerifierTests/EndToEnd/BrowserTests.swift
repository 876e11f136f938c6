import TestSupport
import TrackingVerifier

/// A real browser and a page of another origin: what keeps web pages from posting events, and what lets one in.
final class BrowserTests: XCTestCase {
  /// A page on another port that posts one event, with cookies as Snowplow's web tracker does, and then shows the result in its text.
  private func resultOfPage(posting endpoint: URL, from origin: PageServer, in browser: Tool) throws -> String {
    try resultOfPage(
      running: """
        fetch("\(endpoint.absoluteString)", {
          method: "POST", headers: {"Content-Type": "application/json"}, body: '{"name":"from_page"}', credentials: "include"
        }).then(response => response.status, error => "refused by the browser")
        """, from: origin, in: browser)
  }

  private func resultOfPage(running script: String, from origin: PageServer, in browser: Tool) throws -> String {
    try origin.write(
      """
      <p id="result">waiting</p>
      <script>
        Promise.resolve(\(script)).then(text => document.getElementById("result").textContent = text)
      </script>
      """)
    let page = try browser.output(
      "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=10000", "--dump-dom",
      origin.url.absoluteString)
    let match = try XCTUnwrap(page.firstMatch(of: /<p id="result">(.*?)<\/p>/), page)
    return String(match.1)
  }

  func testAPageOfAnotherOriginIsRefusedAndTheTestIsToldSo() throws {
    let browser = try Tool.browser()
    let page = try PageServer()
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.start()
    XCTAssertEqual(try resultOfPage(posting: verifier.endpoint.url, from: page, in: browser), "refused by the browser")
    XCTAssertEqual(verifier.events, [])
    verifier.stop()
    XCTAssertEqual(reporter.messages.count, 1)
    let message = (reporter.messages.first ?? "").split { $0.isWhitespace }.joined(separator: " ")
    let told = #"the origin "http://127.0.0.1:\#(page.port)" isn't allowed Add it to allowedOrigins."#
    XCTAssertTrue(message.contains(told), message)
  }

  func testAPageOfAnAllowedOriginPostsItsEvent() throws {
    let browser = try Tool.browser()
    let page = try PageServer()
    let origin = "http://127.0.0.1:\(page.port)"
    let verifier = TrackingVerifier(with: self, configuration: .init(server: .init(allowedOrigins: [origin])))
    verifier.start()
    XCTAssertEqual(try resultOfPage(posting: verifier.endpoint.url, from: page, in: browser), "204")
    verifier.wait(for: .init(name: "from_page"))
  }

  func testABeaconWithAStringIsAnEventOfAnAllowedPage() throws {
    let browser = try Tool.browser()
    let page = try PageServer()
    let origin = "http://127.0.0.1:\(page.port)"
    let verifier = TrackingVerifier(with: self, configuration: .init(server: .init(allowedOrigins: [origin])))
    verifier.start()
    let script = #"navigator.sendBeacon("\#(verifier.endpoint.url.absoluteString)", '{"name":"page_left"}')"#
    XCTAssertEqual(try resultOfPage(running: script, from: page, in: browser), "true")
    verifier.wait(for: .init(name: "page_left"))
  }
}

/// A server with one page, whose origin is another one than the verifier's.
private final class PageServer {
  let port: Int
  private let server = TrackingServer()

  var url: URL { URL(string: "http://127.0.0.1:\(port)/page.html")! }

  init() throws {
    try server.start()
    port = try XCTUnwrap(server.endpoint?.url.port)
  }

  deinit { server.stop() }

  func write(_ page: String) throws {
    try server.install([StubEndpoint(.get, "/page.html", .text(page, type: "text/html; charset=utf-8"))], files: nil)
  }
}
