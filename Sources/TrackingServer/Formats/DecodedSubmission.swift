import Foundation
import StubModel
import TrackingModel

/// The contents of one request of an SDK.
public struct DecodedSubmission: Sendable {
  /// The reason for which an SDK sends an item.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An event that the app tracked.
    case track
    /// A screen or a page that was shown.
    case screen
    /// Properties of the user.
    case identify
    /// A group or a company that the user belongs to.
    case group
    /// Another id of the same user.
    case alias
    /// An item that the SDK sends without a call of the app: sessions, lifecycle, exposures, crashes.
    case automatic
    /// An item that the format does not describe.
    case other
  }

  /// One thing of a batch.
  public struct Item: Sendable {
    /// The reason for which it was sent.
    public var kind: Kind
    /// Its name and params as the app's developer wrote them.
    public var event: TrackingEvent
    /// The id by which a redelivery is recognized; `nil` when the format has none.
    public var id: String?
    /// The time at which it was tracked, by the SDK's clock.
    public var time: Date?
    /// The values that the SDK added.
    public var context: [String: TrackingValue]
    /// The keys of ``context`` that are among the params on the wire.
    public var addedParams: [String]
    /// Whether the format carries text only, so that numbers and Booleans arrive as strings.
    public var isText: Bool

    /// An item of all its parts.
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

  /// An item of a batch that cannot be read; the others are recorded all the same.
  public struct Malformed: Hashable, Sendable, Error {
    /// Its path in the body, for example `batch[3].properties`; empty for the body as a whole.
    public var path: String
    /// The mistake, in one sentence.
    public var reason: String

    /// A problem at a path.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The items, in the order of the body.
  public var items: [Item]
  /// The items that can't be read.
  public var malformed: [Malformed]
  /// The response that the SDK takes for success.
  public var response: StubResponse
  /// The number of earlier attempts, by the SDK's count; `nil` if it doesn't count.
  public var attempt: Int?
  /// Whether the body has the marks of its format, if several formats look alike; `nil` for formats without such marks.
  package var hasSignature: Bool?

  /// A submission of all its parts.
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
