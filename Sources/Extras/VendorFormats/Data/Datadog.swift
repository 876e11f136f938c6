import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: dd-sdk-ios 2b6a3fb0 (RUMConfiguration.swift:288, Logs.swift:30).
  /// Datadog: actions of real user monitoring (`/api/v2/rum`, one JSON object per line) and logs (`/api/v2/logs`).
  public static let datadog = AcceptedFormat(
    "Datadog",
    JSONEventFormat(
      "Datadog", .post, "/api/v2/rum", events: "", where: ["type": "action"], name: "action.target.name",
      params: "context", id: "action.id", time: "date"
    )
    .with(
      .automatic, where: ["type": "action", "action.type": "application_start"], name: "action.type", params: "context"
    )
    // A view is sent again with the same id on each update. The other kinds contain the id of their action.
    .with(.screen, where: ["type": "view"], name: "view.name", params: "context", id: "")
    .with(
      .automatic, where: ["type": .one(of: ["resource", "error", "long_task", "vital", "telemetry"])], name: "type",
      params: "context", id: ""
    )
    .setting { format in
      format.body = .lines
      format.path = "/api/v2/rum"
      format.response = .status(202)
      // Traces and session replay, which contain no events.
      format.startupRequests = [
        StubEndpoint(.post, "/api/v2/spans", .status(202)), StubEndpoint(.post, "/api/v2/replay", .status(202)),
      ]
    },
    JSONEventFormat(
      "Datadog", .post, "/api/v2/logs", events: "[]", where: ["message": .any], name: "message", params: ".",
      time: "date"
    )
    .setting { format in
      format.response = .status(202)
      format.addedParams = [
        "status", "date", "service", "logger.*", "logger", "version", "build_version", "ddtags", "usr", "usr.*",
        "account", "account.*", "network.*", "network", "_dd", "_dd.*", "os", "device", "application_id", "session_id",
        "view.id",
        "user_action.id",
        "ddsource", "hostname", "error.*", "error", "build_id", "buildId",
      ]
    })

  /// Returns Datadog's formats at one path for all its products, because the SDK appends no path to its `customEndpoint`.
  public static func datadog(at path: String) -> AcceptedFormat { datadog.at(path) }
}
