import Foundation

/// The SDK that sent an event, with the values that it added; heap-allocated, since events of an app's own tracker have no SDK.
package final class SDKOrigin: Sendable {
  /// For example `Segment`.
  package let format: String
  /// `track`, `screen`, `identify`.
  package let kind: String
  /// The event's id from the SDK; `nil` in formats without ids.
  package let id: String?
  /// The time of tracking by the SDK's clock.
  package let time: Date?
  package let context: [String: TrackingValue]
  /// Whether the format carries text only: `"3"` may have been the number 3 in the app.
  package let isText: Bool
  /// Whether the event was tracked before the server started: the SDK kept it from an earlier run.
  package let isLeftover: Bool
  /// Whether the id is that of the whole body, which two submissions may share, and the SDK marks this one as its first attempt.
  package let isFirstAttempt: Bool

  package init(
    format: String, kind: String, id: String? = nil, time: Date? = nil, context: [String: TrackingValue] = [:],
    isText: Bool = false, isLeftover: Bool = false,
    isFirstAttempt: Bool = false
  ) {
    self.format = format
    self.kind = kind
    self.id = id
    self.time = time
    self.context = context
    self.isText = isText
    self.isLeftover = isLeftover
    self.isFirstAttempt = isFirstAttempt
  }
}
