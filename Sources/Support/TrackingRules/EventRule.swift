import TrackingModel

/// A rule that each event must follow, such as a tracking plan or a provider's limits.
///
/// Called on the test's thread with one event at a time, so it can't check order or number.
public protocol EventRule: Sendable {
  /// The expectation of all events, in words that continue "expected": `"every event to match the plan \"Storefront\""`.
  var expectation: String { get }

  /// Returns an event's violations of the rule; empty if there are none.
  func findings(in event: TrackingEvent) -> [PlanFinding]
}

extension EventRule {
  /// The expectation as it fails, in words that follow a number of events: `doesn't match the plan "Storefront"`.
  package func broken(by count: Int) -> String {
    for (beginning, one, many) in [("every event to be ", "isn't", "aren't"), ("every event to ", "doesn't", "don't")]
    where expectation.hasPrefix(beginning) {
      return "\(count == 1 ? one : many) \(expectation.dropFirst(beginning.count))"
    }
    return "\(count == 1 ? "breaks" : "break") a rule (\(expectation))"
  }
}

/// A rule that lists the events it knows: a tracking plan.
package protocol OutlinedRule: EventRule {
  /// The plan's name and version, which reports and observations contain as proof of what was checked.
  var identity: PlanIdentity { get }

  /// The member `plan` of a session, described in the article "The session format".
  var outline: TrackingValue { get }
}

/// A plan's name, and a digest that differs between plans with different content.
package struct PlanIdentity: Hashable, Sendable, CustomStringConvertible {
  package let name: String
  /// Sixteen hexadecimal digits.
  package let digest: String

  package init(name: String, digest: String) {
    self.name = name
    self.digest = digest
  }

  /// Reads the member `plan` of an observation.
  package init?(name: String?, digest: String?) {
    guard let name, let digest else { return nil }
    self.init(name: name, digest: digest)
  }

  package var description: String { "\"\(name)\" (\(digest))" }
}

/// An event's violation of a rule.
public struct PlanFinding: Hashable, Sendable {
  /// The kind of violation.
  public struct Kind: Hashable, Sendable {
    package enum Name: Hashable, Sendable {
      case unplannedEvent, missing, unplanned, deprecated, expired, unusable, personalData, limit
      case mismatch(keyword: String)
    }

    package let name: Name

    /// The plan has no event with this name.
    public static let unplannedEvent = Kind(name: .unplannedEvent)
    /// A required param is absent.
    public static let missing = Kind(name: .missing)
    /// The plan has no such param.
    public static let unplanned = Kind(name: .unplanned)
    /// A value breaks the JSON Schema keyword.
    public static func mismatch(keyword: String) -> Kind { Kind(name: .mismatch(keyword: keyword)) }
    /// The plan says that the event or the param should no longer be sent.
    public static let deprecated = Kind(name: .deprecated)
    /// The event's last day has passed.
    public static let expired = Kind(name: .expired)
    /// The event's part of the plan can't be used.
    public static let unusable = Kind(name: .unusable)
    /// A value or a key contains personal data.
    public static let personalData = Kind(name: .personalData)
    /// A provider would drop or shorten the event or the value.
    public static let limit = Kind(name: .limit)
  }

  /// The kind of violation.
  public let kind: Kind
  /// The param, for example `"items[0].price"`; empty for the event itself.
  public let path: String
  /// The value at the path; `nil` if it is missing, and for the event itself.
  public let value: TrackingValue?
  /// The found and the expected value: `"1" is a string, expected an integer`.
  public let reason: String
  /// The rule's place in the plan, if it has one.
  public let place: PlanPlace?
  /// Whether the violation fails a test; a deprecated or expired event usually doesn't.
  public let isFailure: Bool

  /// Creates a finding of a custom rule; deprecated and expired events fail a test only if `isFailure` is `true`.
  public init(
    kind: Kind, path: String = "", value: TrackingValue? = nil, reason: String, place: PlanPlace? = nil,
    isFailure: Bool? = nil
  ) {
    self.kind = kind
    self.path = path
    self.value = value
    self.reason = reason
    self.place = place
    self.isFailure = isFailure ?? (kind != .deprecated && kind != .expired)
  }
}

extension PlanFinding.Kind: CustomStringConvertible {
  /// The violated rule in one word: the keyword of JSON Schema, or the plan's statement.
  public var description: String {
    switch name {
    case .unplannedEvent: "unplanned-event"
    case .missing: "required"
    case .unplanned: "unplanned-param"
    case .mismatch(let keyword): keyword
    case .deprecated: "deprecated"
    case .expired: "expired"
    case .unusable: "unusable-plan"
    case .personalData: "personal-data"
    case .limit: "limit"
    }
  }
}

extension PlanFinding: CustomStringConvertible {
  /// The finding in one sentence: `quantity: "1" is a string, expected an integer`.
  public var description: String {
    switch kind.name {
    case _ where path.isEmpty: reason
    case .missing, .unplanned, .deprecated: "\(path) \(reason)"
    case .unplannedEvent, .mismatch, .expired, .unusable, .personalData, .limit: "\(path): \(reason)"
    }
  }
}

/// A place in a plan's file.
public struct PlanPlace: Hashable, Sendable {
  /// The file's path, as given when the plan was loaded.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in bytes, from 1.
  public let column: Int

  /// Creates a place in a file.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}
