import StorefrontDriver
import TrackingAudit
import XCTest

/// A whole journey, compared with a flow that was recorded and reviewed.
///
/// The flow comes from the test's bundle, so this test also runs where its sources are absent.
final class FlowTests: StorefrontTestCase {
  func testAChangedMindIsReportedStepByStep() throws {
    for command in ["open product 7", "add", "open product 99", "add", "cart", "remove 7", "checkout", "pay invoice"] {
      try app.tap(command)
    }
    verifier.assertFlow(in: .bundle(.module), masking: [.param("order_id")])
  }
}
