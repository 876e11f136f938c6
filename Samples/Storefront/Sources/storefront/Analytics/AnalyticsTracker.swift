import Foundation
import TrackingModel

/// Tracks through an analytics SDK, as most apps do: `-analytics segment -analyticsURL http://127.0.0.1:50123`.
///
/// In place of the SDKs it has a small client of each wire, so that the sample depends on none of them. What an app writes to point the real SDK at a
/// test is on the vendor's page in the documentation of `TrackingVendors`.
nonisolated final class AnalyticsTracker: TrackerProtocol {
  private enum SDK {
    case segment(SegmentClient)
    case postHog(PostHogClient)
    case amplitude(AmplitudeClient)
    case mixpanel(MixpanelClient)
    case snowplow(SnowplowClient)
  }

  private let sdk: SDK
  private let uploads = Uploads()

  /// `nil` when the arguments name no SDK.
  init?(arguments: [String]) {
    func value(of name: String) -> String? {
      arguments.firstIndex(of: name).flatMap { arguments[$0...].dropFirst().first }
    }
    guard let name = value(of: "-analytics"), let url = value(of: "-analyticsURL").flatMap(URL.init(string:)) else {
      return nil
    }
    switch name {
    case "segment": sdk = .segment(SegmentClient(writeKey: "shop", host: url, uploads: uploads))
    case "postHog": sdk = .postHog(PostHogClient(projectToken: "shop", host: url, uploads: uploads))
    case "amplitude": sdk = .amplitude(AmplitudeClient(apiKey: "shop", serverURL: url, uploads: uploads))
    case "mixpanel": sdk = .mixpanel(MixpanelClient(token: "shop", serverURL: url, uploads: uploads))
    case "snowplow": sdk = .snowplow(SnowplowClient(namespace: "shop", endpoint: url, uploads: uploads))
    default: return nil
    }
  }

  func trackEvent(_ event: TrackingEvent) {
    let properties = Dictionary(uniqueKeysWithValues: event.params.map { ($0.key, $1) })
    switch sdk {
    case .segment(let analytics):
      analytics.track(name: event.name, properties: properties)
    case .postHog(let postHog):
      postHog.capture(event.name, properties: properties)
    case .amplitude(let amplitude):
      amplitude.track(eventType: event.name, eventProperties: properties)
    case .mixpanel(let mixpanel):
      mixpanel.track(event: event.name, properties: properties)
    case .snowplow(let tracker):
      tracker.track(schema: "iglu:com.storefront/\(event.name)/jsonschema/1-0-0", payload: properties)
    }
  }

  /// Waits until everything has been sent; nothing may be tracked afterwards.
  func finish() async {
    await uploads.finish()
  }
}
