import StubModel
import TrackingServer

extension AcceptedFormat {
  /// TelemetryDeck: `/v2` and `/v2/namespace/NAME`; all params are text, and the SDK adds about 50 of them.
  ///
  /// Sources: TelemetryDeck's SwiftSDK ad4a03e (Signals/Signal.swift, TelemetryClient.swift:194).
  public static let telemetryDeck = AcceptedFormat(
    JSONEventFormat(
      "TelemetryDeck", .post, "/v2", "/v2/namespace/:namespace", events: "[]", name: "type", params: "payload",
      time: "receivedAt"
    )
    .with(.automatic, where: ["type": .hasPrefix("TelemetryDeck.")], name: "type", params: "payload")
    .setting { format in
      format.isText = true
      format.moreParams = ["floatValue"]
      format.addedParams = [
        "TelemetryDeck.*", "platform", "systemVersion", "majorSystemVersion", "majorMinorSystemVersion", "appVersion",
        "buildNumber", "isSimulator", "isDebug", "isTestFlight", "isAppStore", "modelName", "architecture",
        "operatingSystem", "targetEnvironment", "locale", "region", "appLanguage", "preferredLanguage",
        "telemetryClientVersion", "extensionIdentifier",
      ]
    })
}
