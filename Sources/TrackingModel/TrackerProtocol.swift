/// Takes the events that an app tracks.
///
/// Production code conforms a class around its analytics provider; tests inject `TrackerDouble` from another process, or the verifier's `tracker`
/// in process. A final class whose stored properties are immutable and `Sendable` needs nothing else; a class with mutable state declares
/// `@unchecked Sendable` and synchronizes access itself.
///
/// ```swift
/// final class ProviderTracker: TrackerProtocol {
///   func trackEvent(_ event: TrackingEvent) { Provider.log(event.name, event.params) }
/// }
/// ```
@preconcurrency public protocol TrackerProtocol: Sendable {
  /// Takes one event.
  ///
  /// Called on the thread that handles the user's action, often the main thread, so return at once.
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
  /// ``trackEvent(_:)`` adds no call site. An event that already has a call site keeps it, so a tracker may forward events with this method.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - fileID: The file that tracks it; empty to leave it out.
  ///   - line: The line that tracks it.
  public func track(_ event: TrackingEvent, fileID: String = #fileID, line: Int = #line) {
    trackEvent(event.tracked(at: fileID, line))
  }

  /// Unavailable: an event is a value.
  @available(
    *, unavailable, message: "an event is a value: write track(TrackingEvent(name: \"a\", params: [\"b\": 1]))"
  )
  public func track(name: String, params: [String: Any] = [:]) {
    track(TrackingEvent(name: name, parameters: params))
  }
}
