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
    default: count == 1 ? "1 event or request" : "\(count) events and requests"
    }
  }
}
