/// The format of a plan's files.
public enum PlanFormat: String, CaseIterable, Sendable {
  /// Our own format: `events` by name, in one file or in a folder of files.
  case trackingPlan = "tracking-plan"
  /// Segment Protocols, as exported by the Config API (`rules.events`) or the Public API (`rules` by key).
  case segment
  /// RudderStack: `rules.events`, or its API's `events`, which have an `eventType`.
  case rudderStack = "rudderstack"
  /// Avo: an export with JSON Schemas.
  case avo
  /// Snowplow's Iglu: a folder of self-describing schemas, `schemas/VENDOR/NAME/jsonschema/M-R-A`.
  case iglu
  /// Mixpanel Lexicon: `entries`.
  case mixpanel

  var title: String {
    switch self {
    case .trackingPlan: "a tracking plan"
    case .segment: "a Segment plan"
    case .rudderStack: "a RudderStack plan"
    case .avo: "an Avo plan"
    case .iglu: "a folder of Iglu schemas"
    case .mixpanel: "a Mixpanel Lexicon"
    }
  }
}
