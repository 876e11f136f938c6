import TrackerDouble
import TrackingModel

/// The ways in which an app tracks an event: directly, through its own wrappers, and from a task.
enum CallSites {
  /// Tracks an event for each way, with the line that its call site should have as a param.
  static func track(_ tracker: some TrackerProtocol) async {
    tracker.track(event("direct", #line))
    tracker.track(Typed(line: #line))
    tracker.tapped("passed on", line: #line)
    tracker.shown("not passed on")
    await Task.detached { tracker.track(event("task", #line)) }.value
    tracker.trackEvent(event("none", 0))
    tracker.track(event("left out", 0), fileID: "")
  }

  /// Tracks the event that `AppProbe.swift` tracks, too.
  static func order(_ tracker: some TrackerProtocol) {
    tracker.track(TrackingEvent(name: "order_placed", params: ["orderID": "A-1001"]))
  }

  static func event(_ name: String, _ line: Int) -> TrackingEvent {
    TrackingEvent(name: name, params: ["line": .int(line)])
  }
}

private struct Typed: TrackingSchema {
  static let eventName = "typed"
  var line: Int
}

extension TrackerProtocol {
  func tapped(_ name: String, fileID: String = #fileID, line: Int = #line) {
    track(CallSites.event(name, line), fileID: fileID, line: line)
  }

  func shown(_ name: String) {
    track(CallSites.event(name, #line))
  }
}
