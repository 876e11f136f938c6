import TestSupport
import TrackingVerifier

/// Faults that affect whatever is requested, as curl sees them.
final class InjectedFaultTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))

  /// The status and curl's exit code: 0 for a whole response, 52 for an empty one, 18 for half a body.
  private func get(_ target: String, with curl: Tool) throws -> String {
    try curl.output("-s", "-o", "/dev/null", "-w", "%{http_code} %{exitcode}", "\(verifier.baseURL)\(target)")
  }

  func testAFaultAlsoAffectsARequestWithoutAStub() throws {
    let curl = try Tool("curl")
    verifier.start()
    verifier.inject(HTTPFault(.close, at: .response), times: 1)
    XCTAssertEqual(try get("/books", with: curl), "000 52")
    XCTAssertEqual(verifier.unmatchedRequests.map(\.fault), [HTTPFault(.close, at: .response)])
  }

  func testAFaultThatIsPendingKeepsNoStopWaiting() async throws {
    verifier.start()
    verifier.stub(.get, "/slow", .ok.delayed(by: 600))
    verifier.stub(.get, "/body", .text("Walden").dribbled(over: 600))
    verifier.stub(.get, "/stalled", .fault(HTTPFault(.stall, at: .response)))
    let client = AppClient(verifier)
    let responses = Task {
      await withTaskGroup(of: Bool.self) { group in
        for target in ["/slow", "/body", "/stalled"] {
          group.addTask { (try? await client.text(target)) == nil }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
    }
    await verifier.wait(for: .request(.get, "/*"), count: .atLeast(3), timeout: 30)
    verifier.stop()
    let withoutResponse = await responses.value
    XCTAssertEqual(withoutResponse, 3)
    XCTAssertEqual(reporter.messages, [])
  }
}
