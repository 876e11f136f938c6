import Foundation
import StubModel
import TrackingModel

/// The contents of one request from an SDK.
public struct DecodedSubmission: Sendable {
  /// The kind of an item, by the SDK's call that sends it.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind in one word: `track`.
    public let description: String

    /// An event that the app tracked.
    public static let track = Kind(description: "track")
    /// A screen or a page that was shown.
    public static let screen = Kind(description: "screen")
    /// Properties of the user.
    public static let identify = Kind(description: "identify")
    /// A group or a company that the user belongs to.
    public static let group = Kind(description: "group")
    /// Another id of the same user.
    public static let alias = Kind(description: "alias")
    /// An item that the SDK sends automatically: sessions, lifecycle, exposures, crashes.
    public static let automatic = Kind(description: "automatic")
    /// An item of a kind that the format doesn't describe.
    public static let other = Kind(description: "other")

    package static let all: [Kind] = [.track, .screen, .identify, .group, .alias, .automatic, .other]
  }

  /// One item of a batch.
  public struct Item: Sendable {
    /// The item's kind.
    public var kind: Kind
    /// The item's name and params as the app's developer wrote them.
    public var event: TrackingEvent
    /// The id that identifies a redelivery; `nil` if the format has none.
    public var id: String?
    /// The time at which the item was tracked, by the SDK's clock.
    public var time: Date?
    /// The values that the SDK added.
    public var context: [String: TrackingValue]
    /// The keys of ``context`` that are among the params on the wire.
    public var addedParams: [String]
    /// Whether the format carries only text, so that numbers and Booleans arrive as strings.
    public var isText: Bool

    /// Creates an item from its parts.
    public init(
      _ kind: Kind = .track, _ event: TrackingEvent, id: String? = nil, time: Date? = nil,
      context: [String: TrackingValue] = [:], addedParams: [String] = [], isText: Bool = false
    ) {
      self.kind = kind
      self.event = event
      self.id = id
      self.time = time
      self.context = context
      self.addedParams = addedParams
      self.isText = isText
    }
  }

  /// An item of a batch that can't be read; the batch's other items are still recorded.
  public struct Malformed: Hashable, Sendable, Error {
    /// The item's path in the body, for example `batch[3].properties`; empty for the whole body.
    public var path: String
    /// The problem, in one sentence.
    public var reason: String

    /// Creates a problem at a path.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The items, in the order of the body.
  public var items: [Item]
  /// The items that can't be read.
  public var malformed: [Malformed]
  /// The response that tells the SDK of success.
  public var response: StubResponse
  /// The number of earlier attempts, by the SDK's count; `nil` if it doesn't count.
  public var attempt: Int?
  /// Whether the body has its format's distinguishing marks; `nil` for formats without such marks.
  package var hasSignature: Bool?

  /// Creates a submission from its parts.
  public init(items: [Item], malformed: [Malformed] = [], response: StubResponse = .ok, attempt: Int? = nil) {
    self.items = items
    self.malformed = malformed
    self.response = response
    self.attempt = attempt
  }
}

extension DecodedSubmission.Malformed: CustomStringConvertible {
  /// Path and reason: `batch[3].properties: expected an object, found a string`.
  public var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}
