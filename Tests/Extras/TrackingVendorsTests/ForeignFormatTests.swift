import TestSupport
import TrackingVendors

/// Events in formats that other SDKs send.
final class ForeignFormatTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30, reporter: reporter))
  private lazy var client = AppClient(verifier)

  override func setUp() {
    super.setUp()
    verifier.start()
  }

  func testACustomFormat() async throws {
    verifier.accept(Batch())
    let response = try await client.send(
      "POST", "/v1/batch", #"{"messages":[{"event":"cart_shown"},{"event":"purchase","total":30}]}"#)
    XCTAssertEqual(response.status, 200)
    await verifier.wait(for: .inOrder([.named("cart_shown"), .named("purchase", params: ["total": 30])]))
    XCTAssertEqual(verifier.requests, [])
    let other = try await client.send("GET", "/v1/batch").status
    XCTAssertEqual(other, 404)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testABodyThatTheFormatRefusesIsARejectedSubmission() async throws {
    verifier.accept(Batch())
    let response = try await client.send("POST", "/v1/batch", "[]")
    XCTAssertEqual(response.status, 400)
    XCTAssertEqual(response.text, #"{"error":"Batch: it has no messages"}"# + "\n")
    verifier.stop()
    // The second came a moment after the first, however long that was.
    assertTexts(
      reporter.messages.map { $0.replacing(/#2  \+[0-9.]+ m?s +/, with: "#2  ").replacing(/\+0 ms +/, with: "") },
      [
        """
        1 submission was rejected (400): Batch: it has no messages

        Received, by time since the first arrival:
            #1  POST /v1/batch -> 400
            #2  a rejected submission (400)

        Its body:
            []
        """
      ])
  }

  // MARK: - Beacons

  func testABeaconDuringTheWaitEndsIt() async throws {
    verifier.accept(.beacons(at: "/"))
    let client = client
    async let response = client.send("POST", "/", "t\tsessionStart\n\nt\thttpRequest\nu\t/books\n", type: "text/plain")
    let beacon = await verifier.verifyBeaconReceived(key: "t", value: "httpRequest")
    XCTAssertEqual(beacon, TrackingEvent(name: "beacon", params: ["t": "httpRequest", "u": "/books"]))
    let status = try await response.status
    XCTAssertEqual(status, 200)
    XCTAssertEqual(verifier.values(for: "t"), ["sessionStart", "httpRequest"])
    XCTAssertEqual(reporter.messages, [])
  }

  func testARepeatedKeyIsFoundByEachOfItsValues() async throws {
    verifier.accept(.beacons(at: "/"))
    _ = try await client.send("POST", "/", "t\tfirst\nt\tsecond\n", type: "text/plain")
    await verifier.verifyBeaconReceived(key: "t", value: "first", timeout: 0)
    await verifier.verifyBeaconReceived(key: "t", value: "second", timeout: 0)
    XCTAssertEqual(verifier.values(for: "t"), ["first", "second"])
    XCTAssertEqual(reporter.messages, [])
  }

  func testValuesAreThoseOfAllEventsThatHaveTheParam() {
    for quantity in 1...3 {
      verifier.tracker.track(AddedToCart(productID: "42", quantity: quantity))
    }
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.values(for: "quantity"), [1, 2, 3])
  }

  func testAnEventIsNotMistakenForABeacon() async {
    verifier.tracker.trackEvent(TrackingEvent(name: "beacon", params: ["t": "httpRequest"]))
    let beacon = await verifier.verifyBeaconReceived(key: "t", value: "httpRequest", timeout: 0)
    XCTAssertNil(beacon)
    XCTAssertEqual(reporter.messages.count, 1)
  }

  func testAMissingBeaconNamesTheNearest() async throws {
    verifier.accept(.beacons(at: "/"))
    _ = try await client.send("POST", "/", "t\thttpReqest\n", type: "text/plain")
    let (beacon, line) =
      (await verifier.verifyBeaconReceived(key: "t", value: "httpRequest", timeout: 0), #line as UInt)
    XCTAssertNil(beacon)
    XCTAssertEqual(reporter.lines, [line])
    assertTexts(
      reporter.messages.map { $0.replacing(/\d+(\.\d+)? (ms|s) before/, with: "N before") },
      [
        """
        No beacon with t: httpRequest arrived within 0 s; #1 has t: "httpReqest"

        Nearest is #1, N before the wait began (- expected, + arrived):
              beacon
            - t: one of "httpRequest", an array with an element that is "httpRequest"
            + t: "httpReqest"
        """
      ])
  }
}

/// A format as an analytics SDK has it.
private struct Batch: EventFormat {
  let name = "Batch"
  let endpoints: [RequestPattern] = [.request(.post, "/v1/batch")]

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    guard let batch = try? request.json(Messages.self) else { throw NoMessages() }
    return DecodedSubmission(
      items: batch.messages.map { message in
        .init(.track, TrackingEvent(name: message.event, params: message.total.map { ["total": .int($0)] } ?? [:]))
      })
  }

  private struct Messages: Decodable {
    struct Message: Decodable {
      var event: String
      var total: Int?
    }

    var messages: [Message]
  }

  private struct NoMessages: Error, CustomStringConvertible {
    let description = "it has no messages"
  }
}
