import TrackingServer

extension AcceptedFormat {
  /// Every vendor's format at its own paths, by the vendors' names.
  ///
  /// For a server that looks at whatever arrives. A test accepts the formats that its app sends: a wrong one is then a rejection.
  public static let allVendors: [AcceptedFormat] = [
    .amplitude, .aptabase, .bugsnag, .countly, .customerIO, .datadog, .googleAnalytics, .heap, .instana, .mParticle,
    .matomo,
    .mixpanel, .openPanel, .openTelemetry, .postHog, .rudderStack, .segment, .sentry, .snowplow, .statsig,
    .telemetryDeck,
  ]
}
