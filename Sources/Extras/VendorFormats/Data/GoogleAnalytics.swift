import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: ga4mp 2.0.4 (ga4mp.py).
  /// Google Analytics 4: the Measurement Protocol (`/mp/collect`).
  ///
  /// Firebase's SDKs use a private protocol and can't be redirected.
  public static let googleAnalytics = AcceptedFormat(
    JSONEventFormat(
      "Google Analytics", .post, "/mp/collect", "/debug/mp/collect", events: "events[]", name: "name", params: "params",
      time: "timestamp_micros"
    )
    .setting { format in
      format.addedParams = ["session_id", "engagement_time_msec", "debug_mode"]
      format.envelope = ["client_id", "app_instance_id", "user_id", "user_properties", "timestamp_micros"]
      format.response = .status(204)
    })
}
