import TestSupport
import TrackingServer
import TrackingVendors

/// The vendors' own Python SDKs, pointed at a verifier, as `Scripts/live-sdks` runs them.
final class LiveSDKTests: XCTestCase {
  private struct AddedToCart: TrackingSchema, Equatable {
    static let eventName = "added_to_cart"
    var product: String
    var quantity: Int
  }

  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30, reporter: reporter))

  /// The folder in which pip installed a package; skips the test if the package isn't installed.
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
    let url = verifier.url(for: format).absoluteString
    let header = "import sys\nsys.path.insert(0, '\(folder)')\nsys.stderr = sys.stdout\nurl = '\(url)'\n"
    let output = try python.output("-c", header + program + "\nprint('done')")
    guard output.hasSuffix("done\n") else { return XCTFail("the program of \(package) failed: \(output)") }
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
    verifier.respondToEvents(with: [.ok.failing(HTTPFault(.reset, at: .response)), .json(["success": true])])
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

  /// Its response names each event, or the SDK sends it again.
  func testPostHogsNewProtocolWithEachCompression() throws {
    for compression in ["'gzip'", "'deflate'", "None"] {
      verifier.reset()
      try run(
        "posthog", for: .postHog,
        """
        from posthog import Posthog
        client = Posthog('phc_k', host=url, capture_mode='v1', capture_compression=\(compression))
        client.set(distinct_id='u', properties={'plan': 'free'})
        for n in (1, 2, 3): client.capture('added_to_cart', distinct_id='u', properties={'product': '42', 'quantity': n})
        client.shutdown()
        """)
    }
  }

  func testPostHogRequestsFlags() throws {
    try run(
      "posthog", for: .postHog,
      """
      from posthog import Posthog
      client = Posthog('phc_k', host=url)
      assert client.feature_enabled('new-cart', 'u') in (False, None)
      for n in (1, 2, 3): client.capture('added_to_cart', distinct_id='u', properties={'product': '42', 'quantity': n})
      client.shutdown()
      """)
  }

  func testAmplitude() throws {
    for path in ["/2/httpapi", "/batch"] {
      verifier.reset()
      try runAmplitude(at: path)
    }
  }

  private func runAmplitude(at path: String) throws {
    try run(
      "amplitude-analytics", for: .amplitude,
      """
      from amplitude import Amplitude, BaseEvent, Config
      url = url.replace('/2/httpapi', '\(path)')
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

  func testMixpanelInBatchesAndByImport() throws {
    try run(
      "mixpanel", for: .mixpanel,
      """
      import time
      from mixpanel import Mixpanel, BufferedConsumer
      consumer = BufferedConsumer(
        max_size=50, events_url=url + '/track', people_url=url + '/engage', import_url=url + '/import')
      client = Mixpanel('t', consumer=consumer)
      for n in (1, 2): client.track('u', 'added_to_cart', {'product': '42', 'quantity': n})
      client.import_data('key', 'u', 'added_to_cart', int(time.time()), {'product': '42', 'quantity': 3}, api_secret='s')
      consumer.flush()
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

  func testGoogleAnalyticsAlsoWithPostponedEvents() throws {
    try run(
      "ga4mp", for: .googleAnalytics,
      """
      from ga4mp import GtagMP
      client = GtagMP('secret', 'G-1', 'client')
      client._base_domain = url + '/mp/collect'
      def event(n):
        event = client.create_new_event('added_to_cart')
        event.set_event_param('product', '42'); event.set_event_param('quantity', n)
        return event
      client.send([event(1), event(2)])
      client.send([event(3)], postpone=True)
      client.postponed_send()
      """)
  }

  func testCustomerIO() throws {
    try run(
      "customerio", for: .customerIO,
      """
      from customerio import CustomerIO
      client = CustomerIO('site', 'key')
      client.base_url = url + '/api/v1'
      client.identify('anna@example.com', plan='free')
      for n in (1, 2): client.track('anna@example.com', 'added_to_cart', {'product': '42', 'quantity': n})
      client.track_anonymous('a', 'added_to_cart', {'product': '42', 'quantity': 3})
      client.add_device('anna@example.com', 'd', 'ios')
      client.delete('anna@example.com')
      """)
  }

  func testHeap() throws {
    try run(
      "heapapi", for: .heap,
      """
      from heapapi import HeapAPIClient
      client = HeapAPIClient(1)
      client.track_api, client.props_api = url + '/api/track', url + '/api/add_user_properties'
      client.track('u', 'added_to_cart', {'product': '42', 'quantity': 1})
      client.add_user_properties('u', {'plan': 'free'})
      client.bulk_track([
        {'identity': 'u', 'event': 'added_to_cart', 'properties': {'product': '42', 'quantity': n}} for n in (2, 3)])
      """)
  }

  func testOpenTelemetry() throws {
    for compression in ["NoCompression", "Gzip", "Deflate"] {
      verifier.reset()
      try runOpenTelemetry(compression)
    }
  }

  private func runOpenTelemetry(_ compression: String) throws {
    try run(
      "opentelemetry-exporter-otlp-proto-http", for: .openTelemetry,
      """
      from opentelemetry.sdk._logs import LoggerProvider
      from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
      from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
      from opentelemetry.exporter.otlp.proto.http import Compression
      from opentelemetry._logs import LogRecord
      provider = LoggerProvider()
      provider.add_log_record_processor(SimpleLogRecordProcessor(OTLPLogExporter(endpoint=url, compression=Compression.\(compression))))
      logger = provider.get_logger('shop')
      for n in (1, 2, 3): logger.emit(LogRecord(event_name='added_to_cart', attributes={'product': '42', 'quantity': n}))
      provider.shutdown()
      """)
  }
}
