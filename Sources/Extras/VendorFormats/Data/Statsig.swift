import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: statsig-kit 15f379d (Event.swift, NetworkService.swift, StatsigOptions.swift:109,114).
  /// Statsig: `/v1/rgstr`; exposures are counted, but aren't events.
  public static let statsig = AcceptedFormat(
    JSONEventFormat(
      "Statsig", .post, "/v1/rgstr", "/v1/log_event", events: "events[]", name: "eventName", params: "metadata",
      time: "time"
    )
    .with(.automatic, where: ["eventName": .hasPrefix("statsig::")], name: "eventName", params: "metadata")
    .with(.automatic, where: ["eventName": .hasPrefix("auto_capture::")], name: "eventName", params: "metadata")
    .setting { format in
      format.moreParams = ["value"]
      format.envelope = ["statsigMetadata"]
      format.response = .json(["success": true], status: 202)
      format.startupRequests = [
        StubEndpoint(
          .post, "/v1/initialize",
          .json([
            "feature_gates": [:], "dynamic_configs": [:], "layer_configs": [:], "has_updates": true, "time": 1,
          ]))
      ]
    })
}
