/// The format of a plan's files.
public struct PlanFormat: Hashable, Sendable, CustomStringConvertible {
  /// The formats by their words on the command line.
  package enum Name: String, CaseIterable, Sendable {
    case trackingPlan = "tracking-plan"
    case segment
    case rudderStack = "rudderstack"
    case avo, iglu, mixpanel
  }

  let name: Name

  package init(_ name: Name) {
    self.name = name
  }

  /// Our own format: `events` by name, in one file or in a folder of files.
  public static let trackingPlan = PlanFormat(.trackingPlan)
  /// Segment Protocols, as exported by the Config API (`rules.events`) or the Public API (`rules` by key).
  public static let segment = PlanFormat(.segment)
  /// RudderStack: `rules.events`, or its API's `events`, which have an `eventType`.
  public static let rudderStack = PlanFormat(.rudderStack)
  /// Avo: an export with JSON Schemas.
  public static let avo = PlanFormat(.avo)
  /// Snowplow's Iglu: a folder of self-describing schemas, `schemas/VENDOR/NAME/jsonschema/M-R-A`.
  public static let iglu = PlanFormat(.iglu)
  /// Mixpanel Lexicon: `entries`, as uploaded, or `results`, as downloaded.
  public static let mixpanel = PlanFormat(.mixpanel)

  /// The format's word on the command line: `tracking-plan`.
  public var description: String { name.rawValue }

  var title: String {
    switch name {
    case .trackingPlan: "a tracking plan"
    case .segment: "a Segment plan"
    case .rudderStack: "a RudderStack plan"
    case .avo: "an Avo plan"
    case .iglu: "a folder of Iglu schemas"
    case .mixpanel: "a Mixpanel Lexicon"
    }
  }
}
