import TrackingModel
import TrackingRules

/// The limits of an analytics provider, which silently drops or truncates what exceeds them.
public struct ProviderLimits: Sendable, EventRule {
  /// The provider's name, for example `"firebase"`.
  public let name: String
  private let longestEventName: Int
  private let longestParamName: Int
  private let longestValue: Int
  private let mostParams: Int
  private let namesAreIdentifiers: Bool
  private let reservedPrefixes: [String]
  private let reservedNames: Set<String>
  private let countsBytes: Bool

  /// Creates the limits of a provider that isn't in ``all``.
  ///
  /// Lengths are in characters, or in bytes of UTF-8 if `countsBytes` is set. With `namesAreIdentifiers`, a name consists of letters, digits
  /// and underscores and begins with a letter. No event may have one of the `reservedNames`.
  public init(
    name: String, longestEventName: Int = .max, longestParamName: Int = .max, longestValue: Int = .max,
    mostParams: Int = .max, namesAreIdentifiers: Bool = false, reservedPrefixes: [String] = [],
    reservedNames: [String] = [], countsBytes: Bool = false
  ) {
    self.name = name
    self.longestEventName = longestEventName
    self.longestParamName = longestParamName
    self.longestValue = longestValue
    self.mostParams = mostParams
    self.namesAreIdentifiers = namesAreIdentifiers
    self.reservedPrefixes = reservedPrefixes
    self.reservedNames = Set(reservedNames)
    self.countsBytes = countsBytes
  }

  /// The completion of "Expected …": `every event to be within the limits of firebase`.
  public var expectation: String { "every event to be within the limits of \(name)" }

  /// Returns the parts of an event that the provider would drop or truncate.
  public func findings(in event: TrackingEvent) -> [PlanFinding] {
    var findings = problems(ofName: event.name, params: event.params.keys.map(\.key).sorted())
      .map { PlanFinding(kind: .limit, reason: $0) }
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) {
      look(at: value, path: param.key, into: &findings)
    }
    return findings
  }

  /// Finds texts that are too long, at any depth, since providers flatten or serialize nested values.
  private func look(at value: TrackingValue, path: String, into findings: inout [PlanFinding]) {
    switch value {
    case .string(let text):
      guard length(of: text) > longestValue else { return }
      let reason = "has \(length(of: text)) \(unit), \(name) accepts at most \(longestValue)"
      findings.append(PlanFinding(kind: .limit, path: path, value: value, reason: reason))
    case .array(let values):
      for (index, value) in values.enumerated() { look(at: value, path: "\(path)[\(index)]", into: &findings) }
    case .object(let members):
      for (key, value) in members.sorted(by: { $0.key < $1.key }) {
        look(at: value, path: "\(path).\(key)", into: &findings)
      }
    case .null, .bool, .int, .unsigned, .double: break
    }
  }

  /// The limits that an event's name, its params' names or their number exceed, whatever the values.
  package func problems(ofName event: String, params: [String]) -> [String] {
    var problems = problems(of: event, "the event's name", longestEventName)
    if reservedNames.contains(event) { problems.append("the event's name \(event) is reserved by \(name)") }
    for param in params { problems += self.problems(of: param, "the param's name \(param)", longestParamName) }
    if params.count > mostParams {
      problems.append("has \(params.count) params, \(name) accepts at most \(mostParams)")
    }
    return problems
  }

  private func problems(of text: String, _ what: String, _ longest: Int) -> [String] {
    var problems: [String] = []
    if length(of: text) > longest {
      problems.append("\(what) has \(length(of: text)) \(unit), \(name) accepts at most \(longest)")
    }
    if namesAreIdentifiers, !Self.isIdentifier(text) {
      problems.append("\(what) must be letters, digits and underscores and begin with a letter for \(name)")
    }
    if let prefix = reservedPrefixes.first(where: text.hasPrefix) {
      problems.append("\(what) begins with \(prefix), which \(name) reserves")
    }
    return problems
  }

  private var unit: String { countsBytes ? "bytes" : "characters" }

  private func length(of text: String) -> Int {
    countsBytes ? text.utf8.count : text.unicodeScalars.count
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first.properties.isAlphabetic else { return false }
    return text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_"
    }
  }
}

extension ProviderLimits {
  /// All providers with published limits.
  public static let all = [amplitude, braze, cleverTap, firebase, mixpanel]

  /// Google Analytics for Firebase: longer names and values are dropped, and so are params beyond the 25th and events with a reserved name.
  public static let firebase = ProviderLimits(
    name: "firebase", longestEventName: 40, longestParamName: 40, longestValue: 100, mostParams: 25,
    namesAreIdentifiers: true, reservedPrefixes: ["firebase_", "google_", "ga_"],
    // https://firebase.google.com/docs/reference/android/com/google/firebase/analytics/FirebaseAnalytics.Event
    reservedNames: [
      "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure", "app_background",
      "app_clear_data", "app_exception", "app_remove", "app_store_refund", "app_store_subscription_cancel",
      "app_store_subscription_convert", "app_store_subscription_renew", "app_update", "app_upgrade",
      "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open", "error", "first_open",
      "first_visit", "in_app_purchase", "notification_dismiss", "notification_foreground", "notification_open",
      "notification_receive", "os_update", "session_start", "session_start_with_rollout", "user_engagement",
    ])

  /// Mixpanel: longer names and values are truncated.
  public static let mixpanel = ProviderLimits(
    name: "mixpanel", longestEventName: 255, longestParamName: 255, longestValue: 255, mostParams: 255,
    countsBytes: true)

  /// Amplitude: longer values are truncated, events with more properties are rejected.
  public static let amplitude = ProviderLimits(
    name: "amplitude", longestEventName: 1_024, longestParamName: 1_024, longestValue: 1_024, mostParams: 1_000)

  /// Braze: keys that are longer or begin with a dollar sign are removed, longer values are truncated.
  public static let braze = ProviderLimits(
    name: "braze", longestEventName: 255, longestParamName: 255, longestValue: 255, reservedPrefixes: ["$"])

  /// CleverTap: limits on params' names and values.
  public static let cleverTap = ProviderLimits(name: "clevertap", longestParamName: 120, longestValue: 512)
}
