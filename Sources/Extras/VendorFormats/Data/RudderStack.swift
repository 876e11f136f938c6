import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: rudder-sdk-python 2.1.9 (request.py) and rudder-sdk-swift (Configuration.swift:98, Constants.swift:178, SourceConfig.swift).
  /// RudderStack: `POST /v1/batch` in Segment's format, gzipped by default in the Python SDK.
  public static let rudderStack = AcceptedFormat(
    JSONEventFormat.segmentBatch("RudderStack", "/v1/batch").setting { format in
      format.response = .text("OK")
      // The Python SDK calls its library "analytics-python", as Segment's does, but sends a channel (client.py:272).
      format.signature = ["context.library.name": .hasPrefix("rudder"), "channel": .anyString]
      format.attemptHeader = "Rsa-Retry-Attempt"
      // rudder-sdk-swift has no `timestamp`; its versions use one spelling or the other (TrackEvent.swift).
      format.moreTimes = ["originalTimestamp", "originalTimeStamp"]
      format.startupRequests = [
        StubEndpoint(
          .get, "/sourceConfig",
          .json([
            "source": [
              "id": "test", "name": "test", "writeKey": "test", "enabled": true, "workspaceId": "test",
              "updatedAt": "2026-01-01T00:00:00.000Z", "destinations": [],
              "config": [
                "statsCollection": ["errors": ["enabled": false], "metrics": ["enabled": false]]
              ],
            ]
          ]))
      ]
    })
}
