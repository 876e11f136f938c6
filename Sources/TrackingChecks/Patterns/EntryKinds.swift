import TrackingModel
import TrackingServer

/// The kinds of entries that a verifier receives.
public struct EntryKinds: OptionSet, Hashable, Sendable {
  /// A bit for each kind.
  public let rawValue: Int

  /// Creates the kinds of these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Events.
  public static let events = EntryKinds(rawValue: 1)
  /// Requests from the app to its backend.
  public static let requests = EntryKinds(rawValue: 2)

  init(_ kinds: [EntryKinds]) { self = kinds.reduce(into: []) { $0.formUnion($1) } }

  package func contains(_ entry: JournalEntry) -> Bool {
    switch entry {
    case .event: contains(.events)
    case .request: contains(.requests)
    case .rejection: false
    }
  }

  var plural: String { self == .events ? "events" : self == .requests ? "requests" : "events or requests" }

  var singular: String { self == .events ? "event" : self == .requests ? "request" : "event or request" }

  func counted(_ count: Int) -> String {
    switch self {
    case .events: count.counted("event")
    case .requests: count.counted("request")
    default: "\(count) \(count == 1 ? singular : plural)"
    }
  }

  /// The number of patterns of these kinds: "2 events", "1 event and 2 requests".
  static func counted(_ kinds: [EntryKinds]) -> String {
    let all = EntryKinds(kinds)
    let events = kinds.count { $0 == .events }
    let requests = kinds.count { $0 == .requests }
    // A pattern of either kind, or one that matches nothing.
    guard events > 0, requests > 0, events + requests == kinds.count else { return all.counted(kinds.count) }
    return "\(events.counted("event")) and \(requests.counted("request"))"
  }
}
