import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

extension AcceptedFormat {
  // Sources: posthog-python 7.91.1 (request.py, client.py), posthog-ios 64c7dd0e (PostHogApi.swift:115,133), posthog-js (request.ts), and captured
  // requests.
  /// PostHog: batches of version 0 (`/batch`) and 1 (`/i/v1/analytics/events`), single events (`/capture`), logs (`/i/v1/logs`).
  public static let postHog = AcceptedFormat(
    "PostHog",
    JSONEventFormat.postHog("/batch", events: "batch[]").setting { format in
      format.response = .json(["status": "Ok"])
      // Sent when the SDK starts. A response that announces flags or surveys would cause further requests.
      let flags: TrackingValue = [
        "flags": [:], "featureFlags": [:], "featureFlagPayloads": [:], "errorsWhileComputingFlags": false,
      ]
      let remoteConfig: TrackingValue = ["hasFeatureFlags": false, "surveys": false, "sessionRecording": false]
      format.startupRequests = [
        StubEndpoint(.post, "/flags", .json(flags)), StubEndpoint(.post, "/decide", .json(flags)),
        StubEndpoint(.get, "/array/:token/config", .json(remoteConfig)),
        // Session replay, which contains no events.
        StubEndpoint(.post, "/s", .json(["status": 1])),
      ]
    },
    JSONEventFormat.postHog("/i/v1/analytics/events", events: "batch[]").setting { format in
      format.attemptHeader = "PostHog-Attempt"
      // The SDK resends an event that the response doesn't list.
      format.makeResponse = { _, submission in
        // The SDK's ids are UUIDs; hashing any other text may take very long.
        let ids = submission.items.compactMap(\.id).filter { $0.isStreamSafe() }
        let results = ids.map { ($0, ["result": "ok"] as TrackingValue) }
        return .json(["results": .object(Dictionary(results, uniquingKeysWith: { first, _ in first }))])
      }
      format.isResponsePrompt = true
    },
    JSONEventFormat.postHog("/capture", "/e", "/i/v0/e", events: "[]").setting { format in
      format.body = .form("data")
      format.response = .json(["status": 1])
    },
    OpenTelemetryLogs(
      name: "PostHog", path: "/i/v1/logs",
      addedAttributes: ["posthog*", "session.id", "sessionId", "screen.name", "app.state", "feature_flags"]))
}

extension JSONEventFormat {
  fileprivate static func postHog(_ paths: StubPath..., events: String) -> JSONEventFormat {
    var format = JSONEventFormat(
      "PostHog", events: events, name: "event", params: "properties", id: "uuid", time: "timestamp"
    )
    .with(.automatic, where: ["event": .hasPrefix("$")], name: "event", params: "properties")
    .with(.automatic, where: ["event": .lifecycle], name: "event", params: "properties")
    // posthog-js and posthog-ios (SurveyEventName).
    .with(
      .automatic, where: ["event": .one(of: ["survey shown", "survey sent", "survey dismissed", "survey abandoned"])],
      name: "event", params: "properties"
    )
    .with(.identify, where: ["event": .one(of: ["$identify", "$set"])], params: "properties")
    .with(.group, where: ["event": "$groupidentify"], params: "properties")
    .with(.alias, where: ["event": "$create_alias"], params: "properties")
    .with(.screen, where: ["event": "$screen"], name: "properties.$screen_name", params: "properties")
    .with(.screen, where: ["event": "$pageview"], name: "properties.$current_url", params: "properties")
    format.endpoints = paths.map { .request(.post, $0) }
    format.addedParams = ["$*", "token", "distinct_id"]
    return format
  }
}
