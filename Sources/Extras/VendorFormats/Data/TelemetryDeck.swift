import StubModel
import TrackingServer

extension AcceptedFormat {
  // Sources: TelemetryDeck's SwiftSDK ad4a03e (Signals/Signal.swift, TelemetryClient.swift:194, Events/DefaultEvents.swift,
  // Params/DefaultParams.swift). The SDK sends a signal for a new session and one for a new installation. All other `TelemetryDeck.` types come from
  // calls of the app, such as `errorOccurred(id:)` and `purchaseCompleted(transaction:)`, with their params.
  /// TelemetryDeck: `/v2` and `/v2/namespace/NAME`; all params are text, and the SDK adds about 50 of them.
  public static let telemetryDeck = AcceptedFormat(
    JSONEventFormat(
      "TelemetryDeck", .post, "/v2", "/v2/namespace/:namespace", events: "[]", name: "type", params: "payload",
      time: "receivedAt"
    )
    .with(
      .automatic,
      where: [
        "type": .one(of: [.hasPrefix("TelemetryDeck.Session."), "TelemetryDeck.Acquisition.newInstallDetected"])
      ],
      name: "type", params: "payload"
    )
    .setting { format in
      format.isText = true
      format.moreParams = ["floatValue"]
      format.addedParams = [
        "TelemetryDeck.Device.*", "TelemetryDeck.RunContext.*", "TelemetryDeck.AppInfo.*", "TelemetryDeck.SDK.*",
        "TelemetryDeck.UserPreference.*", "TelemetryDeck.Accessibility.*", "TelemetryDeck.Calendar.*",
        "TelemetryDeck.Retention.*", "TelemetryDeck.Session.*", "TelemetryDeck.Acquisition.firstSessionDate",
        "TelemetryDeck.Acquisition.isNewInstall", "platform", "systemVersion", "majorSystemVersion",
        "majorMinorSystemVersion", "appVersion",
        "buildNumber", "isSimulator", "isDebug", "isTestFlight", "isAppStore", "modelName", "architecture",
        "operatingSystem", "targetEnvironment", "locale", "region", "appLanguage", "preferredLanguage",
        "telemetryClientVersion", "extensionIdentifier",
      ]
    })
}
