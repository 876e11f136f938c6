import Foundation
import StubModel
import TestSupport
import TrackingModel
import TrackingServer
import TrackingVendors
import TrackingVerifier
import XCTest

/// The vendors' own Python SDKs, pointed at a verifier, as `Scripts/live-sdks` runs them.
final class LiveSDKTests: XCTestCase {
  private struct AddedToCart: TrackingSchema, Equatable {
    static let eventName = "added_to_cart"
    var product: String
    var quantity: Int
  }

  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30, reporter: reporter))

  /// Where pip installed a package; skips the test if it did not.
  private func folder(of package: String) throws -> String {
    guard let folder = ProcessInfo.processInfo.environment["TRACKING_SDKS"] else {
      throw XCTSkip("no SDK is installed; Scripts/live-sdks installs some and runs this test")
    }
    guard FileManager.default.fileExists(atPath: "\(folder)/\(package)") else {
      throw XCTSkip("\(package) is not installed in \(folder)")
    }
    return "\(folder)/\(package)"
  }

  /// Runs a program that tracks `added_to_cart` three times, with the quantities 1 to 3.
  private func run(_ package: String, for format: AcceptedFormat, _ program: String) throws {
    let folder = try folder(of: package)
    let python = try Tool("python3")
    verifier.start()
    verifier.accept(format)
    let header = "import sys\nsys.path.insert(0, '\(folder)')\nurl = '\(verifier.url(for: format).absoluteString)'\n"
    _ = try python.output("-c", header + program)
    for quantity in 1...3 { verifier.wait(for: AddedToCart(product: "42", quantity: quantity)) }
    XCTAssertEqual(verifier.events.count, 3)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  private static let segment = """
    import segment.analytics as analytics
    analytics.write_key, analytics.host = 'k', url
    analytics.identify('u', {'plan': 'free'})
    for n in (1, 2, 3): analytics.track('u', 'added_to_cart', {'product': '42', 'quantity': n})
    analytics.shutdown()
    """

  func testSegment() throws {
    try run("segment-analytics-python", for: .segment, Self.segment)
  }

  func testSegmentSendsAgainWhatWasNotAcknowledgedAndItCountsOnce() throws {
    verifier.respondToEvents(with: [.ok.failing(Fault(at: .response, .reset)), .json(["success": true])])
    try run("segment-analytics-python", for: .segment, Self.segment)
    XCTAssertEqual(verifier.redeliveredEvents.map(\.name), Array(repeating: "added_to_cart", count: 3))
  }

  func testRudderStackCompressesItsBatches() throws {
    try run(
      "rudder-sdk-python", for: .rudderStack,
      """
      import rudderstack.analytics as analytics
      analytics.write_key, analytics.dataPlaneUrl = 'k', url
      for n in (1, 2, 3): analytics.track('u', 'added_to_cart', {'product': '42', 'quantity': n})
      analytics.shutdown()
      """)
  }

  func testPostHog() throws {
    try run(
      "posthog", for: .postHog,
      """
      from posthog import Posthog
      client = Posthog('phc_k', host=url, gzip=True)
      for n in (1, 2, 3): client.capture('added_to_cart', distinct_id='u', properties={'product': '42', 'quantity': n})
      client.shutdown()
      """)
  }

  func testAmplitude() throws {
    try run(
      "amplitude-analytics", for: .amplitude,
      """
      from amplitude import Amplitude, BaseEvent, Config
      client = Amplitude('k', Config(server_url=url, flush_queue_size=10, flush_interval_millis=100))
      for n in (1, 2, 3):
        client.track(BaseEvent('added_to_cart', user_id='u', event_properties={'product': '42', 'quantity': n}))
      for future in client.flush(): future.result()
      client.shutdown()
      """)
  }

  func testMixpanel() throws {
    try run(
      "mixpanel", for: .mixpanel,
      """
      from mixpanel import Mixpanel, Consumer
      client = Mixpanel('t', consumer=Consumer(events_url=url + '/track', people_url=url + '/engage'))
      client.people_set('u', {'plan': 'free'})
      for n in (1, 2, 3): client.track('u', 'added_to_cart', {'product': '42', 'quantity': n})
      """)
  }

  func testSnowplow() throws {
    for method in ["post", "get"] {
      verifier.reset()
      try run(
        "snowplow-tracker", for: .snowplow,
        """
        from snowplow_tracker import Emitter, Tracker, SelfDescribing, SelfDescribingJson
        from urllib.parse import urlparse
        emitter = Emitter(urlparse(url).hostname, protocol='http', port=urlparse(url).port, method='\(method)', batch_size=1)
        tracker = Tracker('ns', emitters=emitter, app_id='shop')
        for n in (1, 2, 3):
          tracker.track(SelfDescribing(SelfDescribingJson('iglu:com.shop/added_to_cart/jsonschema/1-0-0', {'product': '42', 'quantity': n})))
        tracker.flush()
        """)
    }
  }

  func testSentry() throws {
    try run(
      "sentry-sdk", for: .sentry,
      """
      import sentry_sdk
      sentry_sdk.init(dsn=url, default_integrations=False)
      for n in (1, 2, 3):
        with sentry_sdk.new_scope() as scope:
          scope.set_extra('product', '42'); scope.set_extra('quantity', n)
          sentry_sdk.capture_message('added_to_cart')
      sentry_sdk.flush()
      """)
  }

  func testOpenTelemetry() throws {
    try run(
      "opentelemetry-exporter-otlp-proto-http", for: .openTelemetry,
      """
      from opentelemetry.sdk._logs import LoggerProvider
      from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
      from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
      from opentelemetry._logs import LogRecord
      provider = LoggerProvider()
      provider.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(endpoint=url)))
      logger = provider.get_logger('shop')
      for n in (1, 2, 3): logger.emit(LogRecord(event_name='added_to_cart', attributes={'product': '42', 'quantity': n}))
      provider.shutdown()
      """)
  }
}
