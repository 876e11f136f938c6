import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: mParticle's Events API schema and mparticle-apple-sdk (MPIConstants.m, MPNetworkCommunication.m:53).
  /// mParticle: batches of the server SDKs (`/v2/events`, `/v2/bulkevents`) and of the native SDKs (`/v2/KEY/events`).
  ///
  /// The native SDKs use only https, so a proxy or the app must redirect their requests.
  public static let mParticle = AcceptedFormat(
    "mParticle",
    server("/v2/events", events: "events[]"), server("/v2/bulkevents", events: "[].events[]"),
    JSONEventFormat(
      "mParticle", .post, "/v1/:key/events", "/v2/:key/events", "/v3/:key/events", events: "msgs[]", kind: .automatic,
      name: "dt", params: ".", id: "id", time: "ct"
    )
    .with(.track, where: ["dt": "e"], name: "n", params: "attrs")
    .with(.screen, where: ["dt": "v"], name: "n", params: "attrs")
    .with(.identify, where: ["dt": .one(of: ["uac", "uic"])], params: ".")
    .setting { format in
      // MPMessageBuilder turns attributes into text (transformValuesToString).
      format.isText = true
      format.response = .status(202)
      format.startupRequests = [
        StubEndpoint(.get, "/v4/:key/config", .json([:])),
        StubEndpoint(
          .request(.post, "/v1/:action", body: .jsonSubset(["client_sdk": ["sdk_vendor": "mparticle"]])),
          .json(["mpid": "1", "context": "", "matched_identities": [:], "is_ephemeral": false, "is_logged_in": false])),
      ]
    })

  private static func server(_ path: StubPath, events: String) -> JSONEventFormat {
    JSONEventFormat(
      "mParticle", .post, path, events: events, kind: .automatic, where: ["event_type": .any], name: "event_type",
      params: "data", id: "data.source_message_id", time: "data.timestamp_unixtime_ms"
    )
    .with(.track, where: ["event_type": "custom_event"], name: "data.event_name", params: "data.custom_attributes")
    .with(.track, where: ["event_type": "commerce_event"], name: "event_type", params: "data")
    .with(.screen, where: ["event_type": "screen_view"], name: "data.screen_name", params: "data.custom_attributes")
    .with(
      .identify, where: ["event_type": .one(of: ["user_attribute_change", "user_identity_change"])], name: "event_type",
      params: "data"
    )
    .setting { format in
      format.response = .status(202)
      format.envelope = ["user_identities", "user_attributes", "device_info", "application_info", "mpid"]
    }
  }
}
