/// Takes the events that an app tracks.
///
/// Production code conforms a class around its analytics provider; tests inject `TrackerDouble` from another process or the verifier's own
/// `tracker` in process. A final class whose stored properties are immutable and `Sendable` conforms as it is; a class with mutable or
/// open state writes `@unchecked Sendable` and guards that state itself.
///
/// ```swift
/// final class ProviderTracker: TrackerProtocol {
///   func trackEvent(_ event: TrackingEvent) { Provider.log(event.name, event.params) }
/// }
/// ```
@preconcurrency public protocol TrackerProtocol: Sendable {
  /// Takes one event.
  ///
  /// Called on whichever thread the user's action is handled on, often the main thread, so an implementation should return at once.
  func trackEvent(_ event: TrackingEvent)
}

extension TrackerProtocol {
  /// Tracks a typed event: its coding keys become the event's params.
  ///
  /// ```swift
  /// tracker.track(AddedToCart(product: "42", quantity: 2))
  /// ```
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - fileID: The file that tracks it, which failures name; empty to leave it out.
  ///   - line: The line that tracks it.
  public func track(_ event: some TrackingSchema, fileID: String = #fileID, line: Int = #line) {
    trackEvent(TrackingEvent(event).tracked(at: fileID, line))
  }

  /// Tracks an event with its call site, which failures name: `tracker.track(TrackingEvent(name: "button_tapped"))`.
  ///
  /// ``trackEvent(_:)`` alone gives an event no call site. An event that has one keeps it, so that a tracker may pass events on by this method.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - fileID: The file that tracks it; empty to leave it out.
  ///   - line: The line that tracks it.
  public func track(_ event: TrackingEvent, fileID: String = #fileID, line: Int = #line) {
    trackEvent(event.tracked(at: fileID, line))
  }
}
