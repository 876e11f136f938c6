import TrackingVendors
import XCTest

/// The events of SDKs and agents as users verify them, with one import.
nonisolated final class FormatUserTests: XCTestCase {
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 10, settling: 0.01))

  override func setUp() {
    super.setUp()
    verifier.start()
  }

  func testFormats() {
    verifier.accept(Batch())
    verifier.accept(
      AcceptedFormat("Shop", .post, "/collect") { request in
        try request.json([Book].self).map { TrackingEvent(name: $0.title) }
      })
    verifier.accept(.segment, .postHog.keeping(.screen), .amplitude(at: "/amplitude"))
    verifier.accept(
      JSONEventFormat("Reader", .post, "/pages", events: "pages[]", where: ["kind": "page"], name: "title"))
    XCTAssertEqual(verifier.url(for: .postHog).host, "localhost")
    XCTAssertEqual(verifier.redeliveredEvents, [])
  }

  func testBeacons() async {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: Unreported()))
    verifier.accept(.beacons(.get, at: "/beacon", nameKey: "t"))
    let beacon: TrackingEvent? = await verifier.verifyBeaconReceived(key: "t", value: "view")
    XCTAssertNil(beacon)
    XCTAssertEqual(verifier.values(for: "t"), [])
  }
}

private struct Unreported: FailureReporter {
  func report(_ failure: CheckFailure) {}
}

nonisolated private struct Book: Codable {
  var title: String
}

private struct Batch: EventFormat {
  let name = "Batch"
  let endpoints: [RequestPattern] = [.request(.post, "/v1/batch")]

  func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
    DecodedSubmission(items: try request.json([Book].self).map { .init(.track, TrackingEvent(name: $0.title)) })
  }
}
