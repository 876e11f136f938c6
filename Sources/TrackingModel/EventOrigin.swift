import Foundation

/// The SDK that sent an event, with the context that it added.
///
/// An object, so that the events of an app's own tracker pay one pointer for it.
package final class EventOrigin: Sendable {
  /// The name of the format, for example `Segment`.
  package let format: String
  /// The kind of the SDK's item: `track`, `screen`, `identify`.
  package let kind: String
  /// The id that the SDK gave the event; `nil` in formats without ids.
  package let id: String?
  /// The time at which the event was tracked, by the SDK's clock.
  package let time: Date?
  /// The context that the SDK added.
  package let context: [String: TrackingValue]
  /// Whether the format carries text only, so that `"3"` may have been the number 3 in the app.
  package let isText: Bool
  /// Whether the event was tracked before the server was started, so that the SDK kept it from an earlier run.
  package let isLeftover: Bool
  /// Whether the id stands for the whole body, which two submissions may share, and the SDK says that it sends it for the first time.
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
