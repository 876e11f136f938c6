import TestSupport
import TrackingVerifier

/// Events from a client that knows nothing of us.
final class CurlTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
  private let json = "Content-Type: application/json"

  private func run(_ curl: Tool, _ family: String, host: String, _ header: String, _ body: String) throws -> String {
    verifier.start()
    let port = try XCTUnwrap(verifier.endpoint.url.port)
    return try curl.output(
      "-sS", family, "-o", "-", "-w", "%{http_code}", "-H", header, "-d", body, "http://\(host):\(port)/")
  }

  func testAnEventOverIPv6() throws {
    let curl = try Tool("curl")
    verifier.start()
    try XCTSkipUnless(verifier.endpoint.url.absoluteString.contains("[::1]"), "this machine has no IPv6")
    XCTAssertEqual(try run(curl, "-6", host: "[::1]", json, #"{"name":"tapped","params":{"x":1.5}}"#), "204")
    verifier.wait(for: .init(name: "tapped", params: ["x": 1.5]))
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnArrayOfEventsOverIPv4() throws {
    let curl = try Tool("curl")
    XCTAssertEqual(try run(curl, "-4", host: "127.0.0.1", json, #"[{"name":"one"},{"name":"two"}]"#), "204")
    XCTAssertEqual(verifier.events.map(\.name), ["one", "two"])
  }

  func testABodyThatIsNotJSONGetsTheReason() throws {
    let curl = try Tool("curl")
    XCTAssertEqual(
      try run(curl, "-4", host: "localhost", json, #"{"name":"tapped","params":{"price":,}}"#),
      #"{"error":"expected a value, found \",\"","offset":35,"path":"params.price"}"# + "\n400")
  }

  func testAFormGetsTheExpectedContentType() throws {
    let curl = try Tool("curl")
    XCTAssertEqual(
      try run(curl, "-4", host: "localhost", "Accept: */*", "name=tapped"),
      #"{"error":"events are sent as Content-Type: application/json, not as application/x-www-form-urlencoded; accept(_:) takes other formats"}"#
        + "\n415")
  }
}
