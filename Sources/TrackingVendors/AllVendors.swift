import TrackingServer

extension AcceptedFormat {
  /// All vendors' formats at their default paths, ordered by vendor.
  ///
  /// Use it for a server that records whatever arrives. A test should accept only its app's formats, so that any other is rejected.
  public static let allVendors: [AcceptedFormat] = [
    .amplitude, .aptabase, .bugsnag, .countly, .customerIO, .datadog, .googleAnalytics, .heap, .instana, .mParticle,
    .matomo,
    .mixpanel, .openPanel, .openTelemetry, .postHog, .rudderStack, .segment, .sentry, .snowplow, .statsig,
    .telemetryDeck,
  ]
}
