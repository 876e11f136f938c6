import Foundation

/// Which SDK sent an event, and what it added to it.
///
/// An object, so that the events of an app's own tracker pay one pointer for it.
package final class EventOrigin: Sendable {
  /// The name of the format, for example `Segment`.
  package let format: String
  /// Why the SDK sent it: `track`, `screen`, `identify`.
  package let kind: String
  /// The id that the SDK gave the event; `nil` in formats without ids.
  package let id: String?
  /// When the event was tracked, by the SDK's clock.
  package let time: Date?
  /// What the SDK added.
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
