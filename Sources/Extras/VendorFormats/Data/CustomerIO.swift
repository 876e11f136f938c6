import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: customerio 3.2.0 (track.py) and customerio-ios (SDKConfigBuilder.swift:103,109).
  /// Customer.io: the server SDKs' track API, and the Swift SDK's batches in Segment's format.
  public static let customerIO = AcceptedFormat(
    "Customer.io",
    JSONEventFormat(
      "Customer.io", .post, "/api/v1/customers/:customer/events", "/api/v1/events", events: "", name: "name",
      params: "data", id: "id", time: "timestamp"
    )
    .with(.screen, where: ["type": .one(of: ["page", "screen"])], name: "name", params: "data")
    .setting { format in
      format.response = .json([:])
      // Calls without events.
      format.startupRequests = [
        StubEndpoint(.delete, "/api/v1/customers/:customer", .json([:])),
        StubEndpoint(.put, "/api/v1/customers/:customer/devices", .json([:])),
        StubEndpoint(.delete, "/api/v1/customers/:customer/devices/:device", .json([:])),
        StubEndpoint(.post, "/api/v1/customers/:customer/suppress", .json([:])),
        StubEndpoint(.post, "/api/v1/customers/:customer/unsuppress", .json([:])),
        StubEndpoint(.post, "/api/v1/merge_customers", .json([:])),
      ]
    },
    JSONEventFormat(
      "Customer.io", .put, "/api/v1/customers/:customer", events: "", kind: .identify, name: nil, params: "."
    )
    .setting { format in format.response = .json([:]) },
    JSONEventFormat.segmentBatch("Customer.io", "/v1/b", "/v1/batch").setting { format in
      format.response = .json(["success": true])
      // The library's name is that of Segment's SDK, of which this is a fork (Plugins/Context.swift).
      format.signature = ["context.userAgent": .hasPrefix("Customer.io")]
      let settings: StubResponse = .json(["integrations": ["Customer.io Data Pipelines": [:]]])
      format.startupRequests = [
        StubEndpoint(.get, "/v1/projects/:key/settings", settings),
        StubEndpoint(.get, "/projects/:key/settings", settings),
      ]
    })
}
