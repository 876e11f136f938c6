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

/// Python's web server with one page, on a port of the system's choosing.
private final class PageServer {
  let port: Int
  private let process = Process()
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  var url: URL { URL(string: "http://127.0.0.1:\(port)/page.html")! }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    process.executableURL = try Tool.python().executable
    process.arguments = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // "Serving HTTP on 127.0.0.1 port 40123 (http://127.0.0.1:40123/) ..."
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try XCTUnwrap(line.firstMatch(of: /port (\d+)/).flatMap { Int($0.1) }, line)
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  func write(_ page: String) throws {
    try Data(page.utf8).write(to: folder.appending(path: "page.html"))
  }
}
