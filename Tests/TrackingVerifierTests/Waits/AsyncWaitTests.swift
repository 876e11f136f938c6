import TestSupport
import TrackingVerifier

final class AsyncWaitTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0.05, reporter: reporter))

  func testAnEventDuringTheWaitEndsIt() async {
    let tracker = verifier.tracker
    Thread { tracker.trackEvent(.tapped) }.start()
    let event = await verifier.wait(for: .tapped, timeout: 60)
    XCTAssertEqual(event, .tapped)
  }

  func testTypedEventsAndPatterns() async {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    let byClosure = await verifier.wait(for: .typed(AddedToCart.self) { $0.quantity == 2 })
    let byValue = await verifier.wait(for: AddedToCart(productID: "42", quantity: 2))
    let byName = await verifier.wait(for: .named("added_to_cart"))
    XCTAssertEqual(byClosure.map { TrackingEvent($0) }, byValue)
    XCTAssertEqual(byName, TrackingEvent(AddedToCart(productID: "42", quantity: 2)))
    XCTAssertEqual(reporter.messages, [])
  }

  func testACancelledTaskEndsItsWaitAtOnce() async {
    let verifier = verifier
    let task = Task { await verifier.wait(for: .tapped, timeout: 600) }
    task.cancel()
    let event = await task.value
    XCTAssertNil(event)
    XCTAssertEqual(reporter.failures.map(\.kind), [.cancelled])
  }

  func testFiveHundredWaitsAtOnceNeedNoThreadsOfTheirOwn() async {
    let verifier = verifier
    await withTaskGroup { group in
      for index in 0..<500 {
        group.addTask {
          await verifier.wait(for: AddedToCart(productID: "\(index)", quantity: 1), timeout: 60)
        }
      }
      for index in (0..<500).reversed() {
        verifier.tracker.track(AddedToCart(productID: "\(index)", quantity: 1))
      }
    }
    XCTAssertEqual(reporter.messages, [])
  }
}
