import Foundation

/// The SDK that sent an event, with its additions.
///
/// Heap-allocated, since the events of an app's own tracker have none.
package final class SDKOrigin: Sendable {
  /// The name of the format, for example `Segment`.
  package let format: String
  /// The kind of the item: `track`, `screen`, `identify`.
  package let kind: String
  /// The id that the SDK gave the event; `nil` in formats without ids.
  package let id: String?
  /// The time at which the event was tracked, by the SDK's clock.
  package let time: Date?
  /// The values that the SDK added.
  package let context: [String: TrackingValue]
  /// Whether the format carries text only, so that `"3"` may have been the number 3 in the app.
  package let isText: Bool
  /// Whether the event was tracked before the server was started, so that the SDK kept it from an earlier run.
  package let isLeftover: Bool
  /// Whether the id is that of the whole body, which two submissions may share, and the SDK counts this as its first attempt.
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
