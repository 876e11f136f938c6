import StubModel
import TrackingPatterns
import TrackingServer

extension AcceptedFormat {
  /// Segment: `POST /v1/batch` of the server SDKs, `POST /v1/b` of analytics-swift (`/b` if `apiHost` has no path).
  public static let segment = AcceptedFormat(
    JSONEventFormat.segmentBatch("Segment", "/v1/batch", "/v1/b", "/b", "/v1/import").setting { format in
      format.response = .json(["success": true])
      // Only segment-analytics-python 2.x counts its attempts, from the first retry on (request.py).
      format.attemptHeader = "X-Retry-Count"
      // analytics-swift c9a0d63 queues events until this request succeeds or fails (Settings.swift). With `{}` it sends nothing at all (observed).
      format.startupRequests = [
        StubEndpoint(.get, "/v1/projects/:key/settings", .json(["integrations": ["Segment.io": [:]]])),
        StubEndpoint(.get, "/projects/:key/settings", .json(["integrations": ["Segment.io": [:]]])),
      ]
    })
}

extension JSONEventFormat {
  // Sources: segment-analytics-python 2.4.0 (client.py), analytics-swift c9a0d63 (Types.swift), and captured requests.
  /// The batches of Segment's tracking API, which RudderStack and Customer.io also use.
  static func segmentBatch(_ name: String, _ paths: StubPath...) -> JSONEventFormat {
    var format = JSONEventFormat(
      name, events: "batch[]", where: ["type": "track"], name: "event", params: "properties", id: "messageId",
      time: "timestamp"
    )
    .with(.automatic, where: ["type": "track", "event": .lifecycle], name: "event", params: "properties")
    .with(.identify, where: ["type": "identify"], params: "traits")
    .with(.screen, where: ["type": .one(of: ["screen", "page"])], name: "name", params: "properties")
    .with(.group, where: ["type": "group"], params: "traits")
    .with(.alias, where: ["type": "alias"])
    format.endpoints = paths.map { .request(.post, $0) }
    return format
  }
}

extension ValueMatcher {
  static let lifecycle = ValueMatcher.one(of: [
    "Application Installed", "Application Updated", "Application Opened", "Application Foregrounded",
    "Application Backgrounded", "Application Crashed",
  ])
}
